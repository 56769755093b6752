package app

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Cases: the queue of what rules have found, and one case with its evidence, what is to be asked, and its end.

const (
	caseRows     = 50
	casesOfThing = 20  // in the story of what they are about
	casesBeside  = 5   // on its page, where that has no story
	nobodys      = "-" // stands for nobody in the filter of owners
)

const caseStateLabel = "State"

func casePath(id int64) string { return pathOf("/cases", id) }

func caseBadge(c models.Case) views.Badge {
	switch c.State {
	case models.CaseOpen:
		return views.Waiting("Open")
	case models.CaseWrittenOff:
		return views.Refused("Written off")
	}
	return views.Quiet(firstUpper(c.State.String()))
}

// caseLine is a case in a list.
type caseLine struct {
	models.Case
	Href, PlayerHref, What, Age string
	Old                         bool
	Amount                      views.Money
	Badge                       views.Badge
}

func (p *Page) caseLine(c models.Case) caseLine {
	line := caseLine{Case: c, Href: casePath(c.ID), What: firstUpper(c.Rule.String()), Badge: caseBadge(c)}
	if c.PlayerID != 0 {
		line.PlayerHref = playerPath(c.PlayerID)
	}
	if c.Amount != 0 {
		line.Amount = p.Money(c.Amount, c.Currency)
	}
	if c.State == models.CaseOpen {
		line.Age, line.Old = age(p.now.Sub(c.FoundAt)), p.now.Sub(c.FoundAt) > 24*time.Hour
	}
	return line
}

type casesPage struct {
	Page
	Player                        views.Field
	Rules, States, Oldest, Owners []views.Choice
	Rows                          []caseLine
	Paging                        views.Paging
	Empty                         views.Empty
}

var (
	caseStateWords = []string{"open", "Open", "all", "All states", "explained", "Explained", "adjusted", "Adjusted",
		"written-off", "Written off"}
	caseAgeWords = []string{"", "Any age", "1h", "Older than an hour", "24h", "Older than a day", "168h", "Older than a week"}
)

func caseRuleWords() []string {
	words := []string{"", "All rules"}
	for _, r := range models.CaseRules {
		words = append(words, strconv.Itoa(int(r)), firstUpper(r.String()))
	}
	return words
}

// cases lists the cases; without a filter those that are open.
func (a *App) cases(c *fiber.Ctx) error {
	page := &casesPage{Page: a.page(c, "Cases")}
	page.Lede = "What rules have found and somebody has to look at. Newest first."
	page.Saveable = true
	filter, wrong, err := a.caseFilter(c, page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "cases/list", page)
	}
	list, more, err := a.Store.Cases(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, one := range list {
		line := page.caseLine(one)
		line.Href = withQuery(line.Href, page.Query)
		page.Rows = append(page.Rows, line)
	}
	if n := len(list); n > 0 {
		_, all, err := a.countOf(c.UserContext(), filter)
		if err != nil {
			return err
		}
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].FoundAt, ID: list[0].ID},
			models.Cursor{At: list[n-1].FoundAt, ID: list[n-1].ID}, more, shownOf(n, all))
	}
	may, err := page.Can(workCases)
	if err != nil {
		return err
	}
	if may && filter.State == models.CaseOpen && len(list) > 1 {
		page.Actions = []views.Link{{Word: "Close together", Href: withQuery("/cases/closing", page.Query)}}
	}
	page.Empty = views.Empty{Title: "No case is open",
		Text:  "Rules look every few seconds at what came in. What they find stands here until somebody closes it.",
		Links: []views.Link{{Word: "Closed cases", Href: "/cases?state=all"}}}
	if len(page.Chips) > 0 {
		page.Empty = views.Empty{Title: "No case is such", Text: "Nothing passes all of these filters.",
			Links: []views.Link{{Word: "Open cases", Href: page.Path, Main: true}}}
	}
	return a.render(c, "cases/list", page)
}

