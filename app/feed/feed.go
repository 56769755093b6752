// Package feed shows events as API clients see them, in GET /v1/events and in webhooks.
package feed

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pitboss/models"
)

// Event is an event. The type of After depends on the object: see objects.
type Event struct {
	Head
	After any `json:"after,omitempty"`
}

// Head has the fields that all events have.
type Head struct {
	ID       string    `json:"id" doc:"Its place in the feed, from which after goes on. Otherwise it has no meaning." example:"812-5-1f6b2c3d4e5f6a7b"`
	At       time.Time `json:"at"`
	Action   string    `json:"action" doc:"What happened, such as player created, bet or cash deposit. There will be more." example:"bet"`
	Object   string    `json:"object"`
	ObjectID string    `json:"object_id" doc:"The internal ID; of money and free spins, the transaction ID of whoever sent it."`
	By       string    `json:"by" doc:"The member of staff, the API client, or system; of money and free spins, who sent it."`
	Player   string    `json:"player" doc:"The ID of the player whom it is about, as in callbacks; empty for none." example:"anna"`
}

// Message is the body sent to a webhook.
type Message struct {
	Type      string    `json:"type" doc:"The event's object."`
	Timestamp time.Time `json:"timestamp" doc:"When it happened."`
	Data      Event     `json:"data" doc:"As in GET /v1/events."`
}

// TransactionAfter is the effect of a bet, a win, both, their rollback or a free spin.
type TransactionAfter struct {
	Currency string  `json:"currency" example:"EUR"`
	Round    string  `json:"round"`
	Bet      string  `json:"bet" doc:"Of a rollback, what it gave back; of a free spin, the nominal stake." example:"1.00"`
	Win      string  `json:"win" doc:"Of a rollback, what it took back." example:"0.00"`
	FreeSpin bool    `json:"free_spin"`
	Balance  *string `json:"balance" doc:"After it; null for a free spin." example:"12.50"`
}

// CashAfter is the effect of a deposit, or of a step of a cash-out.
type CashAfter struct {
	Currency string `json:"currency" example:"EUR"`
	Amount   string `json:"amount" doc:"Of the deposit or cash-out." example:"20.00"`
	Balance  string `json:"balance" doc:"After it." example:"22.50"`
	Held     string `json:"held" doc:"By cash-outs, after it." example:"0.00"`
}

// AdjustmentAfter is the effect of an opening balance or of an adjustment by staff.
type AdjustmentAfter struct {
	Currency string `json:"currency" example:"EUR"`
	Amount   string `json:"amount" doc:"Negative if it was taken from the balance." example:"-5.00"`
	Balance  string `json:"balance" doc:"After it." example:"7.50"`
}

// PlayerAfter has what changed about a player.
type PlayerAfter struct {
	Currency    string     `json:"currency,omitempty"`
	Test        *bool      `json:"test,omitempty"`
	Language    string     `json:"language,omitempty"`
	Zone        string     `json:"time_zone,omitempty"`
	PlayFrom    *time.Time `json:"play_from,omitempty" doc:"When the restriction from play ends; the year 9999 if it has no end."`
	BonusesFrom *time.Time `json:"bonuses_from,omitempty" doc:"When the restriction from bonuses ends."`
	DepositFrom *time.Time `json:"deposits_from,omitempty" doc:"When the restriction from deposits ends."`
	CashOutFrom *time.Time `json:"cash_outs_from,omitempty" doc:"When the restriction from cash-outs ends. Only with the scope restriction-kinds."`
}

// RestrictionAfter is a restriction that was set or has ended.
type RestrictionAfter struct {
	Subject string     `json:"subject,omitempty" enum:"player,house,provider,game"`
	About   string     `json:"about,omitempty" doc:"The provider, or the ID of the game."`
	Scope   string     `json:"scope,omitempty" enum:"play,deposits,bonuses"`
	Until   *time.Time `json:"until,omitempty" doc:"The year 9999 if it has no end."`
	Kind    string     `json:"kind,omitempty" doc:"Why. Only with the scope restriction-kinds." example:"cool-off"`
}

