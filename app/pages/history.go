package pages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
)

// AuditThings has the pages of the objects that events are about, by the events' names for these objects. foot is set if an
// object's page shows its history at the foot; other pages show it elsewhere or not at all.
var AuditThings = map[string]struct {
	Path, Word string
	Needs      web.Permission
	foot       bool
}{
	"player":       {"/players/:id", "Player", web.ReadPlayers, false},
	"transaction":  {"/transactions/:id", "Transaction", web.ReadTransactions, false},
	"round":        {"/rounds/:id", "Round", web.ReadRounds, true},
	"restriction":  {"/restrictions/:id", "Restriction", web.ReadRestrictions, true},
	"grant":        {"/free-spins/:id", "Grant", web.ReadFreeSpins, true},
	"campaign":     {"/campaigns/:id", "Campaign", web.ReadFreeSpins, true},
	"game session": {"/sessions/:id", "Game session", web.ReadGameSessions, true},
	"game sync":    {"/games", "Sync of the games", web.ReadGames, false},
	"game":         {"/games/:id", "Game", web.ReadGames, true},
	"staff":        {"/staff/:id", "Staff", web.ReadStaff, false},
	"setting":      {"/settings", "Setting", web.ReadSettings, false},
	"change":       {"/settings/changes/:id", "Change of limits or rules", web.ReadSettings, true},
	"API client":   {"/clients/:id", "API client", web.ReadSettings, true},
	"list":         {"", "List", web.ReadAudit, false},
	"correction":   {"/corrections/:id", "Correction", web.ReadCorrections, true},
	"case":         {"/cases/:id", "Case", web.ReadCases, true},
	"statement":    {"/statements/:id", "Statement", web.ReadStatements, true},
	"callback":     {"/callbacks/:id", "Callback", web.ReadCallbacks, false},
	"day":          {"/reports/days/:id", "Day", web.ReadReports, false},
	"database":     {"/integrity", "Database", web.ReadIntegrity, false},
	"log":          {"", "Day of the audit log", web.ReadAudit, false},
	"verification": {"/integrity/verifications/:id", "Verification", web.ReadIntegrity, false},
	"checkpoint":   {"/integrity", "Checkpoint", web.ReadIntegrity, false},
	"games":        {"/games", "Games", web.ReadGames, false},
	"view":         {"", "View", web.ReadAudit, false},
}

// FootOf fills in the foot of an object's page: what staff did to the object.
func (s *Site) FootOf(c *fiber.Ctx, p *web.Page) error {
	for object, thing := range AuditThings {
		if !thing.foot || c.Method() != fiber.MethodGet || c.Route().Path != thing.Path {
			continue
		}
		id, err := web.Number(c, "id")
		if err != nil {
			return err
		}
		history, err := s.History(c.UserContext(), p, models.HistoryOf(object, id, web.LatestRows))
		if err != nil {
			return err
		}
		p.Foot = history.Rows
		if history.More && p.Can(web.ReadAudit) {
			p.FootHref = "/audit?object=" + web.EscapeQuery(object) + "&id=" + strconv.FormatInt(id, 10)
		}
	}
	return nil
}

// ThingWord returns the word for a kind of object that events are about.
func ThingWord(object string) string {
	if thing, known := AuditThings[object]; known {
		return thing.Word
	}
	return web.FirstUpper(object)
}

// History returns a page of what staff did to an object, newest first.
func (s *Site) History(ctx context.Context, p *web.Page, f models.AuditFilter) (page models.Page[web.HistoryLine], err error) {
	events, err := s.Store.AuditEvents(ctx, f)
	if err != nil {
		return page, err
	}
	linked, t := p.Can(web.ReadAudit), s.Teller(ctx, events.Rows...)
	page.More, page.Stopped, page.Rows = events.More, events.Stopped, make([]web.HistoryLine, len(events.Rows))
	for i, e := range events.Rows {
		words, err := t.Sentence(e, true)
		if err != nil {
			return page, err
		}
		if !p.Can(reasonNeeds(e)) {
			e.Reason = ""
		}
		page.Rows[i] = web.HistoryLine{AuditEvent: e, Moment: p.Time(e.At), What: words}
		if linked { // fields such as digests mean nothing to other roles
			page.Rows[i].Href, page.Rows[i].Change = AuditPath(e.ID), ChangeWords(p, e)
		} else if e.Action == models.PlayerLimitsSet && p.Can(web.ReadRestrictions) {
			page.Rows[i].Change = ChangeWords(p, e)
		}
	}
	return page, nil
}

