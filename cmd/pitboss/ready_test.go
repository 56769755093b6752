package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
)

// asked returns what /readyz answers.
func asked(t *testing.T, admin string) (status int, checks map[string]any) {
	t.Helper()
	r, err := http.Get(admin + "/readyz")
	require.NoError(t, err)
	defer r.Body.Close()
	require.NoError(t, json.NewDecoder(r.Body).Decode(&checks))
	return r.StatusCode, checks
}

// becomes asks /readyz until it answers with the status, and returns the answer. It asks a hundred times a second, so that the
// server has the processor in between.
func becomes(t *testing.T, admin string, want int) (checks map[string]any) {
	t.Helper()
	began, again := time.Now(), time.NewTicker(10*time.Millisecond)
	defer again.Stop()
	for got := 0; got != want; <-again.C {
		require.Less(t, time.Since(began), time.Minute, "it should answer %d: %v", want, checks)
		got, checks = asked(t, admin)
	}
	t.Logf("%d after %v: %v", want, time.Since(began).Round(time.Millisecond), checks["money"])
	return checks
}

// withdraw sends a bet of one cent, and returns its result, or -1 when there was no definite answer.
func withdraw(t *testing.T, base, user, id string) int {
	t.Helper()
	return call(t, base, wire.Withdraw, wire.Request{UserID: user, Amount: "0.01", TransactionID: id, RoundID: "r"})
}

// privateMariaDB starts a server of this test's own, with a migrated database of the account pitboss that has no more
// privileges than it needs. admin is its root.
func privateMariaDB(t *testing.T, args ...string) (server *mariadb.Server, admin *sql.DB, url string) {
	t.Helper()
	server, err := mariadb.Start(filepath.Join(t.TempDir(), "mariadb"), args...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Kill()) })
	admin, err = sql.Open("mysql", server.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { admin.Close() })
	for _, statement := range []string{
		"CREATE DATABASE pitboss", "CREATE USER pitboss@'127.0.0.1' IDENTIFIED BY 'first-password'",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON pitboss.* TO pitboss@'127.0.0.1'",
	} {
		_, err := admin.Exec(statement)
		require.NoError(t, err)
	}
	status, _, errs := command(t, environment("mysql://"+server.DSN("pitboss")), "migrate", "up")
	require.Zero(t, status, errs)
	return server, admin, "mysql://pitboss:first-password@tcp(" + server.Addr() + ")/pitboss"
}

// While MariaDB accepts no money, /readyz answers 503 and says why, whether callbacks come or not; afterwards 200.
func TestReadyFollowsMariaDB(t *testing.T) {
	alongside(t)
	database, admin, url := privateMariaDB(t)
	proxy := storetest.NewFaultProxy(t, strings.TrimPrefix(url, "mysql://"))
	// Its own migrations would need more privileges.
	server := boot(t, environment("mysql://"+proxy.DSN(), "PITBOSS_MIGRATE_DATABASE_URL=mysql://"+database.DSN("pitboss")))
	user := players(t, open(t, "mysql://"+database.DSN("pitboss")), 1)[0]
	exec := func(statement string) func() {
		return func() {
			_, err := admin.Exec(statement)
			require.NoError(t, err)
		}
	}
	var resume func()
	for i, fault := range []struct {
		name, why    string
		breaks, ends func()
	}{
		{"read-only", "the database is read-only (error 1290)", exec("SET GLOBAL read_only = 1"),
			exec("SET GLOBAL read_only = 0")},
		{"cut off", "does not answer", func() { resume = proxy.Stall() }, func() { resume() }},
		{"connections cut", "does not answer", func() { resume = proxy.Stall(); proxy.Cut() }, func() { resume() }},
		{"killed", "does not answer", func() { require.NoError(t, database.Kill()) },
			func() { require.NoError(t, database.Restart()) }},
	} {
		t.Run(fault.name, func(t *testing.T) {
			require.Zero(t, withdraw(t, server.CallbackURL(), user, fmt.Sprintf("%d-before", i)))
			becomes(t, server.AdminURL(), http.StatusOK)
			fault.breaks()
			ended := false
			defer func() {
				if !ended {
					fault.ends()
				}
			}()
			require.Contains(t, becomes(t, server.AdminURL(), http.StatusServiceUnavailable)["money"], fault.why)
			require.Equal(t, -1, withdraw(t, server.CallbackURL(), user, fmt.Sprintf("%d-during", i)))
			status, checks := asked(t, server.AdminURL())
			require.Equal(t, http.StatusServiceUnavailable, status)
			require.Contains(t, checks["money"], fault.why)
			fault.ends()
			ended = true
			require.Equal(t, "can be written", becomes(t, server.AdminURL(), http.StatusOK)["money"])
			require.Contains(t, []int{0, 11}, withdraw(t, server.CallbackURL(), user, fmt.Sprintf("%d-during", i)))
		})
	}
	requireWhole(t, open(t, "mysql://"+database.DSN("pitboss")))
}

