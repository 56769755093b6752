package staff

import (
	"context"

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
	if !found || row.Disabled || row.UnconfirmedTie != 0 || row.Role != by.Role {
		return models.ApprovalError{Why: models.ErrSignerChanged}
	}
	return nil
}

// Tie returns the tie with this number, or false if there is none.
func (s *Store) Tie(ctx context.Context, id int64) (models.Tie, bool, error) {
	return s.readTie(s.db.Read.WithContext(ctx), id)
}

// Ties returns the ties that are in force now.
func (s *Store) Ties(ctx context.Context) (models.Ties, error) {
	return s.ReadTies(s.db.Read.WithContext(ctx))
}
