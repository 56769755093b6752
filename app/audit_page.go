package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

const auditRows = 50

func auditPath(id int64) string { return pathOf("/audit", id) }

// auditThings are the pages of the things that events are about, by the events' words for them. foot is set where the history
// of a thing stands at the foot of its page; other pages have a place of their own for it.
var auditThings = map[string]struct {
	path, word string
	needs      Permission
	foot       bool
}{
	"player":          {"/players/:id", "Player", readPlayers, false},
	"transaction":     {"/transactions/:id", "Transaction", readTransactions, false},
	"round":           {"/rounds/:id", "Round", readRounds, true},
	"grant":           {"/free-spins/:id", "Grant", readFreeSpins, true},
	"grant exception": {"/free-spins/exceptions/:id", "Exception from the limits", readFreeSpins, true},
	"grant import":    {"/free-spins/imports/:id", "Import of grants", readFreeSpins, true},
	"game session":    {"/sessions/:id", "Game session", readGameSessions, true},
	"game sync":       {"/games/syncs", "Sync of the games", readGames, false},
	"game":            {"/games/:id", "Game", readGames, true},
	"staff":           {"/staff/:id", "Staff", readStaff, false},
	"setting":         {"/settings", "Setting", readSettings, false},
	"change":          {"/settings/changes/:id", "Change of limits or rules", readSettings, true},
	"export":          {"/exports/:id", "Export", exportData, true},
	"correction":      {"/corrections/:id", "Correction", readCorrections, true},
	"case":            {"/cases/:id", "Case", readCases, true},
	"statement":       {"/statements/:id", "Statement", readStatements, true},
	"callback":        {"/callbacks/:id", "Callback", readCallbacks, false},
	"day":             {"/reports/days/:id", "Day", readReports, false},
	"purge":           {"/integrity", "Purge", readIntegrity, false},
	"verification":    {"/integrity/verifications/:id", "Verification", readIntegrity, false},
	"restore":         {"/integrity/restores/:id", "Restored backup", readIntegrity, true},
	"checkpoint":      {"/integrity", "Checkpoint", readIntegrity, false},
	"games":           {"/games", "Games", readGames, false},
	"view":            {"", "View", readAudit, false},
}

// footOf reads what staff did to the thing whose page this is, for the page's foot.
func (a *App) footOf(c *fiber.Ctx, p *Page) error {
	for object, thing := range auditThings {
		if !thing.foot || c.Method() != fiber.MethodGet || c.Route().Path != thing.path {
			continue
		}
		id, err := number(c, "id")
		if err != nil {
			return err
		}
		var more bool
		if p.Foot, more, err = a.history(c.UserContext(), p, object, id, models.Cursor{}, latestRows); err != nil {
			return err
		}
		if readable, err := p.Can(readAudit); err != nil {
			return err
		} else if more && readable {
			p.FootHref = "/audit?object=" + escapeQuery(object) + "&id=" + strconv.FormatInt(id, 10)
		}
	}
	return nil
}

// auditThing is what an event is about: its word, its number there, and its page where there is one that the reader may open.
type auditThing struct{ Word, ID, Href string }

func (a *App) auditThing(p *Page, e models.AuditEvent) (auditThing, error) {
	thing, known := auditThings[e.Object]
	if !known {
		return auditThing{Word: firstUpper(e.Object), ID: e.ObjectID}, nil
	}
	t := auditThing{Word: thing.word, ID: e.ObjectID}
	allowed, err := p.Can(thing.needs)
	if err != nil || !allowed || thing.path == "" || !a.hasPage(thing.path) || e.ObjectID == "" {
		return t, err
	}
	t.Href = strings.Replace(thing.path, ":id", e.ObjectID, 1)
	return t, nil
}

// hasPage reports whether a path is one of the site's pages.
func (a *App) hasPage(path string) bool {
	return slices.ContainsFunc(a.table, func(r route) bool { return r.method == get && r.path == path })
}

type auditPage struct {
	Page
	Player, Who, ID, Address, Session, Reason, Since, Until views.Field
	Whats, Things                                           []views.Choice
	Rows                                                    []auditRow
	Paging                                                  views.Paging
	Empty                                                   views.Empty
}

type auditRow struct {
	models.AuditEvent
	Moment views.Moment
	Href   string
	What   string // in a sentence
	Change string // field by field
	On     auditThing
	Folded *foldedEvents // with those that follow it in one line; nil for an event alone
}

