package pages

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/app/web"
	"pitboss/models"
)

// Audit events as sentences that a person would write. Their fields are on the pages of the events.

// teller writes events as sentences. It remembers the names of the games and people in them.
type teller struct {
	site    *Site
	ctx     context.Context
	events  []models.AuditEvent
	games   map[string]string
	staff   map[int64]string // usernames; nil until one is needed
	players map[int64]models.UserID
}

// Teller returns a teller for these audit events.
func (s *Site) Teller(ctx context.Context, events ...models.AuditEvent) *teller {
	return &teller{site: s, ctx: ctx, events: events, games: map[string]string{}}
}

// event is an audit event with its fields before and after the change.
type event struct {
	models.AuditEvent
	before, after map[string]string
}

// aboutDay returns the sentence that something was done to the day of the event.
func aboutDay(did string) func(*teller, event) (string, error) {
	return func(_ *teller, e event) (string, error) {
		day, err := time.Parse(time.DateOnly, e.ObjectID)
		return did + day.Format("2 Jan 2006"), err
	}
}

// told has the sentences by action. Other actions have only the words of models.ActionWord.
var told = map[string]func(*teller, event) (string, error){
	"grant requested": func(t *teller, e event) (string, error) {
		game, err := t.game(e.after["game_id"])
		s := "Requested " + e.count("spins", "spin", "spins") + " on " + game + " for " + e.after["user_id"]
		if e.has("campaign") {
			if e.has("line") {
				s += ", line " + e.after["line"]
			} else {
				s += ", part"
			}
			s += " of campaign " + e.after["campaign"]
		} else if e.has("exception") {
			s += ", by approving exception " + e.after["exception"]
		}
		if e.has("repeat_of") {
			s += ", in place of grant " + e.after["repeat_of"] + ", which is unconfirmed"
		}
		return s, err
	},
	"grant granted":            saying("The platform granted the spins"),
	"grant refused":            (*teller).refused,
	"grant of unknown outcome": saying("The platform gave no answer: the spins may or may not have been granted"),
	"grant completed":          saying("All spins were used"),
	"grant expired":            saying("The spins expired"),
	"grant resolved": func(_ *teller, e event) (string, error) {
		s := "Resolved the unconfirmed grant: " + e.after["resolution"]
		if e.has("free_spin_id") {
			s += ", free-spin ID " + e.after["free_spin_id"]
		}
		return s, nil
	},
	"campaign created": func(_ *teller, e event) (string, error) {
		s := "Started granting "
		if e.has("exception") {
			s = "Requested approval to grant "
		}
		s += e.after["name"] + ": " + e.count("spins", "spin", "spins") + " in " +
			e.count("lines", "grant", "grants")
		return s, nil
	},
	"campaign line refused": func(_ *teller, e event) (string, error) {
		return "Left out line " + e.after["line"] + ": " + e.after["message"], nil
	},
	"grant exception requested": func(t *teller, e event) (string, error) {
		s := "Requested an exception to the limits: " + e.count("spins", "spin", "spins")
		if !e.has("game_id") {
			return s + " in " + e.count("lines", "grant", "grants") + " from " + e.after["file"], nil
		}
		game, err := t.game(e.after["game_id"])
		return s + " on " + game + " for " + e.after["user_id"], err
	},
	"grant exception approved":      aboutMaker("Approved the exception that was requested by "),
	"grant exception refused":       aboutMaker("Refused the exception that was requested by "),
	"grant exception withdrawn":     saying("Withdrew the request for an exception"),
	"grant exception expired":       saying("The exception was not decided in time"),
	"campaign not approved":         saying("The campaign was not approved, so nothing in it is sent"),
	"campaign waiting for approval": saying("The campaign waits for approval"),
	"campaign paused":               saying("Paused the campaign"),
	"campaign running":              saying("Resumed the campaign"),
	"campaign stopped":              saying("Canceled the campaign"),
	"campaign finished":             saying("Finished the campaign"),

	"correction asked for": func(_ *teller, e event) (string, error) {
		money, whom := e.money("amount"), " for "+e.after["user_id"]
		switch e.after["kind"] {
		case models.CorrectRollback.String():
			return "Requested the rollback of transaction " + e.after["transaction_id"] + whom + ", " + money, nil
		case models.CorrectWin.String():
			return "Requested a missing win of " + money + whom + ", transaction " + e.after["transaction_id"], nil
		}
		return "Requested a " + e.after["kind"] + " of " + money + whom, nil
	},
	"correction approved":     bookedBalance("Approved the request of "),
	"correction booked alone": bookedBalance("Booked without a second approver: request of "),
	"correction refused":      aboutMaker("Refused the request of "),
	"correction withdrawn":    saying("Withdrew the request"),

	"correction assigned": func(_ *teller, e event) (string, error) {
		if e.After == "" {
			return "Returned the correction to the queue", nil
		}
		return "Assigned the correction to " + e.After, nil
	},

	"case opened": func(_ *teller, e event) (string, error) { return "Opened the case: " + e.after["rule"], nil },
	"case closed": func(_ *teller, e event) (string, error) { return "Closed the case: " + e.After, nil },
	"case handed over": func(_ *teller, e event) (string, error) {
		switch {
		case e.After == e.Actor.Name:
			return "Took the case", nil
		case e.After == "":
			return "Returned the case to the queue", nil
		}
		return "Assigned the case to " + e.After, nil
	},
	"case commented":        saying("Commented on the case"),
	"case due date changed": saying("Gave the complaint another due date"),
	"case overdue":          saying("The answer to the complaint is overdue"),

	"player created": func(_ *teller, e event) (string, error) {
		s := "Created player " + e.after["user_id"] + " with " + e.money("balance")
		if e.after["test"] == "yes" {
			s = strings.Replace(s, "player", "test player", 1)
		}
		return s, nil
	},
	"player viewed":             saying("Viewed the player"),
	"player limits set":         saying("Changed the player’s limits"),
	"player language set":       saying("Chose the language and time zone of answers to the player"),
	"player restriction set":    saying("Restricted the player"),
	"player restriction ended":  saying("Ended a restriction of the player"),
	"restriction set":           saying("Set the restriction"),
	"restriction end requested": saying("Requested to end the restriction early"),
	"restriction ended":         saying("Ended the restriction early"),
	"restriction end refused":   saying("Refused to end the restriction early"),
	"restriction end withdrawn": saying("Withdrew the request to end the restriction"),
	"restriction texts erased":  saying("Erased the reasons of the restriction"),
	"player erased":             saying("Erased the player’s personal data"),

	"API client created":        saying("Created the client, as two administrators agreed"),
	"API client changed":        saying("Changed the client, as two administrators agreed"),
	"API client given a secret": saying("Made a new secret for the client"),
	"API client revoked":        saying("Revoked the client"),

	"staff created": func(_ *teller, e event) (string, error) {
		return "Created the account " + e.after["username"] + " (" + e.after["name"] + ") with the role " + e.after["role"], nil
	},
	"staff role changed": func(_ *teller, e event) (string, error) {
		return "Changed the role from " + e.was("role") + " to " + e.is("role"), nil
	},
	"staff disabled":                saying("Disabled the account"),
	"staff enabled":                 saying("Enabled the account"),
	"staff unlocked":                saying("Unlocked the account"),
	"staff signed in":               saying("Signed in"),
	"sign-in refused":               saying("Failed to sign in"),
	"sign-in while disabled":        saying("Tried to sign in to the disabled account"),
	"staff password changed":        saying("Changed the password"),
	"staff password link made":      saying("Made a link to set a password"),
	"staff password link voided":    saying("Voided the link to set a password, because a backup was restored"),
	"staff password set by link":    saying("Set a password with the link"),
	"staff second factor set up":    saying("Set up a second factor"),
	"staff second factor reset":     saying("Reset the second factor"),
	"staff second factor removed":   saying("Removed the second factor"),
	"staff recovery codes replaced": saying("Replaced the recovery codes"),
	"staff recovery code used":      saying("Used a recovery code"),
	"staff session revoked":         saying("Ended a session"),
	"staff sessions revoked":        saying("Ended all other sessions"),

	"setting changed": func(_ *teller, e event) (string, error) {
		return "Changed the " + models.SettingWord(e.ObjectID), nil
	},
	"export asked for":   saying("Requested the export"),
	"export downloaded":  func(_ *teller, e event) (string, error) { return "Downloaded " + e.after["file"], nil },
	"statement uploaded": func(_ *teller, e event) (string, error) { return "Uploaded " + e.after["file"], nil },
	"statement compared": saying("Compared the statement with the ledger"),
	"day signed":         aboutDay("Signed "),
	"day closed":         aboutDay("Closed "),
	"restore declared": func(_ *teller, e event) (string, error) {
		return "Declared that a backup was restored: " + e.after["backup"], nil
	},
	"restore confirmed":  saying("Confirmed the restored backup"),
	"checkpoint written": func(_ *teller, e event) (string, error) { return "Wrote checkpoint " + e.ObjectID, nil },
}

