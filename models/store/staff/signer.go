package staff

import (
	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CheckSigner checks that a staff member still has the role that their session was read with, that their account is neither
// disabled nor unconfirmed, and that it matches the audit log. It returns a models.ApprovalError or a models.TamperedError.
func (s *Store) CheckSigner(tx *gorm.DB, by models.Signer) error {
	row, found, err := db.Load[models.Staff](s.db, tx, by.StaffID)
	if err != nil {
		return err
	}
	if !found || row.Disabled || len(row.Unconfirmed) > 0 || row.Role != by.Role {
		return models.ApprovalError{Why: models.ErrSignerChanged}
	}
	return nil
}