// reasonNeeds returns the permission for reading the reason of an event, which is the permission for the page of the event's
// object. Restrictions and limits of a player are events of the player too.
func reasonNeeds(e models.AuditEvent) web.Permission {
	if e.Object == "player" && (strings.HasPrefix(e.Action, models.PlayerRestriction) || e.Action == models.PlayerLimitsSet) {
		return web.ReadRestrictions
	}
	return AuditThings[e.Object].Needs
}

// ChangeWords returns the changed fields of an audit event in words, such as "blocked: no → yes".
func ChangeWords(p *web.Page, e models.AuditEvent) string {
	var parts []string
	for _, c := range EventChanges(p, e) {
		words := c.After
		switch {
		case c.Same(), c.Before == "" && c.After == "", !c.Had && (c.After == "no" || c.After == "0"):
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

// AuditChange is a field of an audit event, before and after the change.
type AuditChange struct {
	Field         string
	Before, After string
	Had, Has      bool // the field existed before; it exists after
}

// Same reports whether the field did not change.
func (c AuditChange) Same() bool { return c.Had && c.Has && c.Before == c.After }

// EventChanges returns the changes made by an event. Limits and rules that need two administrators look as on the pages that
// change them, and only changed ones are returned. Other events have all their fields, with times in the reader's zone.
func EventChanges(p *web.Page, e models.AuditEvent) []AuditChange {
	r := models.ChangeRequest{Subject: models.ChangeSubject(e.ObjectID), Before: e.Before, After: e.After}
	if e.Object == "change" {
		var was, is struct {
			Subject models.ChangeSubject
			Value   json.RawMessage
		}
		if errors.Join(unmarshalled(e.Before, &was), unmarshalled(e.After, &is)) == nil {
			r.Subject, r.Before, r.After = is.Subject, string(was.Value), string(is.Value)
		}
	}
	_, known := r.Subject.Kind()
	readable := (r.Before == "" || json.Valid([]byte(r.Before))) && json.Valid([]byte(r.After))
	if !known || !readable || e.Object != "change" && e.Object != "setting" {
		list := AuditChanges(e.Before, e.After)
		for i, c := range list {
			list[i].Before, list[i].After = timeWords(p, c.Before), timeWords(p, c.After)
		}
		return list
	}
	var list []AuditChange
	for _, row := range ChangeRows(r) {
		if row.Before != row.After {
			list = append(list, AuditChange{Field: row.What, Before: row.Before, After: row.After, Had: true, Has: true})
		}
	}
	return list
}

// timeIn matches times in the values of audit events.
var timeIn = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)

// timeWords returns a value of an audit event with its times in the reader's zone. Midnight in that zone is shown as a day.
func timeWords(p *web.Page, value string) string {
	return timeIn.ReplaceAllStringFunc(value, func(text string) string {
		at, err := time.Parse(time.RFC3339, text)
		switch local := at.In(p.Zone); {
		case err != nil:
			return text
		case local.Format("15:04:05.999999") == "00:00:00":
			return p.Time(at).Date()
		}
		return p.Time(at).Full()
	})
}

// AuditChanges returns the fields of an event, before and after the change. A side that is not a JSON object is a single field;
// if the other side is an object with a state, that field is the state.
func AuditChanges(before, after string) []AuditChange {
	was, fields := Flatten(before)
	is, more := Flatten(after)
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
	var list []AuditChange
	for _, name := range names {
		c := AuditChange{Field: fieldWords(name)}
		c.Before, c.Had = was[name]
		c.After, c.Has = is[name]
		list = append(list, c)
	}
	return list
}

// oneField returns a side that is a plain text, bare or as a JSON string, as its only field, or nil if the side is empty. other
// has the fields of the other side.
func oneField(text string, other map[string]string) map[string]string {
	if text == "" {
		return nil
	}
	var word string
	if json.Unmarshal([]byte(text), &word) != nil {
		word = text
	}
	name := ""
	if _, stated := other["state"]; stated {
		name = "state"
	}
	return map[string]string{name: word}
}

// Flatten returns the fields of a JSON object, and nested fields by their path. It returns false if text is not a JSON object.
func Flatten(text string) (map[string]string, bool) {
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

// fieldWords returns a field's path in words: "user_id" becomes "user id", "Limits/SpinsADay" becomes "limits, spins a day".
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
