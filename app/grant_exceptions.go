package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Exceptions from the limits on free spins: requested on the form of a grant or an import, and approved by a second person.

const (
	exceptionsPath   = "/free-spins/exceptions"
	newExceptionPath = "/free-spins/exceptions/new"
	exceptionRows    = 50
)

func exceptionPath(id int64) string { return pathOf(exceptionsPath, id) }

// limitHelp says who can do something about a limit, where a grant or an import exceeds it.
type limitHelp struct {
	Limit    string // the limit, in words
	Action   string // where an exception is requested: by a button of the form around it, or a link
	Link     bool
	Renewed  string // when limits a day are free again
	Settings string
}

func (a *App) limitHelp(ctx context.Context, p *Page, limit, action string) (*limitHelp, error) {
	_, until, err := a.Store.GrantDay(ctx)
	return &limitHelp{Limit: limit, Action: action, Renewed: p.Time(until).Brief(), Settings: grantLimitsPath}, err
}

type exceptionRow struct {
	models.GrantException
	Href, What string
	Badge      views.Badge
}

func exceptionBadge(e models.GrantException, p *Page) views.Badge {
	switch {
	case e.State == models.ExceptionApproved:
		return views.Quiet("Approved")
	case e.State == models.ExceptionRefused:
		return views.Refused("Refused")
	case e.State == models.ExceptionWithdrawn:
		return views.Gone("Withdrawn")
	case e.State == models.ExceptionExpired || !p.now.Before(e.ExpiresAt):
		return views.Gone("Expired")
	}
	return views.Waiting("Waiting")
}

// exceptionWords say what an exception is about: "120 spins on Ancient Bells for anna".
func exceptionWords(e models.GrantException) string {
	if e.ImportID != 0 {
		return several(e.Spins, "spin", "spins") + " in " + several(e.Lines, "grant", "grants") + " from a file"
	}
	return several(e.Spins, "spin", "spins") + " on " + gameName(e.Game) + " for " + string(e.UserID)
}

type exceptionsPage struct {
	Page
	States []views.Choice
	Rows   []exceptionRow
	Paging views.Paging
	Empty  views.Empty
}

var exceptionStateWords = []string{"", "All states", "waiting", "Waiting", "approved", "Approved", "refused", "Refused",
	"withdrawn", "Withdrawn", "expired", "Expired"}

// exceptions lists what was asked for beyond the limits.
func (a *App) exceptions(c *fiber.Ctx) error {
	page := &exceptionsPage{Page: a.page(c, "Exceptions from the limits")}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "Exceptions"}}
	page.Lede = "Grants and imports beyond the limits. Each needs a second person. Newest first."
	page.Actions = []views.Link{{Word: "Free-spin limits", Href: grantLimitsPath}}
	state := page.filter("state", "State", wordOf(exceptionStateWords))
	page.States = choices(state, exceptionStateWords...)
	filter := models.ExceptionFilter{Limit: exceptionRows}
	for _, s := range models.ExceptionStates {
		if s.String() == state {
			filter.State = s
		}
	}
	var err error
	if filter.Page, err = page.place(); err != nil {
		return err
	}
	list, more, err := a.Store.GrantExceptions(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, e := range list {
		page.Rows = append(page.Rows, exceptionRow{e, exceptionPath(e.ID), exceptionWords(e), exceptionBadge(e, &page.Page)})
	}
	if n := len(list); n > 0 {
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No exceptions yet",
		Text: "When a grant or an import exceeds a limit, its form offers to request one."}
	if len(page.Chips) > 0 {
		page.Empty = views.Empty{Title: "No exceptions match", Text: "None has this state.",
			Links: []views.Link{{Word: "Show all exceptions", Href: exceptionsPath, Main: true}}}
	}
	return a.render(c, "free-spins/exceptions", page)
}

// Requesting one.

// previewException leads to the page that says what an exception would allow, or back to the form of the grant.
func (a *App) previewException(c *fiber.Ctx) error {
	f := newForm(c)
	page := a.page(c, "Request an exception")
	if _, _, err := a.readGrant(c, &page, f, beyondLimits); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, newGrantPath)
	}
	return a.again(c, f, newExceptionPath)
}

