package db_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/migrations"
	"pitboss/models/store"
	"pitboss/models/store/db"
)

// The schema is compared with what the migrations declare: each table and column that is missing is named, and so is one of
// another build. Nothing is migrated over them.
func TestSchema(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		exec := func(statement string) {
			_, err := x.DB.ExecContext(t.Context(), statement)
			require.NoError(t, err, statement)
		}
		require.NoError(t, s.CheckSchema(t.Context()), "what is read from the migrations is what they make")
		broken := []struct{ breaks, mends, says string }{
			{"ALTER TABLE games RENAME COLUMN name TO title", "ALTER TABLE games RENAME COLUMN title TO name", "column name of table games is missing"},
		}
		if x.Engine == storetest.MariaDB { // SQLite adds no such column to a table that is there
			broken = append(broken, struct{ breaks, mends, says string }{"ALTER TABLE games ADD COLUMN older INTEGER NOT NULL",
				"ALTER TABLE games DROP COLUMN older", "column older of table games is not known"})
		}
		for _, table := range []string{"audit_head", "callback_minutes", "settings", "leases", "players", "postings", "staff", "statements", "wallets"} {
			broken = append(broken, struct{ breaks, mends, says string }{
				"ALTER TABLE " + table + " RENAME TO gone", "ALTER TABLE gone RENAME TO " + table, "table " + table + " is missing"})
		}
		for _, b := range broken {
			exec(b.breaks)
			require.ErrorContains(t, s.CheckSchema(t.Context()), b.says)
			_, err := s.Migrate(t.Context())
			require.ErrorAs(t, err, new(db.SchemaError))
			require.ErrorContains(t, err, b.says)
			exec(b.mends)
			require.NoError(t, s.CheckSchema(t.Context()))
		}
		storetest.ImportPlayers(t, s, "p", 3)
		require.NoError(t, s.CheckSchema(t.Context()))
		exec("DELETE FROM wallets WHERE player_id = (SELECT MAX(id) FROM players)")
		require.ErrorContains(t, s.CheckSchema(t.Context()), "the newest player has no wallet")
	})
}

// A column that a later migration adds belongs to the schema, too.
func TestSchemaOfLaterMigrations(t *testing.T) {
	columns, err := db.Columns(fstest.MapFS{
		"mysql/00001_games.sql": {Data: []byte("CREATE TABLE games (\n  id BIGINT NOT NULL,\n  PRIMARY KEY (id)\n);\n" +
			"CREATE TABLE rates (\n  id BIGINT NOT NULL\n);\n")},
		"mysql/00002_names.sql": {Data: []byte("ALTER TABLE games ADD COLUMN name VARCHAR(9) NOT NULL DEFAULT '';\n")},
	}, db.MySQL)
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"games": {"id", "name"}, "rates": {"id"}}, columns)
}

// A part of a dump is not migrated over, wherever it was cut off. What an interrupted migration leaves is.
func TestHalfADumpIsNotMigrated(t *testing.T) {
	for name, test := range map[string]struct {
		left []string // statements that made it
		says string   // empty if the database is migrated
	}{
		"a table with rows": {[]string{"players", "INSERT INTO players (user_id, created_at_us, zone) VALUES ('anna', 1, '')"},
			"table players has rows, although 00001_players.sql was not applied"},
		"tables by name, up to games": {[]string{"api_clients", "games"}, "table api_clients is there, although 00005_staff.sql was not applied"},
		"an interrupted migration":    {[]string{"players", "wallets"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachEmpty(t, func(t *testing.T, url string) {
				if test.says == "" && strings.HasPrefix(url, "sqlite:") {
					return // a migration is one transaction there
				}
				other := storetest.OpenURL(t, url)
				for _, statement := range test.left {
					if !strings.Contains(statement, " ") {
						statement = createsTable(t, url, statement)
					}
					_, err := other.ExecContext(t.Context(), statement)
					require.NoError(t, err)
				}
				s, err := store.Open(t.Context(), store.Config{URL: url})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				_, err = s.Migrate(t.Context())
				if test.says == "" {
					require.NoError(t, err)
					require.NoError(t, s.CheckSchema(t.Context()))
					return
				}
				require.ErrorContains(t, err, test.says)
				require.ErrorContains(t, s.CheckPending(t.Context()), test.says)
				done, err := s.Migrated(t.Context())
				require.NoError(t, err)
				require.False(t, done)
			})
		})
	}
}

// createsTable returns the statement of the migrations that creates a table.
func createsTable(t *testing.T, url, name string) string {
	files, err := fs.Glob(migrations.FS, strings.Split(url, ":")[0]+"/*.sql")
	require.NoError(t, err)
	for _, file := range files {
		text, err := fs.ReadFile(migrations.FS, file)
		require.NoError(t, err)
		plain := strings.ReplaceAll(string(text), "CREATE TABLE IF NOT EXISTS ", "CREATE TABLE ")
		if _, from, found := strings.Cut(plain, "CREATE TABLE "+name+" ("); found {
			columns, _, _ := strings.Cut(from, ";\n")
			return "CREATE TABLE " + name + " (" + columns
		}
	}
	t.Fatal(name)
	return ""
}
