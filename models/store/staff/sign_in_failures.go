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

// failedSignIns counts the failures of one account by one action in a minute. Each instance counts by itself.
type failedSignIns struct {
	minute time.Time
	tries  int64
}

// NoteSignInFailure records a wrong password or code, at sign-in or on a confirmation page. staffID is the account, or 0 for a
// name that nobody has. Such a name is not stored, because it may be a password that was typed into the wrong field. So that a
// guesser cannot fill the audit log, it gets only the first, tenth, hundredth and so on failure of an account in each minute,
// with the count. The first event of the next minute also has the final count of the last one.
func (s *Store) NoteSignInFailure(ctx context.Context, by models.Actor, staffID int64, action string) error {
	minute := s.db.Now().Truncate(time.Minute)
	key, before := fmt.Sprint(staffID, " ", action), ""
	s.failuresLock.Lock()
	row := s.failures[key]
	if !row.minute.Equal(minute) {
		if row.tries > 1 {
			before = failuresText(row.minute, row.tries)
		}
		row = failedSignIns{minute: minute}
	}
	row.tries++
	s.failures[key] = row
	s.failuresLock.Unlock()
	if strings.Trim(strconv.FormatInt(row.tries, 10), "0") != "1" {
		return nil
	}
	object := ""
	if staffID != 0 {
		object = strconv.FormatInt(staffID, 10)
	}
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.db.Record(tx, models.AuditEvent{
			Actor: by, Action: action, Object: "staff", ObjectID: object, Before: before,
			After: failuresText(minute, row.tries),
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
