package freespins

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Exceptions to the limits on free spins are requested on the form of a grant or a campaign, and approved by a second person.

const exceptionRows = 50

type exceptionRow struct {
	models.GrantException
	Href  string
	Badge views.Badge
}

func exceptionBadge(e models.GrantException, p *web.Page) views.Badge {
	if e.State == models.ApprovalWaiting && !p.Now.Before(e.ExpiresAt) {
		return pages.ApprovalBadge(models.ApprovalExpired)
	}
	return pages.ApprovalBadge(e.State)
}

// ExceptionWords returns what an exception is about, for the overview: "120 spins on Ancient Bells for anna".
func ExceptionWords(e models.GrantException) string {
	if e.CampaignID != 0 {
		return web.Several(e.Spins, "spin", "spins") + " in " + web.Several(e.Lines, "grant", "grants") + " from a file"
	}
	return web.Several(e.Spins, "spin", "spins") + " on " + e.Game.Title() + " for " + string(e.UserID)
}

type exceptionsPage struct {
	web.Page
	web.Listed
	Rows []exceptionRow
}

// Exceptions lists the requests for exceptions.
func (a *Area) Exceptions(c *fiber.Ctx) error {
	page := &exceptionsPage{Page: a.Page(c, "")}
	filter := models.ExceptionFilter{
		State: web.Choose(&page.Page, "state", "State", web.OptionsOf("All states", models.ApprovalStates))}
	page.Instead = page.Unread()
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed,
		models.List(filter, exceptionRows, a.Store.GrantExceptions, models.GrantException.Place))
	if err != nil {
		return err
	}
	for _, e := range found.Rows {
		page.Rows = append(page.Rows,
			exceptionRow{e, pages.ExceptionPath(e.ID), exceptionBadge(e, &page.Page)})
	}
	return a.Render(c, "free-spins/exceptions", page)
}

// Requesting an exception.

// PreviewException redirects to the confirmation page of an exception, or back to the form of the grant if something in it is
// wrong.
func (a *Area) PreviewException(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.Page(c, "")
	if _, _, err := a.readGrant(c, &page, f, beyondLimits); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	return a.ShowAgain(c, f, pages.NewExceptionPath)
}

// ExceptionConfirmation shows what the exception in the draft would allow.
func (a *Area) ExceptionConfirmation(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if !f.Typed() {
		return c.Redirect(pages.NewGrantPath, fiber.StatusSeeOther)
	}
	page, err := a.confirmGrant(c, f, beyondLimits)
	if err != nil {
		return err
	}
	if f.RefusedOtherThan("password") {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	page.Lasts, page.Exceeded = int(models.ExceptionLasts.Hours()), page.Known.exceeded(page.Request.Spins)
	if page.Approvers, err = a.ReaderApproves(c.UserContext(), &page.Page, models.ExceptionRule); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "free-spins/exception-new", page)
}

// RequestException requests the exception that was confirmed.
func (a *Area) RequestException(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.Page(c, "")
	r, _, err := a.readGrant(c, &page, f, beyondLimits)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewGrantPath)
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, pages.NewExceptionPath)
	}
	e, err := a.Bonus.RequestException(c.UserContext(), a.Signer(c), r)
	return a.ExceptionRequested(c, e, err, func(err error) error { return a.refuseGrant(c, f, r, err) })
}

// Deciding on an exception.

type exceptionPage struct {
	web.Page
	pages.Decision
	Row                    exceptionRow
	RequestedAt, ExpiresAt views.Moment
	Request                models.GrantRequest
	Known                  grantInfo // while it waits
}

// Granter returns what a campaign changes for the person who requested it.
func (p *exceptionPage) Granter() pages.Granter {
	k := p.Known
	return pages.Granter{Who: p.Row.Maker.Username, Limits: k.Limits, Taken: k.Taken, Spins: p.Row.Spins, Grants: p.Row.Lines}
}

// loadException reads the exception that the address names.
func (a *Area) loadException(c *fiber.Ctx) (models.GrantException, error) {
	return web.Find(c, "exception", a.Store.GrantException)
}

// Exception shows an exception, with what the reader may do about it.
func (a *Area) Exception(c *fiber.Ctx) error { return a.showException(c, web.NewForm(c)) }

func (a *Area) showException(c *fiber.Ctx, f *web.Form) error {
	e, err := a.loadException(c)
	if err != nil {
		return err
	}
	page := &exceptionPage{Page: a.Page(c, ""), Decision: pages.Decision{Approval: e.Approval, Path: pages.ExceptionPath(e.ID),
		Reason: e.Reason, Button: "Approve " + web.Several(e.Spins, "spin", "spins")}}
	page.Row = exceptionRow{e, pages.ExceptionPath(e.ID), exceptionBadge(e, &page.Page)}
	page.Badges = []views.Badge{page.Row.Badge}
	page.RequestedAt, page.ExpiresAt = page.Time(e.At), page.Time(e.ExpiresAt)
	if e.PlayerID != 0 {
		if err := a.Viewed(c, "player", e.PlayerID); err != nil {
			return err
		}
	}
	if err := a.Decide(c, &page.Page, f, &page.Decision, e.Rule()); err != nil {
		return err
	}
	if e.State == models.ApprovalWaiting {
		if err := a.knowException(c, page); err != nil {
			return err
		}
	}
	return a.RenderForm(c, !f.Ok(), "free-spins/exception", page)
}

