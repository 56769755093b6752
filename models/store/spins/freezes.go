package spins

import (
	"context"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Freezes returns the freezes in effect, newest first: of the house, providers and games.
func (s *Store) Freezes(ctx context.Context) ([]models.Restriction, error) {
	return s.freezes(s.db.Read.WithContext(ctx))
}

func (s *Store) freezes(tx *gorm.DB) ([]models.Restriction, error) {
	ids, err := db.All[int64](tx, `SELECT id FROM restrictions WHERE subject IN (?, ?, ?) AND state <> ?
		ORDER BY at_us DESC, id DESC`, models.OfHouse, models.OfProvider, models.OfGame, models.ApprovalApproved)
	if err != nil {
		return nil, err
	}
	return db.LoadMany[models.Restriction](s.db, tx, ids)
}

// Frozen returns a models.FrozenError if the house, the game or its provider is frozen.
func (s *Store) Frozen(ctx context.Context, g models.Game) error {
	return s.frozen(s.db.Read.WithContext(ctx), g)
}

func (s *Store) frozen(tx *gorm.DB, g models.Game) error {
	freezes, err := s.freezes(tx)
	if err != nil {
		return err
	}
	for _, f := range freezes {
		if f.Stops(g) {
			return models.FrozenError{Restriction: f}
		}
	}
	return nil
}