// caseFilter reads the filters from the address. One that names nobody is said in place of the list.
func (a *App) caseFilter(c *fiber.Ctx, page *casesPage) (filter models.CaseFilter, wrong *views.Empty, err error) {
	page.Player = page.filterField("player", "Player")
	page.Player.Picker = "player"
	state := page.params.Get("state")
	if state == "" {
		state = "open"
	}
	page.Rules, page.States = choices(page.params.Get("rule"), caseRuleWords()...), choices(state, caseStateWords...)
	names, err := a.colleagues(c.UserContext(), workCases)
	if err != nil {
		return filter, nil, err
	}
	owners := ownerWords(page.Reader.Username, page.params.Get("owner"), names)
	page.Oldest, page.Owners = choices(page.params.Get("age"), caseAgeWords...), choices(page.params.Get("owner"), owners...)
	filter = models.CaseFilter{Limit: caseRows, State: models.CaseOpen, Owner: page.filter("owner", "Owner", wordOf(owners))}
	if filter.Owner == nobodys {
		filter.Owner, filter.Nobodys = "", true
	}
	if page.params.Get("state") != "" {
		page.filter("state", caseStateLabel, wordOf(caseStateWords))
		filter.State = 0
		for _, s := range models.CaseStates {
			if strings.ReplaceAll(s.String(), " ", "-") == state {
				filter.State = s
			}
		}
	}
	if rule, err := strconv.Atoi(page.filter("rule", "Rule", wordOf(caseRuleWords()))); err == nil {
		filter.Rule = models.CaseRule(rule)
	}
	if text := page.filter("age", "Age", wordOf(caseAgeWords)); text != "" {
		if d, err := time.ParseDuration(text); err == nil {
			filter.FoundBefore = page.now.Add(-d)
		}
	}
	for _, thing := range []struct {
		name string
		of   *int64
	}{{"grant", &filter.GrantID}, {"statement", &filter.StatementID}, {"verification", &filter.Verification}} {
		if text := page.filter(thing.name, firstUpper(thing.name), nil); text != "" {
			if *thing.of, err = strconv.ParseInt(text, 10, 64); err != nil || *thing.of < 1 {
				return filter, nil, badAddress("It names no " + thing.name + ".")
			}
		}
	}
	if filter.Page, err = page.place(); err != nil {
		return filter, nil, err
	}
	player, wrong, err := a.playerFilter(c, &page.Page)
	filter.PlayerID = player.ID
	return filter, wrong, err
}

type casePage struct {
	Page
	Facts       []views.Fact
	Evidence    []definition
	Guide       caseDeed
	Events      []views.Event
	Neighbours  []neighbour
	Work        bool // its reader may work on it, and it is open
	ID          string
	Queue       caseQueue
	Assign      *assignment
	Decide      string // where the form that closes it goes
	Comment     views.Field
	Reason      views.Field
	Decisions   []views.Choice
	Undecided   string // what is wrong with the choice among them
	Corrections []neighbour
}

func (a *App) caseOf(c *fiber.Ctx) (found models.Case, notes []models.CaseNote, err error) {
	id, err := number(c, "id")
	if err != nil {
		return found, nil, notFound("case")
	}
	found, notes, there, err := a.Store.Case(c.UserContext(), id)
	if err == nil && !there {
		err = notFound("case")
	}
	return found, notes, err
}

func (a *App) caseDetail(c *fiber.Ctx) error { return a.showCase(c, newForm(c)) }

