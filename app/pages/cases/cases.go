// Package cases has the pages of cases: the queue, one case with its guide, and closing many at once.
package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/answers"
	"pitboss/app/atonce"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

const caseStateLabel = "State"

type casesPage struct {
	web.Page
	web.Listed
	filter   models.CaseFilter
	ByDue    bool           // ordered by deadline
	Together bool           // the cases in the list can be closed together
	All      string         // how many there are on all pages
	Owners   []views.Choice // of the selected cases; nil if the reader may not work on cases
}

var (
	caseStateWords = []string{"open", "Open", "all", "All states", "explained", "Explained", "adjusted", "Adjusted",
		"written-off", "Written off", "withdrawn", "Withdrawn"}
	caseDueWords = []string{"", "With or without", "any", "Any, nearest first", "overdue", "Overdue", "168h", "Within a week"}
)

func caseRules() []web.Option[models.CaseRule] {
	rules := []web.Option[models.CaseRule]{{Word: "All rules"}}
	for _, r := range models.CaseRules {
		rules = append(rules, web.Offer(strconv.Itoa(int(r)), web.FirstUpper(r.String()), r))
	}
	return rules
}

// List shows the cases that the filters select. Without a State filter, those are the open cases.
func (a *Area) List(c *fiber.Ctx) error { return a.Cases().Serve(a.Site.Site, c, "cases/list") }

