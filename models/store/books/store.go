// Package books keeps the figures: sums by minute and by day, closed and signed days, reports.
package books

import (
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/staff"
)

// Store reads and writes the figures in one database.
type Store struct {
	db     *db.DB
	ledger *ledger.Store
	staff  *staff.Store
	rounds *players.Store
}

// New returns a Store for the figures in d.
func New(d *db.DB, l *ledger.Store, st *staff.Store, rounds *players.Store) *Store {
	return &Store{db: d, ledger: l, staff: st, rounds: rounds}
}