func saying(s string) func(*teller, event) (string, error) {
	return func(*teller, event) (string, error) { return s, nil }
}

// aboutMaker returns the sentence about a decision on a request.
func aboutMaker(beginning string) func(*teller, event) (string, error) {
	return func(_ *teller, e event) (string, error) {
		return beginning + cmp.Or(e.after["maker"], e.after["requested_by"]), nil
	}
}

// bookedBalance returns the sentence about a correction that was booked.
func bookedBalance(beginning string) func(*teller, event) (string, error) {
	return func(_ *teller, e event) (string, error) {
		return beginning + e.after["maker"] + "; balance " + e.money("balance_before") + " → " + e.money("balance_after"), nil
	}
}

func (t *teller) refused(e event) (string, error) {
	s := "The platform refused the grant"
	if e.has("message") {
		s += ": " + e.after["message"]
	}
	return s, nil
}

// Sentence returns an event as a sentence. here is set on the page of the thing that the event is about, which the sentence
// then need not name.
func (t *teller) Sentence(e models.AuditEvent, here bool) (string, error) {
	kept := event{AuditEvent: e}
	kept.before, _ = Flatten(e.Before)
	kept.after, _ = Flatten(e.After)
	if tell, known := told[e.Action]; known {
		words, err := tell(t, kept)
		if err != nil || here {
			return words, err
		}
		return t.naming(words, e)
	}
	return models.ActionWord(e.Action), nil
}