// exceptionConfirmation shows what the exception in the draft would allow.
func (a *App) exceptionConfirmation(c *fiber.Ctx) error {
	f := newForm(c)
	if !f.typed() {
		return c.Redirect(newGrantPath, fiber.StatusSeeOther)
	}
	page := &deedPage{Page: a.page(c, "Request an exception")}
	back, err := a.unchanged(c, f, newGrantPath)
	if err != nil {
		return err
	}
	page.Crumbs = []views.Crumb{{Word: "Free spins", Href: "/free-spins"}, {Word: "New grant", Href: back}, {Word: "Exception"}}
	r, k, err := a.readGrant(c, &page.Page, f, beyondLimits)
	if err != nil {
		return err
	}
	if f.refusedBeside("password") {
		return a.again(c, f, newGrantPath)
	}
	if page.Deed, err = a.grantDeed(c, f, r, k); err != nil {
		return err
	}
	words := several(r.Spins, "spin", "spins")
	approvers, err := a.exceptionApprovers(c)
	if err != nil {
		return err
	}
	page.Deed.Sentence = "Request an exception: " + words + " on " + gameName(k.Game) + " for " + string(r.UserID) + "."
	page.Deed.Consequences = "Nothing is granted before a second person approves. Then the spins are granted once, exactly " +
		"as requested. " +
		"The request expires after " + strconv.Itoa(int(models.ExceptionLasts.Hours())) + " hours."
	page.Deed.Action, page.Deed.Button, page.Deed.Back = exceptionsPath, "Request an exception for "+words,
		views.Link{Word: "Change", Href: back}
	page.Deed.Notes = append(page.Deed.Notes, approvers)
	if err := k.Rules.Allow(k.Role, k.Taken, k.Player.Wallet.Currency, r.Spins); err != nil {
		page.Deed.Checks = append(page.Deed.Checks, views.Check{Warn: true, Text: sentence(err.Error())})
	}
	if !f.ok() {
		return a.refused(c, "free-spins/confirm", page)
	}
	return a.render(c, "free-spins/confirm", page)
}

// exceptionApprovers names who can approve what the reader requests.
func (a *App) exceptionApprovers(c *fiber.Ctx) (string, error) {
	names, err := a.exceptionHelpers(c.UserContext(), reader(c).ID)
	switch {
	case err != nil:
		return "", err
	case len(names) == 0:
		return "Nobody can approve it at present: it takes somebody else of the role bonus or finance who is not tied to " +
			"you. An administrator can create a colleague’s account under Staff.", nil
	}
	return "These colleagues can approve it: " + inWords(names) + ".", nil
}

// exceptionHelpers are colleagues who can approve what somebody requests.
func (a *App) exceptionHelpers(ctx context.Context, maker int64) (names []string, err error) {
	for _, role := range models.ExceptionRoles {
		of, err := a.independent(ctx, maker, role)
		if err != nil {
			return nil, err
		}
		names = append(names, of...)
	}
	return names, nil
}

// requestException asks for the exception that was confirmed.
func (a *App) requestException(c *fiber.Ctx) error {
	f := newForm(c)
	page := a.page(c, "Request an exception")
	r, _, err := a.readGrant(c, &page, f, beyondLimits)
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, newGrantPath)
	}
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, newExceptionPath)
	}
	e, err := a.Bonus.RequestException(c.UserContext(), a.signer(c), r)
	return a.exceptionRequested(c, e, err, func(err error) error { return a.refuseGrant(c, f, err) })
}

// exceptionRequested leads to an exception, or says why there is none. otherwise handles what is no matter of exceptions.
func (a *App) exceptionRequested(c *fiber.Ctx, e models.GrantException, err error, otherwise func(error) error) error {
	var waits models.ExceptionWaitsError
	switch {
	case err == nil:
		return a.done(c, exceptionPath(e.ID),
			"The exception is requested. Nothing is granted before a second person approves it.")
	case errors.As(err, &waits):
		return a.flash(c, exceptionPath(waits.ID),
			views.Note{Kind: "wait", Icon: "info", Title: "Nothing was requested a second time",
				Text: "This exception for the same spins is waiting already."})
	case errors.Is(err, models.ErrExceptionNeedless):
		return a.flash(c, newGrantPath,
			views.Note{Kind: "wait", Icon: "info", Title: "No exception is needed",
				Text: "The limits have room for this by now. Grant it here."})
	case errors.Is(err, models.ErrSignerChanged):
		return a.flash(c, exceptionsPath,
			views.Note{Kind: "wait", Icon: "warning", Title: "Nothing was requested", Text: sentence(err.Error())})
	}
	return otherwise(err)
}