// Cases is the list of cases.
func (a *Area) Cases() web.List[casesPage, models.Case] {
	return web.List[casesPage, models.Case]{
		Path: "/cases", Title: "Cases", Needs: web.ReadCases, Select: a.selected, Load: a.load,
		Implied: func(p *casesPage) (chips []views.Chip) {
			if p.Params.Get("state") == "" {
				chips = []views.Chip{{Label: caseStateLabel, Value: "Open"}}
			}
			return chips
		},
		Columns: []web.Column[casesPage, models.Case]{
			{Head: "Select", Unseen: true, Class: "c-pick keep", Block: "pick", When: func(p *casesPage) bool { return p.Can(web.WorkCases) }},
			{Name: "Number", Kind: export.Number, Value: func(c models.Case) any { return c.ID }},
			{Head: "Found", Kind: export.Time, Order: web.ByTime, Value: func(c models.Case) any { return c.FoundAt }},
			{Head: "Case", Name: "Rule", Class: "c-what wrap", Value: func(c models.Case) any { return c.Rule.String() },
				Cell: func(p *casesPage, c models.Case) views.Cell {
					line := pages.NewCaseLine(&p.Page, c)
					cell := views.Cell{Text: line.What + ", case " + strconv.FormatInt(c.ID, 10), Href: web.WithQuery(line.Href, p.Query)}
					if line.Due != "" {
						cell.Note = "answer by " + line.Due
					}
					return cell
				}},
			{Name: "Happened", Kind: export.Time, Value: func(c models.Case) any { return c.At }},
			{Head: "Player", Class: "c-who", Value: func(c models.Case) any { return string(c.UserID) },
				Cell: func(_ *casesPage, c models.Case) (cell views.Cell) {
					if c.PlayerID != 0 {
						cell = pages.PlayerCell(c.PlayerID, c.UserID)
					}
					return cell
				}},
			{Name: "Transaction ID", Value: func(c models.Case) any { return string(c.TransactionID) }},
			{Name: "Transaction", Kind: export.Number, Value: func(c models.Case) any { return export.NumberOrNone(c.Transaction) }},
			{Name: "Grant", Kind: export.Number, Value: func(c models.Case) any { return export.NumberOrNone(c.GrantID) }},
			{Name: "Statement", Kind: export.Number, Value: func(c models.Case) any { return export.NumberOrNone(c.StatementID) }},
			{Name: "Verification", Kind: export.Number, Value: func(c models.Case) any { return export.NumberOrNone(c.Verification) }},
			{Head: "At stake", Kind: export.Money, Class: "c-lead", Value: func(c models.Case) any {
				if c.Amount == 0 { // nothing is at stake, or the amount is not known
					return nil
				}
				return c.Amount
			}, Cell: func(p *casesPage, c models.Case) (cell views.Cell) {
				if c.Amount != 0 {
					cell.Money = new(p.Money(c.Amount, c.Currency))
				}
				return cell
			}},
			{Name: "Currency", Value: func(c models.Case) any { return string(c.Currency) }},
			{Name: "Evidence", Value: func(c models.Case) any {
				var evidence []string
				for _, fact := range c.Facts {
					evidence = append(evidence, fact.Label+": "+fact.Value)
				}
				return strings.Join(evidence, "; ")
			}},
			{Head: "Owner", Class: "c-who tight", Audience: export.Arbiter, Block: "owner", Value: func(c models.Case) any { return c.Owner }},
			{Head: "Open for", Class: "num pb-nowrap", Cell: func(p *casesPage, c models.Case) views.Cell {
				return views.Cell{Block: "age", Of: pages.NewCaseLine(&p.Page, c)}
			}},
			{Head: "State", Value: func(c models.Case) any { return c.State.String() },
				Badge: func(p *casesPage, c models.Case) views.Badge { return pages.NewCaseLine(&p.Page, c).Badge }},
			{Name: "Closed", Kind: export.Time, Value: func(c models.Case) any { return c.DecidedAt }},
			{Name: "Closed by", Audience: export.Arbiter, Value: func(c models.Case) any { return c.DecidedBy }},
			{Name: "Findings", Audience: export.Arbiter, Value: func(c models.Case) any { return c.Reason }},
			{Name: "Reference", Value: func(c models.Case) any { return c.Reference }},
			{Name: "Answer by", Kind: export.Day, Value: func(c models.Case) any {
				if c.Due.IsZero() {
					return ""
				}
				return string(models.DueDay(c.Due))
			}},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *casesPage) (list models.Listing[models.Case], err error) {
	page.filter, err = a.caseFilter(ctx, page)
	return models.List(page.filter, a.Store.Cases, page.filter.Place), err
}

// load counts the cases on all pages of the list, and reads who can own those that are selected.
func (a *Area) load(ctx context.Context, page *casesPage, rows []models.Case) (err error) {
	if len(rows) == 0 {
		return nil
	}
	page.Together = page.filter.State == models.CaseOpen && len(rows) > 1
	if _, page.All, err = a.CountOf(ctx, page.filter); err != nil || !page.Can(web.WorkCases) {
		return err
	}
	names, err := a.Colleagues(ctx, web.WorkCases)
	page.Owners = pages.Owners(&page.Page, page.Reader.Username, names)
	return err
}

// caseFilter reads the filters from the address. If a filter is invalid or names an unknown player, a message replaces the
// list.
func (a *Area) caseFilter(ctx context.Context, page *casesPage) (filter models.CaseFilter, err error) {
	player, err := a.PlayerFilter(ctx, &page.Page)
	if err != nil {
		return filter, err
	}
	filter = models.CaseFilter{PlayerID: player.ID, State: models.CaseOpen,
		Rule: web.Choose(&page.Page, "rule", "Rule", caseRules())}
	if state := page.Choice("state", caseStateLabel, caseStateWords); state != "" {
		filter.State = 0
		for _, s := range models.CaseStates {
			if strings.ReplaceAll(s.String(), " ", "-") == state {
				filter.State = s
			}
		}
	}
	filter.Span = page.Period(&page.Page)
	filter.HappenedSince = page.TimeFilter("happened-since", "Happened since")
	filter.HappenedBefore = page.TimeFilter("happened-before", "Happened before")
	page.MoreFilters()
	if filter.Owner, err = a.OwnerFilter(ctx, &page.Page, "owner", "Owner", web.WorkCases); err != nil {
		return filter, err
	}
	if filter.Owner == pages.Unassigned {
		filter.Owner, filter.Unassigned = "", true
	}
	if due := page.Choice("due", "Deadline", caseDueWords); due != "" {
		filter.Due, filter.ByDue, page.ByDue, page.By = true, true, true, "nearest deadline first"
		if d, err := time.ParseDuration(due); err == nil {
			filter.DueBefore = page.Now.Add(d)
		} else if due == "overdue" {
			filter.DueBefore = page.Now
		}
	}
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return filter, err
	}
	for _, thing := range []struct {
		name string
		of   *int64
	}{{"grant", &filter.GrantID}, {"statement", &filter.StatementID}, {"verification", &filter.Verification}} {
		if text := page.Filter(thing.name, web.FirstUpper(thing.name), nil); text != "" {
			if *thing.of, err = strconv.ParseInt(text, 10, 64); err != nil || *thing.of < 1 {
				page.Refuse(fmt.Errorf("the address has %s=%s, but %s must be a number", thing.name, text, thing.name))
			}
		}
	}
	filter.IDs = onlyFilter(&page.Page)
	page.Instead = page.Unread()
	return filter, nil
}

type casePage struct {
	web.Page
	Packs       bool // the reader may make a dispute pack for this complaint
	Case        *caseMatter
	Queue       pages.Queue
	Grant       *models.Grant // the grant that the case is about; nil if none
	Round       *models.Round
	Corrections []models.Correction // corrections for the case or of its transaction
	Events      []views.Event
	Assign      *pages.Assignment
	Tell        *pages.Answer // nil if the case is about no player
	Comment     views.Field
	Due, Moved  *views.Field // a new due date and its reason; nil if the reader cannot set one
	Reason      views.Field
	Chosen      string // the chosen outcome
	Undecided   string // what is wrong with the choice
}

func (a *Area) caseOf(c *fiber.Ctx) (found models.Case, notes []models.CaseNote, err error) {
	found, err = web.Find(c, "case", func(ctx context.Context, id int64) (found models.Case, there bool, err error) {
		found, notes, there, err = a.Store.Case(ctx, id)
		return found, there, err
	})
	return found, notes, err
}

func (a *Area) Detail(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	found, notes, err := a.caseOf(c)
	if err != nil {
		return err
	}
	if found.PlayerID != 0 {
		if err := a.Viewed(c, "case", found.ID, found.PlayerID); err != nil {
			return err
		}
	}
	page := &casePage{Page: a.Page(c, ""), Chosen: f.Text("state"), Undecided: web.Sentence(f.Wrong["state"])}
	page.Knows(pages.AnswerIn, pages.AnswerZone)
	page.Badges = []views.Badge{pages.CaseBadge(found)}
	if found.Overdue(page.Now) {
		page.Badges = append(page.Badges, views.AtRisk("Overdue"))
	}
	if page.Case, err = a.matter(ctx, &page.Page, found); err != nil {
		return err
	}
	if page.Case.Work {
		page.Keys = append(page.Keys, web.QueueKey{Key: "a", Word: "Assign the case: goes to the choice"},
			web.QueueKey{Key: "c", Word: "Close the case: goes to the form"})
	}
	var colleagues []string
	err = atonce.Read(
		func() (err error) {
			page.Queue, err = a.queue(c, &page.Page, found)
			return err
		},
		func() (err error) {
			if page.Case.Work {
				colleagues, err = a.Colleagues(ctx, web.WorkCases)
			}
			return err
		},
		func() error { return a.readRelated(ctx, page) })
	if err != nil {
		return err
	}
	if page.Case.Work {
		page.Assign = pages.NewAssignment(&page.Page, f, web.WithQuery(pages.CasePath(found.ID)+"/owner", page.Query),
			found.Owner, colleagues)
	}
	if page.Tell, err = a.answer(c, page); err != nil {
		return err
	}
	page.Packs = found.Rule == models.CaseComplaint && page.Can(web.MakePacks)
	page.Events = caseEvents(&page.Page, found, notes)
	page.Comment = f.Field(views.Field{Name: "text", Autocomplete: "off"})
	if found.Rule == models.CaseComplaint && found.State == models.CaseOpen && page.Can(web.RecordComplaints) {
		page.Due = new(f.Field(views.Field{Name: "due", Type: "date", Required: true,
			Value: string(models.DueDay(found.Due))}))
		page.MadeFrom = f.MadeFrom(found.Due)
		page.Moved = new(f.Field(views.Field{Name: "moved", Required: true, Autocomplete: "off"}))
	}
	page.Reason = f.Field(views.Field{Name: "reason", Autocomplete: "off", Max: models.MaxCaseText})
	switch {
	case !page.Settled() || f.Typed():
	default: // there is nothing left to find out
		if page.Grant.Resolution != models.ResolvedUnclear {
			page.Chosen = "explained"
		}
		page.Reason.Value = fmt.Sprintf("Grant %d: %s, decided by %s.", page.Grant.ID, page.Grant.Resolution,
			page.Grant.ResolvedBy)
	}
	return a.RenderForm(c, !f.Ok(), "cases/case", page)
}

// Settled reports whether the case is about a grant of unknown outcome, and somebody has recorded the outcome on the grant's
// page. The case stays open all the same, so that the person who closes it takes responsibility, and a regulator finds a name
// and a reason for both decisions.
func (p *casePage) Settled() bool {
	return p.Case.Rule == models.CaseUnknownGrant && p.Grant != nil && p.Grant.Resolution != models.Unresolved
}

// LastDay returns the last day for answering the complaint.
func (p *casePage) LastDay() string { return pages.LastDay(p.Case.Due) }

// CorrectionTitle returns a title that says what a correction does.
func (p *casePage) CorrectionTitle(c models.Correction) string { return pages.CorrectionTitle(c) }

// caseEvents returns the history of a case: when it was found, commented on and closed.
func caseEvents(p *web.Page, found models.Case, notes []models.CaseNote) (events []views.Event) {
	if found.Rule != models.CaseComplaint && found.Rule != models.CaseQuestion {
		events = append(events,
			views.Event{At: p.Time(found.FoundAt), Node: "case", Who: "Found", Text: " by a rule: " + found.Rule.String()})
	}
	for i, n := range notes {
		written := views.Event{At: p.Time(n.At), Node: "staff", Who: n.Actor, Text: " wrote", Quote: n.Text}
		if i == 0 && found.Rule == models.CaseComplaint {
			written.Text = " recorded the complaint"
		}
		events = append(events, written)
	}
	if found.State != models.CaseOpen {
		events = append(events, views.Event{At: p.Time(found.DecidedAt), Node: "staff", Who: found.DecidedBy,
			Text: " closed it: " + found.State.String(), Quote: found.Reason})
	}
	pages.SortEvents(events)
	return events
}

// readRelated reads the case's round, grant and corrections.
func (a *Area) readRelated(ctx context.Context, page *casePage) error {
	found := page.Case
	if t := found.Line; t != nil && t.RoundID != "" {
		round, there, err := a.Store.Round(ctx, t.PlayerID, t.RoundID)
		if err != nil {
			return err
		}
		if there {
			page.Round = &round
		}
	}
	if found.GrantID != 0 {
		grant, there, err := a.Store.Grant(ctx, found.GrantID)
		if err != nil {
			return err
		}
		if there {
			page.Grant = &grant
		}
	}
	var err error
	if page.Corrections, err = a.Store.CorrectionsOfCase(ctx, found.Case); err != nil {
		return err
	}
	for _, k := range page.Corrections {
		forIt := models.CaseOf(k.Reference) == found.ID || !k.At.Before(found.FoundAt)
		if forIt && (k.State == models.ApprovalWaiting || k.State == models.ApprovalApproved) {
			found.Booked = append(found.Booked, k)
		}
	}
	if found.TransactionID == "" {
		return nil
	}
	// All that we know of a win that is missing here is its ID.
	t := models.TransactionLine{Transaction: models.Transaction{Source: models.SourcePlatform,
		TransactionID: found.TransactionID, PlayerID: found.PlayerID}}
	if found.Line != nil {
		t = *found.Line
	}
	own, err := a.CorrectionsOf(ctx, t)
	for _, k := range own {
		if !slices.ContainsFunc(page.Corrections, func(other models.Correction) bool { return other.ID == k.ID }) {
			page.Corrections = append(page.Corrections, k)
		}
	}
	return err
}

// answer returns what support can tell the player about the object of the case.
func (a *Area) answer(c *fiber.Ctx, page *casePage) (*pages.Answer, error) {
	found := page.Case
	if found.PlayerID == 0 {
		return nil, nil
	}
	ctx := c.UserContext()
	player, _, err := a.Store.PlayerByID(ctx, found.PlayerID)
	if err != nil {
		return nil, err
	}
	var answer answers.Answer
	switch {
	case found.Line != nil:
		var last *models.TransactionLine
		if page.Round != nil {
			if last, err = a.LastWin(ctx, *page.Round); err != nil {
				return nil, err
			}
		}
		answer = answers.Transaction(*found.Line, page.Round, last)
	case page.Grant != nil:
		wins, err := a.Store.SpinWins(ctx, page.Grant.ID)
		if err != nil {
			return nil, err
		}
		answer = answers.Grant(*page.Grant, wins)
	}
	return a.NewAnswer(c, &page.Page, player, answer, found.Case)
}

// TakeCase assigns a case to the chosen colleague, or to the reader if none is chosen. A reader who already owns it gives it
// up.
func (a *Area) TakeCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	names, err := a.Colleagues(c.UserContext(), web.WorkCases)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	name, why, chosen := pages.Assignee(f, names)
	if !f.Ok() {
		return a.Detail(c)
	}
	path := web.WithQuery(pages.CasePath(found.ID), web.QueryWithoutDraft(c))
	owner, seen := web.ReaderOf(c).Username, c.Query("seen")
	switch {
	case chosen:
		owner, seen = name, web.Posted(c, "seen")
	case seen == owner:
		owner = ""
	}
	if pressedTwice := found.State == models.CaseOpen && found.Owner == owner; !pressedTwice {
		if err := a.Store.OwnCase(c.UserContext(), a.Actor(c), found.ID, seen, owner, why); err != nil {
			return a.caseFailed(c, found, err)
		}
	}
	if chosen {
		return a.Done(c, path, pages.AssignedWords("Case "+strconv.FormatInt(found.ID, 10), name))
	}
	return c.Redirect(pages.CasePath(found.ID), fiber.StatusSeeOther)
}

