package staff

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Setting returns the value of a setting, or false if nobody has set it. It returns a models.TamperedError if the setting
// differs from the audit log.
func (s *Store) Setting(ctx context.Context, name string) (string, bool, error) {
	return s.db.ReadSetting(s.db.Read.WithContext(ctx), name)
}

// SetSetting changes a setting and records both values. It returns models.ErrNeedsTwo for a setting that only a change request
// may change.
func (s *Store) SetSetting(ctx context.Context, actor models.Actor, name, value, reason string) error {
	if _, takesTwo := models.ChangeSubject(name).Kind(); takesTwo {
		return models.ErrNeedsTwo
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error { return s.db.WriteSetting(tx, actor, name, value, reason) })
}

// SignInRules returns the settings of sign-in, passwords and sessions.
func (s *Store) SignInRules(ctx context.Context) (models.SignInRules, error) {
	return s.db.ReadSignInRules(s.db.Read.WithContext(ctx))
}

// SetSignInRules changes the settings of sign-in and sessions where there is no second administrator yet, as in the demo. It
// returns models.ErrNeedsTwo for somebody in a browser.
func (s *Store) SetSignInRules(ctx context.Context, actor models.Actor, rules models.SignInRules) error {
	if actor.Channel == models.ChannelBrowser {
		return models.ErrNeedsTwo
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error {
		return s.db.WriteSetting(tx, actor, models.SignInRulesSetting, db.JsonText(rules), "")
	})
}
