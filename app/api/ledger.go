package api

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"pitboss/app/feed"
	"pitboss/models"
)

type transaction struct {
	ID       string     `json:"id" doc:"The transaction ID of whoever sent it."`
	Kind     string     `json:"kind"`
	Player   string     `json:"player"`
	Currency string     `json:"currency"`
	Round    string     `json:"round"`
	Bet      string     `json:"bet,omitempty" doc:"What a bet took from the balance; of a free spin, the nominal stake." example:"1.00"`
	Win      string     `json:"win,omitempty" doc:"What a win added to the balance." example:"0.00"`
	Amount   string     `json:"amount,omitempty" doc:"Of cash and adjustments, which have neither bet nor win. An adjustment is negative if it was taken from the balance." example:"20.00"`
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

// eventPage is a part of the feed of events.
type eventPage struct {
	Data []feed.Event `json:"data" doc:"Oldest first; empty only at the end."`
	Next string       `json:"next" doc:"Where to go on: the after of the next call, now or, at the end, later. 0 if there are no events yet."`
	End  bool         `json:"end" doc:"Nothing follows yet."`
}

func (s *Server) ledger() {
	call(s, "listTransactions", http.MethodGet, "/v1/transactions", models.ScopeRead, "List transactions, newest first", []int{404},
		func(ctx context.Context, in *struct {
			Paged
			Player string    `query:"player" maxLength:"255" doc:"A client that only reaches test players names one."`
			ID     string    `query:"id" maxLength:"255" doc:"The transaction ID. That of a deposit or a cash-out is its Idempotency-Key, an @ and the number of the client, which its token begins with: dep-1@2."`
			Since  time.Time `query:"since" doc:"Booked then or later."`
			Until  time.Time `query:"until" doc:"Booked before then."`
		}) (*body[page[transaction]], error) {
			span, err := s.span(ctx, in.Paged)
			if err != nil {
				return nil, err
			}
			span.Since, span.Until = in.Since, in.Until
			f := models.TransactionFilter{Span: span, TransactionID: models.TransactionID(in.ID)}
			if in.Player == "" && callerIn(ctx).Test { // in a list of all, the test players' rows would show how much others play
				return nil, newProblem(403, "test-only", "A client that only reaches test players names the player whose transactions it lists.")
			}
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
			return pageOf(ctx, s, found, f.Place, viewTransaction)
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
		"Follow everything that happens to players, their money, restrictions, free spins, sessions and corrections", []int{409},
		func(ctx context.Context, in *struct {
			After string `query:"after" maxLength:"64" doc:"The next of the page before, or the id of an event; 0 for the beginning."`
			Limit int64  `query:"limit" minimum:"1" maximum:"500" default:"500" doc:"The most events."`
		}) (*body[eventPage], error) {
			return s.events(ctx, in.After, in.Limit)
		})
	s.api.OpenAPI().Webhooks = map[string]*huma.PathItem{"event": {Post: &huma.Operation{
		Summary: "An event that the client's terms name. It may arrive twice, with the same webhook-id, and in another order than in the feed.",
		Parameters: []*huma.Param{header("webhook-id", "The same whenever it is sent again."),
			header("webhook-timestamp", "When it was sent, in seconds since 1970."),
			header("webhook-signature", "As Standard Webhooks says: v1, a comma, and the HMAC-SHA-256 in Base64 of the ID, the timestamp "+
				"and the body, with periods between them. With two secrets, there are two signatures with a blank between them.")},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
			Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[feed.Message](), true, "")}}},
		Responses: map[string]*huma.Response{"2XX": {Description: "It was received. After any other answer it is sent again."}}}}}
}

func header(name, about string) *huma.Param {
	return &huma.Param{Name: name, In: "header", Required: true, Description: about, Schema: &huma.Schema{Type: huma.TypeString}}
}

func viewTransaction(t models.TransactionLine) transaction {
	v := transaction{string(t.TransactionID), t.Kind.String(), string(t.UserID), string(t.Currency), string(t.RoundID),
		t.Bet.String(), t.Win.String(), "", t.FreeSpin, instant(t.ReversedAt), nil, t.At, nil}
	if t.State == models.PaidOut {
		v.Reversed, v.Paid = nil, v.Reversed
	}
	switch {
	case t.Kind.IsCash():
		v.Bet, v.Win, v.Amount = "", "", t.Bet.Add(t.Win).String()
	case t.Kind >= models.Opening:
		v.Bet, v.Win, v.Amount = "", "", t.Win.Add(-t.Bet).String()
	}
	if t.After != nil {
		after := t.After.String()
		v.Balance = &after
	}
	return v
}

// linesAtOnce is how many lines of the audit log and the ledger are read at once.
const linesAtOnce = 500

// events returns the events after a place. Most lines of the audit log are no events for clients, so it reads on until it has
// one or reaches the end.
func (s *Server) events(ctx context.Context, after string, limit int64) (*body[eventPage], error) {
	if callerIn(ctx).Test {
		return nil, newProblem(403, "test-only", "A client that only reaches test players does not read events.")
	}
	place, err := models.ParseEventPlace(after)
	if err != nil {
		return nil, newProblem(422, "invalid", sentence(err.Error()))
	}
	p := eventPage{Data: []feed.Event{}}
	for len(p.Data) == 0 && !p.End {
		list, next, more, err := s.Store.EventsAfter(ctx, place, linesAtOnce)
		if err != nil {
			return nil, err
		}
		place, p.End = next, !more
		for i, e := range list {
			if v, shown := feed.View(e, callerIn(ctx).APIClient); shown {
				p.Data = append(p.Data, v)
			}
			if int64(len(p.Data)) == limit && i < len(list)-1 {
				place, p.End = e.Place, false
				break
			}
		}
	}
	p.Next = place.String()
	return &body[eventPage]{p}, nil
}
