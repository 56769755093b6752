package pages

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pitboss/models"
)

// Audit events in one line: the action in words and, after a colon, the details that readers look for first. The page of an
// event has all its fields.

// details has the parts after the colon by action, with the event's fields in braces. A part with a missing field is left out.
// An action that is not listed shows the event's value, if there is only one.
var details = map[string][]string{
	"grant requested":       {"{spins} spins on {game_id} for {user_id}", "campaign {campaign}"},
	"grant refused":         {"{message}"},
	"grant resolved":        {"{resolution}", "free-spin ID {free_spin_id}"},
	"campaign approved":     {"request of {maker}"},
	"campaign refused":      {"request of {maker}"},
	"campaign created":      {"{name}", "{spins} spins"},
	"campaign line refused": {"line {line}", "{message}"},
	"correction requested":  {"{kind}", "{amount} {currency} for {user_id}", "transaction {transaction_id}"},
	"correction approved":   {"request of {maker}", "balance {balance_before} → {balance_after} {currency}"},
	"correction refused":    {"request of {maker}"},
	"case opened":           {"{rule}"},
	"player created":        {"{user_id}", "{balance} {currency}"},
	"staff created":         {"{username} ({name})", "{role}"},
	"export started":        {"{file}"},
	"statement uploaded":    {"{file}"},
	models.LogReviewed:      {"{day}", "{events} events"},
	"older state found":     {"checkpoint {checkpoint}", "{file}"},
}

var inBraces = regexp.MustCompile(`\{[a-z_]+\}`)

// teller writes events as sentences. It remembers the names of the players and staff in them.
type teller struct {
	site   *Site
	ctx    context.Context
	events []models.AuditEvent
	names  map[string]map[int64]string // by internal ID, for the objects "player" and "staff"
}

// Teller returns a teller for these audit events.
func (s *Site) Teller(ctx context.Context, events ...models.AuditEvent) *teller {
	return &teller{site: s, ctx: ctx, events: events, names: map[string]map[int64]string{}}
}

// Sentence returns an event in one line. here is true on the page of the player or account that the event is about; the line
// then leaves out the name.
func (t *teller) Sentence(e models.AuditEvent, here bool) (string, error) {
	said := detail(e)
	if id, err := strconv.ParseInt(e.ObjectID, 10, 64); err == nil && !here && (e.Object == "player" || e.Object == "staff") {
		name, err := t.name(e.Object, id)
		if err != nil {
			return "", err
		}
		if name != "" && name != e.Actor.Name && !strings.Contains(said, name) {
			said = strings.TrimSuffix(name+", "+said, ", ")
		}
	}
	return strings.TrimSuffix(models.ActionWord(e.Action)+": "+said, ": "), nil
}

// detail returns an event's most important detail, or an empty string.
func detail(e models.AuditEvent) string {
	before, _ := Flatten(e.Before)
	after, object := Flatten(e.After)
	switch {
	case e.Object == "setting":
		return e.ObjectID
	case e.Action == "case handed over" || e.Action == "correction assigned":
		if e.After == "" {
			return "nobody"
		}
		return e.After
	case object:
		var parts []string
		for _, part := range details[e.Action] {
			whole := true
			part = inBraces.ReplaceAllStringFunc(part, func(field string) string {
				value := after[strings.Trim(field, "{}")]
				whole = whole && value != "" && value != "0"
				if amount, err := models.ParseAmount(value); err == nil && strings.Contains(value, ".") {
					value = amount.Grouped()
				}
				return value
			})
			if whole {
				parts = append(parts, part)
			}
		}
		return strings.Join(parts, ", ")
	case strings.HasPrefix(e.After, `"`): // a state, which the action already names
		return ""
	case before == nil && e.Before != "" && e.After != "":
		return e.Before + " → " + e.After
	}
	return e.After
}

// name returns the user ID of a player or the username of a member of staff with this internal ID, or an empty string if there
// is nobody. It reads the names in all events at once.
func (t *teller) name(object string, id int64) (string, error) {
	if t.names[object] == nil {
		var ids []int64
		for _, e := range t.events {
			if id, err := strconv.ParseInt(e.ObjectID, 10, 64); err == nil && e.Object == object && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		t.names[object] = map[int64]string{}
		if object == "staff" {
			names, err := t.site.Store.StaffUsernames(t.ctx, ids)
			t.names[object] = names
			return names[id], err
		}
		names, err := t.site.Store.UserIDs(t.ctx, ids)
		if err != nil {
			return "", err
		}
		for player, name := range names {
			t.names[object][player] = string(name)
		}
	}
	return t.names[object][id], nil
}
