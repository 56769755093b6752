package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"pitboss/models"
)

// Deposits and cash-outs; models/cash.go explains their design. Their Idempotency-Key is their permanent ID in the ledger, so
// they do not need once.go. A cash-out is paid or canceled by its ID, at most once.

type newCash struct {
	Player   string `json:"player" minLength:"1" maxLength:"255" example:"anna"`
	Amount   string `json:"amount" pattern:"^[0-9]{1,12}[.][0-9]{2}$" doc:"Above zero, with two decimals." example:"25.00"`
	Currency string `json:"currency" minLength:"3" maxLength:"8" doc:"The player's." example:"EUR"`
}

type cash struct {
	ID       string     `json:"id" doc:"The Idempotency-Key of the request that made it."`
	Player   string     `json:"player"`
	Amount   string     `json:"amount" example:"25.00"`
	Currency string     `json:"currency"`
	State    string     `json:"state" enum:"deposited,requested,waiting,approved,paid,returned,bounced" doc:"A repeated POST answers with the first one; GET says what it is now. waiting: held until staff approve it. Send the money while GET calls a cash-out requested or approved, and then commit it."`
	At       time.Time  `json:"at"`
	Balance  string     `json:"balance" doc:"Directly after it."`
	Held     string     `json:"held" doc:"By cash-outs, directly after it."`
	EndedAt  *time.Time `json:"ended_at" doc:"When the cash-out was paid or returned."`
	Bounced  *time.Time `json:"bounced_at" doc:"When it was booked that the bank has sent a paid cash-out back."`
	Reason   string     `json:"reason,omitempty" doc:"Why staff have refused to pay the cash-out. Its amount is returned."`
}

type nothing struct{}

// CashInPath is exported for the same reason as InPath.
type CashInPath struct {
	ID string `path:"id" maxLength:"192" pattern:"^[!-~]+$" doc:"The Idempotency-Key of the request, percent-encoded."`
}

// transaction returns the transaction ID of the caller's deposit or cash-out.
func (in CashInPath) transaction(ctx context.Context) models.TransactionID {
	id, err := url.PathUnescape(in.ID)
	if err != nil {
		id = in.ID // nothing is booked under it
	}
	return models.CashID(callerIn(ctx).ID, id)
}

func viewCash(t models.CashTransaction) *body[cash] {
	v := cash{ID: t.ID, Player: string(t.UserID), Amount: t.Amount.String(), Currency: string(t.Currency), State: t.State.String(),
		At: t.Booked.At, Reason: t.Refusal}
	last := t.Booked
	if t.Ended != nil {
		last, v.EndedAt = *t.Ended, &t.Ended.At
	}
	if t.Bounced != nil {
		last, v.Bounced = *t.Bounced, &t.Bounced.At
	}
	v.Balance, v.Held = last.Balance.String(), last.Held.String()
	return &body[cash]{v}
}

// cashRefusals are the answers to what the ledger declines.
var cashRefusals = map[models.Decline]*Problem{
	models.UnknownPlayer:     newProblem(404, "player-unknown", "There is no such player. IDs are case-sensitive."),
	models.OtherCurrency:     newProblem(422, "currency", "The player has another currency. GET /v1/players/{id} says which."),
	models.PlayerRestricted:  newProblem(409, "player-restricted", "A restriction of the player stops this. Staff see which."),
	models.InsufficientFunds: newProblem(409, "insufficient-funds", "The cash-out exceeds the balance."),
	models.BalanceOverflow:   newProblem(409, "too-much", "The player's money would exceed "+models.MaxAmount.String()+"."),
	models.NotFound:          newProblem(404, "cash-out-unknown", "This client has no cash-out with this ID."),
	models.CashOutEnded: newProblem(409, "cash-out-ended", "This cash-out has ended in the other way already. "+
		"GET /v1/cashouts/{id} says how."),
}

func cashAnswer(r models.CashResult, err error) (*body[cash], error) {
	switch {
	case err != nil:
		return nil, err
	case r.Answered():
		return viewCash(r.CashTransaction), nil
	case r.OtherContents:
		return nil, otherContents
	case r.Limit != nil:
		return nil, limitReached(r.Limit)
	case r.Cap != nil:
		return nil, clientLimit(*r.Cap)
	}
	if refused := cashRefusals[r.Decline]; refused != nil {
		return nil, refused
	}
	return nil, fmt.Errorf("the ledger declined cash: %s", r.Decline)
}

func clientLimit(c models.CashCap) *Problem {
	with := "in a day"
	if c.PerPlayer {
		with = "in a day with one player"
	}
	return newProblem(403, "cash-limit", fmt.Sprintf("This client moves at most %s %s, of deposits and of cash-outs each. %s is left until "+
		"midnight UTC. Administrators change its terms.", c.Most, with, c.Left))
}