func (a *App) audit(c *fiber.Ctx) error {
	page := &auditPage{Page: a.page(c, "Audit")}
	page.Lede = "Who did what, and why: every change, sign-in, export, and look at a player’s data. Newest first."
	page.Saveable = true
	filter, wrong, err := a.auditFilter(c, page)
	if err != nil {
		return err
	}
	if err := a.auditChoices(c, page); err != nil {
		return err
	}
	if wrong != nil {
		page.Empty = *wrong
		return a.render(c, "audit/list", page)
	}
	found, err := a.Store.AuditLog(c.UserContext(), filter)
	if err != nil {
		return err
	}
	if err := a.foldOn(c.UserContext(), page, filter, &found); err != nil {
		return err
	}
	if err := a.auditRows(c.UserContext(), page, found.Rows); err != nil {
		return err
	}
	var first, last models.Cursor
	if n := len(found.Rows); n > 0 {
		first, last = auditCursor(found.Rows[0]), auditCursor(found.Rows[n-1])
	}
	page.Paging = page.lookedAround(filter.Page, first, last, found.More, found.Stopped, strconv.Itoa(len(page.Rows))+" shown")
	page.Empty = views.Empty{Title: "No events match these filters", Text: "Names, addresses and sessions are case-sensitive.",
		Links: []views.Link{{Word: "Show all", Href: page.Path, Main: true}}}
	if !found.Stopped.IsZero() {
		page.Empty = soFar(page.Paging)
	}
	return a.render(c, "audit/list", page)
}

func auditCursor(e models.AuditEvent) models.Cursor { return models.Cursor{At: e.At, ID: e.ID} }

// auditFilter reads the filters from the address. What cannot be read, or names nobody, is said in place of the list.
func (a *App) auditFilter(c *fiber.Ctx, page *auditPage) (f models.AuditFilter, wrong *views.Empty, err error) {
	page.Who, page.ID, page.Reason = page.filterField("who", "Who"), page.filterField("id", "Its number"),
		page.filterField("reason", "Text in the reason")
	page.Address, page.Session = page.filterField("address", "Address"), page.filterField("session", "Session")
	page.Player = page.filterField("player", "Player")
	page.Player.Picker = "player"
	page.Since, page.Until = page.filterField("since", "Since"), page.filterField("until", "Until")
	f = models.AuditFilter{
		Actor: page.filter("who", "Who", nil), Action: page.filter("what", "What", firstUpper),
		Object: page.filter("object", "On", thingWord), ObjectID: page.filter("id", "Number", nil),
		Address: page.filter("address", "From", nil), Session: page.filter("session", "Session", nil),
		Reason: page.filter("reason", "Reason", nil), Limit: auditRows,
	}
	var bad error
	if f.Since, bad = page.timeFilter("since", "Since"); bad != nil {
		e := unread(bad, &page.Page)
		wrong = &e
	}
	if f.Until, bad = page.timeFilter("until", "Until"); bad != nil && wrong == nil {
		e := unread(bad, &page.Page)
		wrong = &e
	}
	if f.Page, err = page.place(); err != nil {
		return f, nil, err
	}
	player, nobody, err := a.playerFilter(c, &page.Page)
	if player.ID != 0 {
		f.Object, f.ObjectID = "player", strconv.FormatInt(player.ID, 10)
	}
	if nobody != nil {
		wrong = nobody
	}
	return f, wrong, err
}

// thingWord is the word of the kind of thing that events are about.
func thingWord(object string) string {
	if thing, known := auditThings[object]; known {
		return thing.word
	}
	return firstUpper(object)
}

// auditChoices offers the actions and things that stand in the log.
func (a *App) auditChoices(c *fiber.Ctx, page *auditPage) error {
	actions, objects, err := a.Store.AuditWords(c.UserContext())
	if err != nil {
		return err
	}
	all := []string{"", "Everything"}
	for _, action := range actions {
		all = append(all, action, firstUpper(action))
	}
	page.Whats = choices(page.params.Get("what"), all...)
	all = []string{"", "Anything"}
	for _, object := range objects {
		all = append(all, object, thingWord(object))
	}
	page.Things = choices(page.params.Get("object"), all...)
	return nil
}

type auditEventPage struct {
	Page
	Event       models.AuditEvent
	Facts       []views.Fact
	Changes     []auditChange
	Definitions []definition
	Neighbours  []neighbour
}

