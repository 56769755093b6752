package db

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
)

// setting is a row of settings. In the domain each setting has a type of its own, which value is the JSON or the word for.
type setting struct {
	Name      string `gorm:"primaryKey"`
	Value     string
	ChangedAt time.Time `gorm:"column:changed_at_us;serializer:micros"`
}

// ReadSetting returns the value of a setting, and false while nobody has set it. It returns a models.TamperedError where the
// setting is not what the audit log says.
func (s *DB) ReadSetting(tx *gorm.DB, name string) (string, bool, error) {
	row, err := s.setting(tx, name)
	return row["value"], row != nil, err
}

// setting returns a setting's row, nil while there is none.
func (s *DB) setting(tx *gorm.DB, name string) (map[string]string, error) {
	return Once(tx, "setting "+name, func() (map[string]string, error) { return s.Proven(tx, "setting", name) })
}

// settingLock is the lease's row that makes changes of settings wait for each other.
const settingLock = "settings"

// WriteSetting changes a setting in a change under way, and records both values.
func (s *DB) WriteSetting(tx *gorm.DB, actor models.Actor, name, value, reason string) error {
	// A setting that nobody has set has no row to lock: two who set it at once wait here.
	if err := s.LockLease(tx, settingLock); err != nil {
		return err
	}
	before, _, err := s.ReadSetting(tx, name)
	if err != nil {
		return err
	}
	if before == value {
		return nil
	}
	if err := tx.Save(&setting{Name: name, Value: value, ChangedAt: s.Now()}).Error; err != nil {
		return fmt.Errorf("write setting %s: %w", name, err)
	}
	return s.Record(tx, models.AuditEvent{Actor: actor, Action: "setting changed", Object: "setting", ObjectID: name,
		Before: before, After: value, Reason: reason})
}

// DefaultReportZone is the zone of days until one is set.
const DefaultReportZone = "UTC"

// ReadReportZone returns the name of the zone whose days reports and limits are of.
func (s *DB) ReadReportZone(tx *gorm.DB) (string, error) {
	name, found, err := s.ReadSetting(tx, models.ReportZoneSetting)
	if err != nil || !found {
		return DefaultReportZone, err
	}
	return name, nil
}

// SettingChanged returns when a setting was last changed; the zero time where nobody has set it. It returns what ReadSetting
// does.
func (s *DB) SettingChanged(tx *gorm.DB, name string) (time.Time, error) {
	row, err := s.setting(tx, name)
	us, _ := strconv.ParseInt(row["changed_at_us"], 10, 64)
	return FromMicros(us), err
}

// ReadSignInRules returns the settings of sign-in, passwords and sessions, or their defaults.
func (s *DB) ReadSignInRules(tx *gorm.DB) (models.SignInRules, error) {
	rules := models.DefaultSignInRules
	value, found, err := s.ReadSetting(tx, models.SignInRulesSetting)
	if err != nil || !found {
		return rules, err
	}
	rules.TOTPRoles = nil
	if err := json.Unmarshal([]byte(value), &rules); err != nil {
		return rules, fmt.Errorf("read setting %s: %w", models.SignInRulesSetting, err)
	}
	return rules, nil
}
