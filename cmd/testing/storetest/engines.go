package storetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pitboss/cmd/testing/mariadb"
)

// The engines that every test of the store runs on.
const (
	SQLite  = "sqlite"
	MariaDB = "mariadb"
)

// Engines lists the engines, the faster one first.
var Engines = []string{SQLite, MariaDB}

// Each runs fn as a subtest for each engine, named after the engine, with the URL of its own migrated database in the form of
// PITBOSS_DATABASE_URL. The database is deleted when the subtest ends. The subtests run at the same time, so that one computes
// while the other waits, and Each returns when all have ended.
func Each(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	EachEngine(t, func(t *testing.T, engine string) { fn(t, URL(t, engine)) })
}

// EachEmpty is like Each with empty databases, for tests of the migrations themselves.
func EachEmpty(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	EachEngine(t, func(t *testing.T, engine string) { fn(t, EmptyURL(t, engine)) })
}

// EachEngine is like Each but creates no databases.
func EachEngine(t *testing.T, fn func(t *testing.T, engine string)) {
	t.Helper()
	var ended sync.WaitGroup
	for _, engine := range Engines {
		ended.Go(func() { t.Run(engine, func(t *testing.T) { fn(t, engine) }) })
	}
	ended.Wait()
}

// URL creates a migrated database for this test or benchmark and returns its URL in the form of PITBOSS_DATABASE_URL. The
// database has no ledger yet: see Open. It is deleted when the test ends, so a test that opens it must close it in a cleanup of
// its own, which runs before that.
func URL(t testing.TB, engine string) string {
	t.Helper()
	switch engine {
	case SQLite:
		file, err := sqliteTemplate()
		if err != nil {
			t.Fatal(err)
		}
		url, path := sqliteURL(t)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		return url
	case MariaDB:
		script, err := mariaDBTemplate()
		if err != nil {
			t.Fatal(err)
		}
		return "mysql://" + freshDatabase(t, script)
	}
	t.Fatalf("storetest: unknown engine %q", engine)
	return ""
}

// EmptyURL is like URL for a database without tables.
func EmptyURL(t testing.TB, engine string) string {
	t.Helper()
	switch engine {
	case SQLite:
		url, _ := sqliteURL(t)
		return url
	case MariaDB:
		return "mysql://" + freshDatabase(t)
	}
	t.Fatalf("storetest: unknown engine %q", engine)
	return ""
}

// sqliteURL returns the URL and the path of a database file that does not exist yet. Like the data of the tests' MariaDB, it is
// in memory if there is room, because on a disk every commit takes milliseconds.
func sqliteURL(t testing.TB) (url, path string) {
	t.Helper()
	dir, err := mariadb.TempDir("pitboss-test-sqlite-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	path = filepath.Join(dir, "pitboss.db")
	return "sqlite://" + path, path
}
