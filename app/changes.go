package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Changes that need a second administrator, and what other administrators did since one looked.

func changePath(id int64) string { return pathOf("/settings/changes", id) }

// changeTitles are what change requests are about, in a few words.
var changeTitles = map[models.ChangeSubject]string{
	models.ChangeCorrectionLimits: "Limits for acting alone",
	models.ChangeTwoPeople:        "Two-person rule",
	models.ChangeGrantLimits:      "Free-spin limits",
}

func changeTitle(subject models.ChangeSubject) string {
	if title, known := changeTitles[subject]; known {
		return title
	}
	return firstUpper(string(subject))
}

// changeRows put a change into rows of before and after.
func changeRows(r models.ChangeRequest) []views.Change {
	switch r.Subject {
	case models.ChangeTwoPeople:
		days := func(value string) string {
			rules := models.DefaultTwoPeople
			if err := json.Unmarshal([]byte(value), &rules); err != nil && value != "" {
				return value
			}
			return several(int64(rules.Days), "day", "days")
		}
		return []views.Change{{What: "Period after an account was changed", Before: days(r.Before), After: days(r.After)}}
	case models.ChangeGrantLimits:
		return grantLimitChanges(r)
	case models.ChangeCorrectionLimits:
		before, after := limitsOf(r.Before), limitsOf(r.After)
		var rows []views.Change
		for _, role := range models.Roles {
			for _, currency := range append(before.currencies(role), after.currencies(role)...) {
				row := views.Change{What: string(role) + ", " + string(currency), Before: before.words(role, currency),
					After: after.words(role, currency)}
				if !containsChange(rows, row) {
					rows = append(rows, row)
				}
			}
		}
		return rows
	}
	return []views.Change{{What: changeTitle(r.Subject), Before: r.Before, After: r.After}}
}

func containsChange(rows []views.Change, row views.Change) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

// limitsOf reads limits from a request; what cannot be read has none.
func limitsOf(value string) aloneLimits {
	limits := aloneLimits{}
	json.Unmarshal([]byte(value), &limits) // the store has checked it
	return limits
}

type aloneLimits models.AloneLimits

func (l aloneLimits) currencies(role models.Role) (list []models.Currency) {
	for _, row := range limitRows(models.AloneLimits(l)) {
		if row.Role == string(role) {
			list = append(list, models.Currency(row.Currency))
		}
	}
	return list
}

func (l aloneLimits) words(role models.Role, currency models.Currency) string {
	limit := models.AloneLimits(l).Of(role, currency)
	if limit.Amount <= 0 {
		return "nothing alone"
	}
	return limit.Amount.Grouped() + " at once, " + limit.PerDay.Grouped() + " a day"
}

// changeLine is a request in a list.
type changeLine struct {
	models.ChangeRequest
	Href, Title string
	Moment      views.Moment
}

func (p *Page) changeLines(list []models.ChangeRequest) []changeLine {
	lines := make([]changeLine, len(list))
	for i, r := range list {
		lines[i] = changeLine{r, changePath(r.ID), changeTitle(r.Subject), p.Time(r.At)}
	}
	return lines
}

type changePage struct {
	Page
	Request      models.ChangeRequest
	Deed         string
	Changes      []views.Change
	AskedAt      views.Moment
	DecidedAt    views.Moment
	Tied         *tiedNote
	Approvable   bool
	Refusable    bool
	Withdrawable bool
	Password     *views.Field
}

// aChange reads the change request that the address names.
func (a *App) aChange(c *fiber.Ctx) (models.ChangeRequest, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.ChangeRequest{}, notFound("change request")
	}
	r, found, err := a.Store.ChangeRequest(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("change request")
	}
	return r, err
}

func (a *App) change(c *fiber.Ctx) error { return a.showChange(c, newForm(c)) }

