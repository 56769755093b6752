package control

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// mustCorrection reads a correction from the primary, because it may just have been written. It returns
// models.ErrCorrectionUnknown if there is none.
func (s *Store) mustCorrection(ctx context.Context, id int64) (models.Correction, error) {
	c, found, err := db.First(correctionsIn(selectCorrections(s.db.Write.WithContext(ctx)).Where("c.id = ?", id)))
	if err == nil && !found {
		err = models.ErrCorrectionUnknown
	}
	return c, err
}

// Correction returns the correction with this number, or false if there is none.
func (s *Store) Correction(ctx context.Context, id int64) (models.Correction, bool, error) {
	return db.First(correctionsIn(selectCorrections(s.db.Read.WithContext(ctx)).Where("c.id = ?", id)))
}

// Corrections lists the corrections that f selects, the newest first, and reports whether more follow.
func (s *Store) Corrections(ctx context.Context, f models.CorrectionFilter) ([]models.Correction, bool, error) {
	few, err := s.players.FewOf(ctx, f.Currency)
	if err != nil {
		return nil, false, err
	}
	q := db.Keyset(selectCorrections(s.db.Read.WithContext(ctx)), "c.at_us", "c.id", f.Page, f.Limit)
	q = s.db.Along(q, "corrections c", "corrections_at",
		db.By{Asked: f.TransactionID != "", Index: "corrections_transaction"},
		db.By{Asked: f.PlayerID != 0 || few != nil, Index: "corrections_player"},
		db.By{Asked: f.State == models.ApprovalWaiting, Index: "corrections_state"},
		db.By{Asked: f.Assignee != "", Index: "corrections_assignee"}, db.By{Asked: f.MakerID != 0, Index: "corrections_maker"},
		db.By{Asked: f.CheckerID != 0, Index: "corrections_checker"}, db.By{Asked: f.Kind != 0, Index: "corrections_kind"},
		db.By{Asked: f.Reason != "", Index: "corrections_reason"}, db.By{Asked: f.State != 0, Index: "corrections_state"},
		db.By{Asked: f.Unassigned, Index: "corrections_assignee"})
	if few != nil {
		q = q.Where("c.player_id IN ?", few)
	}
	if f.State != 0 {
		q = q.Where("c.state = ?", f.State)
	}
	if f.Kind != 0 {
		q = q.Where("c.kind = ?", f.Kind)
	}
	if f.PlayerID != 0 {
		q = q.Where("c.player_id = ?", f.PlayerID)
	}
	if f.TransactionID != "" {
		q = q.Where("c.transaction_id = ?", f.TransactionID)
	}
	if f.Currency != "" {
		// In a subquery, so that no optimizer starts with the wallets.
		q = q.Where("(SELECT currency FROM wallets WHERE player_id = c.player_id) = ?", db.Ascii(string(f.Currency)))
	}
	if f.Reason != "" {
		q = q.Where("c.reason = ?", db.Ascii(string(f.Reason)))
	}
	if f.MakerID != 0 {
		q = q.Where("c.maker_id = ?", f.MakerID)
	}
	if f.Assignee != "" || f.Unassigned {
		q = q.Where("c.assignee = ?", db.Ascii(f.Assignee))
	}
	if f.CheckerID != 0 {
		q = q.Where("c.checker_id = ?", f.CheckerID)
	}
	if !f.Since.IsZero() {
		q = q.Where("c.at_us >= ?", db.Micros(f.Since))
	}
	if !f.Until.IsZero() {
		q = q.Where("c.at_us < ?", db.Micros(f.Until))
	}
	list, err := correctionsIn(q)
	if err != nil {
		return nil, false, err
	}
	list, more := db.InOrder(list, f.Page, f.Limit)
	return list, more, nil
}

// DecidedCorrections lists the corrections decided since a time, the latest decision first.
func (s *Store) DecidedCorrections(ctx context.Context, since time.Time, limit int) ([]models.Correction, error) {
	return correctionsIn(selectCorrections(s.db.Read.WithContext(ctx)).Where("c.decided_at_us >= ?", db.Micros(since)).
		Order("c.decided_at_us DESC, c.id DESC").Limit(limit))
}

// WaitingByMaker counts the corrections that wait for a second approver, by the internal ID of their maker.
func (s *Store) WaitingByMaker(ctx context.Context) (map[int64]int64, error) {
	var rows []struct{ MakerID, N int64 }
	err := s.db.Read.WithContext(ctx).Model(&models.Correction{}).Select("maker_id, COUNT(*) AS n").Where("state = ?",
		models.ApprovalWaiting).
		Group("maker_id").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count waiting corrections: %w", err)
	}
	waiting := make(map[int64]int64, len(rows))
	for _, r := range rows {
		waiting[r.MakerID] = r.N
	}
	return waiting, nil
}

// NewestCorrection returns the number of the player's newest correction, or 0 if there is none.
func (s *Store) NewestCorrection(ctx context.Context, playerID int64) (int64, error) {
	return newestCorrection(s.db.Read.WithContext(ctx), playerID)
}

func newestCorrection(q *gorm.DB, playerID int64) (id int64, err error) {
	if err := q.Raw("SELECT COALESCE(MAX(id), 0) FROM corrections WHERE player_id = ?", playerID).Scan(&id).Error; err != nil {
		return 0, fmt.Errorf("look for the player's newest correction: %w", err)
	}
	return id, nil
}

// CorrectionLimits returns how much each role may book without a second approver.
func (s *Store) CorrectionLimits(ctx context.Context) (models.AloneLimits, error) {
	return s.readCorrectionLimits(s.db.Read.WithContext(ctx))
}

func (s *Store) readCorrectionLimits(tx *gorm.DB) (models.AloneLimits, error) {
	value, found, err := s.db.ReadSetting(tx, string(models.ChangeCorrectionLimits))
	if err != nil || !found {
		return nil, err
	}
	limits := models.AloneLimits{}
	if err := json.Unmarshal([]byte(value), &limits); err != nil {
		return nil, fmt.Errorf("read setting %s: %w", models.ChangeCorrectionLimits, err)
	}
	return limits, nil
}

// BookedAlone returns how much a member of staff has booked alone today, in one currency.
func (s *Store) BookedAlone(ctx context.Context, staffID int64, currency models.Currency) (models.Amount, error) {
	return s.readBudget(s.db.Read.WithContext(ctx), staffID, currency, s.db.Now())
}
