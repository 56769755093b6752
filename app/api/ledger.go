package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"pitboss/models"
)

type transaction struct {
	Number   int64      `json:"number" doc:"In the order of booking."`
	ID       string     `json:"id" doc:"The transaction ID of whoever sent it."`
	Kind     string     `json:"kind"`
	Player   string     `json:"player"`
	Currency string     `json:"currency"`
	Round    string     `json:"round"`
	Bet      string     `json:"bet" doc:"What it took from the balance; of a free spin, the nominal stake." example:"1.00"`
	Win      string     `json:"win" doc:"What it added to the balance." example:"0.00"`
	FreeSpin bool       `json:"free_spin"`
	Reversed *time.Time `json:"rolled_back_at" doc:"When it was rolled back, or a cash-out returned; null if it was not."`
	Paid     *time.Time `json:"paid_at" doc:"When a cash-out was paid; null if it was not."`
	At       time.Time  `json:"at"`
	Balance  *string    `json:"balance" doc:"After it; null for a free spin."`
}

type round struct {
	ID           string    `json:"id"`
	Player       string    `json:"player"`
	Currency     string    `json:"currency"`
	State        string    `json:"state"`
	Staked       string    `json:"staked"`
	Won          string    `json:"won"`
	Transactions int64     `json:"transactions" doc:"Including those rolled back."`
	At           time.Time `json:"at" doc:"Of its first transaction."`
	LastAt       time.Time `json:"last_at"`
}

type event struct {
	ID       string          `json:"id" doc:"Its place in the one order of all events." example:"812-5"`
	At       time.Time       `json:"at"`
	Action   string          `json:"action" doc:"What happened, such as player created, bet or cash deposit."`
	Object   string          `json:"object" enum:"player,restriction,grant,game session,correction,cash-out,transaction"`
	ObjectID string          `json:"object_id" doc:"The internal ID; of a transaction, the ID of whoever sent it."`
	By       string          `json:"by" doc:"The member of staff, the API client, or system; of a transaction, who sent it."`
	After    json.RawMessage `json:"after,omitempty" doc:"What it was after the event; of a transaction, a moved object."`
}

// moved is what a transaction, or its rollback, did to a player's money, or a free spin.
type moved struct {
	Player   string  `json:"player"`
	Currency string  `json:"currency"`
	Round    string  `json:"round"`
	Bet      string  `json:"bet" doc:"Of a rollback, what it gave back; of a free spin, the nominal stake."`
	Win      string  `json:"win" doc:"Of a rollback, what it took back."`
	FreeSpin bool    `json:"free_spin"`
	Line     int64   `json:"line" doc:"Of its last line in the player's ledger of money, or of free spins; without gaps."`
	Balance  *string `json:"balance" doc:"After it; null for a free spin."`
	Held     *string `json:"held" doc:"By cash-outs, after it; null unless it is cash."`
}

// sources are who sends transactions.
var sources = map[models.Source]string{models.SourcePlatform: "platform", models.SourceOwn: "Pitboss",
	models.SourceClient: "API client"}

// viewEvent returns an event as clients see it, or false if they do not.
func viewEvent(e models.Event) (v event, shown bool, err error) {
	switch {
	case e.Audit != nil:
		a := e.Audit
		v = event{At: a.At, Action: a.Action, Object: a.Object, ObjectID: a.ObjectID, By: a.Actor.Name}
		if json.Valid([]byte(a.After)) {
			v.After = json.RawMessage(a.After)
		}
		shown = slices.Contains(models.ToldObjects, a.Object) && !a.IsView()
	case e.Posting != nil:
		p := e.Posting
		var action []string
		for _, line := range p.Entries(e.Currency) {
			action = append(action, line.Kind.String())
		}
		v = event{At: p.At, Action: strings.Join(action, " and "), ObjectID: string(p.TransactionID), By: sources[p.Source]}
		after := moved{Player: string(e.UserID), Currency: string(e.Currency), Round: string(p.RoundID), Bet: p.Bet.String(),
			Win: p.Win.String(), Line: p.Seq, Balance: new(p.After.String())}
		if p.Kind.IsCash() {
			after.Held = new(p.Held.String())
		}
		v.Object, shown = "transaction", true
		v.After, err = json.Marshal(after)
	default:
		p := e.Spin
		v = event{At: p.At, Action: p.Kind.String(), Object: "transaction", ObjectID: string(p.TransactionID),
			By: sources[models.SourcePlatform]}
		shown = true
		v.After, err = json.Marshal(moved{Player: string(e.UserID), Currency: string(e.Currency), Round: string(p.RoundID),
			Bet: max(p.Stake, -p.Stake).String(), Win: models.Amount(0).String(), FreeSpin: true, Line: p.Seq})
	}
	v.ID = e.Place.String()
	return v, shown, err
}

