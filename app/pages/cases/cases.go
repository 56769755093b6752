package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Cases: the queue of what rules have found, and one case with its evidence, what is to be asked, and its end.

const caseRows = 50

const caseStateLabel = "State"

type casesPage struct {
	web.Page
	Player                        views.Field
	Rules, States, Oldest, Owners []views.Choice
	Deadlines                     []views.Choice
	Currencies                    []views.Choice
	Dates                         web.Dates
	Rows                          []things.CaseLine
	Paging                        views.Paging
	Empty                         views.Empty
}

var (
	caseStateWords = []string{"open", "Open", "all", "All states", "explained", "Explained", "adjusted", "Adjusted",
		"written-off", "Written off"}
	caseDueWords = []string{"", "Any deadline", "overdue", "Overdue", "168h", "Within a week"}
	caseAgeWords = []string{"", "Any age", "1h", "Older than an hour", "24h", "Older than a day", "168h", "Older than a week"}
)

func caseRuleWords() []string {
	words := []string{"", "All rules"}
	for _, r := range models.CaseRules {
		words = append(words, strconv.Itoa(int(r)), web.FirstUpper(r.String()))
	}
	return words
}

// List lists the cases; without a filter those that are open.
func (a *Area) List(c *fiber.Ctx) error {
	page := &casesPage{Page: a.Page(c, "Cases")}
	page.Lede = "Complaints, and what rules have found, that somebody has to look at. Newest first."
	page.Saveable = true
	filter, wrong, err := a.caseFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.Render(c, "cases/list", page)
	}
	list, more, err := a.Store.Cases(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, one := range list {
		line := things.NewCaseLine(&page.Page, one)
		line.Href = web.WithQuery(line.Href, page.Query)
		page.Rows = append(page.Rows, line)
	}
	if n := len(list); n > 0 {
		_, all, err := a.CountOf(c.UserContext(), filter)
		if err != nil {
			return err
		}
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].FoundAt, ID: list[0].ID},
			models.Cursor{At: list[n-1].FoundAt, ID: list[n-1].ID}, more, shownOf(n, all))
	}
	may := page.Can(web.WorkCases)
	if may && filter.State == models.CaseOpen && len(list) > 1 {
		page.Actions = []views.Link{{Word: "Close together", Href: web.WithQuery("/cases/closing", page.Query)}}
	}
	if page.Can(web.RecordComplaints) {
		page.Actions = append(page.Actions, views.Link{Word: "New complaint", Href: "/cases/new", Main: true})
	}
	page.Empty = views.Empty{Title: "No case is open",
		Text:  "Rules look every few seconds at what came in. What they find stands here until somebody closes it.",
		Links: []views.Link{{Word: "Closed cases", Href: "/cases?state=all"}}}
	if len(page.Chips) > 0 {
		page.Empty = views.Empty{Title: "No case is such", Text: "Nothing passes all of these filters.",
			Links: []views.Link{{Word: "Open cases", Href: page.Path, Main: true}}}
	}
	if len(page.Rows) == 0 && filter.Page.IsZero() && page.Paging.Older == "" && page.Params.Get("age") == "" {
		if err := page.OfferNearest(&page.Empty, page.Dates,
			func(since, until time.Time, at models.Cursor) (time.Time, error) {
				f := filter
				f.FoundSince, f.FoundBefore, f.Page, f.Limit = since, until, at, 1
				list, _, err := a.Store.Cases(c.UserContext(), f)
				return web.TimeOfFirst(list, func(one models.Case) time.Time { return one.FoundAt }), err
			}); err != nil {
			return err
		}
	}
	return a.Render(c, "cases/list", page)
}

// caseFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *Area) caseFilter(c *fiber.Ctx, page *casesPage) (filter models.CaseFilter, wrong *views.Empty, err error) {
	page.Player = page.FilterField("player", "Player")
	page.Player.Picker = "player"
	filter = models.CaseFilter{Limit: caseRows, State: models.CaseOpen}
	if filter.Owner, page.Owners, err = a.OwnerFilter(c, &page.Page, "owner", "Owner", web.WorkCases); err != nil {
		return filter, nil, err
	}
	if filter.Owner == things.Nobodys {
		filter.Owner, filter.Nobodys = "", true
	}
	var state, rule, age, due string
	if state, page.States = page.Choice("state", caseStateLabel, caseStateWords); state != "" {
		filter.State = 0
		for _, s := range models.CaseStates {
			if strings.ReplaceAll(s.String(), " ", "-") == state {
				filter.State = s
			}
		}
	}
	if filter.Currency, page.Currencies, err = a.CurrencyFilter(c.UserContext(), &page.Page); err != nil {
		return filter, nil, err
	}
	page.Dates = page.DatesFilter()
	filter.FoundSince, filter.FoundBefore = page.Dates.Since, page.Dates.Until
	rule, page.Rules = page.Choice("rule", "Rule", caseRuleWords())
	if n, err := strconv.Atoi(rule); err == nil {
		filter.Rule = models.CaseRule(n)
	}
	age, page.Oldest = page.Choice("age", "Age", caseAgeWords)
	if d, err := time.ParseDuration(age); err == nil {
		if before := page.Now.Add(-d); filter.FoundBefore.IsZero() || before.Before(filter.FoundBefore) {
			filter.FoundBefore = before
		}
	}
	if due, page.Deadlines = page.Choice("due", "Deadline", caseDueWords); due != "" {
		filter.DueBefore = page.Now
		if d, err := time.ParseDuration(due); err == nil {
			filter.DueBefore = page.Now.Add(d)
		}
	}
	for _, thing := range []struct {
		name string
		of   *int64
	}{{"grant", &filter.GrantID}, {"statement", &filter.StatementID}, {"verification", &filter.Verification}} {
		if text := page.Filter(thing.name, web.FirstUpper(thing.name), nil); text != "" {
			if *thing.of, err = strconv.ParseInt(text, 10, 64); err != nil || *thing.of < 1 {
				page.Refuse(fmt.Errorf("the address has %s=%s, but a %s is named by its number", thing.name, text, thing.name))
			}
		}
	}
	if filter.Page, err = page.Place(); err != nil {
		return filter, nil, err
	}
	player, nobody, err := a.PlayerFilter(c, &page.Page)
	filter.PlayerID = player.ID
	return filter, cmp.Or(page.Unread(), nobody), err
}

type casePage struct {
	web.Page
	Facts       []views.Fact
	Evidence    []web.Definition
	Guide       caseDeed
	Events      []views.Event
	Neighbours  []web.Neighbour
	Work        bool // its reader may work on it, and it is open
	ID          string
	Queue       caseQueue
	Assign      *things.Assignment
	Decide      string // where the form that closes it goes
	Comment     views.Field
	Reason      views.Field
	Decisions   []views.Choice
	Undecided   string // what is wrong with the choice among them
	Corrections []web.Neighbour
}

func (a *Area) caseOf(c *fiber.Ctx) (found models.Case, notes []models.CaseNote, err error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return found, nil, web.NotFound("case")
	}
	found, notes, there, err := a.Store.Case(c.UserContext(), id)
	if err == nil && !there {
		err = web.NotFound("case")
	}
	return found, notes, err
}

func (a *Area) Detail(c *fiber.Ctx) error { return a.showCase(c, web.NewForm(c)) }

