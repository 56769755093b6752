// Package proof verifies the database, writes checkpoints, and erases players on request.
package proof

import (
	"pitboss/models"
	"pitboss/models/store/books"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/staff"
)

// Store is the proof of one database.
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