func (a *App) showChange(c *fiber.Ctx, f *form) error {
	r, err := a.aChange(c)
	if err != nil {
		return err
	}
	page := &changePage{Page: a.page(c, changeTitle(r.Subject)), Request: r, Changes: changeRows(r)}
	page.Crumbs = []views.Crumb{{Word: "Settings", Href: "/settings"}, {Word: "Change " + strconv.FormatInt(r.ID, 10)}}
	page.AskedAt, page.DecidedAt = page.Time(r.At), page.Time(r.DecidedAt)
	switch r.State {
	case models.ChangeWaiting:
		page.Badges = []views.Badge{views.Waiting("Waiting")}
		page.Deed = "Nothing changes until another administrator approves it."
	case models.ChangeApproved:
		page.Badges = []views.Badge{views.Quiet("Approved")}
		page.Deed = "In effect."
	case models.ChangeRefused:
		page.Badges = []views.Badge{views.Refused("Refused")}
		page.Deed = "Nothing has changed."
	default:
		page.Badges = []views.Badge{views.Gone("Withdrawn")}
		page.Deed = "Nothing has changed."
	}
	if r.State == models.ChangeWaiting {
		if err := a.offerDecision(c, page, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.refused(c, "settings/change", page)
	}
	return a.render(c, "settings/change", page)
}

// offerDecision says what the reader may do about a request that waits.
func (a *App) offerDecision(c *fiber.Ctx, page *changePage, f *form) error {
	may, err := page.Can(changeSettings)
	if err != nil || !may {
		return err
	}
	by, trial := a.signer(c), page.Request
	page.Withdrawable = trial.Withdraw(by, a.Now()) == nil
	trial = page.Request
	page.Refusable = trial.Refuse(by, a.Now()) == nil
	ties, err := a.Store.Ties(c.UserContext())
	if err != nil {
		return err
	}
	trial = page.Request
	err = trial.Approve(by, ties, a.Now())
	page.Approvable = err == nil
	if !page.Approvable {
		if page.Tied, err = a.tiedNote(c.UserContext(), &page.Page, err, page.Request.Maker.StaffID,
			models.Administrator); err != nil {
			return err
		}
	}
	if page.Refusable || page.Withdrawable {
		page.Password, err = a.confirmField(c, f)
	}
	return err
}

// tiedNote says why the reader cannot approve what a colleague asked for, and who can.
type tiedNote struct {
	Because []string
	Until   views.Moment
	Others  []string // who is neither the maker nor tied to them
}

// tiedNote returns nil for other errors than a TiedError.
func (a *App) tiedNote(ctx context.Context, p *Page, err error, maker int64, roles ...models.Role) (*tiedNote, error) {
	var tied models.TiedError
	if !errors.As(err, &tied) {
		return nil, nil
	}
	note := &tiedNote{Until: p.Time(tied.Until)}
	for _, t := range tied.Because {
		by := t.By
		if t.ByID == models.SomebodyAtTheCommandLine {
			by = "Somebody at the command line"
		}
		note.Because = append(note.Because, fmt.Sprintf("%s %s %s, %s.", by, t.Act, t.Staff, p.Time(t.At).Date()))
	}
	for _, role := range roles {
		names, err := a.independent(ctx, maker, role)
		if err != nil {
			return nil, err
		}
		note.Others = append(note.Others, names...)
	}
	return note, nil
}

// mostIndependent is how many colleagues are named who can approve something.
const mostIndependent = 5

// independent names colleagues of a role who can approve what somebody asked for.
func (a *App) independent(ctx context.Context, maker int64, role models.Role) ([]string, error) {
	ties, err := a.Store.Ties(ctx)
	if err != nil {
		return nil, err
	}
	list, _, err := a.Store.ListStaff(ctx, models.StaffFilter{Role: role, State: "enabled", Limit: 200})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range list {
		if s.ID != maker && s.PasswordHash != "" && ties.Between(maker, s.ID) == nil && len(names) < mostIndependent {
			names = append(names, s.Name)
		}
	}
	return names, nil
}

// requireReason refuses a reason that is missing or longer than a change request keeps.
func (f *form) requireReason(name string) {
	switch n := utf8.RuneCountInString(f.text(name)); {
	case n == 0:
		f.refuse(name, "Say why.")
	case n > models.MaxChangeReason:
		f.refuse(name, fmt.Sprintf("A reason has at most %s characters.", grouped(models.MaxChangeReason)))
	}
}

// requestChange asks for a change on behalf of the reader, who has given their password, and leads to its page.
func (a *App) requestChange(c *fiber.Ctx, back string, subject models.ChangeSubject, value any, reason string) error {
	r, err := a.Store.RequestChange(c.UserContext(), a.signer(c), subject, value, reason)
	var pending models.ChangePendingError
	switch {
	case errors.As(err, &pending):
		return a.flash(c, changePath(pending.ID),
			views.Note{Kind: "wait", Icon: "info", Title: "Nothing was requested", Text: sentence(err.Error())})
	case errors.Is(err, models.ErrChangeSame):
		return a.flash(c, back, views.Note{Kind: "wait", Icon: "info", Text: "Nothing differs from what is in effect."})
	case errors.Is(err, models.ErrSignerChanged):
		return a.flash(c, back, views.Note{Kind: "wait", Icon: "warning", Text: sentence(err.Error())})
	case err != nil:
		return err
	}
	return a.done(c, changePath(r.ID), "The change is requested. It takes effect when another administrator approves it.")
}

func (a *App) approveChange(c *fiber.Ctx) error {
	return a.decideChange(c, a.Store.ApproveChange, "The change is in effect.")
}

func (a *App) refuseChange(c *fiber.Ctx) error {
	return a.decideChange(c, a.Store.RefuseChange, "The change is refused. Nothing has changed.")
}

func (a *App) withdrawChange(c *fiber.Ctx) error {
	return a.decideChange(c, a.Store.WithdrawChange, "The change is withdrawn. Nothing has changed.")
}

func (a *App) decideChange(c *fiber.Ctx, decide func(context.Context, models.Signer, int64) (models.ChangeRequest, error),
	message string) error {
	r, err := a.aChange(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.showChange(c, f)
	}
	_, err = decide(c.UserContext(), a.signer(c), r.ID)
	var decided models.ChangeDecidedError
	var tied models.TiedError
	switch {
	case err == nil:
		a.forgetRules()
		return a.done(c, changePath(r.ID), message)
	case errors.As(err, &decided), errors.As(err, &tied), errors.Is(err, models.ErrOwnChange),
		errors.Is(err, models.ErrNotYourChange),
		errors.Is(err, models.ErrChangesByAdmins), errors.Is(err, models.ErrSignerChanged),
		errors.Is(err, models.ErrChangeOvertaken), errors.Is(err, models.ErrChangeInvalid):
		return a.flash(c, changePath(r.ID),
			views.Note{Kind: "wait", Icon: "warning", Title: "Nothing has changed", Text: sentence(err.Error())})
	}
	return err
}

// countChanges counts the requests that the reader may approve.
func (a *App) countChanges(ctx context.Context, who *Reader) (count, error) {
	if may, err := may(who.Role, changeSettings); err != nil || !may {
		return count{}, err
	}
	n := count{Word: "waiting"}
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

// What others did.

// mostAlerts is how many alerts are looked for at once.
const mostAlerts = 100

type alertsPage struct {
	Page
	Alerts []historyLine
	Newest int64
	More   bool // newer ones follow once these are seen
	Empty  views.Empty
}

// alerts shows what other administrators did to accounts, limits and rules since the reader looked.
func (a *App) alerts(c *fiber.Ctx) error {
	page := &alertsPage{Page: a.page(c, "Changes by others")}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: "Changes by others"}}
	page.Lede = "What others changed about accounts, limits and sign-in rules since you last looked."
	events, err := a.Store.Alerts(c.UserContext(), page.Reader.Staff, mostAlerts+1)
	if err != nil {
		return err
	}
	if page.More = len(events) > mostAlerts; page.More {
		events = events[1:]
	}
	if len(events) > 0 {
		page.Newest = events[0].ID
	}
	alert := a.alertWords(c)
	if page.Alerts, err = page.historyLines(events, func(e models.AuditEvent) (string, error) {
		return alert(e),
			nil
	}); err != nil {
		return err
	}
	page.Empty = views.Empty{
		Title: "Nothing new", Text: "When another administrator creates, resets, unlocks or disables an account, changes a " +
			"role, or changes limits or rules, it appears here.",
		Links: []views.Link{{Word: "Audit log of staff", Href: "/audit?object=staff", Main: true}},
	}
	return a.render(c, "staff/changes", page)
}

