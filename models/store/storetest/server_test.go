package storetest_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// openURL opens an address in the form of PITBOSS_DATABASE_URL.
func openURL(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, dsn := "mysql", strings.TrimPrefix(url, "mysql://")
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, dsn = "sqlite", path
	}
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// A copy of the template equals an empty database after migrations: the same tables, triggers and rows, and nothing to migrate.
func TestCopiesEqualMigratedDatabases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		engine := t.Name()[strings.LastIndex(t.Name(), "/")+1:]
		migrated := storetest.EmptyURL(t, engine)
		for _, row := range []struct {
			url     string
			pending bool
		}{{migrated, true}, {url, false}} {
			s, err := store.Open(t.Context(), store.Config{URL: row.url})
			require.NoError(t, err)
			applied, err := s.Migrate(t.Context())
			require.NoError(t, err)
			require.Equal(t, row.pending, len(applied) > 0)
			require.NoError(t, s.Close())
		}
		want, got := contents(t, engine, migrated), contents(t, engine, url)
		require.Contains(t, strings.Join(want, "\n"), "postings_no_update")
		require.Contains(t, strings.Join(want, "\n"), "audit_head: ")
		for i := range min(len(want), len(got)) {
			require.Equal(t, want[i], got[i])
		}
		require.Equal(t, len(want), len(got))
	})
}

// contents prints every table, index, trigger and row of a database, except for the times of its migrations.
func contents(t *testing.T, engine, url string) (out []string) {
	t.Helper()
	db := openURL(t, url)
	read := func(statement string) (rows [][]string) {
		found, err := db.Query(statement)
		require.NoError(t, err, statement)
		defer found.Close()
		columns, err := found.Columns()
		require.NoError(t, err)
		for found.Next() {
			values := make([]sql.NullString, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			require.NoError(t, found.Scan(into...))
			var row []string
			for i, value := range values {
				if columns[i] != "tstamp" && columns[i] != "updated_at" && columns[i] != "Created" {
					row = append(row, fmt.Sprintf("%q", value.String))
				}
			}
			rows = append(rows, row)
		}
		require.NoError(t, found.Err())
		return rows
	}
	tables, schema := "SHOW TABLES", "SHOW TRIGGERS"
	if engine == storetest.SQLite {
		tables, schema = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
			"SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
	}
	for _, row := range read(schema) {
		out = append(out, strings.Join(row, " "))
	}
	for _, table := range read(tables) {
		name := strings.Trim(table[0], `"`)
		if engine == storetest.MariaDB {
			out = append(out, read("SHOW CREATE TABLE " + name)[0][1])
		}
		for _, row := range read("SELECT * FROM " + name + " ORDER BY 1") {
			out = append(out, name+": "+strings.Join(row, " "))
		}
	}
	return out
}
