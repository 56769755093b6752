package staff

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// AddPasskey adds a passkey to its owner's account, with recovery codes, given as hashes, if it is the account's first second
// factor. It ends the owner's sessions except the one with the hash keep. It returns models.ErrPasskeys, ErrSessionEnded or
// ErrStaffUnknown.
func (s *Store) AddPasskey(ctx context.Context, by models.Actor, p models.Passkey, codes []string, keep string) error {
	return s.changeStaff(ctx, p.StaffID, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		if len(row.Kept.Passkeys) >= models.MaxPasskeys {
			return nil, models.ErrPasskeys
		}
		if !row.HasSecondFactor() {
			if err := replaceRecoveryCodes(tx, row.ID, codes); err != nil {
				return nil, err
			}
		}
		p.AddedAt = s.db.Now()
		if err := tx.Create(&p).Error; err != nil {
			return nil, err
		}
		return &staffEvent{by: by, action: "staff passkey added", after: p.Name, ends: true, keep: keep}, nil
	})
}

// RemovePasskey removes one of its owner's passkeys, and the recovery codes with the last second factor, and ends the owner's
// sessions except the one with the hash keep. It returns models.ErrOnlyFactor if the owner's role would be left without one,
// ErrPasskeyLost, ErrSessionEnded or ErrStaffUnknown.
func (s *Store) RemovePasskey(ctx context.Context, by models.Actor, staffID, id int64, keep string) error {
	rules, err := s.SignInRules(ctx)
	if err != nil {
		return err
	}
	return s.changeStaff(ctx, staffID, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		p, found := row.Passkey(id)
		last := !row.HasTOTP() && len(row.Kept.Passkeys) == 1
		switch {
		case !found:
			return nil, models.ErrPasskeyLost
		case last && rules.RequiresTOTP(row.Role):
			return nil, models.ErrOnlyFactor
		case last:
			if err := replaceRecoveryCodes(tx, staffID, nil); err != nil {
				return nil, err
			}
		}
		if err := tx.Delete(&p).Error; err != nil {
			return nil, err
		}
		return &staffEvent{by: by, action: "staff passkey removed", before: p.Name, ends: true, keep: keep}, nil
	})
}

// UsePasskey records that a passkey was used, with the count that its authenticator sent. If the count is not above the last
// one, the key was copied or the answer was used before: UsePasskey records that and returns false. An authenticator that does
// not count always sends 0.
func (s *Store) UsePasskey(ctx context.Context, by models.Actor, p models.Passkey, count uint32) (bool, error) {
	copied := errors.New("the passkey was copied")
	err := s.db.Change(ctx, func(tx *gorm.DB) error {
		done := tx.Model(&models.Passkey{}).Where("id = ? AND (sign_count < ? OR sign_count = 0 AND ? = 0)", p.ID, count, count).
			Updates(map[string]any{"sign_count": count, "used_at_us": db.Micros(s.db.Now())})
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return copied
		}
		return nil
	})
	if !errors.Is(err, copied) {
		return err == nil, err
	}
	return false, s.db.Change(ctx, func(tx *gorm.DB) error {
		known, found, err := db.One[models.Passkey](tx.Where("id = ?", p.ID))
		if err != nil || !found {
			return err
		}
		return s.db.Record(tx, models.AuditEvent{Actor: by, Action: "staff passkey copied", Object: "staff", ObjectID: db.Numbered(p.StaffID),
			After: p.Name, Reason: fmt.Sprintf("Its authenticator has counted %d, and had counted %d before.", count, known.SignCount)})
	})
}