func (a *App) showCase(c *fiber.Ctx, f *form) error {
	ctx := c.UserContext()
	found, notes, err := a.caseOf(c)
	if err != nil {
		return err
	}
	if found.PlayerID != 0 {
		if err := a.viewed(c, "case", found.ID); err != nil {
			return err
		}
	}
	page := &casePage{Page: a.page(c, firstUpper(found.Rule.String())), ID: strconv.FormatInt(found.ID, 10)}
	page.Heading, page.Title = page.Title, "Case "+page.ID+", "+found.Rule.String()
	page.Crumbs = []views.Crumb{{Word: "Cases", Href: "/cases"}, {Word: page.ID}}
	page.Badges = []views.Badge{caseBadge(found)}
	about, err := a.matter(ctx, &page.Page, found)
	if err != nil {
		return err
	}
	page.Guide = about.guide()
	may, err := page.Can(workCases)
	if err != nil {
		return err
	}
	if page.Work = may && found.State == models.CaseOpen; page.Work {
		take := views.Link{Word: "Take this case", Href: casePath(found.ID) + "/owner?seen=" + escapeQuery(found.Owner),
			Post: true}
		if found.Owner == page.Reader.Username {
			take.Word = "Give it back to the queue"
		}
		page.Actions = append(page.Actions, take)
		names, err := a.colleagues(ctx, workCases)
		if err != nil {
			return err
		}
		page.Decide = withQuery(casePath(found.ID)+"/decision", page.Query)
		page.Assign = newAssignment(&page.Page, withQuery(casePath(found.ID)+"/owner", page.Query), found.Owner, names)
	}
	if page.Queue, err = a.caseQueue(c, page.Page, found); err != nil {
		return err
	}
	page.Keys = append(page.Keys, queueKey{"j", "Next case"}, queueKey{"k", "Previous case"})
	if page.Work {
		page.Keys = append(page.Keys, queueKey{"a", "Assign the case: goes to the choice"},
			queueKey{"c", "Close the case: goes to the form"})
	}
	page.Facts = []views.Fact{
		{Label: "Happened", Moment: page.Time(found.At)},
		{Label: "Found", Moment: page.Time(found.FoundAt), Note: age(page.now.Sub(found.FoundAt)) + " ago"},
		{Label: "Owner", Value: orWord(found.Owner, "Nobody")},
	}
	if found.At.IsZero() { // the platform's statement does not say
		page.Facts = page.Facts[1:]
	}
	if found.Amount != 0 {
		page.Facts = append(page.Facts,
			views.Fact{Label: "At stake", Value: found.Amount.Grouped() + " " + string(found.Currency), Big: true})
	}
	for _, fact := range found.Facts {
		page.Evidence = append(page.Evidence, definition{Label: fact.Label, Value: fact.Value})
	}
	if err := a.caseNeighbours(ctx, page, about); err != nil {
		return err
	}
	page.Events = append(page.Events,
		views.Event{At: page.Time(found.FoundAt), Node: "case", Who: "Found", Text: " by a rule: " + found.Rule.String()})
	for _, n := range notes {
		page.Events = append(page.Events,
			views.Event{At: page.Time(n.At), Node: "staff", Who: n.Actor, Text: " wrote", Quote: n.Text})
	}
	if found.State != models.CaseOpen {
		page.Events = append(page.Events,
			views.Event{At: page.Time(found.DecidedAt), Node: "staff", Who: found.DecidedBy,
				Text: " closed it: " + found.State.String(), Quote: found.Reason})
	}
	sortEvents(page.Events)
	page.Comment = f.field(views.Field{Label: "Comment", Name: "text", Autocomplete: "off",
		Hint: "For your colleagues; it stays."})
	page.Reason = f.field(views.Field{Label: "What was found out", Name: "reason", Autocomplete: "off",
		Hint: "For colleagues, auditors and regulators."})
	page.Decisions = choices(f.text("state"), "explained", "Explained: all is right as it is", "adjusted",
		"Adjusted: a correction has put it right", "written-off", "Written off: it is wrong and stays so")
	page.Undecided = sentence(f.wrong["state"])
	if !f.ok() {
		return a.refused(c, "cases/case", page)
	}
	return a.render(c, "cases/case", page)
}

func orWord(text, word string) string {
	if text == "" {
		return word
	}
	return text
}

