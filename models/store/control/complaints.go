package control

import (
	"context"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// OpenComplaint opens a case for a complaint, with the player's words as its first comment, and returns its number. It returns
// models.ErrPlayerUnknown, or a models.ComplaintKnownError if the player's complaint with this reference has a case, open or
// closed. So two clicks, or two colleagues at once, open only one.
func (s *Store) OpenComplaint(ctx context.Context, by models.Actor, c models.NewComplaint) (id int64, err error) {
	err = s.openingCases(ctx, func(tx *gorm.DB) error {
		if _, err := db.Need[int64](tx.Table("players").Select("id").Where("id = ?", c.PlayerID),
			models.ErrPlayerUnknown); err != nil {
			return err
		}
		numbers, opened, err := s.openCases(tx, by, []models.Finding{c.Finding(s.db.Now())})
		if err != nil {
			return err
		}
		if id = numbers[0]; opened == 0 {
			return models.ComplaintKnownError{CaseID: id}
		}
		return s.addNote(tx, by, id, c.Text)
	})
	return id, err
}

// MoveDue gives an open complaint another deadline. why is the reason, with both days, and becomes a comment on the case. It
// returns models.ErrCaseUnknown or an error of models.Case.MoveDue.
func (s *Store) MoveDue(ctx context.Context, by models.Actor, id int64, due time.Time, why string) error {
	return s.changeCase(ctx, by, id, "case due date changed", func(tx *gorm.DB, c *models.Case) (string, string, string, error) {
		before := c.Due
		err := c.MoveDue(due, s.db.Now())
		if err == nil {
			err = s.addNote(tx, by, id, why)
		}
		return string(models.DueDay(before)), string(models.DueDay(due)), why, err
	})
}
