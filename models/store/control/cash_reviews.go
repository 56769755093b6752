package control

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/staff"
)

// Cash-outs that people approve before they are paid. Each change of one is made under the lock of the player's wallet: the
// request is written in the transaction that holds the amount, and a refusal in the one that returns it. So a cash-out is never
// paid without its approval, and never both paid and refused.

// requestReview returns a function that writes the request in the transaction that holds the amount, if the client's terms
// require approval.
func (s *Store) requestReview(by models.Actor, op models.Operation, terms models.APITerms) ledger.More {
	return func(tx *gorm.DB, result models.Result) error {
		if result.Decline != models.None {
			return nil
		}
		sum, err := ledger.CashOutsOfDay(tx, result.Decided)
		if err != nil || !terms.NeedsApproval(sum, op.Currency) {
			return err
		}
		number, err := db.Need[int64](tx.Table("postings").Select("id").Where("source = ? AND transaction_id = ? AND claim = ?",
			models.SourceClient, op.TransactionID, models.ClaimApplied), models.ErrCashReviewUnknown)
		if err != nil {
			return err
		}
		r := models.CashReview{ID: number, At: result.Decided.At, PlayerID: result.Decided.PlayerID, TransactionID: op.TransactionID,
			Amount: op.Bet, Currency: op.Currency,
			Approval: models.Approval{Maker: models.Signature{Username: by.Name}, State: models.ApprovalWaiting}}
		return db.Create(s.db, tx, &r, reviewEvent(by, r, "cash-out waiting", ""))
	}
}

func reviewEvent(by models.Actor, r models.CashReview, action, reason string) models.AuditEvent {
	client, id := r.Client()
	return models.AuditEvent{Actor: by, Action: action, Object: "cash-out", ObjectID: db.Numbered(r.ID),
		After: db.JsonText(map[string]any{"client": client, "id": id, "player": r.PlayerID, "amount": r.Amount.String(),
			"currency": r.Currency, "state": r.State.String()}),
		Reason: reason}
}

// reviewed reports whether a cash-out waits or has waited for approval. Only texts depend on it.
func (s *Store) reviewed(ctx context.Context, id models.TransactionID) (bool, error) {
	_, found, err := db.One[int64](s.db.Write.WithContext(ctx).Table("cash_reviews").Select("id").Where("transaction_id = ?", id))
	return found, err
}

// CashNow returns the deposit or cash-out with this transaction ID (models.CashID) as it is now, with the decision on it, or
// false if there is none.
func (s *Store) CashNow(ctx context.Context, id models.TransactionID) (models.CashTransaction, bool, error) {
	t, found, err := s.ledger.Cash(ctx, id)
	if err == nil && t.Kind == models.CashOut {
		var r models.CashReview
		if r, _, err = s.reviewOf(ctx, t); err == nil {
			t.Reviewed(r)
		}
	}
	return t, found, err
}

// reviewOf returns the request to pay a cash-out, or false if it needs none. If somebody has deleted the request from the
// database, it returns a models.TamperedError, because the audit log has it.
func (s *Store) reviewOf(ctx context.Context, t models.CashTransaction) (r models.CashReview, found bool, err error) {
	read := s.db.Write.WithContext(ctx)
	id, found, err := db.One[int64](read.Table("cash_reviews").Select("id").
		Where("transaction_id = ?", models.CashID(t.Client, t.ID)))
	if err != nil {
		return r, false, err
	}
	if found {
		return db.Load[models.CashReview](s.db, read, id)
	}
	ids, err := db.All[string](read,
		"SELECT DISTINCT object_id FROM audit_events WHERE player_id = ? AND object = 'cash-out'", t.PlayerID)
	if err == nil {
		_, err = s.db.LoadObjects(read, "cash-out", ids)
	}
	return r, false, err
}

// EndCashOut is ledger.Store.TryEndCashOut in the name of an API client. To pay a cash-out that waits for approval returns
// models.ErrCashOutWaiting, and to pay one whose approval differs from the audit log or from the ledger a models.TamperedError.
// A cancellation ends the request.
func (s *Store) EndCashOut(ctx context.Context, by models.Actor, id models.TransactionID,
	how models.OperationKind) (models.CashResult, error) {
	t, found, err := s.ledger.Cash(ctx, id)
	if err != nil || !found {
		return models.CashResult{Decline: models.NotFound}, err
	}
	review, waits, err := s.reviewOf(ctx, t)
	if err != nil {
		return models.CashResult{}, err
	}
	var more ledger.More
	if waits && how != models.CashBounced {
		more = func(tx *gorm.DB, result models.Result) error {
			if result.Decline != models.None {
				return nil
			}
			r, err := s.lockReview(tx, review.ID, t)
			switch {
			case err != nil:
				return err
			case how == models.CashPaid && r.State != models.ApprovalApproved:
				return models.ErrCashOutWaiting
			case how == models.CashPaid:
				return nil
			case r.State != models.ApprovalWaiting:
				return s.db.Record(tx, reviewEvent(by, r, "cash-out canceled", ""))
			}
			r.State, r.DecidedAt = models.ApprovalWithdrawn, s.db.Now()
			return db.Save(s.db, tx, &r, reviewEvent(by, r, "cash-out canceled", ""))
		}
	}
	r, err := s.ledger.TryEndCashOut(ctx, id, how, more)
	if err != nil || !r.Answered() || more == nil {
		return r, err
	}
	now, _, err := s.CashNow(ctx, id)
	r.Refusal = now.Refusal
	return r, err
}

