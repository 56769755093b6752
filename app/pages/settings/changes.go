package settings

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type changePage struct {
	web.Page
	Admins       *web.People // who can decide it, if the reader cannot
	Request      models.ChangeRequest
	Subject      string // in words
	Changes      []views.Change
	Tied         *things.TiedNote
	Approvable   bool
	Refusable    bool
	Withdrawable bool
	Why          views.Field // of a refusal
	Password     *views.Field
}

// aChange reads the change request that the address names.
func (a *Area) aChange(c *fiber.Ctx) (models.ChangeRequest, error) {
	return web.Find(c, "change request", a.Store.ChangeRequest)
}

func (a *Area) Change(c *fiber.Ctx) error { return a.showChange(c, web.NewForm(c)) }

func (a *Area) showChange(c *fiber.Ctx, f *web.Form) error {
	r, err := a.aChange(c)
	if err != nil {
		return err
	}
	page := &changePage{Page: a.Page(c, ""), Request: r, Subject: things.ChangeTitle(r.Subject), Changes: things.ChangeRows(r)}
	page.Badges = []views.Badge{changeBadge(r.State)}
	if r.State == models.ChangeWaiting {
		if err := a.offerDecision(c, page, f); err != nil {
			return err
		}
		if !page.Approvable {
			if page.Admins, err = a.WhoMay(c.UserContext(), &page.Page, web.ChangeSettings); err != nil {
				return err
			}
		}
	}
	return a.RenderForm(c, !f.Ok(), "settings/change", page)
}

func changeBadge(s models.ChangeState) views.Badge {
	switch s {
	case models.ChangeWaiting:
		return views.Waiting("Waiting")
	case models.ChangeApproved:
		return views.Quiet("Approved")
	case models.ChangeRefused:
		return views.Refused("Refused")
	}
	return views.Gone("Withdrawn")
}

// offerDecision finds out what the reader may do about a waiting request.
func (a *Area) offerDecision(c *fiber.Ctx, page *changePage, f *web.Form) error {
	if !page.Can(web.ChangeSettings) {
		return nil
	}
	by, trial := a.Signer(c), page.Request
	page.Withdrawable = trial.Withdraw(by, a.Now()) == nil
	trial = page.Request
	page.Refusable = trial.Refuse(by, "tried", a.Now()) == nil
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	trial = page.Request
	err = trial.Approve(by, ties, a.Now())
	page.Approvable = err == nil
	if !page.Approvable {
		if page.Tied, err = a.TiedNote(c.UserContext(), &page.Page, err, page.Request.Maker.StaffID,
			models.Administrator); err != nil {
			return err
		}
	}
	page.Why = f.Field(views.Field{Name: "why", Autocomplete: "off", Most: models.MaxChangeReason})
	if page.Refusable || page.Withdrawable {
		page.Password, err = a.ConfirmField(c, f)
	}
	return err
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
	r, err := a.aChange(c)
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
	_, err = decide(c.UserContext(), a.Signer(c), r.ID)
	if errors.Is(err, models.ErrChangeRefusal) {
		f.Refuse("why", err.Error())
		return a.showChange(c, f)
	}
	var decided models.ChangeDecidedError
	var tied models.TiedError
	switch {
	case err == nil:
		a.ForgetRules()
		return a.Done(c, things.ChangePath(r.ID), message)
	case errors.As(err, &decided), errors.As(err, &tied), errors.Is(err, models.ErrOwnChange),
		errors.Is(err, models.ErrNotYourChange),
		errors.Is(err, models.ErrChangesByAdmins), errors.Is(err, models.ErrSignerChanged),
		errors.Is(err, models.ErrChangeOvertaken), errors.Is(err, models.ErrChangeInvalid):
		return a.Flash(c, things.ChangePath(r.ID), views.Warning("Nothing has changed", web.Sentence(err.Error())))
	}
	return err
}

// CountChanges counts the requests that the reader may approve.
func (a *Area) CountChanges(ctx context.Context, who *web.Reader) (web.Count, error) {
	if !web.May(who.Role, web.ChangeSettings) {
		return web.Count{}, nil
	}
	n := web.Count{Word: "waiting"}
	list, err := a.Store.WaitingChanges(ctx)
	if err != nil || len(list) == 0 {
		return n, err
	}
	ties, err := a.Store.Ties(ctx)
	for _, r := range list {
		if r.Maker.StaffID != who.ID && ties.Between(r.Maker.StaffID, who.ID) == nil {
			n.N++
		}
	}
	return n, err
}

// ChangesWaiting returns the requests that the reader may approve, for the overview.
func (a *Area) ChangesWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.CountChanges(c.UserContext(), web.ReaderOf(c))
	return views.Todo{Of: "changes", N: int64(n.N), Href: "/settings#changes"}, err
}
