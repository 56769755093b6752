// Package spins stores the platform's games, test sessions, and free spins: grants, campaigns, and the platform's answers about
// them.
package spins

import (
	"sync/atomic"

	"pitboss/models/store/db"
	"pitboss/models/store/staff"
)

// Store reads and writes games and free spins of one database.
type Store struct {
	db    *db.DB
	staff *staff.Store
	games atomic.Pointer[provenGames]
}

// New returns a Store for d.
func New(d *db.DB, st *staff.Store) *Store {
	return &Store{db: d, staff: st}
}
