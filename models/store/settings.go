package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
)

type settingRow struct {
	Name        string `gorm:"primaryKey"`
	Value       string
	ChangedAtUs int64
}

// TableName names the table.
func (settingRow) TableName() string { return "settings" }

// Setting returns the value of a setting, and false while nobody has set it. It returns a models.TamperedError where the setting is not
// what the audit log says.
func (s *Store) Setting(ctx context.Context, name string) (string, bool, error) {
	return s.setting(s.read.WithContext(ctx), name)
}

func (s *Store) setting(tx *gorm.DB, name string) (string, bool, error) {
	row, err := s.proven(tx, "setting", name)
	return row["value"], row != nil, err
}

// SetSetting changes a setting, and records both values. It returns models.ErrNeedsTwo for what changes only by a change request.
func (s *Store) SetSetting(ctx context.Context, actor models.Actor, name, value, reason string) error {
	if _, guarded := changeSubjects[models.ChangeSubject(name)]; guarded {
		return models.ErrNeedsTwo
	}
	return s.change(ctx, func(tx *gorm.DB) error { return s.setSetting(tx, actor, name, value, reason) })
}

// settingLock is the lease's row that makes changes of settings wait for each other.
const settingLock = "settings"

func (s *Store) setSetting(tx *gorm.DB, actor models.Actor, name, value, reason string) error {
	// A setting that nobody has set has no row to lock: two who set it at once wait here.
	if _, err := s.lockLease(tx, settingLock); err != nil {
		return err
	}
	before, _, err := s.setting(tx, name)
	if err != nil {
		return err
	}
	if before == value {
		return nil
	}
	if err := tx.Save(&settingRow{Name: name, Value: value, ChangedAtUs: micros(s.now())}).Error; err != nil {
		return fmt.Errorf("write setting %s: %w", name, err)
	}
	return s.record(tx, models.AuditEvent{Actor: actor, Action: "setting changed", Object: "setting", ObjectID: name, Before: before, After: value, Reason: reason})
}

// SignInRules returns the settings of sign-in, passwords and sessions.
func (s *Store) SignInRules(ctx context.Context) (models.SignInRules, error) {
	return s.readSignInRules(s.read.WithContext(ctx))
}

func (s *Store) readSignInRules(tx *gorm.DB) (models.SignInRules, error) {
	rules := models.DefaultSignInRules
	value, found, err := s.setting(tx, models.SignInRulesSetting)
	if err != nil || !found {
		return rules, err
	}
	rules.TOTPRoles = nil
	if err := json.Unmarshal([]byte(value), &rules); err != nil {
		return rules, fmt.Errorf("read setting %s: %w", models.SignInRulesSetting, err)
	}
	return rules, nil
}

// SetSignInRules changes the settings of sign-in, passwords and sessions.
func (s *Store) SetSignInRules(ctx context.Context, actor models.Actor, rules models.SignInRules) error {
	return s.SetSetting(ctx, actor, models.SignInRulesSetting, jsonText(rules), "")
}