// Deciding one.

type exceptionPage struct {
	Page
	Row                                exceptionRow
	Deed                               string
	AskedAt, DecidedAt, ExpiresAt      views.Moment
	PlayerHref, GrantHref, ImportHref  string
	Approvable, Refusable, Withdrawing bool
	CannotApprove                      string
	Tied                               *tiedNote
	Note                               views.Field
	Password                           *views.Field
}

// anException reads the exception that the address names.
func (a *App) anException(c *fiber.Ctx) (models.GrantException, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.GrantException{}, notFound("exception")
	}
	e, found, err := a.Store.GrantException(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("exception")
	}
	return e, err
}

func (a *App) exception(c *fiber.Ctx) error { return a.showException(c, newForm(c)) }

func (a *App) showException(c *fiber.Ctx, f *form) error {
	e, err := a.anException(c)
	if err != nil {
		return err
	}
	id := strconv.FormatInt(e.ID, 10)
	page := &exceptionPage{Page: a.page(c, "Exception "+id)}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Exceptions", Href: exceptionsPath}, {Word: id},
	}
	page.Row = exceptionRow{e, exceptionPath(e.ID), exceptionWords(e), exceptionBadge(e, &page.Page)}
	page.Badges = []views.Badge{page.Row.Badge}
	page.AskedAt, page.DecidedAt, page.ExpiresAt = page.Time(e.At), page.Time(e.DecidedAt), page.Time(e.ExpiresAt)
	if e.PlayerID != 0 {
		page.PlayerHref = playerPath(e.PlayerID)
		if err := a.viewed(c, "player", e.PlayerID); err != nil {
			return err
		}
	}
	if e.GrantID != 0 {
		page.GrantHref = pathOf("/free-spins", e.GrantID)
	}
	if e.ImportID != 0 {
		page.ImportHref = pathOf("/free-spins/imports", e.ImportID)
	}
	if err := a.offerException(c, page, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.refused(c, "free-spins/exception", page)
	}
	return a.render(c, "free-spins/exception", page)
}

// offerException says what the reader may do about an exception, and who can approve it where the reader cannot.
func (a *App) offerException(c *fiber.Ctx, page *exceptionPage, f *form) error {
	by, e := a.signer(c), page.Row.GrantException
	if page.Row.Badge.Word != "Waiting" {
		return nil
	}
	trial := e
	page.Withdrawing = trial.Withdraw(by, a.Now()) == nil
	trial = e
	page.Refusable = trial.Refuse(by, "tried", a.Now()) == nil
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	trial = e
	refusal := trial.Approve(by, ties, a.Now())
	if page.Approvable = refusal == nil; !page.Approvable {
		if page.Tied, err = a.tiedNote(c.UserContext(), &page.Page, refusal, e.Maker.StaffID,
			models.ExceptionRoles...); err != nil {
			return err
		}
		if page.Tied == nil {
			names, err := a.exceptionHelpers(c.UserContext(), e.Maker.StaffID)
			if err != nil {
				return err
			}
			if page.CannotApprove = "It takes somebody else of the role bonus or finance. An administrator can create a " +
				"colleague’s account under Staff."; len(names) > 0 {
				page.CannotApprove = inWords(names) + " can approve it."
			}
		}
	}
	page.Note = f.field(views.Field{Label: "Why it is refused", Name: "note", Autocomplete: "off",
		Hint: "Only for a refusal: " + e.Maker.Username + " reads it."})
	if page.Refusable || page.Withdrawing {
		page.Password, err = a.confirmField(c, f)
	}
	return err
}

