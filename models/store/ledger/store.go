// Package ledger moves money: it decides operations and books each durably and exactly once. It also knows whether money can be
// written. Nothing else in Pitboss changes a balance.
package ledger

import (
	"sync/atomic"

	"pitboss/models/store/db"
)

// Store is the ledger of one database.
type Store struct {
	db       *db.DB
	wallets  walletNumbers
	row      atomic.Pointer[ledgerRow] // as last read
	applier  applier
	aside    aside
	meter    *meter
	writable writable
}

// New returns the ledger of d. It batches operations unless unbatched is true.
func New(d *db.DB, unbatched bool) *Store {
	s := &Store{db: d, meter: newMeter(), writable: writable{log: d.Log}}
	s.aside.turns = newTurns(max(1, d.Pools.Money.Stats().MaxOpenConnections/2))
	s.row.Store(newLedgerRow("", false))
	s.wallets.lookUp = newQueue(1, reading(&d.Retries, s.findNumbers))
	if unbatched {
		s.applier = &single{s}
	} else {
		s.applier = newBatcher(s)
	}
	return s
}

// Close waits for operations in progress.
func (s *Store) Close() {
	s.applier.close()
	s.aside.running.Wait()
	s.wallets.lookUp.close()
	s.writable.wait()
}
