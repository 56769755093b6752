package db

import (
	"context"
	"database/sql"

	"gorm.io/gorm"
)

// Snapshot begins a transaction that reads one state of the database.
func (s *DB) Snapshot(ctx context.Context) (*gorm.DB, error) {
	opts := &sql.TxOptions{} // none for SQLite's driver: its pool is read-only, and a transaction is a snapshot
	if s.Dialect == MySQL {
		opts.Isolation, opts.ReadOnly = sql.LevelRepeatableRead, true
	}
	tx := s.Read.WithContext(ctx).Begin(opts)
	return tx, tx.Error
}
