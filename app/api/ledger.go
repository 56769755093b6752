package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
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
	Reversed *time.Time `json:"rolled_back_at" doc:"null unless it was rolled back"`
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
	Number   int64           `json:"number" doc:"In the one order of all events, without gaps between all events of the audit log."`
	At       time.Time       `json:"at"`
	Action   string          `json:"action" example:"player created"`
	Object   string          `json:"object" enum:"player,restriction,grant,game session,correction"`
	ObjectID string          `json:"object_id" doc:"The internal ID."`
	By       string          `json:"by" doc:"The member of staff, the API client, or system."`
	After    json.RawMessage `json:"after,omitempty" doc:"What it was after the event."`
}

// told are the things about which clients read events.
var told = map[string]bool{"player": true, "restriction": true, "grant": true, "game session": true, "correction": true}

func (s *Server) ledger() {
	call(s, http.MethodGet, "/v1/transactions", models.ScopeRead, "List transactions, newest first", []int{404},
		func(ctx context.Context, in *struct {
			Paged
			Player string    `query:"player" maxLength:"255"`
			ID     string    `query:"id" maxLength:"255" doc:"The transaction ID."`
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

	call(s, http.MethodGet, "/v1/rounds/{id}", models.ScopeRead, "Read a player's round", []int{404},
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

	call(s, http.MethodGet, "/v1/events", models.ScopeRead,
		"Follow what happens to players, restrictions, free spins, sessions and corrections", nil,
		func(ctx context.Context, in *struct {
			After int64 `query:"after" minimum:"0" doc:"The next of the page before; 0 for the beginning."`
		}) (*body[page[event]], error) {
			return s.events(ctx, in.After)
		})
}

func viewTransaction(t models.TransactionLine) transaction {
	v := transaction{t.ID, string(t.TransactionID), t.Kind.String(), string(t.UserID), string(t.Currency), string(t.RoundID),
		t.Bet.String(), t.Win.String(), t.FreeSpin, instant(t.ReversedAt), t.At, nil}
	if t.After != nil {
		after := t.After.String()
		v.Balance = &after
	}
	return v
}

// eventsAtOnce is how many events of the audit log one call reads.
const eventsAtOnce = 500

// events returns the events after one. Next is the last that was read, so that a client asks for what follows, also later.
func (s *Server) events(ctx context.Context, after int64) (*body[page[event]], error) {
	if callerIn(ctx).Test {
		return nil, newProblem(403, "test-only", "A client that only reaches test players does not read events.")
	}
	list, err := s.Store.EventsAfter(ctx, after, eventsAtOnce)
	if err != nil {
		return nil, err
	}
	p := page[event]{Data: []event{}, Next: strconv.FormatInt(after, 10)}
	for _, e := range list {
		p.Next = strconv.FormatInt(e.ID, 10)
		if !told[e.Object] || e.IsView() {
			continue
		}
		v := event{e.ID, e.At, e.Action, e.Object, e.ObjectID, e.Actor.Name, nil}
		if json.Valid([]byte(e.After)) {
			v.After = json.RawMessage(e.After)
		}
		p.Data = append(p.Data, v)
	}
	return &body[page[event]]{p}, nil
}
