package settings

import (
	"slices"
	"strconv"

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
	Subject string // what changes, in words
	Changes []views.Change
	Figures bool // finance or compliance approves it, instead of an administrator
}

// Changes is the kind of request for changes to settings, limits, rates and clients, which take two people.
func (a *Area) Changes() pages.RequestKind {
	return pages.RequestKind{Name: "change", Word: "Change of settings or clients", Path: pages.ChangesPath, List: "/settings#changes",
		Waits: views.Todo{One: "Change to approve", Many: "Changes to approve", Note: "limits, rules or rates that need a second person"},
		Reads: web.ReadSettings, Decides: web.DecideChanges, Withdraws: web.DecideChanges, Show: a.showChange, Done: a.changed,
		Said: map[models.ApprovalState]string{models.ApprovalRefused: "The change is refused. Nothing has changed.",
			models.ApprovalWithdrawn: "The change is withdrawn. Nothing has changed."},
		Known: []error{models.ErrChangeOvertaken, models.ErrChangeInvalid, models.ErrClientNameTaken}}
}

func (a *Area) showChange(c *fiber.Ctx, f *web.Form, asked models.Requested) (err error) {
	r := *asked.(*models.ChangeRequest)
	page := &changePage{Page: a.Page(c, ""), Request: r, Subject: pages.ChangeTitle(r), Changes: pages.ChangeRows(r)}
	page.Figures = !slices.Contains(r.Rule().Checkers, models.Administrator)
	page.Badges = []views.Badge{pages.ApprovalBadge(r.State)}
	page.Decision, err = a.NewDecision(c, &page.Page, f, pages.ChangePath(r.ID), "Change "+strconv.FormatInt(r.ID, 10), asked)
	if err != nil {
		return err
	}
	page.Decision.Reason, page.Decision.Moment, page.Button = r.Reason, page.Time(r.At), "Approve the change"
	return a.RenderForm(c, !f.Ok(), "settings/change", page)
}

// changed returns the message that a change is in effect, or shows the second half of a new secret.
func (a *Area) changed(c *fiber.Ctx, asked models.Requested) (string, error) {
	if r := asked.(*models.ChangeRequest); r.Half != "" {
		return "", a.showHalf(c, *r)
	}
	return "The change is in effect.", nil
}

// showHalf shows, once, the second half of an API client's new secret and the secret of its webhook.
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
