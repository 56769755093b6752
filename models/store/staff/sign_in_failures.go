package staff

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// NoteSignInFailure records a wrong password or code, at sign-in or on a confirmation page. staffID is the account, or 0 for a
// name that nobody has. Such a name is not stored, because it may be a password that was typed into the wrong field. So that a
// guesser cannot fill the audit log, it gets only the first, tenth, hundredth and so on failure of an account in each minute,
// with the count. The first event of the next minute also has the final count of the last one.
func (s *Store) NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error {
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		now := s.db.Now()
		minute := db.Micros(now.Truncate(time.Minute))
		lock := "INSERT INTO sign_in_failures (staff_id, action, minute_us, tries) VALUES (?, ?, 0, 0)" +
			s.db.Dialect.OnConflict("staff_id, action") + "tries = sign_in_failures.tries"
		if err := tx.Exec(lock, staffID, action).Error; err != nil {
			return fmt.Errorf("lock failures: %w", err)
		}
		var row struct{ MinuteUs, Tries int64 }
		if err := tx.Raw("SELECT minute_us, tries FROM sign_in_failures WHERE staff_id = ? AND action = ?", staffID, action).
			Scan(&row).Error; err != nil {
			return fmt.Errorf("read failures: %w", err)
		}
		before := ""
		if row.MinuteUs != minute {
			if row.Tries > 1 {
				before = failuresText(db.FromMicros(row.MinuteUs), row.Tries)
			}
			row.Tries = 0
		}
		row.Tries++
		if err := tx.Exec("UPDATE sign_in_failures SET minute_us = ?, tries = ? WHERE staff_id = ? AND action = ?", minute,
			row.Tries, staffID, action).Error; err != nil {
			return fmt.Errorf("count failures: %w", err)
		}
		if strings.Trim(strconv.FormatInt(row.Tries, 10), "0") != "1" {
			return nil
		}
		object := ""
		if staffID != 0 {
			object = strconv.FormatInt(staffID, 10)
		}
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: action, Object: "staff", ObjectID: object, Before: before,
			After: failuresText(now.Truncate(time.Minute), row.Tries),
		})
	})
	if err != nil {
		return fmt.Errorf("record a failed sign-in: %w", err)
	}
	return nil
}

func failuresText(minute time.Time, tries int64) string {
	return db.JsonText(struct {
		Failures int64  `json:"failures"`
		Minute   string `json:"minute_utc"`
	}{tries, minute.Format("2006-01-02 15:04")})
}
