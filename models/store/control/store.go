// Package control keeps what people look into and put right: cases and the rules that open them, corrections, the platform's
// statements, exports.
package control

import (
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/spins"
	"pitboss/models/store/staff"
)

// Store is the cases and corrections of one database.
type Store struct {
	db      *db.DB
	staff   *staff.Store
	spins   *spins.Store
	ledger  *ledger.Store
	players *players.Store
}

// New returns the cases and corrections in d.
func New(d *db.DB, st *staff.Store, sp *spins.Store, l *ledger.Store, p *players.Store) *Store {
	return &Store{db: d, staff: st, spins: sp, ledger: l, players: p}
}