// lockReview locks the request of a cash-out, and compares it with the ledger.
func (s *Store) lockReview(tx *gorm.DB, id int64, t models.CashTransaction) (models.CashReview, error) {
	r, err := db.Locked[models.CashReview](s.db, tx, id, models.ErrCashReviewUnknown)
	if err == nil {
		err = compareReview(r, t)
	}
	return r, err
}

func compareReview(r models.CashReview, t models.CashTransaction) error {
	if r.TransactionID != models.CashID(t.Client, t.ID) || r.PlayerID != t.PlayerID || r.Amount != t.Amount {
		return models.TamperedError{Object: "cash-out", ObjectID: db.Numbered(r.ID)}
	}
	return nil
}

// decideCashOut approves or refuses to pay a cash-out. A refusal returns the amount to the balance in the same transaction. It
// returns models.ErrCashReviewUnknown, the errors of staff.Decided, or an ApprovalError if the wallet declines the return.
func (s *Store) decideCashOut(ctx context.Context, by models.Signer, d models.Decision) (r models.CashReview, err error) {
	t, err := s.cashOfReview(ctx, d.ID)
	if err != nil {
		return r, err
	}
	decide := func(tx *gorm.DB, result models.Result) error {
		if r, err = staff.Decided[models.CashReview](s.staff, tx, by, d, models.ErrCashReviewUnknown); err != nil {
			return err // also if the cashier has canceled it meanwhile, so that the wallet declines
		}
		if err := compareReview(r, t); err != nil {
			return err
		}
		if result.Decline != models.None {
			return models.ApprovalError{Why: models.CorrectionDeclinedError{Decline: result.Decline}}
		}
		return db.Save(s.db, tx, &r, reviewEvent(by.Actor, r, "cash-out "+r.State.String(), r.DecisionText))
	}
	if d.Do == models.ApprovalApproved {
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			if err := s.spins.LockWallet(tx, t.PlayerID); err != nil {
				return err
			}
			return decide(tx, models.Result{})
		})
		return r, err
	}
	op := models.Operation{Source: models.SourceClient, Kind: models.CashReturned, UserID: t.UserID,
		TransactionID: models.CashID(t.Client, t.ID)}
	result, err := s.ledger.ApplyWith(ctx, op, decide)
	if err == nil && result.Decline != models.None {
		err = models.CorrectionDeclinedError{Decline: result.Decline} // there is no such wallet any more
	}
	return r, err
}

// cashOfReview returns the cash-out of a request, as the ledger has it.
func (s *Store) cashOfReview(ctx context.Context, id int64) (models.CashTransaction, error) {
	r, found, err := db.Load[models.CashReview](s.db, s.db.Write.WithContext(ctx), id)
	if err != nil || !found {
		return models.CashTransaction{}, errors.Join(err, models.ErrCashReviewUnknown)
	}
	t, found, err := s.ledger.Cash(ctx, r.TransactionID)
	if err == nil && !found {
		err = models.TamperedError{Object: "cash-out", ObjectID: db.Numbered(id)}
	}
	return t, err
}

// CashReview returns the request to pay a cash-out with this number, or false if there is none. It returns a
// models.TamperedError if the request differs from the audit log.
func (s *Store) CashReview(ctx context.Context, id int64) (models.CashReview, bool, error) {
	r, found, err := db.Load[models.CashReview](s.db, s.db.Read.WithContext(ctx), id)
	if err != nil || !found {
		return r, false, err
	}
	p, _, err := s.players.PlayerByID(ctx, r.PlayerID)
	r.UserID = p.UserID
	return r, true, err
}

// CashReviews returns a page of the requests to pay cash-outs, newest first.
func (s *Store) CashReviews(ctx context.Context, f models.CashReviewFilter) (models.Page[models.CashReview], error) {
	list := db.List{Table: "cash_reviews t", Index: "cash_reviews_at", At: "t.at_us", ID: "t.id", Span: f.Span, Filters: []db.Filter{
		db.If(f.PlayerID != 0, "cash_reviews_player", "t.player_id = ?", f.PlayerID),
		db.If(f.State != 0, "cash_reviews_state", "t.state = ?", f.State),
		db.If(f.Currency != "", "", "t.currency = ?", f.Currency),
	}}
	q := s.db.Read.WithContext(ctx).Select("t.*, p.user_id, COALESCE((SELECT e.kind FROM postings e WHERE e.source = ? "+
		"AND e.transaction_id = t.transaction_id AND e.claim = ?), 0) AS ended", models.SourceClient, models.ClaimRolledBack).
		Joins("LEFT JOIN players p ON p.id = t.player_id")
	return db.FindPage[models.CashReview](s.db, q, list)
}