func (a *Area) CommentCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	text := f.Text("text")
	if text == "" {
		f.Refuse("text", "Write a comment.")
		return a.ShowAgain(c, f, pages.CasePath(found.ID))
	}
	if len([]rune(text)) > models.MaxCaseText {
		f.Refuse("text", "A comment has at most 4,000 characters.")
		return a.ShowAgain(c, f, pages.CasePath(found.ID))
	}
	if err := a.Store.CommentCase(c.UserContext(), a.Actor(c), found.ID, text); err != nil {
		return err
	}
	return c.Redirect(pages.CasePath(found.ID), fiber.StatusSeeOther)
}

func (a *Area) DecideCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	to := map[string]models.CaseState{"explained": models.CaseExplained, "adjusted": models.CaseAdjusted,
		"written-off": models.CaseWrittenOff}[f.Text("state")]
	if to == 0 {
		f.Refuse("state", "Choose an outcome.")
		if strings.TrimSpace(f.Text("reason")) == "" {
			f.Refuse("reason", pages.RootText(models.ErrCaseReason))
		}
		return a.ShowAgain(c, f, pages.CasePath(found.ID))
	}
	err = a.Store.DecideCase(c.UserContext(), a.Actor(c), found.ID, to, f.Text("reason"))
	if errors.Is(err, models.ErrCaseReason) || errors.Is(err, models.ErrCaseReasonLong) {
		f.Refuse("reason", pages.RootText(err))
		return a.ShowAgain(c, f, pages.CasePath(found.ID))
	}
	if err != nil {
		return a.caseFailed(c, found, err)
	}
	return a.Flash(c, web.WithQuery(pages.CasePath(found.ID), web.QueryWithoutDraft(c)),
		views.Note{Kind: "done", Icon: "check", Title: "Case " + strconv.FormatInt(found.ID, 10) + " is closed",
			Text: "Outcome: " + to.String() + ". The same finding does not open another case, unless another of the platform’s files shows it."})
}

