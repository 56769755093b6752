package control

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// OpenComplaint opens a case for a complaint, with the player's words as its first comment, and returns its number. It returns
// models.ErrPlayerUnknown, or a models.ComplaintKnownError if the player's complaint with this reference has a case, open or
// closed. So pressing the button twice, or two colleagues at once, open only one.
func (s *Store) OpenComplaint(ctx context.Context, by models.Actor, c models.NewComplaint) (id int64, err error) {
	err = s.db.Change(ctx, func(tx *gorm.DB) error {
		id, err = s.openComplaint(tx, by, c)
		return err
	})
	if db.IsDuplicate(err) {
		err = s.db.Change(ctx, func(tx *gorm.DB) error {
			id, err = s.openComplaint(tx, by, c)
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("open a complaint: %w", err)
	}
	return id, nil
}

func (s *Store) openComplaint(tx *gorm.DB, by models.Actor, c models.NewComplaint) (int64, error) {
	var players int64
	if err := tx.Raw("SELECT COUNT(*) FROM players WHERE id = ?", c.PlayerID).Scan(&players).Error; err != nil {
		return 0, err
	}
	if players == 0 {
		return 0, models.ErrPlayerUnknown
	}
	finding := c.Finding(s.db.Now())
	row := newCase(&finding, s.db.Now())
	var known []int64
	if err := tx.Model(&models.Case{}).Where("rule = ? AND key_digest = ?", row.Rule, row.KeyDigest).Pluck("id", &known).
		Error; err != nil {
		return 0, err
	}
	if len(known) > 0 {
		return 0, models.ComplaintKnownError{CaseID: known[0]}
	}
	if err := tx.Create(&row).Error; err != nil {
		return 0, err
	}
	note := tx.Exec("INSERT INTO case_notes (case_id, number, at_us, actor, body) VALUES (?, 1, ?, ?, ?)", row.ID,
		db.Micros(row.FoundAt),
		by.Name, c.Text)
	s.db.Begins(tx, "case", db.Numbered(row.ID))
	return row.ID, errors.Join(note.Error, s.db.Record(tx, models.AuditEvent{
		Actor: by, Action: "case opened", Object: "case", ObjectID: strconv.FormatInt(row.ID, 10),
		After: db.JsonText(map[string]any{"rule": models.CaseComplaint.String(), "due": finding.Due}),
	}))
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
		return before.Format(time.RFC3339), due.Format(time.RFC3339), why, err
	})
}
