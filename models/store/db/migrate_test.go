package db_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models/store"
	"pitboss/models/store/db"
)

// Several instances start at once on an empty database: one of them migrates at a time, all of them start, and each migration
// is applied once.
func TestMigrateConcurrently(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		const instances = 5
		var stores []*store.Store
		for range instances {
			s, err := store.Open(t.Context(), store.Config{URL: url, LedgerKey: storetest.LedgerKey})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			stores = append(stores, s)
		}
		done, err := stores[0].Migrated(t.Context())
		require.NoError(t, err)
		require.False(t, done)

		var mu sync.Mutex
		var failed error
		applied := map[int64]int{}
		storetest.Together(instances, func(i int) {
			migrations, err := stores[i].Migrate(t.Context())
			if err == nil {
				err = stores[i].BeginLedger(t.Context())
			}
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			for _, m := range migrations {
				applied[m.Number]++
			}
		})
		require.NoError(t, failed)
		all, err := stores[1].Migrations(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, all)
		require.Len(t, applied, len(all))
		for i, m := range all {
			require.Equal(t, 1, applied[m.Number], "%s", m.File)
			require.False(t, m.AppliedAt.IsZero(), "%s", m.File)
			if i > 0 {
				require.Greater(t, m.Number, all[i-1].Number)
			}
		}
		done, err = stores[2].Migrated(t.Context())
		require.NoError(t, err)
		require.True(t, done)
		again, err := stores[3].Migrate(t.Context())
		require.NoError(t, err)
		require.Empty(t, again)
		storetest.CreatePlayer(t, stores[4], "anna", 100)
		storetest.RequireWhole(t, stores[0])
	})
}

// A migration is applied even if one with a higher number has been applied already.
func TestMigrateBetweenNumbers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		const number = 9
		for _, table := range []string{"leases", "notices", "program_runs", "file_chunks"} { // that migration creates them
			_, err := x.DB.ExecContext(t.Context(), "DROP TABLE "+table)
			require.NoError(t, err)
		}
		x.Exec(t, "DELETE FROM goose_db_version WHERE version_id = ?", number)
		x.Exec(t, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		done, err := s.Migrated(t.Context())
		require.NoError(t, err)
		require.False(t, done)
		applied, err := s.Migrate(t.Context())
		require.NoError(t, err)
		require.Len(t, applied, 1)
		require.EqualValues(t, number, applied[0].Number)
		done, err = s.Migrated(t.Context())
		require.NoError(t, err)
		require.True(t, done)
	})
}

// Each migration has the same number for both databases, though what it does may differ.
func TestMigrationsOfBothDatabases(t *testing.T) {
	numbers := map[string][]int64{}
	for _, engine := range storetest.Engines {
		s := storetest.NewDatabase(t, engine).Open(t)
		all, err := s.Migrations(t.Context())
		require.NoError(t, err)
		for _, m := range all {
			numbers[engine] = append(numbers[engine], m.Number)
		}
	}
	require.Subset(t, numbers[storetest.MariaDB], numbers[storetest.SQLite])
}

// A ledger keeps the key that it was begun with, or stays without a key.
func TestBeginLedger(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		storetest.Open(t, store.Config{URL: url, LedgerKey: storetest.LedgerKey})
		for name, row := range map[string]struct {
			key  []byte
			want error
		}{
			"the same":    {storetest.LedgerKey, nil},
			"another":     {[]byte("another key"), db.ErrLedgerKey},
			"none":        {nil, db.ErrLedgerKey},
			"one shorter": {storetest.LedgerKey[1:], db.ErrLedgerKey},
		} {
			s, err := store.Open(t.Context(), store.Config{URL: url, LedgerKey: row.key})
			require.NoError(t, err)
			require.ErrorIs(t, s.BeginLedger(t.Context()), row.want, name)
			require.Equal(t, row.key != nil, s.Keyed())
			require.NoError(t, s.Close())
		}
	})
	storetest.Each(t, func(t *testing.T, url string) {
		storetest.Open(t, store.Config{URL: url})
		s, err := store.Open(t.Context(), store.Config{URL: url, LedgerKey: storetest.LedgerKey})
		require.NoError(t, err)
		defer s.Close()
		require.ErrorIs(t, s.BeginLedger(t.Context()), db.ErrLedgerKey, "it is too late for a key")
	})
}

// Many instances begin a new ledger at once, with two keys: one of the keys wins, and all instances know which.
func TestBeginLedgerRace(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		x.Open(t)
		x.Exec(t, "DELETE FROM ledgers")
		var mu sync.Mutex
		won, lost := map[string]int{}, map[string]int{}
		storetest.Together(12, func(i int) {
			key := []string{"one key", "another key"}[i%2]
			s, err := store.Open(t.Context(), store.Config{URL: x.Config.URL, LedgerKey: []byte(key)})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			err = s.BeginLedger(t.Context())
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won[key]++
			case errors.Is(err, db.ErrLedgerKey):
				lost[key]++
			default:
				t.Error(err)
			}
		})
		require.Len(t, won, 1, "%v %v", won, lost)
		require.Len(t, lost, 1)
		for key := range won {
			require.Equal(t, 6, won[key])
		}
	})
}

func TestCheckURL(t *testing.T) {
	for _, good := range []string{"sqlite://pitboss.db", "sqlite:///var/lib/pit boss/p?.db",
		"mysql://u:p@tcp(127.0.0.1:3306)/pitboss", "mysql://u:p@unix(/run/mysqld.sock)/pitboss?tls=true",
		"mysql://u:p@tcp(10.0.0.1:3306,10.0.0.2:3306)/pitboss",
		"mysql://u:(a,b)/@c@tcp(db-1, db-2:3307,[::1]:3306)/pitboss?tls=true"} {
		require.NoError(t, store.CheckURL(good), good)
	}
	for _, bad := range []string{"", "pitboss.db", "sqlite://", "sqlite://:memory:", "postgres://u:geheim@db/pitboss",
		"mysql://", "mysql://u:geheim@tcp(127.0.0.1:3306)/", "mysql://u:geheim@127.0.0.1:3306/pitboss",
		"mysql://u:geheim@tcp(127.0.0.1:3306)/pitboss?parseTime=maybe",
		"mysql://u:geheim@tcp(127.0.0.1:3306,)/pitboss", "mysql://u:geheim@tcp(,127.0.0.1:3306)/pitboss",
		"mysql://u:geheim@tcp(127.0.0.1:3306 127.0.0.1:3307/pitboss"} {
		err := store.CheckURL(bad)
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "geheim")
		_, err = store.Open(t.Context(), store.Config{URL: bad})
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "geheim")
	}
}

// A database that does not answer is an error without its password.
func TestOpenWithoutDatabase(t *testing.T) {
	for _, url := range []string{"mysql://u:geheim@tcp(127.0.0.1:1)/pitboss", "sqlite:///nowhere/at/all/pitboss.db"} {
		_, err := store.Open(t.Context(), store.Config{URL: url})
		require.ErrorContains(t, err, "the database does not answer")
		require.NotContains(t, err.Error(), "geheim")
	}
	dsn, err := storetest.MySQLDSN()
	require.NoError(t, err)
	_, err = store.Open(t.Context(), store.Config{URL: "mysql://" + dsn + "pitboss_test_nowhere"})
	require.ErrorContains(t, err, "the database does not answer")
}

// Paths may have characters that a URI cannot.
func TestSQLitePath(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: "sqlite://" + t.TempDir() + "/a b%20c?d#e.db"})
	storetest.CreatePlayer(t, s, "anna", 100)
	storetest.RequireWhole(t, s)
}
