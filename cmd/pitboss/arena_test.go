package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// arena is two instances on one database, and a platform that plays against the first.
type arena struct {
	database *mariadb.Server
	admin    *sql.DB
	proxy    *storetest.FaultProxy // between the first instance and the database
	url      string                // of the database, with every privilege
	urlFile  string                // the file from which the instances read the database's address
	api      *platformAPI          // the platform's
	dirs     map[string]string     // folders by name
	environ  []string              // of the first instance
	first    *process
	second   *process
	users    []string
	prober   string // the player whose bets show whether money moves
	platform *simulator.Simulator
	probes   int
}

func (a *arena) sql(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := a.admin.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
}

// platformAPI is the platform's own API, which we call.
type platformAPI struct {
	*httptest.Server
	how atomic.Int32
	end chan struct{}
}

const (
	apiWell int32 = iota
	apiDead
	apiSlow
	apiGarbage
	apiEndless
)

func newAPI(t *testing.T) *platformAPI {
	a := &platformAPI{end: make(chan struct{})}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch a.how.Load() {
		case apiDead:
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				conn.Close()
			}
		case apiSlow:
			select {
			case <-a.end:
			case <-r.Context().Done():
			}
		case apiGarbage:
			w.Write([]byte("\x00\xff<html>{\"result\":"))
		case apiEndless:
			block := []byte(strings.Repeat("[", 1<<16))
			for r.Context().Err() == nil {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		default:
			io.WriteString(w, `{"result":0,"games":[]}`)
		}
	}))
	t.Cleanup(func() {
		close(a.end)
		a.CloseClientConnections()
		a.Close()
	})
	return a
}

func (a *platformAPI) becomes(how int32) func() {
	a.how.Store(how)
	return func() { a.how.Store(apiWell) }
}

// smallDisk mounts a small file system in memory, which needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, syscall.Mount("pitboss-test", dir, "tmpfs", 0, "size="+size))
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// mayMount reports whether this process may mount small file systems.
func mayMount(t *testing.T) bool {
	dir := t.TempDir()
	if syscall.Mount("pitboss-test", dir, "tmpfs", 0, "size=64k") != nil {
		return false
	}
	require.NoError(t, syscall.Unmount(dir, 0))
	return true
}

// newArena returns an arena. Its database and folders have small disks of their own unless disk, the size of the database's, is
// empty.
func newArena(t *testing.T, playing int, disk string) *arena {
	t.Helper()
	a := &arena{dirs: map[string]string{}, api: newAPI(t)}
	dir := t.TempDir()
	if disk != "" {
		dir = smallDisk(t, disk)
	}
	var err error
	a.database, err = mariadb.Start(filepath.Join(dir, "mariadb"), "--innodb-log-file-size=16M", "--innodb-fast-shutdown=1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.database.Kill()) })
	a.admin, err = sql.Open("mysql", a.database.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { a.admin.Close() })
	// MariaDB counts the connections of an account only while it has a limit.
	a.sql(t, "CREATE DATABASE pitboss", "CREATE USER pitboss@'127.0.0.1' IDENTIFIED BY 'first' WITH MAX_USER_CONNECTIONS 1000",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON pitboss.* TO pitboss@'127.0.0.1'")
	a.url = "mysql://" + a.database.DSN("pitboss")
	status, _, errs := command(t, environment(a.url), "migrate", "up")
	require.Zero(t, status, errs)
	a.proxy = storetest.NewFaultProxy(t, "pitboss:first@tcp("+a.database.Addr()+")/pitboss")
	a.urlFile = filepath.Join(t.TempDir(), "url")
	a.writeURL(t, "first")
	for _, name := range []string{"checkpoints"} {
		a.dirs[name] = t.TempDir()
		if disk != "" {
			a.dirs[name] = smallDisk(t, "1m")
		}
	}
	settings := func() []string {
		environ := environment("",
			append(ports(t), "PITBOSS_DATABASE_URL_FILE="+a.urlFile, "PITBOSS_MIGRATE_DATABASE_URL="+a.url,
				"PITBOSS_CHECKPOINT_DIR="+a.dirs["checkpoints"],
				"PITBOSS_METRICS_ADDR="+port(t), "PITBOSS_GAMES_SYNC_EVERY=1s", "PITBOSS_PLATFORM_TIMEOUT=1s")...)[1:]
		for i, line := range environ {
			if strings.HasPrefix(line, "PITBOSS_PLATFORM_URL=") {
				environ[i] = "PITBOSS_PLATFORM_URL=" + a.api.URL
			}
		}
		return environ
	}
	a.environ = settings()
	a.first, a.second = start(t, a.environ), start(t, settings())
	s, err := store.Open(t.Context(), store.Config{URL: a.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	all := players(t, s, playing+1)
	a.users, a.prober = all[:playing], all[playing]
	require.NoError(t, s.Close())
	a.platform = newPlatform(t, a.first.callbackURL())
	return a
}

// writeURL writes the first proxy's address and a password to the file from which the instances read them.
func (a *arena) writeURL(t *testing.T, word string) {
	t.Helper()
	config, err := mysql.ParseDSN(a.proxy.DSN())
	require.NoError(t, err)
	config.Passwd = word
	require.NoError(t, os.WriteFile(a.urlFile, []byte("mysql://"+config.FormatDSN()), 0o600))
}

// probe sends a bet of a cent by its own player until it has a definite answer, and returns how long that took.
func (a *arena) probe(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	a.probes++
	for id := fmt.Sprintf("probe-%d", a.probes); ; {
		if result := withdraw(t, a.first.callbackURL(), a.prober, id); result == 0 || result == 11 {
			return time.Since(began)
		}
		require.Less(t, time.Since(began), time.Minute, "no definite answer for a minute after the fault has ended")
		time.Sleep(10 * time.Millisecond)
	}
}

// awaitRefusal sends bets until one of them gets no definite answer.
func (a *arena) awaitRefusal(t *testing.T) {
	t.Helper()
	for began, refused := time.Now(), false; !refused; {
		require.Less(t, time.Since(began), time.Minute, "every callback still gets a definite answer")
		a.probes++
		refused = withdraw(t, a.first.callbackURL(), a.prober, fmt.Sprintf("probe-%d", a.probes)) == -1
	}
}

// figures returns an instance's memory, and how many goroutines it has that do not serve an open connection: connections that
// are kept open come and go with the load of the moment.
func (p *process) figures(t *testing.T) (goroutines, bytes float64) {
	t.Helper()
	r, err := http.Get("http://" + p.value("PITBOSS_METRICS_ADDR") + "/metrics")
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, failed := strconv.ParseFloat(value, 64)
		switch name, _, _ := strings.Cut(name, "{"); {
		case failed != nil:
		case name == "go_goroutines":
			goroutines += number
		case name == "pitboss_connections_open", name == "pitboss_database_connections":
			goroutines -= number
		case name == "process_resident_memory_bytes":
			bytes = number
		}
	}
	require.NotZero(t, bytes, "the metrics have no memory")
	return goroutines, bytes
}

// compare compares the platform's statement with our ledger, and verifies the ledger.
func (a *arena) compare(t *testing.T) (lost, double int) {
	t.Helper()
	_, found := differences(t, a.url, a.platform)
	for _, line := range found {
		switch {
		case string(line.UserID) == a.prober: // the platform does not know this player
		case line.Bucket == models.OnlyTheirs:
			lost++
		default:
			double++
		}
	}
	s, err := store.Open(t.Context(), store.Config{URL: a.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	defer s.Close()
	requireWhole(t, s)
	return lost, double
}
