package staff

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// CheckSigner makes sure that somebody still is what they were when their session was read, and that their account is what the
// audit log says.
func (s *Store) CheckSigner(tx *gorm.DB, by models.Signer) error {
	row, err := s.db.Proven(tx, "staff", db.Numbered(by.StaffID))
	if err != nil {
		return err
	}
	if row == nil || row["disabled"] != "" || row["role"] != string(by.Role) {
		return models.ErrSignerChanged
	}
	return nil
}

// Ties returns the ties that count now.
func (s *Store) Ties(ctx context.Context) (models.Ties, error) {
	return s.db.ReadTies(s.db.Read.WithContext(ctx))
}
