package control

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Who is assigned to work, and how much there is.

// CountCases counts the cases that match f, up to most.
func (s *Store) CountCases(ctx context.Context, f models.CaseFilter, most int) (n int64, err error) {
	read := s.db.Read.WithContext(ctx)
	some := s.db.Filtered(read.Model(&models.Case{}), caseList(f)).Select("1").Limit(most)
	return db.Value[int64](read, "SELECT COUNT(*) FROM (?) c", some)
}

// AssignCorrection assigns a waiting correction to assignee, or to nobody if it is empty. seen is the assignee that the page
// showed, and why is a note to the new one. It returns models.ErrCorrectionUnknown, ErrCorrectionTaken if the assignee is no
// longer seen, or an ApprovalError, also if assignee is the maker, who cannot decide it.
func (s *Store) AssignCorrection(ctx context.Context, by models.Signer, id int64, seen, assignee, why string) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		c, err := db.Locked[models.Correction](s.db, tx, id, models.ErrCorrectionUnknown)
		if err != nil {
			return err
		}
		if err := s.staff.CheckSigner(tx, by); err != nil {
			return err
		}
		if err := c.Undecided(); err != nil {
			return err
		}
		switch {
		case c.Assignee != seen:
			return models.ErrCorrectionTaken
		case assignee != "" && assignee == c.Maker.Username:
			return models.ApprovalError{Why: models.ErrOwnRequest}
		}
		if err := tx.Model(&models.Correction{}).Where("id = ?", id).Update("assignee", assignee).Error; err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by.Actor, Action: "correction assigned", Object: "correction", ObjectID: db.Numbered(id), Before: seen,
			After: assignee, Reason: why,
		})
	})
	if err != nil {
		return fmt.Errorf("assign correction %d: %w", id, err)
	}
	return nil
}

const overdueFollower = db.Follower("complaints become overdue")

// NoteOverdue records the complaints with an owner that have become overdue since the last call, once for each due date.
func (s *Store) NoteOverdue(ctx context.Context) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		position, err := overdueFollower.Lock(s.db, tx)
		if err != nil {
			return err
		}
		now := db.Micros(s.db.Now())
		if position == 0 || position > now { // old news is not worth a notice
			return overdueFollower.Move(s.db, tx, now)
		}
		ids, err := db.Find[int64](tx.Model(&models.Case{}).Where("due_us > ? AND due_us <= ? AND state = ? AND owner <> ''",
			position, now, models.CaseOpen).Order("due_us, id").Select("id"))
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			c, err := db.Locked[models.Case](s.db, tx, id, models.ErrCaseUnknown)
			if err != nil {
				return err
			}
			if err := s.db.Record(tx, models.AuditEvent{Actor: models.System, Action: "case overdue", Object: "case",
				ObjectID: db.Numbered(id), After: c.Owner}); err != nil {
				return err
			}
		}
		return overdueFollower.Move(s.db, tx, now)
	})
}
