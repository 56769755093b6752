package staff

import (
	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// give records what an account is given, which an administrator then has to confirm: see models/given.go. The caller writes the
// row.
func (s *Store) give(tx *gorm.DB, by models.Actor, row *models.Staff, act models.StaffAct) error {
	given := models.Given{Act: act, By: by.Name, At: s.db.Now()}
	switch {
	case by.Channel == models.ChannelSystem && row.Identity != "":
		given.By = models.GivenByProvider
	case by.Channel == models.ChannelSystem:
		return nil
	case by.Channel == models.ChannelCommandLine:
		given.By = models.GivenAtCommandLine
		if first, err := s.beforeTwo(tx, row, act); err != nil || first {
			row.Unconfirmed = nil
			return err
		}
	default:
		ids, err := db.All[int64](tx, "SELECT id FROM staff WHERE username = ?", by.Name)
		if err != nil {
			return err
		}
		if len(ids) == 1 {
			given.ByID = ids[0]
		}
	}
	row.Unconfirmed = row.Unconfirmed.With(given)
	return nil
}

// beforeTwo reports whether fewer than two administrators are confirmed, so that nobody could confirm what the command line
// gives one. The first link of such an account, with which its owner chooses the first password, belongs to its creation.
func (s *Store) beforeTwo(tx *gorm.DB, row *models.Staff, act models.StaffAct) (bool, error) {
	if row.Role != models.Administrator {
		return false, nil
	}
	if act == models.StaffLinked && row.PasswordSetAt.IsZero() && len(row.Unconfirmed) == 0 {
		return true, nil
	}
	if err := s.db.LockLease(tx, "the first administrators"); err != nil {
		return false, err
	}
	admins, err := db.Find[models.Staff](tx.Where("role = ? AND disabled = ?", models.Administrator, false))
	if err != nil {
		return false, err
	}
	confirmed := 0
	for _, a := range admins {
		if len(a.Unconfirmed) == 0 {
			confirmed++
		}
	}
	return confirmed < 2, nil
}