func (a *App) auditEvent(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return notFound("event")
	}
	e, found, err := a.Store.AuditEvent(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("event")
	}
	if err != nil {
		return err
	}
	title, err := a.teller(c.UserContext()).sentence(e, false)
	if err != nil {
		return err
	}
	page := &auditEventPage{Page: a.page(c, title), Event: e, Changes: auditChanges(e.Before, e.After)}
	page.Crumbs = []views.Crumb{{Word: "Audit", Href: "/audit"}, {Word: "Event " + strconv.FormatInt(e.ID, 10)}}
	on, err := a.auditThing(&page.Page, e)
	if err != nil {
		return err
	}
	what := views.Fact{Label: "On", Value: on.Word, Href: on.Href, Note: on.ID}
	page.Facts = []views.Fact{
		{Label: "When", Moment: page.Time(e.At)}, {Label: "Who", Value: e.Actor.Name, Note: e.Actor.Via()}, what,
	}
	if e.Actor.Address != "" {
		page.Facts = append(page.Facts, views.Fact{Label: "From", Value: e.Actor.Address})
	}
	page.Definitions = []definition{
		{Label: "Number in the log", Value: strconv.FormatInt(e.ID, 10)}, {Label: "Time, UTC", Value: page.Time(e.At).Hover()},
		{Label: "Who", ID: &views.ID{Text: e.Actor.Name, Kind: "name"}},
		{Label: "Channel", Value: firstUpper(e.Actor.Channel.String())},
	}
	for _, d := range []struct{ label, text, kind string }{
		{"System user", e.Actor.OSUser, "name"}, {"Address", e.Actor.Address, "address"},
		{"Session", e.Actor.Session, "session"}, {on.Word, e.ObjectID, "number"},
	} {
		if d.text != "" {
			page.Definitions = append(page.Definitions, definition{Label: d.label, ID: &views.ID{Text: d.text, Kind: d.kind}})
		}
	}
	return a.showAuditEvent(c, page, on)
}

// showAuditEvent adds what stands beside an event in the log.
func (a *App) showAuditEvent(c *fiber.Ctx, page *auditEventPage, on auditThing) error {
	e := page.Event
	if on.Href != "" {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "The thing", Text: strings.TrimSpace(on.Word + " " + on.ID), Href: on.Href})
	}
	if e.ObjectID != "" {
		of := models.AuditFilter{Object: e.Object, ObjectID: e.ObjectID, Limit: 1}
		for label, newer := range map[string]bool{"Before this": false, "After this": true} {
			of.Page = models.Cursor{ID: e.ID, Newer: newer}
			list, _, err := a.Store.AuditEvents(c.UserContext(), of)
			if err != nil {
				return err
			}
			for _, other := range list {
				page.Neighbours = append(page.Neighbours,
					neighbour{Label: label, Text: firstUpper(other.Action), Href: auditPath(other.ID),
						Note: page.Time(other.At).Brief()})
			}
		}
		slices.SortStableFunc(page.Neighbours, func(x, y neighbour) int { return strings.Compare(y.Label, x.Label) })
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Its history", Text: "Everything on it",
				Href: "/audit?object=" + escapeQuery(e.Object) + "&id=" + escapeQuery(e.ObjectID)})
	}
	page.Neighbours = append(page.Neighbours,
		neighbour{Label: "Who", Text: "Everything by " + e.Actor.Name, Href: "/audit?who=" + escapeQuery(e.Actor.Name)})
	if e.Actor.Session != "" {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Session", Text: "Everything in it", Href: "/audit?session=" + escapeQuery(e.Actor.Session)})
	}
	if e.Actor.Address != "" {
		page.Neighbours = append(page.Neighbours,
			neighbour{Label: "Address", Text: "Everything from there", Href: "/audit?address=" + escapeQuery(e.Actor.Address)})
	}
	return a.render(c, "audit/event", page)
}

// historyLine is an audit event of a thing, on its own page.
type historyLine struct {
	models.AuditEvent
	Moment views.Moment
	What   string
	Change string
	Href   string // of the event, for those who may read the log
}

// history is what staff did to a thing, views included.
func (a *App) history(ctx context.Context, page *Page, object string, id int64, at models.Cursor,
	limit int) ([]historyLine, bool, error) {
	events, more, err := a.Store.AuditEvents(ctx,
		models.AuditFilter{Object: object, ObjectID: strconv.FormatInt(id, 10), Page: at, Limit: limit})
	if err != nil {
		return nil, false, err
	}
	t := a.teller(ctx)
	lines, err := page.historyLines(events, func(e models.AuditEvent) (string, error) { return t.sentence(e, true) })
	return lines, more, err
}

