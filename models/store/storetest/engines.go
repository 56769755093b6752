package storetest

import (
	"os"
	"path/filepath"
	"testing"
)

// The engines that every test of the store runs on.
const (
	SQLite  = "sqlite"
	MariaDB = "mariadb"
)

// Engines lists the engines in the order in which Each visits them, the quicker first.
var Engines = []string{SQLite, MariaDB}

// Each runs fn as one subtest per engine, named after it, each with the URL of a migrated database of its own in the form of
// PITBOSS_DATABASE_URL. The database goes when the subtest ends.
func Each(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	for _, engine := range Engines {
		t.Run(engine, func(t *testing.T) { fn(t, URL(t, engine)) })
	}
}

// EachEmpty is Each with databases that have no table yet, for tests of the migrations themselves.
func EachEmpty(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	for _, engine := range Engines {
		t.Run(engine, func(t *testing.T) { fn(t, EmptyURL(t, engine)) })
	}
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

// sqliteURL names a database file that does not exist yet.
func sqliteURL(t testing.TB) (url, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pitboss.db")
	return "sqlite://" + path, path
}
