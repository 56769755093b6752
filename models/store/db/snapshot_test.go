package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"pitboss/cmd/testing/storetest"
	"pitboss/models/store/db"
)

// A snapshot may wait for longer than a transaction that holds locks: MariaDB does not end it in the meantime.
func TestSnapshotMayWait(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	d, err := db.Open(t.Context(), x.Config)
	require.NoError(t, err)
	defer d.Close()
	var mariadb int64
	require.NoError(t, d.Read.Raw("SELECT INSTR(VERSION(), 'MariaDB')").Scan(&mariadb).Error)
	if mariadb == 0 { // MySQL has no such limit
		return
	}
	tx, err := d.Snapshot(t.Context())
	require.NoError(t, err)
	defer tx.Rollback()
	var seconds int64
	require.NoError(t, tx.Raw("SELECT @@session.idle_transaction_timeout").Scan(&seconds).Error)
	require.GreaterOrEqual(t, time.Duration(seconds)*time.Second, time.Hour)
}

// An instance whose machine vanishes while it has locked the head of the audit log, and written nothing yet, delays the changes
// of others by Config.Idle and no longer. That also holds for a connection that has had a snapshot, and for a migration.
func TestLocksOfVanishedInstanceEnd(t *testing.T) {
	t.Parallel() // it waits most of the time
	x := storetest.NewDatabase(t, storetest.MariaDB)
	cfg := x.Config
	cfg.Idle, cfg.MaxConns, cfg.Migrate = time.Second, 2, cfg.URL
	d, err := db.Open(t.Context(), cfg)
	require.NoError(t, err)
	defer d.Close()
	var mariadb int64
	require.NoError(t, d.Read.Raw("SELECT INSTR(VERSION(), 'MariaDB')").Scan(&mariadb).Error)
	if mariadb == 0 { // MySQL has no such limit
		return
	}
	var snapshots []*gorm.DB
	for range cfg.MaxConns {
		tx, err := d.Snapshot(t.Context())
		require.NoError(t, err)
		snapshots = append(snapshots, tx)
	}
	for _, tx := range snapshots {
		require.NoError(t, tx.Rollback().Error)
	}
	lock := func(tx *gorm.DB) error {
		_, err := db.ReadAuditHead(tx, d.Dialect.ForUpdate())
		return err
	}
	vanished := d.Write.WithContext(t.Context()).Begin()
	require.NoError(t, vanished.Error)
	require.NoError(t, lock(vanished))
	require.NoError(t, d.Change(t.Context(), lock))
	require.Error(t, lock(vanished), "MariaDB has ended it")
	vanished.Rollback()

	migrating, err := d.OpenMigrating(t.Context())
	require.NoError(t, err)
	defer migrating.Close()
	tx, err := migrating.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer tx.Rollback()
	var seq int64
	require.NoError(t, tx.QueryRowContext(t.Context(), "SELECT seq FROM audit_head FOR UPDATE").Scan(&seq))
	require.NoError(t, d.Change(t.Context(), lock))
}
