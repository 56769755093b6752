package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
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
	"pitboss/cmd/testing/storetest"
)

// Every fault that production brings, one after the other, while the platform plays against two instances on one MariaDB. The
// platform in callbacks/simulator keeps its own books: after each fault its balances and its statement are compared with ours,
// the ledger is verified, and both instances must have as many goroutines and as much memory as before.

// fault is a fault that production may bring. strike starts it and returns a function that ends it.
type fault struct {
	name string
	// refuses means that money callbacks get no definite answer while the fault lasts.
	refuses bool
	strike  func(t *testing.T, a *arena) (heal func())
}

var faults = []fault{
	{"black hole", true, func(_ *testing.T, a *arena) func() { return a.proxy.Stall() }},
	{"latency of 60 ms", false, func(_ *testing.T, a *arena) func() {
		a.proxy.Move(60 * time.Millisecond)
		return func() { a.proxy.Move(0) }
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
	{"disk of the database full", true, fullDatabase},
	{"disk of checkpoints full", false, fullFolder("checkpoints", writeCheckpoint)},
}

func atCommit(f storetest.CommitFault) func(*testing.T, *arena) func() {
	return func(_ *testing.T, a *arena) func() {
		a.proxy.AtCommit(f, 5)
		return func() {}
	}
}

// exhausted takes a connection, and allows the account no other.
func exhausted(t *testing.T, a *arena) func() {
	text, err := os.ReadFile(a.urlFile)
	require.NoError(t, err)
	config, err := mysql.ParseDSN(strings.TrimPrefix(string(text), "mysql://"))
	require.NoError(t, err)
	config.Addr, config.Logger = a.database.Addr(), &mysql.NopLogger{}
	hog, err := sql.Open("mysql", config.FormatDSN())
	require.NoError(t, err)
	_, err = hog.Conn(t.Context())
	require.NoError(t, err)
	a.sql(t, "ALTER USER pitboss@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1")
	a.proxy.Cut()
	return func() {
		require.NoError(t, hog.Close())
		a.sql(t, "ALTER USER pitboss@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1000")
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

// passwordChanged changes the account's password. It ends when the old one is valid again.
func passwordChanged(t *testing.T, a *arena) func() {
	change := func(to string) {
		a.sql(t, "ALTER USER pitboss@'127.0.0.1' IDENTIFIED BY '"+to+"'")
		a.proxy.Cut()
	}
	change("another")
	return func() { change("first") }
}

// secondClock starts the second instance again with a clock that is off, and has it run its jobs alongside the first.
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
			require.Zero(t, withdraw(t, a.second.callbackURL(), a.prober, fmt.Sprintf("probe-%d", a.probes)))
		}
		return func() {
			for _, times := range []string{"MIN(at_us) FROM pitboss.postings", "MAX(at_us) FROM pitboss.postings",
				"MAX(position) FROM pitboss.leases WHERE name = 'sums of days'"} {
				var at int64
				require.NoError(t, a.admin.QueryRow("SELECT "+times).Scan(&at))
				require.Less(t, time.Since(time.UnixMicro(at)).Abs(), time.Hour, "%s: by whose clock?", times)
			}
			restart(right)
		}
	}
}

// fill fills the file system of a folder to the last byte.
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

// fullDatabase fills the disk of the database. MariaDB may exit if the disk is full at a bad moment; in production it would be
// started again.
func fullDatabase(t *testing.T, a *arena) func() {
	heal := fill(t, a.database.DataDir())
	return func() {
		heal()
		if err := a.admin.PingContext(t.Context()); err != nil {
			t.Logf("MariaDB has ended: %v", err)
			require.NoError(t, a.database.Restart())
		}
	}
}

// fullFolder fills the disk of a folder. Writes to it fail with an error that says so, and succeed once there is room again.
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

// outcome is a row of the table.
type outcome struct {
	name                              string
	operations, refused, lost, double int
	recovered                         time.Duration
}

// suffer plays, has the fault strike during play, plays on, and compares all books.
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
			Players: a.users, Seed: seed, Workers: 8, RetryFor: 2 * time.Minute, Drain: time.Minute,
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
		if f.refuses {
			a.awaitRefusal(t)
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

// TestFaults prints a table: what struck, how many operations were answered, how many attempts were refused, what was lost or
// doubled, and how long it took until money moved again.
func TestFaults(t *testing.T) {
	alongside(t)
	disks := mayMount(t)
	if !disks {
		t.Log("NOT TESTED: full disks of the database and checkpoints. They need root, to mount small " +
			"file systems.")
	}
	disk := ""
	if disks {
		disk = long("200m", "3g") // the long form writes nearly a kilobyte for each operation
	}
	a := newArena(t, 8, disk)
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
