package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/staff"
)

// correctionFound is a correction with the posting that it would roll back, if any.
type correctionFound struct {
	models.Correction
	OriginalID   int64 // 0 for none
	OriginalKind models.OperationKind
	OriginalBet  models.Amount
	OriginalWin  models.Amount
	OriginalFree bool
	OriginalAt   time.Time `gorm:"column:original_at_us;serializer:micros"`
}

func (v correctionFound) correction() models.Correction {
	c := v.Correction
	if c.Kind == models.CorrectRollback && v.OriginalID != 0 {
		c.Original = &models.Transaction{
			ID: v.OriginalID, Source: models.SourcePlatform, TransactionID: c.TransactionID, PlayerID: c.PlayerID,
			Kind: v.OriginalKind, RoundID: c.RoundID, Bet: v.OriginalBet, Win: v.OriginalWin, FreeSpin: v.OriginalFree,
			At: v.OriginalAt,
		}
	}
	return c
}

func selectCorrections(db *gorm.DB) *gorm.DB {
	return db.Table("corrections c").Joins("JOIN players p ON p.id = c.player_id").
		Joins("JOIN wallets w ON w.player_id = c.player_id").
		Joins("LEFT JOIN staff m ON m.id = c.maker_id").Joins("LEFT JOIN staff k ON k.id = c.checker_id").
		Joins("LEFT JOIN postings t ON t.source = ? AND t.transaction_id = c.transaction_id AND t.claim = 1 "+
			"AND c.transaction_id <> ''", models.SourcePlatform).
		Select(`c.*, p.user_id, w.currency, m.name AS maker_name, k.name AS checker_name,
			t.id AS original_id, COALESCE(t.kind, 0) AS original_kind,
			COALESCE(t.bet_minor, 0) AS original_bet, COALESCE(t.win_minor, 0) AS original_win,
			COALESCE(t.free_spin, 0) AS original_free,
			COALESCE(t.at_us, 0) AS original_at_us`)
}

func correctionsIn(q *gorm.DB) ([]models.Correction, error) {
	var rows []correctionFound
	if err := q.Scan(&rows).Error; err != nil {
		return nil, err
	}
	list := make([]models.Correction, len(rows))
	for i, r := range rows {
		list[i] = r.correction()
	}
	return list, nil
}

// Requests.

// RequestCorrection stores a request for a correction, under the player's lock. Nothing is booked yet. It returns
// models.ErrPlayerUnknown, ErrNotRollable, ErrBelowZero, an ApprovalError, a SimilarError, or a CorrectionDeclinedError if the
// wallet would refuse the correction now.
func (s *Store) RequestCorrection(ctx context.Context, by models.Signer, r models.CorrectionRequest) (models.Correction, error) {
	var id int64
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		if err := models.CorrectionRule.MayRequest(by); err != nil {
			return err
		}
		if len(r.Check()) > 0 {
			return errors.New("the request was not checked")
		}
		if err := s.spins.LockWallet(tx, r.PlayerID); err != nil {
			return err
		}
		if _, _, err := db.Load[models.Player](s.db, tx, r.PlayerID); err != nil {
			return err
		}
		c, o, err := outlookOn(tx, s.db.Dialect, r, s.db.Now())
		if err != nil {
			return err
		}
		if o.Refusal != nil {
			return o.Refusal
		}
		if err := o.Again.Told(r.Another); err != nil {
			return err
		}
		if o.Similar > r.Seen {
			return models.SimilarError{Similar: o.Again}
		}
		if named := models.CaseOf(r.Reference); named != 0 {
			r.Reference = models.CaseReference(named)
		}
		row := models.Correction{
			At: s.db.Now(), Kind: r.Kind, PlayerID: r.PlayerID, TransactionID: c.TransactionID, RoundID: c.RoundID,
			Amount: c.Amount, Effect: c.Effect, Reason: r.Reason, Text: r.Text, Reference: r.Reference,
			Another: r.Another, BalanceAtRequest: o.Before,
			Approval: models.Approval{Maker: by.Signature(), State: models.ApprovalWaiting},
		}
		err = db.Create(s.db, tx, &row, models.AuditEvent{Actor: by.Actor, Action: "correction requested",
			After: db.JsonText(map[string]any{
				"role": by.Role, "kind": r.Kind.String(), "player": r.PlayerID, "user_id": c.UserID,
				"transaction_id": c.TransactionID, "round_id": c.RoundID, "amount": c.Amount.String(), "currency": c.Currency,
				"reason": r.Reason, "reference": r.Reference, "another": r.Another, "balance": o.Before.String(),
			}),
			Reason: r.Text,
		})
		id = row.ID
		return err
	})
	if err != nil {
		return models.Correction{}, err
	}
	return s.mustCorrection(ctx, id)
}

// Decisions.