// knowException reads what the approval of an exception would change.
func (a *Area) knowException(c *fiber.Ctx, page *exceptionPage) (err error) {
	e, k := page.Row.GrantException, &page.Known
	page.Request = models.GrantRequest{UserID: e.UserID, Spins: e.Spins}
	if e.CampaignID == 0 {
		offered := models.OfferedGame{GameID: e.Game.GameID, Name: e.Game.Name}
		k.Game, k.HasGame = models.Game{ID: e.Game.ID, OfferedGame: offered}, true
		if k.Player, k.HasPlayer, err = a.Store.PlayerByID(c.UserContext(), e.PlayerID); err != nil {
			return err
		}
	}
	return a.loadTaken(c.UserContext(), k, e.Maker.Username, e.Maker.Role)
}

// ApproveException grants what an exception asks for.
func (a *Area) ApproveException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.showException(c, f)
	}
	g, err := a.Bonus.ApproveException(c.UserContext(), a.Signer(c), e.ID)
	switch {
	case err != nil && g.ID == 0:
		return a.exceptionProblem(c, e, err)
	case e.CampaignID != 0:
		return a.Done(c, web.PathOf("/campaigns", e.CampaignID),
			"The exception is approved. The grants are being sent.")
	}
	return a.afterGrant(c, g, err)
}

// RefuseException refuses an exception with a reason.
func (a *Area) RefuseException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	why := f.Text("why")
	if err := models.CheckDecisionText(why); err != nil {
		f.Refuse("why", err.Error())
	}
	if !f.Ok() {
		return a.showException(c, f)
	}
	if err := a.Store.RefuseGrantException(c.UserContext(), a.Signer(c), e.ID, why); err != nil {
		return a.exceptionProblem(c, e, err)
	}
	return a.Done(c, pages.ExceptionPath(e.ID), "The exception is refused. Nothing was granted.")
}

// WithdrawException takes back an exception that the reader requested.
func (a *Area) WithdrawException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.showException(c, f)
	}
	if err := a.Store.WithdrawGrantException(c.UserContext(), a.Signer(c), e.ID); err != nil {
		return a.exceptionProblem(c, e, err)
	}
	return a.Done(c, pages.ExceptionPath(e.ID), "The exception is withdrawn. Nothing was granted.")
}

// confirmedException reads the exception in the address and checks the reader's password.
func (a *Area) confirmedException(c *fiber.Ctx) (models.GrantException, *web.Form, error) {
	f := web.NewForm(c)
	e, err := a.loadException(c)
	if err == nil {
		err = a.Confirm(c, f)
	}
	return e, f, err
}

// exceptionProblem shows on the exception's page why a decision failed.
func (a *Area) exceptionProblem(c *fiber.Ctx, e models.GrantException, err error) error {
	note := views.Warning("Nothing was granted", "")
	var pending models.PendingGrantError
	var frozen models.FrozenError
	switch {
	case errors.As(err, &pending):
		note.Text = fmt.Sprintf("The outcome of grant %d for this player and game is unknown. Find out first whether it was "+
			"granted.", pending.ID)
		note.Links = []views.Link{
			{Word: "Open grant " + strconv.FormatInt(pending.ID, 10), Href: web.PathOf("/free-spins", pending.ID)},
		}
	case errors.Is(err, models.ErrPlayerRestricted):
		note.Text = "The player may not get bonuses now. Refuse the exception. Support or compliance can say more."
		note.Links = []views.Link{{Word: "Open the player", Href: pages.PlayerPath(e.PlayerID)}}
	case errors.As(err, &frozen):
		note.Text = web.Sentence(frozen.Error()) + " Approve the exception when the freeze has ended, or refuse it."
	case errors.Is(err, models.ErrGameGone):
		note.Text = "The platform has withdrawn this game. Refuse the exception."
	default:
		return a.DecisionFailed(c, pages.ExceptionPath(e.ID), err, models.ErrMakerChanged, models.ErrCampaignEnded)
	}
	return a.Flash(c, pages.ExceptionPath(e.ID), note)
}

// CountExceptions counts the exceptions that the reader may approve.
func (a *Area) CountExceptions(ctx context.Context, who *web.Reader) (count web.Count, err error) {
	if !who.May(web.ApproveExceptions) {
		return count, nil
	}
	waiting, err := a.Store.WaitingExceptions(ctx)
	if err != nil {
		return count, err
	}
	n, err := a.CountApprovable(ctx, who, models.ExceptionRule, waiting)
	return web.Count{N: int(n), Word: "to approve"}, err
}

// ExceptionsWaiting returns the exceptions that the reader may approve, for the overview.
func (a *Area) ExceptionsWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.CountExceptions(c.UserContext(), web.ReaderOf(c))
	return views.Todo{Of: "exceptions", N: int64(n.N), Href: pages.ExceptionsPath + "?state=waiting"}, err
}
