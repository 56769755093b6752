// Package ledger moves money: it decides operations and books each durably and exactly once. It also knows whether money can be
// written. Nothing else in Pitboss changes a balance.
package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"pitboss/models/store/db"
)

// Store is the ledger of one database.
type Store struct {
	db         *db.DB
	texts      texts
	wallets    walletNumbers
	operations groupCommit[member] // many in one transaction; with the wallet's number as the key
	reader     groupCommit[walletBalance]
	meter      *meter
	writable   writable
}

// New returns the ledger of d.
func New(d *db.DB) *Store {
	s := &Store{db: d, texts: textsFor(d.Dialect), meter: newMeter(), writable: writable{log: d.Log}}
	s.wallets.lookUp = groupCommit[walletNumber]{attempt: s.findNumbers, after: afterRead[walletNumber](d.Retries), log: d.Log}
	s.wallets.lookUp.start(1, 0)
	// One of two committers runs its statements while the other waits for its flush. SQLite has one writer.
	committers := 2
	if d.Dialect == db.SQLite {
		committers = 1
	}
	s.operations = groupCommit[member]{attempt: s.attempt, after: s.afterFailure, log: d.Log}
	s.operations.start(committers, max(1, d.Pools.Money.Stats().MaxOpenConnections/2))
	s.reader = groupCommit[walletBalance]{attempt: s.readBalances, after: afterRead[walletBalance](d.Retries), log: d.Log}
	s.reader.start(1, 0)
	return s
}

// Close waits for operations in progress.
func (s *Store) Close() {
	s.operations.waiting.close()
	s.reader.waiting.close()
	s.operations.aside.close()
	s.wallets.lookUp.waiting.close()
}

// begin starts a transaction on a connection of its own. On MySQL there is nothing to send: the connections of the money pool
// have autocommit off.
func (s *Store) begin(ctx context.Context) (*sql.Conn, error) {
	conn, err := s.db.Pools.Money.Conn(ctx)
	if err != nil || s.db.Dialect == db.MySQL {
		return conn, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		abandon(ctx, conn)
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// abandon rolls back, or closes the connection if that fails, which has the same effect.
func abandon(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
