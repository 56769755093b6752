package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
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

	"pitboss/app/export"
	"pitboss/app/reconcile"
	"pitboss/callbacks/simulator"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
	"pitboss/models/store/storetest/mariadb"
)

// Every fault that production brings, one after the other, while the platform plays against two instances on one MariaDB. The
// platform in callbacks/simulator keeps books of its own: after each fault its balances and its statement are compared with
// ours, the ledger is verified, and both instances must have as many goroutines and as much memory as before.

// arena is two instances on one database, and a platform that plays against the first.
type arena struct {
	database *mariadb.Server
	admin    *sql.DB
	proxy    *storetest.FaultProxy // between the first instance and the database
	delay    *atomic.Int64         // of every answer of the database on that way
	url      string                // of the database, with every privilege
	urlFile  string                // from which the instances read where the database is
	api      *api                  // the platform's
	dirs     map[string]string     // folders of checkpoints, exports and statements
	environ  []string              // of the first instance
	first    *process
	second   *process
	users    []string // the last of them is the probes'
	platform *simulator.Simulator
	probes   int
}

// fault is one that strikes, and ends when the function that it returns is called.
type fault struct {
	name string
	// refuses says that money callbacks get no definite answer meanwhile.
	refuses bool
	strike  func(t *testing.T, a *arena) (heal func())
}

var faults = []fault{
	{"black hole", true, func(_ *testing.T, a *arena) func() { return a.proxy.Stall() }},
	{"latency of 60 ms", false, func(_ *testing.T, a *arena) func() {
		a.delay.Store(int64(60 * time.Millisecond))
		return func() { a.delay.Store(0) }
	}},
	{"connections cut", false, func(_ *testing.T, a *arena) func() {
		a.proxy.Cut()
		return func() { a.proxy.Cut() }
	}},
	{"COMMIT lost", false, atCommit(storetest.LoseCommit)},
	{"answer to COMMIT lost", false, atCommit(storetest.LoseAnswer)},
	{"database killed", true, func(t *testing.T, a *arena) func() {
		require.NoError(t, a.database.Kill())
		return func() { require.NoError(t, a.database.Restart()) }
	}},
	{"program killed", true, func(t *testing.T, a *arena) func() {
		a.first.kill()
		return func() { a.first.launch(t) }
	}},
	{"database read-only", true, func(t *testing.T, a *arena) func() {
		a.sql(t, "SET GLOBAL read_only = 1")
		return func() { a.sql(t, "SET GLOBAL read_only = 0") }
	}},
	{"connections exhausted", true, exhausted},
	{"wallets locked", true, lockedWallets},
	{"password changed", true, passwordChanged},
	{"platform dead", false, func(_ *testing.T, a *arena) func() { return a.api.becomes(apiDead) }},
	{"platform slow", false, func(_ *testing.T, a *arena) func() { return a.api.becomes(apiSlow) }},
	{"platform sends garbage", false, func(_ *testing.T, a *arena) func() { return a.api.becomes(apiGarbage) }},
	{"platform never stops sending", false, func(_ *testing.T, a *arena) func() { return a.api.becomes(apiEndless) }},
	{"clock two hours ahead", false, secondClock(2 * time.Hour)},
	{"clock two hours behind", false, secondClock(-2 * time.Hour)},
	{"disk of the database full", true, func(t *testing.T, a *arena) func() { return fill(t, a.database.DataDir()) }},
	{"disk of checkpoints full", false, fullFolder("checkpoints", writeCheckpoint)},
	{"disk of exports full", false, fullFolder("exports", writeExport)},
	{"disk of statements full", false, fullFolder("statements", writeStatement)},
}

func atCommit(f storetest.CommitFault) func(*testing.T, *arena) func() {
	return func(_ *testing.T, a *arena) func() {
		a.proxy.AtCommit(f, 5)
		return func() {}
	}
}

func (a *arena) sql(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		_, err := a.admin.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
}

// exhausted lets the account have one connection, and takes it.
func exhausted(t *testing.T, a *arena) func() {
	a.sql(t, "ALTER USER pitboss@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1")
	text, err := os.ReadFile(a.urlFile)
	require.NoError(t, err)
	config, err := mysql.ParseDSN(strings.TrimPrefix(string(text), "mysql://"))
	require.NoError(t, err)
	config.Addr, config.Logger = a.database.Addr(), &mysql.NopLogger{}
	hog, err := sql.Open("mysql", config.FormatDSN())
	require.NoError(t, err)
	for began := time.Now(); ; {
		a.proxy.Cut() // until we are quicker than the program
		if _, err = hog.Conn(t.Context()); err == nil {
			break
		}
		require.Less(t, time.Since(began), time.Minute, "%v", err)
	}
	a.proxy.Cut()
	return func() {
		require.NoError(t, hog.Close())
		a.sql(t, "ALTER USER pitboss@'127.0.0.1' WITH MAX_USER_CONNECTIONS 0")
		a.proxy.Cut()
	}
}

