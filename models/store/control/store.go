// Package control stores cases and the rules that open them, corrections, restrictions and other requests that take two people.
package control

import (
	"pitboss/models/store/books"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/spins"
	"pitboss/models/store/staff"
	"pitboss/models/store/statements"
)

// Store reads and writes cases, corrections and restrictions of one database.
type Store struct {
	db         *db.DB
	staff      *staff.Store
	spins      *spins.Store
	ledger     *ledger.Store
	players    *players.Store
	books      *books.Store
	statements *statements.Store
}

// New returns a Store for d.
func New(d *db.DB, st *staff.Store, sp *spins.Store, l *ledger.Store, p *players.Store, b *books.Store,
	s *statements.Store) *Store {
	return &Store{db: d, staff: st, spins: sp, ledger: l, players: p, books: b, statements: s}
}
