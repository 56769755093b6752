package storetest

import (
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

// Each runs fn as one subtest per engine, named after it, each with the URL of an empty database of its own in the form of
// PITBOSS_DATABASE_URL. The database goes when the subtest ends.
func Each(t *testing.T, fn func(t *testing.T, url string)) {
	t.Helper()
	for _, engine := range Engines {
		t.Run(engine, func(t *testing.T) { fn(t, URL(t, engine)) })
	}
}

// URL creates an empty database on the engine for this test or benchmark alone, and returns its address in the form of
// PITBOSS_DATABASE_URL. The database goes when the test ends; whoever opens it closes it before that, with a cleanup of
// their own.
func URL(t testing.TB, engine string) string {
	t.Helper()
	switch engine {
	case SQLite:
		return "sqlite://" + filepath.Join(t.TempDir(), "pitboss.db")
	case MariaDB:
		return "mysql://" + FreshDatabase(t)
	default:
		t.Fatalf("storetest: no engine is called %q", engine)
		return ""
	}
}
