package staff

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Setting returns the value of a setting, and false while nobody has set it. It returns a models.TamperedError where the
// setting is not what the audit log says.
func (s *Store) Setting(ctx context.Context, name string) (string, bool, error) {
	return s.db.ReadSetting(s.db.Read.WithContext(ctx), name)
}

// SetSetting changes a setting, and records both values. It returns models.ErrNeedsTwo for what changes only by a change
// request.
func (s *Store) SetSetting(ctx context.Context, actor models.Actor, name, value, reason string) error {
	if _, guarded := changeSubjects[models.ChangeSubject(name)]; guarded {
		return models.ErrNeedsTwo
	}
	return s.db.Change(ctx, func(tx *gorm.DB) error { return s.db.WriteSetting(tx, actor, name, value, reason) })
}

// SignInRules returns the settings of sign-in, passwords and sessions.
func (s *Store) SignInRules(ctx context.Context) (models.SignInRules, error) {
	return s.db.ReadSignInRules(s.db.Read.WithContext(ctx))
}

// SetSignInRules changes the settings of sign-in, passwords and sessions.
func (s *Store) SetSignInRules(ctx context.Context, actor models.Actor, rules models.SignInRules) error {
	return s.SetSetting(ctx, actor, models.SignInRulesSetting, db.JsonText(rules), "")
}

// TwoPeople returns the settings of what takes two people.
func (s *Store) TwoPeople(ctx context.Context) (models.TwoPeople, error) {
	return s.db.ReadTwoPeople(s.db.Read.WithContext(ctx))
}
