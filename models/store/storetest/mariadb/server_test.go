package mariadb_test

import (
	"database/sql"
	"net"
	"os"
	"strconv"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"pitboss/models/store/storetest/mariadb"
)

// asChild is the environment variable that makes this test program start a server in a folder and wait until it is killed.
const asChild = "MARIADB_TEST_START_IN"

func TestMain(m *testing.M) {
	_ = mysql.SetLogger(&mysql.NopLogger{}) // it would log every connection that a kill breaks
	dir := os.Getenv(asChild)
	if dir == "" {
		m.Run()
		return
	}
	server, err := mariadb.Start(dir)
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(server.Addr() + "\n")
	select {} // until the test kills us
}

func start(t *testing.T, args ...string) *mariadb.Server {
	t.Helper()
	server, err := mariadb.Start(t.TempDir(), args...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return server
}

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestServerKeepsCommittedRowsOverKills(t *testing.T) {
	server := start(t)
	addr := server.Addr()
	_, err := open(t, server.DSN("")).Exec("CREATE DATABASE crash")
	require.NoError(t, err)

	for kills := range 3 {
		db := open(t, server.DSN("crash"))
		_, err = db.Exec("CREATE TABLE IF NOT EXISTS kept (n INT PRIMARY KEY) ENGINE=InnoDB")
		require.NoError(t, err)
		_, err = db.Exec("INSERT INTO kept VALUES (?)", kills)
		require.NoError(t, err)

		require.NoError(t, server.Kill())
		require.NoError(t, server.Kill(), "a second kill has nothing to do")
		require.Error(t, db.Ping(), "a killed server does not answer")
		require.NoError(t, server.Restart())
		require.Equal(t, addr, server.Addr())

		var rows int
		require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM kept").Scan(&rows))
		require.Equal(t, kills+1, rows)
	}
}

func TestServerStopsAndRestartsInGoodOrder(t *testing.T) {
	server := start(t)
	require.NotZero(t, server.PID())
	require.NoError(t, server.Stop())
	require.Zero(t, server.PID(), "a stopped server has no process")
	_, err := net.Dial("tcp", server.Addr())
	require.Error(t, err)
	require.NoError(t, server.Restart())
	require.NoError(t, server.Restart(), "a running server is stopped first")
	require.NoError(t, open(t, server.DSN("")).Ping())
}

func TestServerSettings(t *testing.T) {
	server := start(t, "--innodb-lock-wait-timeout=7")
	db := open(t, server.DSN(""))
	var flush, wait int
	require.NoError(t, db.QueryRow("SELECT @@innodb_flush_log_at_trx_commit, @@innodb_lock_wait_timeout").Scan(&flush, &wait))
	require.Equal(t, 1, flush, "a commit is on disk before it is acknowledged")
	require.Equal(t, 7, wait, "the caller's settings override the default ones")

	host, port, err := net.SplitHostPort(server.Addr())
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1", host)
	number, err := strconv.Atoi(port)
	require.NoError(t, err)
	require.Less(t, number, 32768, "outside the range of ports for outgoing connections")
}

func TestStartReportsTheServersOwnWords(t *testing.T) {
	_, err := mariadb.Start(t.TempDir(), "--no-such-setting=1")
	require.ErrorContains(t, err, "no-such-setting")
}

func TestStartSaysWhatToInstall(t *testing.T) {
	require.ErrorContains(t, mariadb.ErrNotInstalled,
		"apt-get install --no-install-recommends mariadb-server-core mariadb-client-core")
	require.ErrorContains(t, mariadb.ErrNotInstalled, "PITBOSS_TEST_MYSQL_DSN")
}
