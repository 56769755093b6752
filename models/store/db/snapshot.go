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
	if tx.Error == nil && s.Dialect == MySQL {
		// A verification reads other things for minutes while its snapshot waits. It has locked nothing that others need.
		tx.Error = tx.Exec("SET @snapshot = 1 /*M!100300 , SESSION idle_transaction_timeout = 3600 */").Error
	}
	return tx, tx.Error
}