// GrantAfter has what changed about a grant of free spins.
type GrantAfter struct {
	Game      string `json:"game,omitempty" doc:"The game's ID."`
	Spins     int64  `json:"spins,omitempty"`
	State     string `json:"state" enum:"sent,active,completed,expired,refused,unknown"`
	Used      *int64 `json:"used,omitempty"`
	Remaining *int64 `json:"remaining,omitempty"`
	Why       string `json:"why,omitempty" doc:"Why they were refused, or their state is unknown."`
}

// GameSessionAfter has what changed about an opened game.
type GameSessionAfter struct {
	Game     string `json:"game,omitempty" doc:"The game's ID."`
	Language string `json:"language,omitempty"`
	State    string `json:"state" enum:"requested,opened,failed"`
	Why      string `json:"why,omitempty" doc:"Why it was not opened."`
}

// CorrectionAfter is a change to a correction. Its booking is a separate event.
type CorrectionAfter struct {
	Kind        string `json:"kind,omitempty" example:"adjustment"`
	Transaction string `json:"transaction,omitempty" doc:"The ID of the transaction that is corrected."`
	Round       string `json:"round,omitempty"`
	Amount      string `json:"amount,omitempty"`
	Currency    string `json:"currency,omitempty"`
	State       string `json:"state,omitempty" example:"approved"`
	Balance     string `json:"balance,omitempty" doc:"After it was booked."`
}

// CashOutAfter is a cash-out that waits for approval, or how its approval ended.
type CashOutAfter struct {
	Client   int64  `json:"client" doc:"The number of the client that requested it, with which its token begins."`
	ID       string `json:"id" doc:"The Idempotency-Key of the request."`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	State    string `json:"state" enum:"waiting,approved,refused,withdrawn"`
}

// objects has the objects that events can be about, each with the type of its After.
var objects = map[string]any{"transaction": TransactionAfter{}, "cash": CashAfter{}, "adjustment": AdjustmentAfter{}, "player": PlayerAfter{},
	"restriction": RestrictionAfter{}, "grant": GrantAfter{}, "game session": GameSessionAfter{}, "correction": CorrectionAfter{}, "cash-out": CashOutAfter{}}

// Schema describes the events of every object.
func (Event) Schema(r huma.Registry) *huma.Schema {
	head := r.Schema(reflect.TypeFor[Head](), false, "")
	event := &huma.Schema{Discriminator: &huma.Discriminator{PropertyName: "object", Mapping: map[string]string{}}}
	for _, object := range slices.Sorted(maps.Keys(objects)) {
		after := reflect.TypeOf(objects[object])
		one := &huma.Schema{Type: huma.TypeObject, Properties: maps.Clone(head.Properties), Required: head.Required}
		one.Properties["object"] = &huma.Schema{Type: huma.TypeString, Enum: []any{object}}
		one.Properties["after"] = r.Schema(after, true, "")
		name := strings.TrimSuffix(after.Name(), "After") + "Event"
		r.Map()[name] = one
		ref := strings.Replace(one.Properties["after"].Ref, after.Name(), name, 1)
		event.OneOf = append(event.OneOf, &huma.Schema{Ref: ref})
		event.Discriminator.Mapping[object] = ref
	}
	return event
}

// sources names the senders of transactions.
var sources = map[models.Source]string{models.SourcePlatform: "platform", models.SourceOwn: "Pitboss",
	models.SourceClient: "API client"}

