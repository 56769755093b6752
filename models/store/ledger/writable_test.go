package ledger_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
)

// A caller that waits two seconds gets an answer that is current.
func TestWritableWithinTwoSeconds(t *testing.T) {
	require.Less(t, ledger.WritableFor+ledger.WriteTimeout, 2*time.Second)
}

// An SQLite file that may not grow eventually refuses bets. Money can be written again once there is room for many of them.
func TestFullSQLiteFile(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "pitboss.db")
	d, err := db.Open(ctx, db.Config{URL: "sqlite://" + path})
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Migrate(ctx)
	require.NoError(t, err)
	require.NoError(t, d.BeginLedger(ctx))
	s := ledger.New(d)
	defer s.Close()
	_, err = players.New(d, s).CreatePlayer(ctx, models.System,
		models.NewPlayer{UserID: "anna", Currency: "EUR", Balance: 100000})
	require.NoError(t, err)
	require.NoError(t, s.Writable(ctx))
	bet := func(n int) error {
		deadline, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		_, err := s.Apply(deadline, models.Operation{
			Kind: models.Bet, Source: models.SourcePlatform, UserID: "anna",
			TransactionID: models.TransactionID(fmt.Sprint("bet-", n)), RoundID: "round", Bet: 1,
		})
		return err
	}
	var pages int
	require.NoError(t, d.Pools.Write.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages))
	limit := func(to int) {
		// On each connection, because one that failed may have been closed.
		uri := fmt.Sprintf("file:%s?_txlock=immediate&_pragma=busy_timeout(1000)&_pragma=max_page_count(%d)", path, to)
		pool, err := sql.Open("sqlite", uri)
		require.NoError(t, err)
		pool.SetMaxOpenConns(1)
		d.Pools.Money = pool
		t.Cleanup(func() { pool.Close() })
	}
	limit(pages)
	n := 0
	for err = nil; err == nil; n++ {
		require.Less(t, n, 10000, "the file is full and still takes bets")
		err = bet(n)
	}
	require.Equal(t, db.SQLiteFull, db.SQLiteCode(err))
	limit(pages + 10000)
	for began := time.Now(); time.Since(began) < 2*ledger.WritableFor; { // a probe would succeed, but the attempt outweighs it
		require.EqualError(t, s.Writable(ctx), "the disk of the database file is full (error 13)")
	}
	require.Eventually(t, func() bool { return s.Writable(ctx) == nil }, time.Minute, time.Millisecond)
	require.NoError(t, bet(n))
}
