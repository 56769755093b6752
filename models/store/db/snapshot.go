package db

import (
	"context"
	"database/sql"
)

// Snapshot begins a transaction that reads one state of the database.
func (s *DB) Snapshot(ctx context.Context) (*sql.Tx, error) {
	opts := &sql.TxOptions{} // none for SQLite's driver: its pool is read-only, and a transaction is a snapshot
	if s.Dialect == MySQL {
		opts.Isolation, opts.ReadOnly = sql.LevelRepeatableRead, true
	}
	return s.Pools.Read.BeginTx(ctx, opts)
}