// lockedWallets locks every wallet, so that attempts hold all of the pool's connections and wait.
func lockedWallets(t *testing.T, a *arena) func() {
	tx, err := a.admin.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	_, err = tx.Exec("SELECT player_id FROM pitboss.wallets FOR UPDATE")
	require.NoError(t, err)
	return func() { require.NoError(t, tx.Rollback()) }
}

// passwordChanged changes the account's password; healing is to write the new one into the file that PITBOSS_DATABASE_URL_FILE
// names.
func passwordChanged(t *testing.T, a *arena) func() {
	word := fmt.Sprintf("password-%d", rand.Uint32())
	a.sql(t, "ALTER USER pitboss@'127.0.0.1' IDENTIFIED BY '"+word+"'")
	a.proxy.Cut()
	return func() {
		a.writeURL(t, word)
		a.proxy.Cut()
	}
}

// secondClock starts the second instance again with a clock that is off, and has it do its jobs beside the first.
func secondClock(off time.Duration) func(*testing.T, *arena) func() {
	return func(t *testing.T, a *arena) func() {
		right := a.second.environ
		restart := func(environ []string) {
			a.second.kill()
			a.second.environ = environ
			a.second.launch(t)
		}
		restart(append(right[:len(right):len(right)], testClock+"="+off.String()))
		checks := becomes(t, "http://"+a.second.value("PITBOSS_ADMIN_ADDR"), http.StatusOK)
		require.Contains(t, fmt.Sprint(checks["clock"]), map[bool]string{true: "ahead of", false: "behind"}[off > 0])
		for range 20 {
			a.probes++
			require.Zero(t, withdraw(t, a.second.callbackURL(), a.users[8], fmt.Sprintf("probe-%d", a.probes)))
		}
		return func() {
			for _, times := range []string{"MIN(at_us) FROM pitboss.postings", "MAX(at_us) FROM pitboss.postings",
				"MAX(position) FROM pitboss.leases WHERE name = 'sums of minutes'"} {
				var at int64
				require.NoError(t, a.admin.QueryRow("SELECT "+times).Scan(&at))
				require.Less(t, time.Since(time.UnixMicro(at)).Abs(), time.Hour, "%s: by whose clock?", times)
			}
			restart(right)
		}
	}
}

// fill fills the file system of a folder of its own to the last byte.
func fill(t *testing.T, dir string) func() {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	file, err := os.Create(name)
	require.NoError(t, err)
	block := make([]byte, 1<<16)
	for {
		if _, err = file.Write(block); err != nil {
			if len(block) == 1 {
				break
			}
			block = block[:len(block)/2]
		}
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
	return func() { require.NoError(t, os.Remove(name)) }
}

// fullFolder fills the disk of a folder. What is written there fails with words that say so, and succeeds when there is room
// again.
func fullFolder(name string, write func(t *testing.T, a *arena) (failure string)) func(*testing.T, *arena) func() {
	return func(t *testing.T, a *arena) func() {
		heal := fill(t, a.dirs[name])
		require.Regexp(t, "no space left|is full", write(t, a))
		return func() {
			heal()
			require.Empty(t, write(t, a))
		}
	}
}

func writeCheckpoint(t *testing.T, a *arena) (failure string) {
	_, _, failure = command(t, a.environ, "checkpoint", "write")
	return failure
}

// writeExport has an export written to the instances' folder.
func writeExport(t *testing.T, a *arena) (failure string) {
	s, err := store.Open(t.Context(), store.Config{URL: a.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	defer s.Close()
	service := export.New(export.Config{Store: s, Dir: a.dirs["exports"], Log: newLog(&console{err: testLog{t}}, "text")})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		service.Run(ctx)
	}()
	defer func() {
		stop()
		<-ended
	}()
	list := export.List{Columns: []export.Column{{Name: "nothing"}},
		Read: func(context.Context, func(export.Page) error) error { return nil }}
	made, err := service.Ask(t.Context(), models.System,
		models.Export{StaffID: 1, List: "/players", Title: "Players", Zone: "UTC", Format: models.CSV}, list)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		made, _, err = s.Export(t.Context(), made.ID)
		return err == nil && !made.State.Under()
	}, time.Minute, 10*time.Millisecond)
	return made.Failure
}

