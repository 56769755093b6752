package staff

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// SignOn returns the account of a person whom the identity provider has authenticated, with the role that the provider gives
// them now. It creates the account if there is none, and ends the account's sessions if the role changes. It returns
// models.ErrUsernameNotYours if a new account's username is taken, or ErrStaffDisabled with the account.
func (s *Store) SignOn(ctx context.Context, p models.SignOn) (models.Staff, error) {
	row, found, err := s.staffLinked(ctx, p.Identity)
	if err == nil && !found {
		_, err = s.CreateStaff(ctx, models.System,
			models.Staff{Username: p.Username, Name: p.Name, Email: p.Email, Role: p.Role, Identity: p.Identity})
		if err != nil && !errors.Is(err, models.ErrStaffExists) {
			return row, err
		}
		if row, found, err = s.staffLinked(ctx, p.Identity); err == nil && !found {
			err = models.ErrUsernameNotYours
		}
	}
	if err != nil {
		return row, err
	}
	err = s.changeStaff(ctx, row.ID, func(_ *gorm.DB, now *models.Staff) (*staffEvent, error) {
		defer func() { row = *now }()
		switch {
		case now.Disabled:
			return nil, models.ErrStaffDisabled
		case now.Identity != p.Identity:
			return nil, models.ErrStaffMoved
		case now.Role == p.Role:
			return nil, nil
		}
		before := now.Role
		now.Role = p.Role
		return &staffEvent{by: models.System, action: "staff role changed", before: string(before), after: string(now.Role),
			reason: "Their groups at the identity provider give this role.", gives: models.StaffRole, ends: true}, nil
	})
	return row, err
}

// staffLinked returns the account that is linked to an identity, or false if there is none.
func (s *Store) staffLinked(ctx context.Context, identity models.Identity) (models.Staff, bool, error) {
	id, found, err := db.One[int64](s.db.Write.WithContext(ctx).Model(&models.Staff{}).Select("id").
		Where("identity = ?", identity))
	if err != nil || !found {
		return models.Staff{}, false, err
	}
	return db.Load[models.Staff](s.db, s.db.Write.WithContext(ctx), id)
}

// EndSignOn ends the sessions of the account that is linked to an identity, if there is one, because the identity provider
// gives its owner no role any more.
func (s *Store) EndSignOn(ctx context.Context, identity models.Identity) error {
	row, found, err := s.staffLinked(ctx, identity)
	if err != nil || !found {
		return err
	}
	return s.RevokeStaffSessions(ctx, models.System, row.ID, "")
}

// SetStaffIdentity links an account to an identity, or to none, and ends its sessions. It returns models.ErrOwnIdentity,
// ErrIdentityTaken or ErrStaffUnknown.
func (s *Store) SetStaffIdentity(ctx context.Context, by models.Actor, id int64, identity models.Identity) error {
	err := s.changeStaff(ctx, id, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if row.Username == by.Name {
			return nil, models.ErrOwnIdentity
		}
		if row.Identity == identity {
			return nil, nil
		}
		if err := s.keepAThird(tx, by, row); err != nil {
			return nil, err
		}
		before := row.Identity
		row.Identity = identity
		return &staffEvent{by: by, action: "staff identity changed", before: string(before), after: string(identity),
			gives: models.StaffIdentified, ends: true}, nil
	})
	if db.IsDuplicate(err) {
		err = models.ErrIdentityTaken
	}
	return err
}