// View returns an event as this client sees it, or false if the client may not see it.
func View(e models.Event, client models.APIClient) (Event, bool) {
	v := Event{Head: Head{ID: e.Place.String(), Player: string(e.UserID)}}
	switch {
	case e.Audit != nil:
		a := e.Audit
		v.At, v.Action, v.Object, v.ObjectID, v.By = a.At.UTC(), a.Action, a.Object, a.ObjectID, a.Actor.Name
		v.After = audited(a, client.May(models.ScopeKinds))
		return v, slices.Contains(models.ToldObjects, a.Object) && !a.IsView()
	case e.Posting != nil:
		p := e.Posting
		var actions []string
		for _, line := range p.Entries(e.Currency) {
			actions = append(actions, line.Kind.String())
		}
		v.At, v.Action, v.ObjectID, v.By = p.At, strings.Join(actions, " and "), string(p.TransactionID), sources[p.Source]
		currency, balance := string(e.Currency), p.After.String()
		switch effect, _ := p.Effect(); {
		case p.Kind.IsCash():
			v.Object, v.After = "cash", CashAfter{currency, p.Bet.Add(p.Win).String(), balance, p.Held.String()}
		case p.Kind == models.Opening || p.Kind == models.Adjustment:
			v.Object, v.After = "adjustment", AdjustmentAfter{currency, effect.String(), balance}
		default:
			v.Object, v.After = "transaction", TransactionAfter{currency, string(p.RoundID), p.Bet.String(), p.Win.String(), false, &balance}
		}
	default:
		p := e.Spin
		v.At, v.Action, v.Object, v.ObjectID, v.By = p.At, p.Kind.String(), "transaction", string(p.TransactionID),
			sources[models.SourcePlatform]
		v.After = TransactionAfter{string(e.Currency), string(p.RoundID), max(p.Stake, -p.Stake).String(), models.Amount(0).String(), true, nil}
	}
	return v, true
}

// texts has the texts in the audit log from which clients learn about an object.
type texts struct {
	Currency, Zone, Language, Subject, About, Kind, Scope, Until string
	State, Resolution, Message, Failure, ID, Amount              string
	Spins, Client                                                int64
	Used, Remaining                                              *int64
	Test                                                         *bool
	PlayFrom                                                     string `json:"play_from"`
	BonusesFrom                                                  string `json:"bonuses_from"`
	DepositsFrom                                                 string `json:"deposits_from"`
	CashOutsFrom                                                 string `json:"cash_outs_from"`
	GameID                                                       string `json:"game_id"`
	TransactionID                                                string `json:"transaction_id"`
	RoundID                                                      string `json:"round_id"`
	Balance                                                      string `json:"balance_after"`
}

// grantStates has the states of grants as clients see them, by the state in the audit log or by what people found out about the
// grant.
var grantStates = map[string]string{"": "sent", models.GrantRequested.String(): "sent", models.GrantUnknown.String(): "unknown",
	models.ResolvedFound.String(): "active", models.ResolvedNotGranted.String(): "refused", models.ResolvedUnclear.String(): "unknown"}

var scopes = map[string]string{models.FromPlay.String(): "play", models.FromDeposits.String(): "deposits",
	models.FromBonuses.String(): "bonuses"}

// audited returns what clients may learn from an event in the audit log, or nil. Only clients with kinds learn why a player is
// restricted; a restriction of cash-outs would reveal it, because money laundering is the only reason for one.
func audited(a *models.AuditEvent, kinds bool) any {
	var t texts
	if json.Unmarshal([]byte(a.After), &t) != nil || a.Action == models.PlayerLimitsSet { // reading the player shows the limits
		return nil
	}
	if !kinds && a.Object != "correction" {
		t.Kind, t.CashOutsFrom = "", ""
	}
	switch a.Object {
	case "player":
		return PlayerAfter{t.Currency, t.Test, t.Language, t.Zone, until(t.PlayFrom), until(t.BonusesFrom), until(t.DepositsFrom),
			until(t.CashOutsFrom)}
	case "restriction":
		return RestrictionAfter{t.Subject, t.About, scopes[t.Scope], until(t.Until), t.Kind}
	case "grant":
		state := cmp.Or(t.State, t.Resolution)
		if word, other := grantStates[state]; other {
			state = word
		}
		return GrantAfter{t.GameID, t.Spins, state, t.Used, t.Remaining, t.Message}
	case "game session":
		return GameSessionAfter{t.GameID, t.Language, cmp.Or(t.State, "requested"), t.Failure}
	case "correction":
		return CorrectionAfter{t.Kind, t.TransactionID, t.RoundID, t.Amount, t.Currency, t.State, t.Balance}
	case "cash-out":
		return CashOutAfter{t.Client, t.ID, t.Amount, t.Currency, t.State}
	}
	return nil
}

// until returns the end of a restriction, or nil if it has no end.
func until(text string) *time.Time {
	if text == "permanent" {
		return new(models.Permanent)
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil
	}
	return &at
}
