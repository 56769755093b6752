// Package proof verifies that what is stored is what was booked, and writes checkpoints. In purges and erasures, it deletes
// what no longer has to be kept, and leaves proof of what it deleted.
package proof

import (
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
