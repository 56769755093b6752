package settings

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type changePage struct {
	web.Page
	pages.Decision
	Request models.ChangeRequest
	Subject string // in words
	Changes []views.Change
	Figures bool // finance or compliance approves it, not an administrator
}

// loadChange reads the change request that the address names.
func (a *Area) loadChange(c *fiber.Ctx) (models.ChangeRequest, error) {
	return web.Find(c, "change request", a.Store.ChangeRequest)
}

func (a *Area) Change(c *fiber.Ctx) error { return a.showChange(c, web.NewForm(c)) }

func (a *Area) showChange(c *fiber.Ctx, f *web.Form) error {
	r, err := a.loadChange(c)
	if err != nil {
		return err
	}
	page := &changePage{Page: a.Page(c, ""), Request: r, Subject: pages.ChangeTitle(r.Subject), Changes: pages.ChangeRows(r),
		Decision: pages.Decision{Approval: r.Approval, Path: pages.ChangePath(r.ID), Reason: r.Reason,
			Button: "Approve the change"}}
	page.Figures = !slices.Contains(r.Subject.Rule().Checkers, models.Administrator)
	page.Badges = []views.Badge{pages.ApprovalBadge(r.State)}
	if err := a.Decide(c, &page.Page, f, &page.Decision, r.Subject.Rule()); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "settings/change", page)
}

func (a *Area) ApproveChange(c *fiber.Ctx) error {
	return a.decideChange(c, a.Store.ApproveChange, "The change is in effect.")
}

func (a *Area) RefuseChange(c *fiber.Ctx) error {
	refuse := func(ctx context.Context, by models.Signer, id int64) (models.ChangeRequest, error) {
		return a.Store.RefuseChange(ctx, by, id, web.NewForm(c).Text("why"))
	}
	return a.decideChange(c, refuse, "The change is refused. Nothing has changed.")
}

func (a *Area) WithdrawChange(c *fiber.Ctx) error {
	return a.decideChange(c, a.Store.WithdrawChange, "The change is withdrawn. Nothing has changed.")
}

func (a *Area) decideChange(c *fiber.Ctx, decide func(context.Context, models.Signer, int64) (models.ChangeRequest, error),
	message string) error {
	r, err := a.loadChange(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.showChange(c, f)
	}
	decided, err := decide(c.UserContext(), a.Signer(c), r.ID)
	if errors.Is(err, models.ErrDecisionText) {
		f.Refuse("why", err.Error())
		return a.showChange(c, f)
	}
	if err != nil {
		return a.DecisionFailed(c, pages.ChangePath(r.ID), err, models.ErrChangeOvertaken, models.ErrChangeInvalid,
			models.ErrClientNameTaken)
	}
	if decided.Half != "" {
		return a.showHalf(c, decided)
	}
	return a.Done(c, pages.ChangePath(r.ID), message)
}

// showHalf shows the second half of an API client's new secret, and the secret of its webhook, once.
func (a *Area) showHalf(c *fiber.Ctx, r models.ChangeRequest) error {
	want, _, err := models.ParseAPISecretRequest(r.After)
	if err != nil {
		return err
	}
	client, _, err := a.Store.APIClient(c.UserContext(), want.ID)
	if err != nil {
		return err
	}
	page := &pages.HalfPage{Page: a.Page(c, ""), Half: r.Half, Second: true, Hooked: client.Webhook != "", Back: pages.ChangePath(r.ID)}
	if secrets := a.Store.WebhookSecrets(client); page.Hooked && len(secrets) > 0 {
		page.Webhook = secrets[0]
	}
	return a.ShowHalf(c, page)
}

// CountChanges counts the requests that the reader may approve.
func (a *Area) CountChanges(ctx context.Context, who *web.Reader) (web.Count, error) {
	if !who.May(web.DecideChanges) {
		return web.Count{}, nil
	}
	list, err := a.Store.WaitingChanges(ctx)
	count := web.Count{Word: "waiting"}
	for _, r := range list {
		n, wrong := a.CountApprovable(ctx, who, r.Subject.Rule(), map[int64]int64{r.Maker.StaffID: 1})
		count.N, err = count.N+int(n), cmp.Or(err, wrong)
	}
	return count, err
}

// ChangesWaiting returns the requests that the reader may approve, for the overview.
func (a *Area) ChangesWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.CountChanges(c.UserContext(), web.ReaderOf(c))
	return views.Todo{Of: "changes", N: int64(n.N), Href: "/settings#changes"}, err
}