// naming adds to a sentence whom it is about: a player, or a colleague other than the one who acted.
func (t *teller) naming(words string, e models.AuditEvent) (string, error) {
	id, err := strconv.ParseInt(e.ObjectID, 10, 64)
	if err != nil || e.Object != "player" && e.Object != "staff" { // it is about something else
		return words, nil
	}
	name, err := t.name(e.Object, id)
	switch {
	case err != nil:
		return words, err
	case name == "" || name == e.Actor.Name || strings.Contains(words, name):
		return words, nil
	case e.Object == "player":
		return strings.Replace(words, "the player", "player "+name, 1), nil
	}
	return words + " (" + name + ")", nil
}

// name returns the user ID of a player or the username of a member of staff by their internal ID, or an empty string if there
// is nobody. It reads the names in all events at once.
func (t *teller) name(object string, id int64) (name string, err error) {
	switch {
	case object == "staff" && t.staff == nil:
		t.staff, err = t.site.Store.StaffUsernames(t.ctx, t.numbers(object))
	case object == "player" && t.players == nil:
		t.players, err = t.site.Store.UserIDs(t.ctx, t.numbers(object))
	}
	if object == "staff" {
		return t.staff[id], err
	}
	return string(t.players[id]), err
}

// numbers returns the internal IDs of the objects of one kind that the events are about.
func (t *teller) numbers(object string) (ids []int64) {
	for _, e := range t.events {
		if id, err := strconv.ParseInt(e.ObjectID, 10, 64); err == nil && e.Object == object && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// game returns the name of the game with this ID, or the ID if there is no such game.
func (t *teller) game(id string) (string, error) {
	if name, known := t.games[id]; known {
		return name, nil
	}
	g, found, err := t.site.Store.Game(t.ctx, models.GameID(id))
	if t.games[id] = id; found {
		t.games[id] = g.Ref().Title()
	}
	return t.games[id], err
}

// has reports whether a field has a value other than zero.
func (e event) has(field string) bool { return e.after[field] != "" && e.after[field] != "0" }

func (e event) count(field, one, many string) string {
	n, err := strconv.ParseInt(e.after[field], 10, 64)
	if err != nil {
		return e.after[field] + " " + many
	}
	return web.Several(n, one, many)
}

// money returns an amount with the event's currency.
func (e event) money(field string) string {
	text := e.after[field]
	if amount, err := models.ParseAmount(text); err == nil {
		text = amount.Grouped()
	}
	return text + "\u00a0" + e.after["currency"]
}

// was and is return a field before and after the change. An event without fields has the bare value.
func (e event) was(field string) string { return bare(e.before, e.Before, field) }

func (e event) is(field string) string { return bare(e.after, e.After, field) }

func bare(fields map[string]string, text, field string) string {
	if fields != nil {
		return fields[field]
	}
	return text
}