// caseNeighbours leads to what a case is about, and to the corrections that were asked for since.
func (a *App) caseNeighbours(ctx context.Context, page *casePage, found caseMatter) error {
	if found.PlayerID != 0 {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Player", Text: string(found.UserID), Href: playerPath(found.PlayerID)})
	}
	if found.Transaction != 0 {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Transaction", Href: transactionPath(found.Transaction),
				ID: &views.ID{Text: string(found.TransactionID), Short: true}})
	}
	if found.Transaction == 0 && found.TransactionID != "" {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Callbacks", Href: "/callbacks?id=" + escapeQuery(string(found.TransactionID)),
				ID: &views.ID{Text: string(found.TransactionID), Short: true}})
	}
	if t := found.transaction; t != nil && t.RoundID != "" {
		round, there, err := a.Store.Round(ctx, t.PlayerID, t.RoundID)
		if err != nil {
			return err
		}
		if there {
			page.Neighbours = append(page.Neighbours,
				neighbour{Label: "Round", Href: roundPath(round.ID), ID: &views.ID{Text: string(round.RoundID), Short: true},
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
		asked, err := a.correctionsOf(ctx, t)
		if err != nil {
			return err
		}
		for _, c := range asked {
			page.Corrections = append(page.Corrections,
				neighbour{Label: "Correction " + strconv.FormatInt(c.ID, 10), Text: correctionTitle(c),
					Href: correctionPath(c.ID), Note: c.State.String()})
		}
	}
	if found.GrantID != 0 {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Grant", Text: strconv.FormatInt(found.GrantID, 10), Href: pathOf("/free-spins", found.GrantID)})
	}
	if found.StatementID != 0 {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Statement", Text: strconv.FormatInt(found.StatementID, 10),
				Href: pathOf("/statements", found.StatementID)})
	}
	if found.Verification != 0 {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Verification", Text: strconv.FormatInt(found.Verification, 10),
				Href: verificationPath(found.Verification)})
	}
	return nil
}

// takeCase makes the reader the owner of a case, or nobody where they are it already.
func (a *App) takeCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	names, err := a.colleagues(c.UserContext(), workCases)
	if err != nil {
		return err
	}
	name, chosen, err := assignee(c, names)
	if err != nil {
		return err
	}
	path := withQuery(casePath(found.ID), string(c.Request().URI().QueryString()))
	owner, seen := reader(c).Username, c.Query("seen")
	switch {
	case chosen:
		owner, seen = name, posted(c, "seen")
	case seen == owner:
		owner = ""
	}
	if pressedTwice := found.State == models.CaseOpen && found.Owner == owner; !pressedTwice {
		if err := a.Store.OwnCase(c.UserContext(), a.actor(c), found.ID, seen, owner); err != nil {
			return a.caseFailed(c, found, err)
		}
	}
	if chosen {
		return a.done(c, path, assignedWords("Case "+strconv.FormatInt(found.ID, 10), name))
	}
	return c.Redirect(casePath(found.ID), fiber.StatusSeeOther)
}

func (a *App) commentCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	text := f.text("text")
	if text == "" {
		f.refuse("text", "write something")
		return a.again(c, f, casePath(found.ID))
	}
	if len([]rune(text)) > models.MaxCaseText {
		f.refuse("text", "a comment has at most 4,000 characters")
		return a.again(c, f, casePath(found.ID))
	}
	if err := a.Store.CommentCase(c.UserContext(), a.actor(c), found.ID, text); err != nil {
		return err
	}
	return c.Redirect(casePath(found.ID), fiber.StatusSeeOther)
}

