package storetest_test

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

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

func TestEachGivesEmptyDatabases(t *testing.T) {
	var visited []string
	for range 2 {
		storetest.Each(t, func(t *testing.T, url string) {
			visited = append(visited, t.Name()[strings.LastIndex(t.Name(), "/")+1:])
			db := openURL(t, url)
			_, err := db.Exec("CREATE TABLE fresh (n INT)")
			require.NoError(t, err, "the table is not there yet, in the second round either")
		})
	}
	require.Equal(t, []string{"sqlite", "mariadb", "sqlite#01", "mariadb#01"}, visited)
}

func TestFreshDatabaseIsDropped(t *testing.T) {
	var dsn string
	t.Run("inner", func(t *testing.T) { dsn = storetest.FreshDatabase(t) })
	config, err := mysql.ParseDSN(dsn)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(config.DBName, "pitboss_test_"))

	base, err := storetest.MySQLDSN()
	require.NoError(t, err)
	var left int
	require.NoError(t, openURL(t, "mysql://"+base).
		QueryRow("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = ?", config.DBName).Scan(&left))
	require.Zero(t, left)
}

// The command starts a server and hands its address to what it runs; where one is named already, it passes that on.
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
	t.Run("a server of its own, ended after the command", func(t *testing.T) {
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
