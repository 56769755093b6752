package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models/store/db"
	"pitboss/models/store/storetest"
)

// A snapshot may wait for longer than a transaction that holds locks: MariaDB does not end it in the meantime.
func TestSnapshotMayWait(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB, false)
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
