// Package proof shows that what is stored is what was booked: verification and checkpoints. It also deletes what need not be
// kept, by purges and erasures, and leaves proof of what it deleted.
package proof

import (
	"pitboss/models/store/books"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/staff"
)

// Store has the proofs of one database.
type Store struct {
	db     *db.DB
	books  *books.Store
	ledger *ledger.Store
	staff  *staff.Store
}

// New returns the proofs in d.
func New(d *db.DB, b *books.Store, l *ledger.Store, people *staff.Store) *Store {
	return &Store{db: d, books: b, ledger: l, staff: people}
}