// alertWords says what an event did to whom.
func (a *App) alertWords(c *fiber.Ctx) func(models.AuditEvent) string {
	return func(e models.AuditEvent) string {
		switch e.Object {
		case "staff":
			if id, err := strconv.ParseInt(e.ObjectID, 10, 64); err == nil {
				if s, found, err := a.Store.Staff(c.UserContext(), id); err == nil && found {
					return e.Action + ": " + s.Username
				}
			}
		case "setting":
			return e.ObjectID + " changed"
		}
		return e.Action + " " + e.ObjectID
	}
}

// seeAlerts notes that the reader has seen everything up to an event.
func (a *App) seeAlerts(c *fiber.Ctx) error {
	events, err := a.Store.Alerts(c.UserContext(), reader(c).Staff, mostAlerts)
	if err != nil {
		return err
	}
	for _, e := range events {
		if strconv.FormatInt(e.ID, 10) == posted(c, "newest") {
			if err := a.Store.NoteLooked(c.UserContext(), reader(c).ID, e); err != nil {
				return err
			}
		}
	}
	return c.Redirect("/staff/changes", fiber.StatusSeeOther)
}

// alertsWaiting are those alerts, for the overview.
func (a *App) alertsWaiting(c *fiber.Ctx) (views.Todo, error) {
	events, err := a.Store.Alerts(c.UserContext(), reader(c).Staff, mostAlerts)
	todo := views.Todo{N: int64(len(events)), Word: "Changes by other administrators", Href: "/staff/changes", Kind: "wait"}
	if err != nil || len(events) == 0 {
		return todo, err
	}
	if todo.N == 1 {
		todo.Word = "Change by another administrator"
	}
	todo.Note = firstUpper(a.alertWords(c)(events[0])) + " by " + events[0].Actor.Name
	return todo, nil
}

// changesWaiting are the requests that another administrator has to decide.
func (a *App) changesWaiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.countChanges(c.UserContext(), reader(c))
	todo := views.Todo{N: int64(n.N), Word: "Changes to approve", Href: "/settings#changes", Kind: "wait"}
	if todo.N == 1 {
		todo.Word = "Change to approve"
	}
	todo.Note = "limits or rules that need a second administrator"
	return todo, err
}

// countAlerts counts what other administrators did since the reader looked.
func (a *App) countAlerts(ctx context.Context, who *Reader) (count, error) {
	if may, err := may(who.Role, manageStaff); err != nil || !may {
		return count{}, err
	}
	events, err := a.Store.Alerts(ctx, who.Staff, mostAlerts)
	return count{N: len(events), Word: "changes by others"}, err
}
