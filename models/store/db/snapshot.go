package db

import (
	"context"
	"database/sql"
)

// Snapshot begins a transaction that reads one state of the database, on the server that the reads of ctx use.
func (s *DB) Snapshot(ctx context.Context) (*sql.Tx, error) {
	opts := &sql.TxOptions{} // none for SQLite's driver: its pool is read-only, and a transaction is a snapshot
	if s.Dialect == MySQL {
		opts.Isolation, opts.ReadOnly = sql.LevelRepeatableRead, true
	}
	return s.Reads.Pool(ctx).BeginTx(ctx, opts)
}