// decideCorrection decides a correction. An approval books it under the name of its second approver: the postings, the
// correction's state and the audit event are written in one transaction under the wallet's lock, like every operation. Even if
// several people approve it at the same time, it is applied once.
//
// It returns models.ErrCorrectionUnknown, the errors of staff.Decided, a CorrectionDeclinedError, ErrBelowZero, a SimilarError,
// or a CorrectionChangedError if its effect is no longer Decision.Basis. After any other error of an approval it is unknown
// whether the correction was booked: read its state.
func (s *Store) decideCorrection(ctx context.Context, by models.Signer, d models.Decision) (models.Correction, error) {
	asked, err := s.mustCorrection(ctx, d.ID)
	if err != nil {
		return asked, err
	}
	if d.Do == models.ApprovalApproved {
		_, err = s.ledger.ApplyTo(ctx, asked.PlayerID, asked.Operation(), func(tx *gorm.DB, r models.Result) error {
			return s.approveCorrection(tx, by, d, asked, r)
		})
	} else {
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			c, err := staff.Decided[models.Correction](s.staff, tx, by, d, models.ErrCorrectionUnknown)
			if err != nil {
				return err
			}
			return s.writeCorrection(tx, by, &c, nil)
		})
	}
	if err != nil {
		return models.Correction{}, err
	}
	return s.mustCorrection(ctx, d.ID)
}

// approveCorrection approves a correction that was just applied with this result.
func (s *Store) approveCorrection(tx *gorm.DB, by models.Signer, d models.Decision, asked models.Correction, r models.Result) error {
	// The correction's state comes before the wallet's answer: for the second of two approvals, the wallet already has the
	// first one's postings.
	c, err := staff.Decided[models.Correction](s.staff, tx, by, d, models.ErrCorrectionUnknown)
	if err != nil {
		return err
	}
	player, _, err := db.Load[models.Player](s.db, tx, c.PlayerID)
	if err != nil {
		return err
	}
	// The request was first read without a lock, and not compared with the audit log: it must not have changed since. The name
	// may differ: the wallet has the player's number, and an erasure may have changed the name.
	c.UserID, c.Currency = asked.UserID, player.Wallet.Currency
	if c.PlayerID != asked.PlayerID || c.Operation() != asked.Operation() {
		return models.TamperedError{Object: "correction", ObjectID: db.Numbered(c.ID)}
	}
	if r.Decline != models.None {
		return models.CorrectionDeclinedError{Decline: r.Decline}
	}
	c.Seq, c.Spin, c.After = r.Decided.Seq, r.Decided.Spin, r.Balance.Amount
	c.Before = c.After - c.Effect
	if err := c.Leaves(c.Before, c.After); err != nil {
		return err
	}
	now := models.CorrectionBasis{After: c.After}
	if now.Others, now.Reversed, err = roundBeside(tx, c); err != nil {
		return err
	}
	again, err := similar(tx, c, c.Effect >= 0)
	if err != nil {
		return err
	}
	if err := again.Told(c.Another); err != nil {
		return err
	}
	if now.Similar = again.Count(); !d.Basis.Agrees(now) {
		return models.CorrectionChangedError{Seen: d.Basis, Now: now}
	}
	if err := s.settleCase(tx, by, c); err != nil {
		return err
	}
	return s.writeCorrection(tx, by, &c, map[string]any{"player": c.PlayerID, "line": c.Seq, "spin_ledger": c.Spin,
		"balance_before": c.Before.String(), "balance_after": c.After.String(), "currency": c.Currency})
}

// settleCase closes the case that a booked correction names as its reference, if it is open and the correction settles it.
func (s *Store) settleCase(tx *gorm.DB, by models.Signer, k models.Correction) error {
	named := models.CaseOf(k.Reference)
	if named == 0 {
		return nil
	}
	err := s.changeCaseIn(tx, by.Actor, named, "case closed",
		func(_ *gorm.DB, c *models.Case) (before, after, reason string, err error) {
			if !c.SettledBy(k) {
				return "", "", "", models.ErrCaseClosed
			}
			reason = fmt.Sprintf("Correction %d is booked.", k.ID)
			return c.State.String(), models.CaseAdjusted.String(), reason,
				c.Decide(by.Name, models.CaseAdjusted, reason, s.db.Now())
		})
	if errors.Is(err, models.ErrCaseUnknown) || errors.Is(err, models.ErrCaseClosed) {
		return nil
	}
	return err
}

// CorrectionsOfCase returns the corrections that name a case as their reference, or are about the platform's transaction of the
// case, newest first.
func (s *Store) CorrectionsOfCase(ctx context.Context, c models.Case) ([]models.Correction, error) {
	return correctionsIn(selectCorrections(s.db.Read.WithContext(ctx)).
		Where("c.reference = ? OR c.transaction_id = ? AND c.transaction_id <> '' AND c.player_id = ?", models.CaseReference(c.ID),
			c.TransactionID, c.PlayerID).Order("c.id DESC"))
}

// writeCorrection writes a correction that was just decided, with an audit event that has more facts.
func (s *Store) writeCorrection(tx *gorm.DB, by models.Signer, c *models.Correction, facts map[string]any) error {
	after := map[string]any{"role": by.Role, "state": c.State.String(), "maker": c.Maker.Username}
	maps.Copy(after, facts)
	return db.Save(s.db, tx, c, models.AuditEvent{Actor: by.Actor, Action: "correction " + c.State.String(),
		Before: models.ApprovalWaiting.String(), After: db.JsonText(after), Reason: c.DecisionText})
}