func (s *Server) ledger() {
	call(s, "listTransactions", http.MethodGet, "/v1/transactions", models.ScopeRead, "List transactions, newest first", []int{404},
		func(ctx context.Context, in *struct {
			Paged
			Player string    `query:"player" maxLength:"255"`
			ID     string    `query:"id" maxLength:"255" doc:"The transaction ID. That of a deposit or a cash-out is its Idempotency-Key, an @ and the number of the client, which its token begins with: dep-1@2."`
			Since  time.Time `query:"since" doc:"Booked then or later."`
			Until  time.Time `query:"until" doc:"Booked before then."`
		}) (*body[page[transaction]], error) {
			span, err := in.span()
			if err != nil {
				return nil, err
			}
			span.Since, span.Until = in.Since, in.Until
			f := models.TransactionFilter{Span: span, TransactionID: models.TransactionID(in.ID)}
			if in.Player != "" {
				p, err := s.player(ctx, in.Player)
				if err != nil {
					return nil, err
				}
				f.PlayerID = p.ID
			}
			found, err := s.Store.Transactions(ctx, f)
			if err != nil {
				return nil, err
			}
			shown := func(t models.TransactionLine) bool { return t.Test || !callerIn(ctx).Test }
			return pageOf(found, f.Place, shown, viewTransaction), nil
		})

	call(s, "readRound", http.MethodGet, "/v1/rounds/{id}", models.ScopeRead, "Read a player's round", []int{404},
		func(ctx context.Context, in *struct {
			InPath
			Player string `query:"player" required:"true" maxLength:"255" doc:"Players may share a round ID."`
		}) (*body[round], error) {
			p, err := s.player(ctx, in.Player)
			if err != nil {
				return nil, err
			}
			id, err := url.PathUnescape(in.ID)
			r, found, err2 := s.Store.Round(ctx, p.ID, models.RoundID(id))
			if err2 != nil {
				return nil, err2
			}
			if err != nil || !found {
				return nil, newProblem(404, "round-unknown", "This player has no round with this ID. IDs are case-sensitive.")
			}
			return &body[round]{round{string(r.RoundID), string(p.UserID), string(r.Currency), r.State().String(), r.Staked.String(),
				r.Won.String(), r.Transactions, r.At, r.LastAt}}, nil
		})

	call(s, "listEvents", http.MethodGet, "/v1/events", models.ScopeRead,
		"Follow everything that happens to players, their money, restrictions, free spins, sessions and corrections", nil,
		func(ctx context.Context, in *struct {
			After string `query:"after" maxLength:"64" doc:"The next of the page before, or the id of an event; 0 for the beginning."`
		}) (*body[page[event]], error) {
			return s.events(ctx, in.After)
		})
}

func viewTransaction(t models.TransactionLine) transaction {
	v := transaction{t.ID, string(t.TransactionID), t.Kind.String(), string(t.UserID), string(t.Currency), string(t.RoundID),
		t.Bet.String(), t.Win.String(), t.FreeSpin, instant(t.ReversedAt), nil, t.At, nil}
	if t.State == models.PaidOut {
		v.Reversed, v.Paid = nil, v.Reversed
	}
	if t.After != nil {
		after := t.After.String()
		v.Balance = &after
	}
	return v
}

// eventsAtOnce is how many events one call reads.
const eventsAtOnce = 500

// events returns the events after a place. Next is the place of the last that was read, so that a client asks for what follows,
// also later.
func (s *Server) events(ctx context.Context, after string) (*body[page[event]], error) {
	if callerIn(ctx).Test {
		return nil, newProblem(403, "test-only", "A client that only reaches test players does not read events.")
	}
	place, err := models.ParseEventPlace(after)
	if err != nil {
		return nil, newProblem(422, "invalid", sentence(err.Error()))
	}
	list, next, err := s.Store.EventsAfter(ctx, place, eventsAtOnce)
	if err != nil {
		return nil, err
	}
	p := page[event]{Data: []event{}, Next: next.String()}
	for _, e := range list {
		v, shown, err := viewEvent(e)
		if err != nil {
			return nil, err
		}
		if shown {
			p.Data = append(p.Data, v)
		}
	}
	return &body[page[event]]{p}, nil
}
