// Package ledger moves money: it decides operations and books each durably and exactly once. It also knows whether money can be
// written. Nothing else in Pitboss changes a balance.
package ledger

import "pitboss/models/store/db"

// Store is the ledger of one database.
type Store struct {
	db         *db.DB
	wallets    walletNumbers
	committers *queue[struct{}]      // apply operations, many in one transaction
	reader     *queue[walletBalance] // reads balances
	aside      *queue[struct{}]      // settles operations whose wallet was locked, wallet by wallet
	meter      *meter
	writable   writable
}

// New returns the ledger of d.
func New(d *db.DB) *Store {
	s := &Store{db: d, meter: newMeter(), writable: writable{log: d.Log}}
	s.wallets.lookUp = newQueue(1, reading(d.Retries, s.findNumbers))
	committers := 2
	if d.Dialect == db.SQLite {
		committers = 1
	}
	s.committers = newQueue(committers, s.settleAll)
	s.aside = &queue[struct{}]{handle: s.settleAside, hangsAfter: hangingWallet, oneKey: true, length: queueLength}
	s.aside.start(max(1, d.Pools.Money.Stats().MaxOpenConnections/2))
	s.reader = newQueue(1, reading(d.Retries, s.readBalances))
	return s
}

// Close waits for operations in progress.
func (s *Store) Close() {
	s.committers.close()
	s.reader.close()
	s.aside.close()
	s.wallets.lookUp.close()
}