// historyLines shows events; what tells an event in a sentence.
func (p *Page) historyLines(events []models.AuditEvent, what func(models.AuditEvent) (string, error)) ([]historyLine, error) {
	linked, err := p.Can(readAudit)
	if err != nil {
		return nil, err
	}
	lines := make([]historyLine, len(events))
	for i, e := range events {
		words, err := what(e)
		if err != nil {
			return nil, err
		}
		lines[i] = historyLine{AuditEvent: e, Moment: p.Time(e.At), What: firstUpper(words),
			Change: changeWords(e.Before, e.After)}
		if linked {
			lines[i].Href = auditPath(e.ID)
		}
	}
	return lines, nil
}

// changeWords puts what an audit event keeps of before and after into words, as far as it changed: "blocked: no → yes".
func changeWords(before, after string) string {
	var parts []string
	for _, c := range auditChanges(before, after) {
		words := c.After
		switch {
		case c.Same(), c.Before == "" && c.After == "":
			continue
		case c.Had && c.Has:
			words = c.Before + " → " + c.After
		case c.Had:
			words = c.Before + " → gone"
		}
		if c.Field != "" {
			words = c.Field + ": " + words
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, ", ")
}

// auditChange is a field that an event keeps, before and after.
type auditChange struct {
	Field         string
	Before, After string
	Had, Has      bool // whether there was, and is, such a field
}

// Same reports that nothing changed here.
func (c auditChange) Same() bool { return c.Had && c.Has && c.Before == c.After }

// auditChanges sets what an event keeps of before and after side by side, field by field. What is no object of fields is one
// field: the state, where the other side is an object with one.
func auditChanges(before, after string) []auditChange {
	was, fields := flatten(before)
	is, more := flatten(after)
	if !fields {
		was = oneField(before, is)
	}
	if !more {
		is = oneField(after, was)
	}
	names := slices.Sorted(maps.Keys(was))
	for name := range is {
		if _, both := was[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []auditChange
	for _, name := range names {
		c := auditChange{Field: fieldWords(name)}
		c.Before, c.Had = was[name]
		c.After, c.Has = is[name]
		list = append(list, c)
	}
	return list
}

// oneField is what an event keeps as a text, bare or in JSON, and nil where it keeps nothing.
func oneField(text string, beside map[string]string) map[string]string {
	if text == "" {
		return nil
	}
	var word string
	if json.Unmarshal([]byte(text), &word) != nil {
		word = text
	}
	name := ""
	if _, stated := beside["state"]; stated {
		name = "state"
	}
	return map[string]string{name: word}
}

// flatten reads a JSON object into its fields, those of objects in it by their path, and reports whether it is one.
func flatten(text string) (map[string]string, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || object == nil || d.More() {
		return nil, false
	}
	fields := map[string]string{}
	flattenInto(fields, "", object)
	return fields, true
}

func flattenInto(fields map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			flattenInto(fields, strings.TrimPrefix(path+"/"+key, "/"), inner)
		}
	case []any:
		if len(v) == 0 {
			fields[path] = "none"
			return
		}
		if slices.ContainsFunc(v, func(inner any) bool { _, deep := inner.(map[string]any); return deep }) {
			for i, inner := range v {
				flattenInto(fields, fmt.Sprintf("%s/%d", path, i+1), inner)
			}
			return
		}
		words := make([]string, len(v))
		for i, inner := range v {
			words[i] = valueWord(inner)
		}
		fields[path] = strings.Join(words, ", ")
	case nil:
		fields[path] = "none"
	default:
		fields[path] = valueWord(v)
	}
}

func valueWord(v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// fieldWords makes words of a field's path: "user_id" is "user id", "Limits/SpinsADay" is "limits, spins a day".
func fieldWords(path string) string {
	var b strings.Builder
	letters := []rune(path)
	isAt := func(i int, is func(rune) bool) bool { return i >= 0 && i < len(letters) && is(letters[i]) }
	for i, r := range letters {
		switch {
		case r == '/':
			b.WriteString(", ")
		case r == '_':
			b.WriteByte(' ')
		case unicode.IsUpper(r) && (isAt(i-1, unicode.IsLower) || isAt(i-1, unicode.IsUpper) && isAt(i+1, unicode.IsLower)):
			b.WriteByte(' ')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
