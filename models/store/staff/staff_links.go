package staff

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// One-time links, and the passwords that staff set for themselves.

// MakeStaffLink stores the hash of a link through which somebody sets their own password. Their password stops working, their
// sessions end, and an earlier link becomes void. It returns models.ErrOwnReset, ErrStaffDisabled, ErrSoleAdmin or
// ErrStaffUnknown.
func (s *Store) MakeStaffLink(ctx context.Context, actor models.Actor, link models.StaffLink) error {
	return s.changeStaff(ctx, link.StaffID, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		switch {
		case row.Username == actor.Name && actor.Channel == models.ChannelBrowser:
			return nil, models.ErrOwnReset
		case row.Disabled:
			return nil, models.ErrStaffDisabled
		}
		if err := s.keepAThird(tx, actor, row); err != nil {
			return nil, err
		}
		if err := s.newPassword(tx, row, ""); err != nil {
			return nil, err
		}
		link.MadeAt = s.db.Now()
		if err := tx.Save(&link).Error; err != nil {
			return nil, err
		}
		after := map[string]any{"delivery": link.Delivery, "expires": link.ExpiresAt.UTC().Format(time.RFC3339)}
		if link.Delivery == models.LinkMailed {
			after["address"] = row.Email
		}
		return &staffEvent{by: actor, action: "staff password link made", after: db.JsonText(after), gives: models.StaffLinked,
			ends: true}, nil
	})
}

// StaffLink returns somebody's link, or false if they have none that can still be used.
func (s *Store) StaffLink(ctx context.Context, staffID int64) (models.StaffLink, bool, error) {
	return staffLink(s.db.Read.WithContext(ctx), staffID, s.db.Now())
}

func staffLink(tx *gorm.DB, staffID int64, now time.Time) (models.StaffLink, bool, error) {
	link, found, err := db.One[models.StaffLink](tx.Where("staff_id = ?", staffID))
	if err != nil || !found {
		return models.StaffLink{}, false, err
	}
	return link, now.Before(link.ExpiresAt), nil
}

// UseStaffLink sets the password that somebody has chosen through their link, deletes the link, and remembers the browser as
// theirs. The link's hash must still be that of used. It returns models.ErrLinkUsed, ErrStaffDisabled or ErrStaffUnknown.
func (s *Store) UseStaffLink(ctx context.Context, actor models.Actor, used models.StaffLink, hash, device string) error {
	return s.changeStaff(ctx, used.StaffID, func(tx *gorm.DB, row *models.Staff) (*staffEvent, error) {
		link, usable, err := staffLink(tx, used.StaffID, s.db.Now())
		switch {
		case err != nil:
			return nil, err
		case !usable || link.Hash != used.Hash:
			return nil, models.ErrLinkUsed
		case row.Disabled:
			return nil, models.ErrStaffDisabled
		}
		if err := s.keepAThird(tx, actor, row); err != nil {
			return nil, err
		}
		if err := s.newPassword(tx, row, hash); err != nil {
			return nil, err
		}
		if err := dropLink(tx, used.StaffID); err != nil {
			return nil, err
		}
		if err := s.rememberDevice(tx, row.ID, device, actor.Address); err != nil {
			return nil, err
		}
		actor.Name = row.Username
		return &staffEvent{by: actor, action: "staff password set by link", ends: true}, nil
	})
}

func dropLink(tx *gorm.DB, staffID int64) error {
	return tx.Where("staff_id = ?", staffID).Delete(&models.StaffLink{}).Error
}

// newPassword replaces a password's hash and stores the earlier one among the old ones. With an empty hash, nobody can sign in.
func (s *Store) newPassword(tx *gorm.DB, row *models.Staff, hash string) error {
	if row.PasswordHash != "" {
		if err := tx.Create(&models.OldPassword{StaffID: row.ID, PasswordHash: row.PasswordHash}).Error; err != nil {
			return err
		}
		ids, err := db.Find[int64](tx.Model(&models.OldPassword{}).Where("staff_id = ?", row.ID).Order("id DESC").Select("id"))
		if err != nil {
			return err
		}
		if len(ids) > models.OldPasswords {
			if err := tx.Where("id IN ?", ids[models.OldPasswords:]).Delete(&models.OldPassword{}).Error; err != nil {
				return err
			}
		}
	}
	row.PasswordHash, row.MustChangePassword = hash, false
	if hash != "" {
		row.PasswordSetAt = s.db.Now()
	}
	return nil
}

// OldPasswords returns the hashes of somebody's latest passwords, current one first.
func (s *Store) OldPasswords(ctx context.Context, staffID int64) ([]string, error) {
	staff, found, err := s.Staff(ctx, staffID)
	if err != nil || !found {
		return nil, err
	}
	var hashes []string
	if staff.PasswordHash != "" {
		hashes = append(hashes, staff.PasswordHash)
	}
	for _, old := range slices.Backward(staff.Kept.Passwords) {
		hashes = append(hashes, old.PasswordHash)
	}
	return hashes[:min(models.OldPasswords, len(hashes))], nil
}