func (a *App) decideCase(c *fiber.Ctx) error {
	found, _, err := a.caseOf(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	to := map[string]models.CaseState{"explained": models.CaseExplained, "adjusted": models.CaseAdjusted,
		"written-off": models.CaseWrittenOff}[f.text("state")]
	if to == 0 {
		f.refuse("state", "choose how the case ends")
		if strings.TrimSpace(f.text("reason")) == "" {
			f.refuse("reason", rootText(models.ErrCaseReason))
		}
		return a.again(c, f, casePath(found.ID))
	}
	err = a.Store.DecideCase(c.UserContext(), a.actor(c), found.ID, to, f.text("reason"))
	if errors.Is(err, models.ErrCaseReason) || errors.Is(err, models.ErrCaseReasonLong) {
		f.refuse("reason", rootText(err))
		return a.again(c, f, casePath(found.ID))
	}
	if err != nil {
		return a.caseFailed(c, found, err)
	}
	return a.flash(c, withQuery(casePath(found.ID), string(c.Request().URI().QueryString())),
		views.Note{Kind: "done", Icon: "check", Title: "Case " + strconv.FormatInt(found.ID, 10) + " is closed",
			Text: "It was " + to.String() + ". The same finding opens no other."})
}

// caseFailed tells the second of two what the first did.
func (a *App) caseFailed(c *fiber.Ctx, found models.Case, err error) error {
	if errors.Is(err, models.ErrCaseClosed) {
		return a.flash(c, casePath(found.ID),
			views.Note{Kind: "wait", Icon: "info", Title: "It is closed already",
				Text: "A colleague has closed this case. What you sent changed nothing."})
	}
	if errors.Is(err, models.ErrCaseTaken) {
		return a.flash(c, casePath(found.ID),
			views.Note{Kind: "wait", Icon: "info", Title: orWord(found.Owner, "A colleague") + " was quicker",
				Text: "Its owner has changed since you looked. Nothing was changed by you."})
	}
	if errors.Is(err, models.ErrCaseUnknown) {
		return notFound("case")
	}
	return err
}

// countCases counts the open cases, for the navigation.
func (a *App) countCases(ctx context.Context, _ *Reader) (count, error) {
	n, words, err := a.countOf(ctx, models.CaseFilter{State: models.CaseOpen})
	return count{N: int(n), Shown: words, Word: "open"}, err
}

// findCases finds a case by its number.
func (a *App) findCases(ctx context.Context, text string, _ int) (models.Found[hit], error) {
	id, named := numberAfter(text, "case")
	if id == 0 {
		return models.Found[hit]{}, nil
	}
	found, _, there, err := a.Store.Case(ctx, id)
	h := caseHit(found)
	h.Exact = named
	return oneHit(h, there), err
}

func caseHit(c models.Case) hit {
	state, number := caseBadge(c), strconv.FormatInt(c.ID, 10)
	return hit{Text: firstUpper(c.Rule.String()), ID: views.ID{Text: number, Kind: "case"}, Value: number,
		Href: casePath(c.ID), State: &state}
}

// thingCases are the newest cases of a thing, for its page.
type thingCases struct {
	Rows []neighbour
	All  string // the address of all of them
}

// casesOf reads the newest cases of a thing; none for a reader who may not read cases. query selects all of them in the list of
// cases.
func (a *App) casesOf(ctx context.Context, p *Page, f models.CaseFilter, query string) (cases thingCases, err error) {
	may, err := p.Can(readCases)
	if err != nil || !may {
		return cases, err
	}
	f.Limit = casesBeside
	list, _, err := a.Store.Cases(ctx, f)
	for _, c := range list {
		row := neighbour{Label: "Case " + strconv.FormatInt(c.ID, 10), Text: firstUpper(c.Rule.String()), Href: casePath(c.ID),
			Note: c.State.String()}
		if c.State == models.CaseOpen {
			row.Note = "open " + age(p.now.Sub(c.FoundAt))
		}
		cases.Rows = append(cases.Rows, row)
	}
	cases.All = "/cases?" + query + "&state=all"
	return cases, err
}

// caseEvents are a thing's cases for its story.
func (a *App) caseEvents(ctx context.Context, p *Page, f models.CaseFilter) (events []views.Event, err error) {
	may, err := p.Can(readCases)
	if err != nil || !may {
		return nil, err
	}
	f.Limit = casesOfThing
	list, _, err := a.Store.Cases(ctx, f)
	for _, c := range list {
		number := "Case " + strconv.FormatInt(c.ID, 10)
		events = append(events,
			views.Event{At: p.Time(c.FoundAt), Node: "case", Who: number, Text: " opened: " + c.Rule.String(),
				Href: casePath(c.ID), Link: "look at it"})
		if c.State != models.CaseOpen {
			events = append(events,
				views.Event{At: p.Time(c.DecidedAt), Node: "staff", Who: c.DecidedBy,
					Text: " closed case " + strconv.FormatInt(c.ID, 10) + ": " + c.State.String(), Quote: c.Reason})
		}
	}
	return events, err
}
