package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Cash deposits and cash-outs. models/cash.go says what they are and what was decided about them. They are applied like bets,
// in the same batches, and answered after the commit. After an error the outcome is unknown, and repeating the request is safe.

// TryCash books a cash deposit (CashRequest.Deposit) or requests a cash-out (CashRequest.CashOut). A refusal is a result with a
// Decline. The caller checks the request before (CashRequest.Check). more may be nil: see ApplyWith.
func (s *Store) TryCash(ctx context.Context, op models.Operation, more More) (models.CashResult, error) {
	result, err := s.ApplyWith(ctx, op, more)
	if err != nil {
		return models.CashResult{}, err
	}
	r := models.CashResult{Decline: result.Decline, OtherContents: result.OtherContents, Limit: result.Limit, Cap: result.Cap}
	switch {
	case result.Decline == models.None: // what a repeat reads from the ledger
		r.Kind, r.UserID, r.PlayerID, r.Amount = op.Kind, op.UserID, result.Decided.PlayerID, op.Bet+op.Win
		r.Client, r.ID, _ = models.ParseCashID(op.TransactionID)
		r.Currency, r.State = result.Balance.Currency, models.CashDeposited
		if op.Kind == models.CashOut {
			r.State = models.CashHeld
		}
		r.Booked = models.CashMoment{At: result.Decided.At, Balance: result.Balance.Amount, Held: result.Held}
	case r.Answered():
		t, found, err := s.Cash(ctx, op.TransactionID)
		if err != nil || !found {
			return models.CashResult{}, fmt.Errorf("read the first answer to %.80q: %w", op.TransactionID, err)
		}
		r.CashTransaction = t
		if t.Kind == models.CashOut {
			r.State, r.Ended, r.Bounced = models.CashHeld, nil, nil
		}
		r.Number = 0
	}
	return r, nil
}

// TryEndCashOut books that a client's cash-out was paid (models.CashPaid), returns it to the balance (models.CashReturned), or
// books that it bounced after it was paid (models.CashBounced). A repeat gets the first answer, with Duplicate. It declines
// with NotFound if the client has no such cash-out, and with CashOutEnded if it has ended in the other way. It returns
// models.ErrCashOutNotPaid for one that cannot have bounced. more may be nil: see ApplyWith.
func (s *Store) TryEndCashOut(ctx context.Context, id models.TransactionID, how models.OperationKind,
	more More) (models.CashResult, error) {
	t, found, err := s.Cash(ctx, id)
	if err != nil {
		return models.CashResult{}, err
	}
	if !found || t.Kind != models.CashOut {
		return models.CashResult{Decline: models.NotFound}, nil
	}
	op := models.Operation{Source: models.SourceClient, Kind: how, UserID: t.UserID, TransactionID: id}
	if how == models.CashBounced {
		if t.State != models.CashPaidOut && t.State != models.CashCameBack {
			return models.CashResult{}, models.ErrCashOutNotPaid
		}
		op.TransactionID, op.Win, op.Currency = models.BouncedID(id), t.Amount, t.Currency
	}
	result, err := s.ApplyWith(ctx, op, more)
	if err != nil {
		return models.CashResult{}, err
	}
	ended := result.Decline == models.Duplicate || result.Decline == models.CashOutEnded
	if ended && (t.Ended == nil || how == models.CashBounced && t.Bounced == nil) { // after it was read
		if t, _, err = s.Cash(ctx, id); err != nil {
			return models.CashResult{}, err
		}
	}
	r := models.CashResult{Decline: result.Decline, CashTransaction: t}
	if how == models.CashPaid && r.State == models.CashCameBack { // it has bounced since
		r.State, r.Bounced = models.CashPaidOut, nil
	}
	if result.Decline == models.None {
		moment := &models.CashMoment{At: result.Decided.At, Balance: result.Balance.Amount, Held: result.Held}
		switch how {
		case models.CashBounced:
			r.State, r.Bounced = models.CashCameBack, moment
		case models.CashReturned:
			r.State, r.Ended = models.CashGivenBack, moment
		default:
			r.State, r.Ended = models.CashPaidOut, moment
		}
	}
	return r, nil
}

// Cash returns the deposit or cash-out with this transaction ID (models.CashID) as it is now, or false if there is none.
func (s *Store) Cash(ctx context.Context, id models.TransactionID) (t models.CashTransaction, found bool, err error) {
	t.Client, t.ID, _ = models.ParseCashID(id)
	var q db.Statement
	q.Add(`SELECT p.id, p.after_minor, COALESCE(p.held_minor, 0), p.player_id, COALESCE(p.claim, 0), p.kind, p.bet_minor, p.win_minor,
		p.at_us, w.currency, u.user_id FROM postings p JOIN wallets w ON w.player_id = p.player_id JOIN players u ON u.id = p.player_id
		WHERE p.source = ? AND p.transaction_id IN (?) ORDER BY 5`, models.SourceClient, []string{string(id), string(models.BouncedID(id))})
	err = q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var number, after, held, claim, kind, bet, win, at int64
		var currency, user string
		if err := rows.Scan(&number, &after, &held, &t.PlayerID, &claim, &kind, &bet, &win, &at, &currency, &user); err != nil {
			return err
		}
		m := models.CashMoment{At: db.FromMicros(at), Balance: models.Amount(after), Held: models.Amount(held)}
		switch {
		case models.OperationKind(kind) == models.CashBounced:
			t.Bounced = &m
		case models.Claim(claim) == models.ClaimApplied:
			found = true
			t.Number, t.Kind, t.Amount, t.Booked = number, models.OperationKind(StoredKind(kind)), models.Amount(bet+win), m
			t.Currency, t.UserID, t.State = models.Currency(currency), models.UserID(user), models.CashDeposited
			if t.Kind == models.CashOut {
				t.State = models.CashHeld
			}
		case models.OperationKind(kind) == models.CashPaid:
			t.State, t.Ended = models.CashPaidOut, &m
		default:
			t.State, t.Ended = models.CashGivenBack, &m
		}
		return nil
	})
	if err != nil {
		return t, false, fmt.Errorf("look for cash: %w", err)
	}
	if t.Bounced != nil {
		t.State = models.CashCameBack
	}
	return t, found, nil
}