// cashRequest reads a request, and compares it with the client's terms.
func (s *Server) cashRequest(ctx context.Context, key string, in newCash) (models.CashRequest, error) {
	who := callerIn(ctx)
	amount, err := models.ParseAmount(in.Amount)
	if err != nil {
		return models.CashRequest{}, newProblem(422, "invalid", sentence(err.Error()))
	}
	r := models.CashRequest{Client: who.ID, ID: key, UserID: models.UserID(in.Player), Amount: amount,
		Currency: models.Currency(in.Currency)}
	r.Caps = who.Caps(r.Currency)
	if err := r.Check(); err != nil {
		return r, newProblem(422, "invalid", sentence(err.Error()))
	}
	refused := s.cashTerms(ctx, r)
	if refused != nil { // the terms may have been wider when it was booked, and a repeat gets the first answer
		if _, found, err := s.Store.Cash(ctx, models.CashID(who.ID, key)); found || err != nil {
			return r, err
		}
	}
	return r, refused
}

// cashTerms returns an error if the client's terms do not cover the player or the amount. It does not check whether the player
// exists: the ledger looks the name up anyway.
func (s *Server) cashTerms(ctx context.Context, r models.CashRequest) error {
	if callerIn(ctx).Test {
		if _, err := s.player(ctx, string(r.UserID)); err != nil {
			return err
		}
	}
	limits, err := models.ParseCashLimits(callerIn(ctx).Cash)
	switch most, moves := limits[r.Currency]; {
	case err != nil:
		return err
	case !moves:
		return newProblem(403, "cash-limit", fmt.Sprintf("This client moves no %s. Administrators change its terms.", r.Currency))
	case r.Amount > most:
		return newProblem(403, "cash-limit", fmt.Sprintf("This client moves at most %s %s in one call. Administrators change its "+
			"terms.", most, r.Currency))
	}
	return nil
}

// ownCash returns the client's deposit or cash-out with this ID.
func (s *Server) ownCash(ctx context.Context, id models.TransactionID, kind models.OperationKind) (*body[cash], error) {
	t, found, err := s.Store.CashNow(ctx, id)
	if err == nil && (!found || t.Kind != kind) {
		err = newProblem(404, "cash-unknown", "Nothing is booked for this client under this ID so far. A request may be under way: if "+
			"you sent one, send it again with the same Idempotency-Key. It is never booked twice.")
	}
	if err != nil {
		return nil, err
	}
	return viewCash(t), nil
}

func (s *Server) cash() {
	type request struct {
		Keyed
		Body newCash
	}
	call(s, "bookDeposit", http.MethodPost, "/v1/deposits", models.ScopeDeposits, "Book money that a player has paid in", []int{404},
		func(ctx context.Context, in *request) (*body[cash], error) {
			r, err := s.cashRequest(ctx, in.Key, in.Body)
			if err != nil {
				return nil, err
			}
			return cashAnswer(s.Store.ApplyCash(ctx, callerIn(ctx).Actor, r.Deposit(), models.APITerms{}))
		})
	call(s, "readDeposit", http.MethodGet, "/v1/deposits/{id}", models.ScopeDeposits, "Read a deposit of this client", []int{404},
		func(ctx context.Context, in *CashInPath) (*body[cash], error) {
			return s.ownCash(ctx, in.transaction(ctx), models.CashIn)
		})

	call(s, "requestCashOut", http.MethodPost, "/v1/cashouts", models.ScopeCashouts, "Hold money that a player wants to be paid",
		[]int{404}, func(ctx context.Context, in *request) (*body[cash], error) {
			r, err := s.cashRequest(ctx, in.Key, in.Body)
			if err != nil {
				return nil, err
			}
			who := callerIn(ctx)
			return cashAnswer(s.Store.ApplyCash(ctx, who.Actor, r.CashOut(), who.APITerms))
		})
	call(s, "readCashOut", http.MethodGet, "/v1/cashouts/{id}", models.ScopeCashouts, "Read a cash-out of this client", []int{404},
		func(ctx context.Context, in *CashInPath) (*body[cash], error) {
			return s.ownCash(ctx, in.transaction(ctx), models.CashOut)
		})
	for end, how := range map[string]models.OperationKind{"commit": models.CashPaid, "cancel": models.CashReturned,
		"return": models.CashBounced} {
		summary := map[string]string{"commit": "Say that a cash-out was paid", "cancel": "Give the held money back to the balance",
			"return": "Say that the bank has sent back a cash-out that was paid"}[end]
		call(s, end+"CashOut", http.MethodPost, "/v1/cashouts/{id}/"+end, models.ScopeCashouts, summary, []int{404},
			func(ctx context.Context, in *struct {
				Keyed
				CashInPath
				Body nothing
			}) (*body[cash], error) {
				return cashAnswer(s.Store.EndCashOut(ctx, callerIn(ctx).Actor, in.transaction(ctx), how))
			})
	}
}
