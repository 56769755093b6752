package books

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Reviews of the audit log, day by day. A review is an audit event and nothing else.

// LogReview returns the review of a day, or false if nobody has reviewed it.
func (s *Store) LogReview(ctx context.Context, day models.Day) (models.LogReview, bool, error) {
	return s.logReview(s.db.Read.WithContext(ctx), day)
}

func (s *Store) logReview(tx *gorm.DB, day models.Day) (r models.LogReview, found bool, err error) {
	e, found, err := db.One[models.AuditEvent](tx.Where("object = ? AND object_id = ? AND action = ?", models.DayOfLog, day,
		models.LogReviewed))
	if err != nil || !found {
		return r, false, err
	}
	if err := json.Unmarshal([]byte(e.After), &r); err != nil {
		return r, false, fmt.Errorf("read the review in event %d: %w", e.ID, err)
	}
	r.EventID, r.At, r.By, r.Note = e.ID, e.At, e.Actor.Name, e.Reason
	return r, true, nil
}

// ReviewLog marks the audit log of a casino day as reviewed. It returns ErrSignerChanged, ErrLogReviewer, ErrLogNote,
// ErrLogRuns, ErrLogEmpty or a LogReviewedError.
func (s *Store) ReviewLog(ctx context.Context, by models.Signer, day models.Day, note string) error {
	if !slices.Contains(models.LogReviewers, by.Role) {
		return models.ErrLogReviewer
	}
	if utf8.RuneCountInString(note) > models.MaxChangeReason {
		return models.ErrLogNote
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		if err := s.db.LockLease(tx, "reviews of the audit log"); err != nil {
			return err
		}
		c, err := s.dayInterval(tx, day)
		if err != nil {
			return err
		}
		if s.db.Now().Before(c.Until) {
			return models.ErrLogRuns
		}
		r, reviewed, err := s.logReview(tx, day)
		if err != nil {
			return err
		}
		if reviewed {
			return models.LogReviewedError{LogReview: r}
		}
		r.Day = day
		if r.Events, r.Own, err = s.loggedOn(ctx, tx, c, by.Name); err != nil {
			return err
		}
		if r.Events == 0 {
			return models.ErrLogEmpty
		}
		head, err := db.ReadAuditHead(tx, "")
		if err != nil {
			return err
		}
		r.Head, r.Hash = head.Seq, hex.EncodeToString(head.Hash[:])
		return s.db.Record(tx, models.AuditEvent{Actor: by.Actor, Action: models.LogReviewed, Object: models.DayOfLog,
			ObjectID: string(day), After: db.JsonText(r), Reason: note})
	})
}

// loggedOn returns how many audit events a day has, and how many of them somebody caused.
func (s *Store) loggedOn(ctx context.Context, tx *gorm.DB, c models.ClosedDay, by string) (all, own int64, err error) {
	where, args, err := s.db.Numbers(ctx, "audit_events", c.From, c.Until)
	if err != nil {
		return 0, 0, err
	}
	var n struct{ Events, Own int64 }
	err = tx.Raw("SELECT COUNT(*) AS events, COUNT(CASE WHEN actor = ? THEN 1 END) AS own FROM audit_events WHERE "+where+
		" AND at_us >= ? AND at_us < ?", slices.Concat([]any{by}, args, []any{db.Micros(c.From), db.Micros(c.Until)})...).Scan(&n).Error
	return n.Events, n.Own, err
}
