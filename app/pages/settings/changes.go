package settings

import (
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

// LoadChange reads the change request that the address names.
func (a *Area) LoadChange(c *fiber.Ctx) (models.ChangeRequest, error) {
	return web.Find(c, "change request", a.Store.ChangeRequest)
}

func (a *Area) Change(c *fiber.Ctx, r models.ChangeRequest) error {
	return a.showChange(c, web.NewForm(c), r)
}

func (a *Area) showChange(c *fiber.Ctx, f *web.Form, r models.ChangeRequest) error {
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

func (a *Area) ApproveChange(c *fiber.Ctx, r models.ChangeRequest) error {
	return a.decideChange(c, r, func(by models.Signer, _ *web.Form) (string, error) {
		approved, err := a.Store.ApproveChange(c.UserContext(), by, r.ID)
		if err == nil && approved.Half != "" {
			return "", a.showHalf(c, approved)
		}
		return "The change is in effect.", err
	})
}

func (a *Area) RefuseChange(c *fiber.Ctx, r models.ChangeRequest) error {
	return a.decideChange(c, r, func(by models.Signer, f *web.Form) (string, error) {
		_, err := a.Store.RefuseChange(c.UserContext(), by, r.ID, f.Text("why"))
		return "The change is refused. Nothing has changed.", err
	})
}

func (a *Area) WithdrawChange(c *fiber.Ctx, r models.ChangeRequest) error {
	return a.decideChange(c, r, func(by models.Signer, _ *web.Form) (string, error) {
		_, err := a.Store.WithdrawChange(c.UserContext(), by, r.ID)
		return "The change is withdrawn. Nothing has changed.", err
	})
}

func (a *Area) decideChange(c *fiber.Ctx, r models.ChangeRequest, decide func(models.Signer, *web.Form) (string, error)) error {
	return a.MakeDecision(c, pages.Deciding{State: r.State, Path: pages.ChangePath(r.ID),
		Show:  func(f *web.Form) error { return a.showChange(c, f, r) },
		Known: []error{models.ErrChangeOvertaken, models.ErrChangeInvalid, models.ErrClientNameTaken}}, decide)
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
