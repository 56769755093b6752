package control

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Who is assigned to work, and how much there is.

// CountCases counts the cases that f selects, up to most. The navigation, the overview and the list of cases take their numbers
// from it.
func (s *Store) CountCases(ctx context.Context, f models.CaseFilter, most int) (int64, error) {
	read := s.db.Read.WithContext(ctx)
	return db.Once(read, fmt.Sprintf("number of cases %+v, up to %d", f, most), func() (n int64, err error) {
		some := s.filterCases(read.Model(&models.Case{}), f).Select("1").Limit(most)
		if err := read.Raw("SELECT COUNT(*) FROM (?) c", some).Scan(&n).Error; err != nil {
			return 0, fmt.Errorf("count cases: %w", err)
		}
		return n, nil
	})
}

// AssignCorrection assigns a waiting correction to assignee, or to nobody if it is empty. seen is the assignee that the page
// showed. It returns models.ErrCorrectionUnknown, ErrCorrectionTaken if the assignee is now somebody other than seen, or
// an ApprovalError, also if assignee is the maker, who cannot decide it.
func (s *Store) AssignCorrection(ctx context.Context, by models.Signer, id int64, seen, assignee string) error {
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
			return fmt.Errorf("write correction: %w", err)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by.Actor, Action: "correction assigned", Object: "correction", ObjectID: db.Numbered(id), Before: seen,
			After: assignee,
		})
	})
	if err != nil {
		return fmt.Errorf("assign correction %d: %w", id, err)
	}
	return nil
}
