package staff

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CheckSigner checks that a staff member still has the role that their session was read with and is not disabled, and that
// their account matches the audit log. It returns a models.ApprovalError or a models.TamperedError.
func (s *Store) CheckSigner(tx *gorm.DB, by models.Signer) error {
	row, err := s.db.Proven(tx, "staff", db.Numbered(by.StaffID))
	if err != nil {
		return err
	}
	if row == nil || row["disabled"] != "" || row["role"] != string(by.Role) {
		return models.ApprovalError{Why: models.ErrSignerChanged}
	}
	return nil
}

// Ties returns the ties that are in force now.
func (s *Store) Ties(ctx context.Context) (models.Ties, error) {
	return s.db.ReadTies(s.db.Read.WithContext(ctx))
}
