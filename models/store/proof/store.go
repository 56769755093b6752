// Package proof verifies that what is stored is what was booked, and writes checkpoints. In purges and erasures, it deletes
// what no longer has to be kept, and leaves proof of what it deleted.
package proof

import (
	"context"

	"pitboss/models"
	"pitboss/models/store/books"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/staff"
)

// Store verifies one database, writes its checkpoints, declares restores, purges, and erases players.
type Store struct {
	db     *db.DB
	books  *books.Store
	ledger *ledger.Store
	staff  *staff.Store
}

// New returns a Store for d.
func New(d *db.DB, b *books.Store, l *ledger.Store, people *staff.Store) *Store {
	return &Store{db: d, books: b, ledger: l, staff: people}
}

// Chain returns the chain that proves the ledger. Its key also signs packs.
func (s *Store) Chain() *models.Chain { return s.db.Chain }

// WalletBeginning returns where the player's chains begin after a purge, or false if nothing was purged.
func (s *Store) WalletBeginning(ctx context.Context, player int64) (b models.Beginning, found bool, err error) {
	return db.One[models.Beginning](s.db.Read.WithContext(ctx).Table("ledger_beginnings").Where("player_id = ?", player),
		"read a beginning")
}