// When MariaDB's files cannot grow, small writes still succeed. The instance is not ready from the first callback that was
// refused until there is room for many.
func TestReadyFollowsFullMariaDB(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ) // the server inherits that: a write beyond the limit fails, as on a full disk
	defer signal.Reset(syscall.SIGXFSZ)
	database, admin, url := privateMariaDB(t, "--innodb-log-file-size=8M")
	server := boot(t, environment(url, "PITBOSS_MIGRATE_DATABASE_URL=mysql://"+database.DSN("pitboss")))
	users := players(t, open(t, "mysql://"+database.DSN("pitboss")), 4)
	file := filepath.Join(database.DataDir(), "pitboss", "postings.ibd")
	fill := func(from, to int) error {
		_, err := admin.Exec(fmt.Sprintf("INSERT INTO pitboss.postings (source, transaction_id, claim, player_id, seq, kind, "+
			"round_id, bet_minor, win_minor, free_spin, after_minor, at_us, hash) SELECT 2, CONCAT(REPEAT('x', 200), seq), 1, "+
			"999999, seq, 1, REPEAT('x', 200), 0, 0, 0, 0, 1, '' FROM pitboss.seq_%d_to_%d", from, to))
		return err
	}
	const many = 20000
	require.NoError(t, fill(1, many))
	info, err := os.Stat(file)
	require.NoError(t, err)
	largest := uint64(info.Size())
	becomes(t, server.AdminURL(), http.StatusOK)
	var before unix.Rlimit
	require.NoError(t, unix.Prlimit(database.PID(), unix.RLIMIT_FSIZE, nil, &before))
	require.NoError(t, unix.Prlimit(database.PID(), unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: largest, Max: before.Max}, nil))
	// A few more rows find room in the file. The next ones do not.
	for i := many + 1; ; i++ {
		if err := fill(i, i); err != nil {
			require.ErrorContains(t, err, "is full")
			break
		}
	}
	for i, result := 0, 0; result == 0; i++ {
		require.Less(t, i, 100000, "the database is full but still takes callbacks")
		result = withdraw(t, server.CallbackURL(), users[i%4], fmt.Sprintf("fill-%d", i))
	}
	for began := time.Now(); time.Since(began) < 1200*time.Millisecond; { // long enough for the probe to run too
		status, checks := asked(t, server.AdminURL())
		require.Equal(t, http.StatusServiceUnavailable, status, checks)
		require.Contains(t, checks["money"], "full (error 1114)")
		require.Equal(t, "answers", checks["database"])
	}
	require.NoError(t, unix.Prlimit(database.PID(), unix.RLIMIT_FSIZE, &before, nil))
	becomes(t, server.AdminURL(), http.StatusOK)
	require.Zero(t, withdraw(t, server.CallbackURL(), users[0], "afterwards"))
	storetest.DropTriggers(t, "mysql://"+database.DSN("pitboss"))
	_, err = admin.Exec("DELETE FROM pitboss.postings WHERE player_id = 999999")
	require.NoError(t, err)
	requireWhole(t, open(t, "mysql://"+database.DSN("pitboss")))
}

// While another program keeps SQLite's file locked, the instance is not ready.
func TestReadyFollowsLockedSQLite(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	server := boot(t, environment(url))
	becomes(t, server.AdminURL(), http.StatusOK)
	other, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(url, "sqlite://")+"?_pragma=busy_timeout(60000)")
	require.NoError(t, err)
	defer other.Close()
	conn, err := other.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	for said := ""; said != "cannot be written: another program has locked the database (error 5)"; {
		said = becomes(t, server.AdminURL(), http.StatusServiceUnavailable)["money"].(string)
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	becomes(t, server.AdminURL(), http.StatusOK)
}

// When the system lets SQLite's files grow no further, the instance is not ready until they may.
func TestReadyFollowsFullDisk(t *testing.T) {
	url := storetest.URL(t, storetest.SQLite)
	p := start(t, environment(url, ports(t)...))
	admin := "http://" + p.value("PITBOSS_ADMIN_ADDR")
	user := players(t, open(t, url), 1)[0]
	require.Zero(t, withdraw(t, p.callbackURL(), user, "before"))
	var before unix.Rlimit
	require.NoError(t, unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, nil, &before))
	size, err := os.Stat(strings.TrimPrefix(url, "sqlite://") + "-wal")
	require.NoError(t, err)
	require.NoError(t, unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(size.Size()), Max: before.Max},
		nil))
	require.Contains(t, becomes(t, admin, http.StatusServiceUnavailable)["money"],
		"the database file cannot be read or written")
	require.Equal(t, -1, withdraw(t, p.callbackURL(), user, "during"))
	require.NoError(t, unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &before, nil))
	becomes(t, admin, http.StatusOK)
	require.Zero(t, withdraw(t, p.callbackURL(), user, "during"))
	requireWhole(t, open(t, url))
}