// caseFailed shows why a change to a case failed, usually because a colleague changed it first.
func (a *Area) caseFailed(c *fiber.Ctx, found models.Case, err error) error {
	if errors.Is(err, models.ErrCaseClosed) {
		return a.Flash(c, pages.CasePath(found.ID), views.Info("This case is closed already",
			"A colleague closed it before you. Nothing you sent was saved."))
	}
	if errors.Is(err, models.ErrCaseTaken) {
		return a.Flash(c, pages.CasePath(found.ID), views.Info(cmp.Or(found.Owner, "A colleague")+" was quicker",
			"The case got another owner after you opened this page. Your change was not saved."))
	}
	if errors.Is(err, models.ErrCaseUnknown) {
		return web.NotFound("case")
	}
	return err
}

// CountCases counts the open cases, for the navigation.
func (a *Area) CountCases(ctx context.Context, _ *web.Reader) (web.Count, error) {
	n, words, err := a.CountOf(ctx, models.CaseFilter{State: models.CaseOpen})
	return web.Count{N: int(n), Shown: words, Word: "open"}, err
}

// FindCases finds a case by its number, and complaints by their reference.
func (a *Area) FindCases(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	complaints, err := a.Store.SearchComplaints(ctx, text, limit)
	if err != nil {
		return models.Found[pages.Hit]{}, err
	}
	hits := pages.HitsOf(complaints, func(c models.Case) pages.Hit {
		h := CaseHit(c)
		h.ID, h.Exact = views.ID{Text: c.Reference, Kind: "reference"}, strings.EqualFold(c.Reference, text)
		return h
	})
	id, named := pages.NumberAfter(text, "case")
	if id == 0 {
		return hits, nil
	}
	found, _, there, err := a.Store.Case(ctx, id)
	if there && !slices.ContainsFunc(complaints.Rows, func(c models.Case) bool { return c.ID == id }) {
		h := CaseHit(found)
		h.Exact = named
		hits.Rows = append([]pages.Hit{h}, hits.Rows...)
	}
	return hits, err
}

// CaseHit returns a case as a search result.
func CaseHit(c models.Case) pages.Hit {
	state, number := pages.CaseBadge(c), strconv.FormatInt(c.ID, 10)
	return pages.Hit{Text: web.FirstUpper(c.Rule.String()), ID: views.ID{Text: number, Kind: "case"}, Value: number,
		Href: pages.CasePath(c.ID), State: &state}
}
