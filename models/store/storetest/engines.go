package storetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pitboss/models/store/storetest/mariadb"
)

// The engines that every test of the store runs on.
const (
	SQLite  = "sqlite"
	MariaDB = "mariadb"
)

// Engines lists the engines, the quicker first.
var Engines = []string{SQLite, MariaDB}

// Each runs fn as one subtest per engine, named after it, each with the URL of a migrated database of its own in the form of
// PITBOSS_DATABASE_URL. The subtests run at the same time, so that one computes while the other waits, and Each returns when all
// have ended. The database goes when its subtest ends.
func Each(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	EachEngine(t, func(t *testing.T, engine string) { fn(t, URL(t, engine)) })
}

// EachEmpty is Each with databases that have no table yet, for tests of the migrations themselves.
func EachEmpty(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	EachEngine(t, func(t *testing.T, engine string) { fn(t, EmptyURL(t, engine)) })
}

// EachEngine is Each without a database.
func EachEngine(t *testing.T, fn func(t *testing.T, engine string)) {
	t.Helper()
	var ended sync.WaitGroup
	for _, engine := range Engines {
		ended.Go(func() { t.Run(engine, func(t *testing.T) { fn(t, engine) }) })
	}
	ended.Wait()
}

// URL creates a migrated database on the engine for this test or benchmark alone, and returns its address in the form of
// PITBOSS_DATABASE_URL. The ledger has not begun: see Open. The database goes when the test ends; whoever opens it closes it
// before that, with a cleanup of their own.
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
	t.Fatalf("storetest: there is no engine %q", engine)
	return ""
}

// EmptyURL is URL for a database that has no table yet.
func EmptyURL(t testing.TB, engine string) string {
	t.Helper()
	switch engine {
	case SQLite:
		url, _ := sqliteURL(t)
		return url
	case MariaDB:
		return "mysql://" + freshDatabase(t)
	}
	t.Fatalf("storetest: there is no engine %q", engine)
	return ""
}

// sqliteURL names a database file that does not exist yet. Its folder is in memory where there is room, as the data of the tests'
// MariaDB is: every commit waits until the file is on the disk, and a disk takes milliseconds for it.
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