func (a *Area) showCase(c *fiber.Ctx, f *web.Form) error {
	ctx := c.UserContext()
	found, notes, err := a.caseOf(c)
	if err != nil {
		return err
	}
	if found.PlayerID != 0 {
		if err := a.Viewed(c, "case", found.ID); err != nil {
			return err
		}
	}
	page := &casePage{Page: a.Page(c, web.FirstUpper(found.Rule.String())), ID: strconv.FormatInt(found.ID, 10)}
	page.Heading, page.Title = page.Title, "Case "+page.ID+", "+found.Rule.String()
	page.Crumbs = []views.Crumb{{Word: "Cases", Href: "/cases"}, {Word: page.ID}}
	page.Badges = []views.Badge{things.CaseBadge(found)}
	if found.Overdue(page.Now) {
		page.Badges = append(page.Badges, views.AtRisk("Overdue"))
	}
	about, err := a.matter(ctx, &page.Page, found)
	if err != nil {
		return err
	}
	page.Guide = about.guide()
	may := page.Can(web.WorkCases)
	if page.Work = may && found.State == models.CaseOpen; page.Work {
		take := views.Link{Word: "Take this case",
			Href: things.CasePath(found.ID) + "/owner?seen=" + web.EscapeQuery(found.Owner),
			Post: true}
		if found.Owner == page.Reader.Username {
			take.Word = "Give it back to the queue"
		}
		page.Actions = append(page.Actions, take)
		names, err := a.Colleagues(ctx, web.WorkCases)
		if err != nil {
			return err
		}
		page.Decide = web.WithQuery(things.CasePath(found.ID)+"/decision", page.Query)
		page.Assign = things.NewAssignment(&page.Page, web.WithQuery(things.CasePath(found.ID)+"/owner", page.Query),
			found.Owner, names)
	}
	if page.Queue, err = a.caseQueue(c, page.Page, found); err != nil {
		return err
	}
	page.Keys = append(page.Keys, web.QueueKey{Key: "j", Word: "Next case"}, web.QueueKey{Key: "k", Word: "Previous case"})
	if page.Work {
		page.Keys = append(page.Keys, web.QueueKey{Key: "a", Word: "Assign the case: goes to the choice"},
			web.QueueKey{Key: "c", Word: "Close the case: goes to the form"})
	}
	page.Facts = []views.Fact{
		{Label: "Happened", Moment: page.Time(found.At)},
		{Label: "Found", Moment: page.Time(found.FoundAt), Note: web.Age(page.Now.Sub(found.FoundAt)) + " ago"},
		{Label: "Owner", Value: cmp.Or(found.Owner, "Nobody")},
	}
	if found.At.IsZero() { // the platform's statement does not say
		page.Facts = page.Facts[1:]
	}
	if found.Amount != 0 {
		page.Facts = append(page.Facts,
			views.Fact{Label: "At stake", Value: found.Amount.Grouped() + " " + string(found.Currency), Big: true})
	}
	page.Facts = append(page.Facts, complaintFacts(&page.Page, found)...)
	if found.Rule == models.CaseComplaint {
		a.OfferPack(&page.Page, "case="+page.ID)
	}
	for _, fact := range found.Facts {
		page.Evidence = append(page.Evidence, web.Definition{Label: fact.Label, Value: fact.Value})
	}
	if err := a.caseNeighbours(ctx, page, about); err != nil {
		return err
	}
	if found.Rule != models.CaseComplaint {
		page.Events = append(page.Events,
			views.Event{At: page.Time(found.FoundAt), Node: "case", Who: "Found", Text: " by a rule: " + found.Rule.String()})
	}
	for i, n := range notes {
		written := views.Event{At: page.Time(n.At), Node: "staff", Who: n.Actor, Text: " wrote", Quote: n.Text}
		if i == 0 && found.Rule == models.CaseComplaint {
			written.Text = " recorded the complaint"
		}
		page.Events = append(page.Events, written)
	}
	if found.State != models.CaseOpen {
		page.Events = append(page.Events,
			views.Event{At: page.Time(found.DecidedAt), Node: "staff", Who: found.DecidedBy,
				Text: " closed it: " + found.State.String(), Quote: found.Reason})
	}
	things.SortEvents(page.Events)
	page.Comment = f.Field(views.Field{Label: "Comment", Name: "text", Autocomplete: "off",
		Hint: "Colleagues see it, and it cannot be deleted."})
	page.Reason = f.Field(views.Field{Label: "What was found out", Name: "reason", Autocomplete: "off",
		Hint: "For colleagues, auditors and regulators."})
	page.Decisions = web.Choices(f.Text("state"), "explained", "Explained: nothing needs to change", "adjusted",
		"Adjusted: a correction has put it right", "written-off", "Written off: it is wrong, and we leave it so")
	page.Undecided = web.Sentence(f.Wrong["state"])
	if !f.Ok() {
		return a.Refused(c, "cases/case", page)
	}
	return a.Render(c, "cases/case", page)
}

// caseNeighbours leads to what a case is about, and to the corrections that were asked for since.
func (a *Area) caseNeighbours(ctx context.Context, page *casePage, found caseMatter) error {
	if found.PlayerID != 0 {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Player", Text: string(found.UserID), Href: things.PlayerPath(found.PlayerID)})
	}
	if found.Transaction != 0 {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Transaction", Href: things.TransactionPath(found.Transaction),
				ID: &views.ID{Text: string(found.TransactionID), Short: true}})
	}
	if found.Transaction == 0 && found.TransactionID != "" {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Callbacks", Href: "/callbacks?id=" + web.EscapeQuery(string(found.TransactionID)),
				ID: &views.ID{Text: string(found.TransactionID), Short: true}})
	}
	if t := found.transaction; t != nil && t.RoundID != "" {
		round, there, err := a.Store.Round(ctx, t.PlayerID, t.RoundID)
		if err != nil {
			return err
		}
		if there {
			page.Neighbours = append(page.Neighbours,
				web.Neighbour{Label: "Round", Href: things.RoundPath(round.ID),
					ID:   &views.ID{Text: string(round.RoundID), Short: true},
					Note: round.State().String()})
		}
	}
	// a win that is missing here
	t := models.TransactionLine{
		Transaction: models.Transaction{Source: models.SourcePlatform, TransactionID: found.TransactionID,
			PlayerID: found.PlayerID},
	}
	if found.transaction != nil {
		t = *found.transaction
	}
	if found.TransactionID != "" {
		asked, err := a.CorrectionsOf(ctx, t)
		if err != nil {
			return err
		}
		for _, c := range asked {
			page.Corrections = append(page.Corrections,
				web.Neighbour{Label: "Correction " + strconv.FormatInt(c.ID, 10), Text: things.CorrectionTitle(c),
					Href: things.CorrectionPath(c.ID), Note: c.State.String()})
		}
	}
	if found.GrantID != 0 {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Grant", Text: strconv.FormatInt(found.GrantID, 10),
				Href: web.PathOf("/free-spins", found.GrantID)})
	}
	if found.StatementID != 0 {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Statement", Text: strconv.FormatInt(found.StatementID, 10),
				Href: web.PathOf("/statements", found.StatementID)})
	}
	if found.Verification != 0 {
		page.Neighbours = append(page.Neighbours,
			web.Neighbour{Label: "Verification", Text: strconv.FormatInt(found.Verification, 10),
				Href: things.VerificationPath(found.Verification)})
	}
	return nil
}

