package db

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKeptStatementsReadWhatIsThere reads with the same statement while rows and the schema change, and while readers fail.
func TestKeptStatementsReadWhatIsThere(t *testing.T) {
	pools, err := openPools(Config{URL: "sqlite://" + filepath.Join(t.TempDir(), "kept.db"), LockWait: time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pools.close()) })
	ctx := t.Context()
	write := func(statement string, args ...any) {
		_, err := pools.Write.ExecContext(ctx, statement, args...)
		require.NoError(t, err)
	}
	write("CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER)")
	write("INSERT INTO things (id, n) VALUES (1, 10), (2, 20)")
	pools.Read.SetMaxOpenConns(1)
	read := func(by interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	}, query string, args ...any) (list []int64, err error) {
		rows, err := by.QueryContext(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var n int64
			if err := rows.Scan(&n); err != nil {
				return nil, err
			}
			list = append(list, n)
		}
		return list, rows.Err()
	}
	const from = "SELECT n FROM things WHERE id >= ? ORDER BY id"
	kept := func() (n int) {
		conn, err := pools.Read.Conn(ctx)
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.Raw(func(driver any) error {
			c := driver.(*keepingConn)
			n = len(c.kept)
			require.Equal(t, n, c.latest.Len())
			return nil
		}))
		return n
	}

	list, err := read(pools.Read, from, 1)
	require.NoError(t, err)
	require.Equal(t, []int64{10, 20}, list)
	require.Equal(t, 1, kept())
	write("INSERT INTO things (id, n) VALUES (3, 30)")
	list, err = read(pools.Read, from, 2)
	require.NoError(t, err)
	require.Equal(t, []int64{20, 30}, list, "with other values, and a row added since")
	require.Equal(t, 1, kept(), "the same statement")

	// A statement can run again while its own rows are being read, as may happen within a transaction.
	tx, err := pools.Read.BeginTx(ctx, nil)
	require.NoError(t, err)
	outer, err := tx.QueryContext(ctx, from, 1)
	require.NoError(t, err)
	for i := int64(1); outer.Next(); i++ {
		var n int64
		require.NoError(t, outer.Scan(&n))
		require.Equal(t, 10*i, n)
		list, err = read(tx, from, 3)
		require.NoError(t, err)
		require.Equal(t, []int64{30}, list)
	}
	require.NoError(t, outer.Err())
	require.NoError(t, tx.Rollback())
	require.Equal(t, 1, kept())

	// A statement whose rows were not read to the end blocks nobody.
	some, err := pools.Read.QueryContext(ctx, from, 1)
	require.NoError(t, err)
	require.True(t, some.Next())
	require.NoError(t, some.Close())
	var busy, pages, moved int
	require.NoError(t, pools.Write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved))
	require.Zero(t, busy)

	// A statement that has failed at a row, or whose reader has gone, can be run again.
	const all = "SELECT abs(n) FROM things WHERE id >= ?"
	write("INSERT INTO things (id, n) VALUES (4, -9223372036854775807 - 1)")
	_, err = read(pools.Read, all, 1)
	require.ErrorContains(t, err, "integer overflow")
	write("DELETE FROM things WHERE id = 4")
	list, err = read(pools.Read, all, 3)
	require.NoError(t, err)
	require.Equal(t, []int64{30}, list)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, err = pools.Read.QueryContext(gone, from, 1)
	require.ErrorIs(t, err, context.Canceled)
	list, err = read(pools.Read, from, 3)
	require.NoError(t, err)
	require.Equal(t, []int64{30}, list)

	// A new schema.
	columns := func() []string {
		rows, err := pools.Read.QueryContext(ctx, "SELECT * FROM things")
		require.NoError(t, err)
		defer rows.Close()
		list, err := rows.Columns()
		require.NoError(t, err)
		return list
	}
	require.Equal(t, []string{"id", "n"}, columns())
	write("ALTER TABLE things ADD COLUMN more TEXT")
	require.Equal(t, []string{"id", "n", "more"}, columns())

	for i := range 2 * mostKept {
		list, err = read(pools.Read, fmt.Sprintf("SELECT n + %d FROM things WHERE id = 1", i))
		require.NoError(t, err)
		require.Equal(t, []int64{10 + int64(i)}, list)
	}
	require.Equal(t, mostKept, kept())
	_, err = pools.Read.ExecContext(ctx, "DELETE FROM things")
	require.ErrorContains(t, err, "readonly")
}
