// Package players stores players and finds their transactions, rounds and callbacks.
package players

import (
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
)

// Store has the players of one database.
type Store struct {
	db     *db.DB
	ledger *ledger.Store
}

// New returns the players in d.
func New(d *db.DB, l *ledger.Store) *Store {
	return &Store{db: d, ledger: l}
}
