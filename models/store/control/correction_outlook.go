package control

import (
	"context"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
)

// The effect of a correction, calculated without booking it.

// CorrectionOutlook returns the effect that a correction would have now, before it is requested. It returns
// models.ErrPlayerUnknown or ErrNotRollable.
func (s *Store) CorrectionOutlook(ctx context.Context,
	r models.CorrectionRequest) (models.Correction, models.CorrectionOutlook, error) {
	return outlookOn(s.db.Write.WithContext(ctx), s.db.Dialect, r, s.db.Now())
}

// outlookOn turns a request into a correction without a number, and returns its effect.
func outlookOn(q *gorm.DB, d db.Dialect, r models.CorrectionRequest,
	now time.Time) (models.Correction, models.CorrectionOutlook, error) {
	c := models.Correction{
		At:   now,
		Kind: r.Kind, PlayerID: r.PlayerID, TransactionID: r.TransactionID, RoundID: r.RoundID, Amount: r.Amount,
		Reason: r.Reason, Text: r.Text,
		Reference: r.Reference, Another: r.Another, Approval: models.Approval{State: models.ApprovalWaiting},
	}
	if r.Kind.Adjusts() {
		c.TransactionID, c.RoundID = "", ""
	}
	if r.Kind == models.CorrectRollback {
		original, _, err := ledger.Known(q, d, r.TransactionID, r.PlayerID)
		switch {
		case err != nil:
			return c, models.CorrectionOutlook{}, err
		case original == nil || original.PlayerID != r.PlayerID:
			return c, models.CorrectionOutlook{Refusal: models.CorrectionDeclinedError{Decline: models.NotFound}}, nil
		case original.Kind != models.Bet && original.Kind != models.Win && original.Kind != models.BetWin:
			return c, models.CorrectionOutlook{}, models.ErrNotRollable
		}
		c.RoundID, c.Amount = original.RoundID, max(original.Bet, original.Win)
		if c.Original, err = platformTransaction(q, d, r.TransactionID); err != nil {
			return c, models.CorrectionOutlook{}, err
		}
	}
	o, err := lookAhead(q, d, &c)
	c.Effect = o.After - o.Before
	return c, o, err
}

// Outlook returns the effect that a waiting correction would have now.
func (s *Store) Outlook(ctx context.Context, c models.Correction) (models.CorrectionOutlook, error) {
	return lookAhead(s.db.Write.WithContext(ctx), s.db.Dialect, &c)
}

// lookAhead returns the effect of c without writing anything, and fills in the user ID and currency of its player.
func lookAhead(q *gorm.DB, d db.Dialect, c *models.Correction) (o models.CorrectionOutlook, err error) {
	p, err := db.Need[models.Player](q.Raw(players.SelectPlayers+" WHERE p.id = ?", c.PlayerID), models.ErrPlayerUnknown)
	if err != nil {
		return o, err
	}
	c.UserID, c.Currency = p.UserID, p.Wallet.Currency
	state := models.State{Wallet: p.Wallet}
	if !c.Kind.Adjusts() {
		if state.Prior, state.Tombstoned, err = ledger.Known(q, d, c.TransactionID, c.PlayerID); err != nil {
			return o, err
		}
	}
	o.Before, o.After, o.Prior = p.Wallet.Balance, p.Wallet.Balance, state.Prior
	if o.Others, o.Reversed, err = roundBeside(q, *c); err != nil {
		return o, err
	}
	outcome := models.Decide(state, c.Operation())
	if outcome.Decline != models.None {
		o.Refusal = models.CorrectionDeclinedError{Decline: outcome.Decline}
		return o, nil
	}
	for _, line := range outcome.Lines {
		if line.Spins == 0 {
			o.After += line.Amount
		}
	}
	o.Refusal = c.Leaves(o.Before, o.After)
	if o.Again, err = similar(q, *c, o.After >= o.Before); err != nil {
		return o, err
	}
	o.Similar = o.Again.Count()
	return o, nil
}

// platformTransaction reads the transaction with this ID of the platform. It returns nil if there is none.
func platformTransaction(q *gorm.DB, d db.Dialect, id models.TransactionID) (*models.Transaction, error) {
	lines, err := db.All[models.TransactionLine](q, players.SelectTransactionLines(d, "postings")+
		" WHERE postings.source = ? AND postings.transaction_id = ? AND postings.claim = 1",
		models.SourcePlatform, id)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, nil
	}
	return &lines[0].Transaction, nil
}

// roundBeside counts the other transactions of the correction's round, and how many of them are rolled back.
func roundBeside(q *gorm.DB, c models.Correction) (others, reversed int64, err error) {
	if c.RoundID == "" {
		return 0, 0, nil
	}
	var n struct{ Others, Reversed int64 }
	err = q.Raw(`SELECT COALESCE(SUM(CASE WHEN claim = 1 THEN 1 ELSE 0 END), 0) AS others,
		COALESCE(SUM(CASE WHEN claim = 2 THEN 1 ELSE 0 END), 0) AS reversed
		FROM postings WHERE round_id = ? AND player_id = ? AND transaction_id <> ?`,
		c.RoundID, c.PlayerID, c.TransactionID).Scan(&n).Error
	return n.Others, n.Reversed, err
}