// TakeCase makes the reader the owner of a case, or nobody where they are it already.
func (a *Area) TakeCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	names, err := a.Colleagues(c.UserContext(), web.WorkCases)
	if err != nil {
		return err
	}
	name, chosen, err := things.Assignee(c, names)
	if err != nil {
		return err
	}
	path := web.WithQuery(things.CasePath(found.ID), string(c.Request().URI().QueryString()))
	owner, seen := web.ReaderOf(c).Username, c.Query("seen")
	switch {
	case chosen:
		owner, seen = name, web.Posted(c, "seen")
	case seen == owner:
		owner = ""
	}
	if pressedTwice := found.State == models.CaseOpen && found.Owner == owner; !pressedTwice {
		if err := a.Store.OwnCase(c.UserContext(), a.Actor(c), found.ID, seen, owner); err != nil {
			return a.caseFailed(c, found, err)
		}
	}
	if chosen {
		return a.Done(c, path, things.AssignedWords("Case "+strconv.FormatInt(found.ID, 10), name))
	}
	return c.Redirect(things.CasePath(found.ID), fiber.StatusSeeOther)
}

func (a *Area) CommentCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	text := f.Text("text")
	if text == "" {
		f.Refuse("text", "write something")
		return a.Again(c, f, things.CasePath(found.ID))
	}
	if len([]rune(text)) > models.MaxCaseText {
		f.Refuse("text", "a comment has at most 4,000 characters")
		return a.Again(c, f, things.CasePath(found.ID))
	}
	if err := a.Store.CommentCase(c.UserContext(), a.Actor(c), found.ID, text); err != nil {
		return err
	}
	return c.Redirect(things.CasePath(found.ID), fiber.StatusSeeOther)
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
		f.Refuse("state", "choose how the case ends")
		if strings.TrimSpace(f.Text("reason")) == "" {
			f.Refuse("reason", things.RootText(models.ErrCaseReason))
		}
		return a.Again(c, f, things.CasePath(found.ID))
	}
	err = a.Store.DecideCase(c.UserContext(), a.Actor(c), found.ID, to, f.Text("reason"))
	if errors.Is(err, models.ErrCaseReason) || errors.Is(err, models.ErrCaseReasonLong) {
		f.Refuse("reason", things.RootText(err))
		return a.Again(c, f, things.CasePath(found.ID))
	}
	if err != nil {
		return a.caseFailed(c, found, err)
	}
	return a.Flash(c, web.WithQuery(things.CasePath(found.ID), string(c.Request().URI().QueryString())),
		views.Note{Kind: "done", Icon: "check", Title: "Case " + strconv.FormatInt(found.ID, 10) + " is closed",
			Text: "It was " + to.String() + ". The same finding opens no other."})
}

// caseFailed tells the second of two what the first did.
func (a *Area) caseFailed(c *fiber.Ctx, found models.Case, err error) error {
	if errors.Is(err, models.ErrCaseClosed) {
		return a.Flash(c, things.CasePath(found.ID),
			views.Note{Kind: "wait", Icon: "info", Title: "It is closed already",
				Text: "A colleague has closed this case. What you sent changed nothing."})
	}
	if errors.Is(err, models.ErrCaseTaken) {
		return a.Flash(c, things.CasePath(found.ID),
			views.Note{Kind: "wait", Icon: "info", Title: cmp.Or(found.Owner, "A colleague") + " was quicker",
				Text: "Its owner has changed since you looked. Nothing was changed by you."})
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

// FindCases finds a case by its number.
func (a *Area) FindCases(ctx context.Context, text string, _ int) (models.Found[things.Hit], error) {
	id, named := things.NumberAfter(text, "case")
	if id == 0 {
		return models.Found[things.Hit]{}, nil
	}
	found, _, there, err := a.Store.Case(ctx, id)
	h := CaseHit(found)
	h.Exact = named
	return things.OneHit(h, there), err
}

// CaseHit shows a case that was searched for.
func CaseHit(c models.Case) things.Hit {
	state, number := things.CaseBadge(c), strconv.FormatInt(c.ID, 10)
	return things.Hit{Text: web.FirstUpper(c.Rule.String()), ID: views.ID{Text: number, Kind: "case"}, Value: number,
		Href: things.CasePath(c.ID), State: &state}
}
