package db

import (
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// ReadSetting returns the value of a setting, or false if nobody has set it. It returns a models.TamperedError if the setting
// does not match the audit log.
func (s *DB) ReadSetting(tx *gorm.DB, name string) (string, bool, error) {
	row, found, err := Load[models.Setting](s, tx, name)
	return row.Value, found, err
}

// WriteSetting changes a setting within a change, and records the old and the new value. If the value is the same, it does
// nothing.
func (s *DB) WriteSetting(tx *gorm.DB, actor models.Actor, name, value, reason string) error {
	// A setting that nobody has set has no row to lock, so this lock makes two people who set it at the same time wait for each
	// other.
	if err := s.LockLease(tx, "settings"); err != nil {
		return err
	}
	before, _, err := s.ReadSetting(tx, name)
	if err != nil {
		return err
	}
	if before == value {
		return nil
	}
	return Save(s, tx, &models.Setting{Name: name, Value: value, ChangedAt: s.Now()}, models.AuditEvent{Actor: actor,
		Action: "setting changed", Before: before, After: value, Reason: reason})
}

// DaySums is the follower that sums up days, with DaysForgotten as its position if all open days have to be counted again.
const (
	DaySums             = Follower("sums of days")
	DaysForgotten int64 = -1
)

// DefaultReportZone is the time zone of reports until one is set.
const DefaultReportZone = "UTC"

// ReadReportZone returns the name of the time zone whose days reports and limits use.
func (s *DB) ReadReportZone(tx *gorm.DB) (string, error) {
	name, found, err := s.ReadSetting(tx, models.ReportZoneSetting)
	if err != nil || !found {
		return DefaultReportZone, err
	}
	return name, nil
}

// SettingChanged returns when a setting was last changed, or the zero time if nobody has set it. It returns the same errors as
// ReadSetting.
func (s *DB) SettingChanged(tx *gorm.DB, name string) (time.Time, error) {
	row, _, err := Load[models.Setting](s, tx, name)
	return row.ChangedAt, err
}

// ReadSignInRules returns the settings for sign-in, passwords and sessions, or their defaults.
func (s *DB) ReadSignInRules(tx *gorm.DB) (models.SignInRules, error) {
	return SettingOf(s, tx, models.SignInRulesSetting, models.DefaultSignInRules)
}

// SettingOf returns a setting that is stored as JSON, or preset if nobody has set it. It returns the same errors as
// ReadSetting.
func SettingOf[T any](s *DB, tx *gorm.DB, name string, preset T) (value T, err error) {
	text, found, err := s.ReadSetting(tx, name)
	if err != nil || !found {
		return preset, err
	}
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return value, fmt.Errorf("read setting %s: %w", name, err)
	}
	return value, nil
}
