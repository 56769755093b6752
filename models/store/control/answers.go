package control

import (
	"context"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// TellPlayer keeps what a member of staff told a player: in the player's history, or as a comment on one of the player's cases
// if caseID is not 0. It returns models.ErrPlayerTold, models.ErrPlayerUnknown or models.ErrCaseUnknown.
func (s *Store) TellPlayer(ctx context.Context, by models.Actor, player, caseID int64, text string) error {
	if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > models.MaxCaseText || strings.ContainsRune(text, 0) {
		return models.ErrPlayerTold
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		if _, err := s.spins.LockPlayer(tx, player); err != nil {
			return err
		}
		if caseID == 0 {
			return s.db.Record(tx, models.AuditEvent{Actor: by, Action: models.PlayerTold, Object: "player",
				ObjectID: db.Numbered(player), Reason: text})
		}
		return s.changeCaseIn(tx, by, caseID, models.PlayerTold, func(tx *gorm.DB, c *models.Case) (string, string, string, error) {
			if c.PlayerID != player {
				return "", "", "", models.ErrCaseUnknown
			}
			return "", "", text, s.addNote(tx, by, caseID, "Told the player: "+text)
		})
	})
}

// CommentOn keeps a comment on a thing in the thing's history, and in that of its player.
func (s *Store) CommentOn(ctx context.Context, by models.Actor, r models.Remark) error {
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: r.Object + models.Commented, Object: r.Object, ObjectID: r.ObjectID,
			PlayerID: r.About.PlayerID, Reason: r.Text})
	})
}

// HandOver opens a case about a thing for a colleague, with the text as its first comment, and returns the case's number. The
// same text for the same colleague opens no second case.
func (s *Store) HandOver(ctx context.Context, by models.Actor, r models.Remark, to string) (id int64, err error) {
	err = s.openingCases(ctx, func(tx *gorm.DB) error {
		numbers, opened, err := s.openCases(tx, by, []models.Finding{r.Question(to, s.db.Now())})
		if err != nil {
			return err
		}
		if id = numbers[0]; opened == 0 {
			return nil
		}
		if err := tx.Model(&models.Case{}).Where("id = ?", id).Update("owner", to).Error; err != nil {
			return err
		}
		if err := s.addNote(tx, by, id, r.Text); err != nil {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "case handed over", Object: "case", ObjectID: db.Numbered(id),
			After: to, Reason: r.Text})
	})
	return id, err
}
