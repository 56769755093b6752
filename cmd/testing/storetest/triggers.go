package storetest

import (
	"database/sql"
	"strings"
	"testing"
)

// DropTriggers drops all triggers of the database at url, as the database's owner could, so that append-only tables accept
// changes.
func DropTriggers(t testing.TB, url string) {
	t.Helper()
	driver, dsn, names := "mysql", strings.TrimPrefix(url, "mysql://"),
		"SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()"
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, dsn, names = "sqlite", "file:"+path+"?_pragma=busy_timeout(20000)",
			"SELECT name FROM sqlite_master WHERE type = 'trigger'"
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	var triggers []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		triggers = append(triggers, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range triggers {
		if _, err := db.ExecContext(t.Context(), "DROP TRIGGER "+name); err != nil {
			t.Fatal(err)
		}
	}
}