// writeStatement has a statement kept in the instances' folder, as an upload does.
func writeStatement(t *testing.T, a *arena) (failure string) {
	s, err := store.Open(t.Context(), store.Config{URL: a.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	defer s.Close()
	service := reconcile.New(reconcile.Config{Store: s, Dir: a.dirs["statements"], Log: slog.New(slog.DiscardHandler)})
	if _, err := service.Keep(t.Context(), models.System, "statement.csv",
		strings.NewReader("transaction,amount\na,1.00\n")); err != nil {
		return err.Error()
	}
	return ""
}

// api is the platform's own side: the calls that we make.
type api struct {
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

func newAPI(t *testing.T) *api {
	a := &api{end: make(chan struct{})}
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

func (a *api) becomes(how int32) func() {
	a.how.Store(how)
	return func() { a.how.Store(apiWell) }
}

// smallDisk is a file system of its own in memory, which takes root.
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

func newArena(t *testing.T, disks bool) *arena {
	t.Helper()
	a := &arena{dirs: map[string]string{}, delay: &atomic.Int64{}, api: newAPI(t)}
	dir := t.TempDir()
	if disks {
		dir = smallDisk(t, long("200m", "3g")) // the long form writes nearly a kilobyte for each operation
	}
	var err error
	a.database, err = mariadb.Start(filepath.Join(dir, "mariadb"), "--innodb-log-file-size=16M", "--innodb-fast-shutdown=1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.database.Kill()) })
	a.admin, err = sql.Open("mysql", a.database.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { a.admin.Close() })
	a.sql(t, "CREATE DATABASE pitboss", "CREATE USER pitboss@'127.0.0.1' IDENTIFIED BY 'first'",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON pitboss.* TO pitboss@'127.0.0.1'")
	a.url = "mysql://" + a.database.DSN("pitboss")
	status, _, errs := command(t, environment(a.url), "migrate", "up")
	require.Zero(t, status, errs)
	far := distant(t, a.database.Addr(), a.delay)
	a.proxy = storetest.NewFaultProxy(t, "pitboss:first@tcp("+far+")/pitboss")
	a.urlFile = filepath.Join(t.TempDir(), "url")
	a.writeURL(t, "first")
	for _, name := range []string{"checkpoints", "exports", "statements"} {
		a.dirs[name] = t.TempDir()
		if disks {
			a.dirs[name] = smallDisk(t, "1m")
		}
	}
	settings := func() []string {
		environ := environment("",
			append(ports(t), "PITBOSS_DATABASE_URL_FILE="+a.urlFile, "PITBOSS_MIGRATE_DATABASE_URL="+a.url,
				"PITBOSS_CHECKPOINT_DIR="+a.dirs["checkpoints"], "PITBOSS_EXPORT_DIR="+a.dirs["exports"],
				"PITBOSS_STATEMENT_DIR="+a.dirs["statements"],
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
	a.users = players(t, s, 9)
	require.NoError(t, s.Close())
	a.platform = newPlatform(t, a.first.callbackURL())
	return a
}

// writeURL writes where the first proxy is, with a password, into the file from which the instances read it.
func (a *arena) writeURL(t *testing.T, word string) {
	t.Helper()
	config, err := mysql.ParseDSN(a.proxy.DSN())
	require.NoError(t, err)
	config.Passwd = word
	require.NoError(t, os.WriteFile(a.urlFile, []byte("mysql://"+config.FormatDSN()), 0o600))
}

// outcome is a row of the table.
type outcome struct {
	name                              string
	operations, refused, lost, double int
	recovered                         time.Duration
}

// probe sends a bet of a cent by a player of its own until it has a definite answer, and returns how long that took.
func (a *arena) probe(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	a.probes++
	for id := fmt.Sprintf("probe-%d", a.probes); ; {
		if result := withdraw(t, a.first.callbackURL(), a.users[8], id); result == 0 || result == 11 {
			return time.Since(began)
		}
		require.Less(t, time.Since(began), time.Minute, "no definite answer for a minute after the fault has ended")
		time.Sleep(10 * time.Millisecond)
	}
}

// figures are an instance's goroutines and memory.
func (p *process) figures(t *testing.T) (goroutines, bytes float64) {
	t.Helper()
	r, err := http.Get("http://" + p.value("PITBOSS_METRICS_ADDR") + "/metrics")
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		fmt.Sscanf(line, "go_goroutines %g", &goroutines)
		fmt.Sscanf(line, "process_resident_memory_bytes %g", &bytes)
	}
	require.NotZero(t, goroutines)
	return goroutines, bytes
}

// suffer plays, has the fault strike in the middle of it, plays on, and compares all books.
func (a *arena) suffer(t *testing.T, f fault, operations int) (out outcome) {
	t.Helper()
	out.name = f.name
	answered := make(chan struct{}, 1)
	var count atomic.Int64
	playing, finish := context.WithCancel(t.Context())
	defer finish()
	type result struct {
		report simulator.Report
		err    error
	}
	played := make(chan result, 1)
	seed := rand.Uint64()
	go func() {
		report, err := a.platform.Play(playing, simulator.PlayOptions{
			Players: a.users[:8], Seed: seed, Workers: 8, RetryFor: 2 * time.Minute, Drain: time.Minute,
			AttemptTimeout: 4 * time.Second,
			OnEvent: func(simulator.Event) {
				count.Add(1)
				select {
				case answered <- struct{}{}:
				default:
				}
			},
		})
		played <- result{report, err}
	}()
	await := func(n int) {
		for want := count.Load() + int64(n); count.Load() < want; {
			select {
			case <-answered:
			case <-time.After(time.Minute):
				t.Fatalf("%s: no callback was answered for a minute (seed %d)", f.name, seed)
			}
		}
	}
	strikes := long(1, 10)
	for range strikes {
		await(operations / (3 * strikes))
		heal := f.strike(t, a)
		if f.refuses { // for as long as it takes until the platform hears of it
			for began, refused := time.Now(), false; !refused; {
				require.Less(t, time.Since(began), time.Minute, "every callback has a definite answer still")
				a.probes++
				refused = withdraw(t, a.first.callbackURL(), a.users[8], fmt.Sprintf("probe-%d", a.probes)) == -1
			}
		} else {
			await(operations / (3 * strikes))
		}
		heal()
		out.recovered = max(out.recovered, a.probe(t))
	}
	await(max(operations/3, operations-int(count.Load())))
	finish()
	end := <-played
	require.NoError(t, end.err, "seed %d", seed)
	require.NoError(t, end.report.Err(), "seed %d", seed)
	out.operations, out.refused = int(count.Load()), end.report.Retries
	out.lost, out.double = a.compare(t)
	out.lost += len(end.report.Unsettled)
	require.Zero(t, out.lost+out.double, "seed %d", seed)
	return out
}

// compare holds the platform's statement against ours, and verifies the ledger.
func (a *arena) compare(t *testing.T) (lost, double int) {
	t.Helper()
	_, found := reconciled(t, environment(a.url), a.platform)
	for _, line := range found {
		if strings.HasPrefix(line, models.OnlyTheirs.String()) {
			lost++
		} else {
			double++
		}
	}
	double = max(double-a.probes, 0) // the probes are not the platform's
	s, err := store.Open(t.Context(), store.Config{URL: a.url, LedgerKey: []byte(testLedger)})
	require.NoError(t, err)
	defer s.Close()
	requireWhole(t, s)
	return lost, double
}

// TestFaults prints a table: what struck, how many operations were answered, how many attempts were refused, what was lost or
// doubled, and how long it took until money moved again.
func TestFaults(t *testing.T) {
	disks := mayMount(t)
	if !disks {
		t.Log("NOT TESTED: full disks of the database, checkpoints, exports and statements. They need root, to mount small " +
			"file systems.")
	}
	a := newArena(t, disks)
	a.probe(t)
	var goroutines, memory [2]float64
	for i, p := range []*process{a.first, a.second} {
		goroutines[i], memory[i] = p.figures(t)
	}
	operations := set("PITBOSS_TEST_OPERATIONS", strconv.Atoi, long(150*len(faults), 1_000_000))/len(faults) + 1
	fmt.Printf("\n%-30s %10s %8s %5s %7s %10s\n", "fault", "operations", "refused", "lost", "doubled", "recovery")
	total := 0
	for _, f := range faults {
		if strings.HasPrefix(f.name, "disk of") && !disks {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			r := a.suffer(t, f, operations)
			total += r.operations
			fmt.Printf("%-30s %10d %8d %5d %7d %10s\n", r.name, r.operations, r.refused, r.lost, r.double,
				r.recovered.Round(time.Millisecond))
		})
		if t.Failed() {
			break
		}
		require.Eventually(t, func() bool {
			for i, p := range []*process{a.first, a.second} {
				if now, bytes := p.figures(t); now > goroutines[i]+60 || bytes > memory[i]*2+128<<20 {
					return false
				}
			}
			return true
		}, time.Minute, 100*time.Millisecond, "goroutines and memory are not as before: %s", f.name)
	}
	fmt.Printf("%-30s %10d\n", "together", total)
}
