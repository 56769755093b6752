package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// A callback sends no more consecutive statements than LongestRoundTrip assumes.
func TestStatementsOfACallback(t *testing.T) {
	t.Parallel()
	server, err := mariadb.Start(filepath.Join(t.TempDir(), "mariadb")) // where nobody else sends statements
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	admin, err := sql.Open("mysql", server.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { admin.Close() })
	_, err = admin.Exec("CREATE DATABASE pitboss")
	require.NoError(t, err)
	s := storetest.Open(t, store.Config{URL: "mysql://" + server.DSN("pitboss"), LedgerKey: ledgerKey})
	create(t, s, "anna", 1000)
	create(t, s, "bert", 1000)
	// so that connections are open, and IDs of this length are known
	for _, id := range []models.TransactionID{"bet-a", "bet-b", "bet-c"} {
		apply(t, s, received(bet("anna", id, 1)))
	}
	statements := func() (name string, n int) {
		require.NoError(t, admin.QueryRow("SHOW GLOBAL STATUS LIKE 'Questions'").Scan(&name, &n))
		return name, n
	}
	allowed := int(time.Hour/store.LongestRoundTrip(time.Hour)-1)/2 + 1 // an attempt, and the query for the player
	for _, op := range []models.Operation{
		bet("bert", "bet-2", 1), bet("bert", "bet-3", 1), bet("bert", "bet-3", 1), win("bert", "win-1", 2),
		betWin("bert", "bew-1", 1, 2), rollback("bert", "bet-2"),
	} {
		_, before := statements()
		apply(t, s, received(op))
		_, after := statements()
		t.Logf("%s %s: %d statements", op.Kind, op.TransactionID, after-before-1)
		require.LessOrEqual(t, after-before-1, allowed)
	}
	took, err := s.RoundTrip(t.Context())
	require.NoError(t, err)
	require.Positive(t, took)
}
