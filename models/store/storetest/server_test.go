package storetest_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
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

func TestEachGivesDatabasesOfTheirOwn(t *testing.T) {
	for name, each := range map[string]func(*testing.T, func(*testing.T, string)){"migrated": storetest.Each,
		"empty": storetest.EachEmpty} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var visited []string
			for range 2 {
				each(t, func(t *testing.T, url string) {
					mu.Lock()
					visited = append(visited, t.Name()[strings.LastIndex(t.Name(), "/")+1:])
					mu.Unlock()
					db := openURL(t, url)
					_, err := db.Exec("CREATE TABLE fresh (n INT)")
					require.NoError(t, err, "the table is not there yet, in the second round either")
					var n int
					err = db.QueryRow("SELECT COUNT(*) FROM postings").Scan(&n)
					require.Equal(t, name == "migrated", err == nil, "%v", err)
				})
			}
			require.ElementsMatch(t, []string{"sqlite", "mariadb"}, visited[:2])
			require.ElementsMatch(t, []string{"sqlite#01", "mariadb#01"}, visited[2:], "the second round follows the first")
		})
	}
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

func TestDatabasesAreDropped(t *testing.T) {
	for name, get := range map[string]func(testing.TB, string) string{"migrated": storetest.URL, "empty": storetest.EmptyURL} {
		var url string
		t.Run(name, func(t *testing.T) { url = get(t, storetest.MariaDB) })
		config, err := mysql.ParseDSN(strings.TrimPrefix(url, "mysql://"))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(config.DBName, "pitboss_test_"))

		base, err := storetest.MySQLDSN()
		require.NoError(t, err)
		var left int
		require.NoError(t, openURL(t, "mysql://"+base).
			QueryRow("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = ?", config.DBName).Scan(&left))
		require.Zero(t, left)
	}
}

// The command starts a server and passes its address to the program that it runs; if the environment names a server already, it
// passes that on.
func TestWithMariaDB(t *testing.T) {
	command := filepath.Join(t.TempDir(), "withmariadb")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", command, "./withmariadb")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // these tests themselves may be built with cgo, for the race detector
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var others []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, storetest.DSNVariable+"=") {
			others = append(others, variable)
		}
	}
	run := func(t *testing.T, environment []string, script string) (stdout string, code int) {
		t.Helper()
		cmd := exec.Command(command, "--", "sh", "-c", script)
		cmd.Env = environment
		out, err := cmd.Output()
		if err != nil {
			require.ErrorAs(t, err, new(*exec.ExitError))
		}
		return strings.TrimSpace(string(out)), cmd.ProcessState.ExitCode()
	}

	t.Run("a server named in the environment", func(t *testing.T) {
		named := "someone@tcp(db.example:3306)/"
		stdout, code := run(t, append(others, storetest.DSNVariable+"="+named), `echo "$`+storetest.DSNVariable+`"`)
		require.Equal(t, 0, code)
		require.Equal(t, named, stdout)
	})
	t.Run("its own server, stopped after the command", func(t *testing.T) {
		stdout, code := run(t, others, `echo "$`+storetest.DSNVariable+`"; exit 7`)
		require.Equal(t, 7, code, "the command's exit code is passed on")
		require.Regexp(t, `^root@tcp\(127\.0\.0\.1:\d+\)/$`, stdout)
		require.Error(t, openURL(t, "mysql://"+stdout).Ping())
	})
}

// A test process uses the server that its environment names and starts none.
func TestMySQLDSNIsTakenFromTheEnvironment(t *testing.T) {
	named := os.Getenv(storetest.DSNVariable)
	if named == "" {
		var err error
		named, err = storetest.MySQLDSN()
		require.NoError(t, err)
		inner := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		inner.Env = append(os.Environ(), storetest.DSNVariable+"="+named)
		out, err := inner.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	got, err := storetest.MySQLDSN()
	require.NoError(t, err)
	require.Equal(t, named, got)
}
