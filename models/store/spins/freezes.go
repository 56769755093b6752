package spins

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Frozen returns a models.FrozenError if the house, the game or its provider is frozen.
func (s *Store) Frozen(ctx context.Context, g models.Game) error {
	return s.frozen(s.db.Read.WithContext(ctx), g)
}

func (s *Store) frozen(tx *gorm.DB, g models.Game) error {
	ids, err := db.All[int64](tx, "look for freezes", `SELECT id FROM restrictions WHERE subject = ? AND state <> ?
		UNION ALL SELECT id FROM restrictions WHERE subject = ? AND state <> ? AND about = ?
		UNION ALL SELECT id FROM restrictions WHERE subject = ? AND state <> ? AND about = ?`,
		models.OfHouse, models.ApprovalApproved, models.OfProvider, models.ApprovalApproved, g.Provider,
		models.OfGame, models.ApprovalApproved, string(g.GameID))
	if err != nil {
		return err
	}
	freezes, err := db.LoadMany[models.Restriction](s.db, tx, ids)
	if err != nil {
		return fmt.Errorf("read freezes: %w", err)
	}
	for _, f := range freezes {
		if f.Active(s.db.Now()) {
			return models.FrozenError{Restriction: f}
		}
	}
	return nil
}