func (a *App) approveException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.showException(c, f)
	}
	approved, g, err := a.Bonus.ApproveException(c.UserContext(), a.signer(c), e.ID)
	switch {
	case err != nil && g.ID == 0:
		return a.exceptionProblem(c, e, err)
	case approved.ImportID != 0:
		return a.done(c, pathOf("/free-spins/imports", approved.ImportID),
			"The exception is approved, and the grants are being sent.")
	}
	return a.afterGrant(c, g, err)
}

func (a *App) refuseException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	note := f.text("note")
	if n := len([]rune(note)); n == 0 || n > models.MaxExceptionNote {
		f.refuse("note", fmt.Sprintf("Say why, in at most %d characters.", models.MaxExceptionNote))
	}
	if !f.ok() {
		return a.showException(c, f)
	}
	if err := a.Store.RefuseGrantException(c.UserContext(), a.signer(c), e.ID, note); err != nil {
		return a.exceptionProblem(c, e, err)
	}
	return a.done(c, exceptionPath(e.ID), "The exception is refused. Nothing was granted.")
}

func (a *App) withdrawException(c *fiber.Ctx) error {
	e, f, err := a.confirmedException(c)
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.showException(c, f)
	}
	if err := a.Store.WithdrawGrantException(c.UserContext(), a.signer(c), e.ID); err != nil {
		return a.exceptionProblem(c, e, err)
	}
	return a.done(c, exceptionPath(e.ID), "The exception is withdrawn. Nothing was granted.")
}

// confirmedException reads the exception in the address and checks the reader's password.
func (a *App) confirmedException(c *fiber.Ctx) (models.GrantException, *form, error) {
	f := newForm(c)
	e, err := a.anException(c)
	if err == nil {
		err = a.confirm(c, f)
	}
	return e, f, err
}

// exceptionProblem says on the exception's page why it was not decided.
func (a *App) exceptionProblem(c *fiber.Ctx, e models.GrantException, err error) error {
	note := views.Note{Kind: "wait", Icon: "warning", Title: "Nothing was granted"}
	var decided models.ExceptionDecidedError
	var tied models.TiedError
	var pending models.PendingGrantError
	known := []error{
		models.ErrExceptionExpired, models.ErrExceptionRole, models.ErrOwnException, models.ErrNotYourException,
		models.ErrMakerChanged, models.ErrSignerChanged,
		models.ErrExceptionReason, models.ErrImportEnded,
	}
	switch {
	case errors.As(err, &pending):
		note.Text = fmt.Sprintf("The outcome of grant %d, of this game to this player, is not known. Find out first what "+
			"became of it.", pending.ID)
		note.Links = []views.Link{
			{Word: "Open grant " + strconv.FormatInt(pending.ID, 10), Href: pathOf("/free-spins", pending.ID)},
		}
	case errors.Is(err, models.ErrPlayerBlocked):
		note.Text = "The player was blocked after the exception was requested. Refuse it, or have the player unblocked by " +
			"support or finance."
		note.Links = []views.Link{{Word: "Open the player", Href: playerPath(e.PlayerID)}}
	case errors.Is(err, models.ErrGameGone):
		note.Text = "The platform has withdrawn this game. Refuse the exception."
	case errors.As(err, &decided), errors.As(err, &tied),
		slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }):
		note.Text = sentence(rootText(err))
	default:
		return err
	}
	return a.flash(c, exceptionPath(e.ID), note)
}

// countExceptions counts the exceptions that the reader may approve.
func (a *App) countExceptions(ctx context.Context, who *Reader) (n int64, err error) {
	if may, err := may(who.Role, approveExceptions); err != nil || !may {
		return 0, err
	}
	waiting, err := a.Store.WaitingExceptions(ctx)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	ties, err := a.Store.Ties(ctx)
	for maker, asked := range waiting {
		if maker != who.ID && ties.Between(maker, who.ID) == nil {
			n += asked
		}
	}
	return n, err
}

// exceptionsWaiting are those exceptions, for the overview.
func (a *App) exceptionsWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.countExceptions(c.UserContext(), reader(c))
	todo := views.Todo{N: n, Word: "Exceptions to approve", Href: exceptionsPath + "?state=waiting", Kind: "wait",
		Note: "free spins beyond the limits"}
	if n == 1 {
		todo.Word = "Exception to approve"
	}
	return todo, err
}
