package db

import (
	"context"
	"database/sql"
)

// Snapshot begins a transaction that reads one state of the database, where the reads of ctx go.
func (s *DB) Snapshot(ctx context.Context) (*sql.Tx, error) {
	opts := &sql.TxOptions{} // SQLite's driver knows no options; its pool is read-only, and a transaction there is one snapshot
	if s.Dialect == MySQL {
		opts.Isolation, opts.ReadOnly = sql.LevelRepeatableRead, true
	}
	return s.Reads.Pool(ctx).BeginTx(ctx, opts)
}
