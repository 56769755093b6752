package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pressly/goose/v3/lock"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// cluster is three Galera nodes with an instance on each. The first instance reaches its own node through a failover proxy, and
// the others have all nodes in their URLs.
type cluster struct {
	*mariadb.Cluster
	instances []*process
	bases     []*url.URL // of the instances' callbacks
}

// startCluster starts the nodes, and all instances at once on a database without tables.
func startCluster(t *testing.T, settings ...string) *cluster {
	t.Helper()
	dir, err := mariadb.TempDir("pitboss-test-galera-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	nodes, err := mariadb.StartCluster(dir, 3)
	require.NoError(t, err)
	c := &cluster{Cluster: nodes}
	t.Cleanup(func() { c.Kill() })
	for i := range nodes.Nodes {
		db := c.node(t, i, "")
		_, err := db.Exec("CREATE DATABASE IF NOT EXISTS pitboss")
		require.NoError(t, err)
	}
	urls := []string{"mysql://root@tcp(" + failOver(t, nodes) + ")/pitboss", c.url(1), c.url(2)}
	var launched sync.WaitGroup
	for i := range urls {
		environ := environment(urls[i], append(ports(t), settings...)...)
		p := prepare(t, environ)
		c.instances = append(c.instances, p)
		base, err := url.Parse(p.callbackURL())
		require.NoError(t, err)
		c.bases = append(c.bases, base)
		launched.Go(func() { p.launch(t) })
	}
	launched.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return c
}

// failOver starts a proxy that sends connections to the first node while that is up, and to the others afterwards.
func failOver(t *testing.T, nodes *mariadb.Cluster) string {
	t.Helper()
	addr := port(t)
	text := "global\n  maxconn 1000\ndefaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\n " +
		" retries 2\n  option redispatch\n" +
		"listen galera\n  bind " + addr + "\n  default-server inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions\n"
	for i, node := range nodes.Nodes {
		text += fmt.Sprintf("  server node%d %s check", i+1, node.Addr())
		if i > 0 {
			text += " backup"
		}
		text += "\n"
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	proxy := exec.Command(haproxy(), "-db", "-q", "-f", file)
	require.NoError(t, proxy.Start(), "a failover proxy is needed: .ci/need balancer installs it")
	t.Cleanup(func() {
		proxy.Process.Kill()
		proxy.Wait()
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond, "the proxy listens")
	return addr
}

// url returns a URL that names all nodes, starting with the node first.
func (c *cluster) url(first int) string { return "mysql://root@tcp(" + c.Hosts(first) + ")/pitboss" }

// node opens a node's own database, with causal reads.
func (c *cluster) node(t *testing.T, i int, database string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", c.Nodes[i].DSN(database)+"?wsrep_sync_wait=7")
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// isolate cuts a node off from the others, or lets it join them again.
func (c *cluster) isolate(t *testing.T, i int, cut bool) {
	t.Helper()
	option := "gmcast.isolate=0"
	if cut {
		option = "gmcast.isolate=1"
	}
	db, err := sql.Open("mysql", c.Nodes[i].DSN(""))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("SET GLOBAL wsrep_provider_options = '" + option + "'")
	require.NoError(t, err)
}

// status reads a node's status variable.
func (c *cluster) status(t *testing.T, i int, name string) (value string) {
	t.Helper()
	db, err := sql.Open("mysql", c.Nodes[i].DSN(""))
	require.NoError(t, err)
	defer db.Close()
	if err := db.QueryRow("SHOW GLOBAL STATUS LIKE '"+name+"'").Scan(new(string), &value); err != nil {
		return err.Error()
	}
	return value
}

// await waits until a node's status variable has a value.
func (c *cluster) await(t *testing.T, i int, name, value string) {
	t.Helper()
	require.Eventually(t, func() bool { return c.status(t, i, name) == value }, time.Minute, 100*time.Millisecond,
		"node %d: %s", i+1, name)
}

// RoundTrip sends each request to the next instance in turn, whatever its address.
func (c *cluster) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = c.bases[turn.Add(1)%uint64(len(c.bases))].Host
	return http.DefaultTransport.RoundTrip(r)
}

var turn atomic.Uint64

// platform returns a platform that sends callbacks to all instances in turn.
func (c *cluster) platform(t *testing.T) *simulator.Simulator {
	t.Helper()
	sim, err := simulator.New(simulator.Config{
		AgentID: testAgent, APIToken: testToken, SecretKey: testSecret, CallbackURL: c.instances[0].callbackURL(),
		Client: &http.Client{Transport: c},
	})
	require.NoError(t, err)
	return sim
}

// definite sends a callback until it is answered.
func definite(t *testing.T, base string, e wire.Endpoint, r wire.Request) int {
	for {
		if result := call(t, base, e, r); result != -1 {
			return result
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Three nodes, one instance on each, started for the first time together: nothing is lost, doubled, stale or wrongly refused,
// while callbacks of one player go to all instances in turn and nodes come and go.
func TestCluster(t *testing.T) {
	alongside(t)
	c := startCluster(t)
	s := open(t, c.url(0))
	users := players(t, s, 24)

	t.Run("turns", func(t *testing.T) { c.askElsewhere(t, s) })
	t.Run("collisions", func(t *testing.T) { c.collide(t, s, users[:4]) })
	t.Run("readings", func(t *testing.T) { c.readApart(t, s) })
	t.Run("control", func(t *testing.T) { c.control(t) })
	t.Run("losses", func(t *testing.T) { c.loseNodes(t, users[4:len(users)-1], users[len(users)-1]) })
	if long(false, true) {
		t.Run("migrations", func(t *testing.T) { c.takeLockOver(t) })
	}
	requireWhole(t, s)
	if long(false, true) {
		t.Run("figures", func(t *testing.T) { c.figures(t) })
	}
}

// askElsewhere wins through one instance and immediately bets the win through another. It also rolls back through one instance
// what was bet through another.
func (c *cluster) askElsewhere(t *testing.T, s *store.Store) {
	const lanes = 8
	var group sync.WaitGroup
	for lane := range lanes {
		user := fmt.Sprintf("turns-%d", lane)
		_, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: models.UserID(user), Currency: "EUR"})
		require.NoError(t, err)
		group.Go(func() {
			for i := range long(60, 1000) {
				at := func(n int) string { return c.bases[(lane+i+n)%3].String() }
				id := fmt.Sprintf("%s-%d-", user, i)
				r := wire.Request{UserID: user, Amount: "5.00", TransactionID: id + "win", RoundID: "r"}
				if got := definite(t, at(0), wire.Deposit, r); got != 0 && got != 11 {
					t.Errorf("win: result %d", got)
				}
				r.TransactionID = id + "bet"
				if got := definite(t, at(1), wire.Withdraw, r); got != 0 && got != 11 {
					t.Errorf("a bet of what was won just now: result %d", got)
				}
				if got := definite(t, at(2), wire.RollbackTransaction,
					wire.Request{UserID: user, TransactionID: r.TransactionID}); got != 0 && got != 9 {
					t.Errorf("the rollback of an applied bet: result %d", got)
				}
				r.TransactionID = id + "again"
				if got := definite(t, at(3), wire.Withdraw, r); got != 0 && got != 11 {
					t.Errorf("a bet of what was given back just now: result %d", got)
				}
				r.TransactionID = id + "more"
				if got := definite(t, at(4), wire.Withdraw, r); got != 6 {
					t.Errorf("a bet without money: result %d", got)
				}
			}
		})
	}
	group.Wait()
}

// collide sends the same IDs through all instances at once, for several players.
func (c *cluster) collide(t *testing.T, s *store.Store, users []string) {
	ids := long(60, 3000)
	var mu sync.Mutex
	applied, taken := map[string]int{}, map[string]int{}
	var group sync.WaitGroup
	for worker := range 12 {
		group.Go(func() {
			for n := range ids {
				user, id := users[rand.IntN(len(users))], fmt.Sprintf("collision-%d", n)
				result := definite(t, c.bases[worker%3].String(), wire.Withdraw,
					wire.Request{UserID: user, Amount: "0.01", TransactionID: id, RoundID: "r"})
				mu.Lock()
				switch result {
				case 0:
					applied[id]++
					taken[user]++
				case 11:
				default:
					t.Errorf("%s as %s: result %d", id, user, result)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.Len(t, applied, ids)
	for id, n := range applied {
		require.Equal(t, 1, n, id)
	}
	for _, user := range users {
		p, ok, err := s.Player(t.Context(), models.UserID(user))
		require.NoError(t, err)
		require.True(t, ok)
		require.EqualValues(t, 50000-taken[user], p.Wallet.Balance, user)
	}
}

// readApart sends several readings of one signed text through all instances at once: of one player, of two, and of two IDs.
func (c *cluster) readApart(t *testing.T, s *store.Store) {
	for _, user := range []models.UserID{"anna", "anna1"} {
		_, err := s.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: user, Currency: "EUR", Balance: 10000})
		require.NoError(t, err)
	}
	// The lengths of IDs vary, so that texts have many readings.
	for i := range 6 {
		r := wire.Request{UserID: "anna", Amount: "0.10", TransactionID: strings.Repeat("t", 8+i),
			RoundID: strings.Repeat("r", 8-i)}
		require.Zero(t, definite(t, c.bases[i%3].String(), wire.Deposit, r))
	}
	won := 10060 // both players' minor units, without what follows
	for i := range long(40, 2000) {
		tail := fmt.Sprintf("%06d", i)
		// All are the text "anna12.00w<tail>xyround".
		readings := []wire.Request{
			{UserID: "anna", Amount: "12.00", TransactionID: "w" + tail + "x", RoundID: "yround"},
			{UserID: "anna1", Amount: "2.00", TransactionID: "w" + tail + "xy", RoundID: "round"},
			{UserID: "anna1", Amount: "2.00", TransactionID: "w" + tail + "xyr", RoundID: "ound"},
		}
		results := make([]int, len(readings))
		var group sync.WaitGroup
		for n, r := range readings {
			group.Go(func() { results[n] = definite(t, c.bases[(i+n)%3].String(), wire.Deposit, r) })
		}
		group.Wait()
		accepted := 0
		for n, result := range results {
			switch result {
			case 0, 11:
				accepted++
				won += []int{1200, 200, 200}[n]
			case 3:
			default:
				t.Errorf("%v: result %d", readings[n], result)
			}
		}
		require.Equal(t, 1, accepted, "%d: %v", i, results)
	}
	total := 0
	for _, user := range []models.UserID{"anna", "anna1"} {
		b, found, err := s.Balance(t.Context(), user)
		require.NoError(t, err)
		require.True(t, found)
		total += int(b.Amount)
	}
	require.Equal(t, 10000+won, total)
}

// control changes names, sessions and accounts on one node and immediately asks the others.
func (c *cluster) control(t *testing.T) {
	ctx := t.Context()
	stores := []*store.Store{open(t, c.url(0)), open(t, c.url(1)), open(t, c.url(2))}
	for i := range long(10, 300) {
		at, elsewhere := stores[i%3], stores[(i+1)%3]
		base := c.bases[(i+1)%3].String()

		user := models.UserID(fmt.Sprintf("name-%d", i))
		_, err := at.CreatePlayer(ctx, models.System, models.NewPlayer{UserID: user, Currency: "EUR"})
		require.NoError(t, err)
		require.Zero(t, definite(t, base, wire.GetBalance, wire.Request{UserID: string(user)}),
			"a player who was made on another node")
		storetest.Restrict(t, at, user)
		_, err = elsewhere.ErasePlayer(ctx, models.System, user, "by law")
		require.NoError(t, err)
		require.Equal(t, 2, definite(t, base, wire.GetBalance, wire.Request{UserID: string(user)}))
		base = c.bases[i%3].String()
		require.Equal(t, 2, definite(t, base, wire.Deposit,
			wire.Request{UserID: string(user), Amount: "1.00", TransactionID: string(user), RoundID: "r"}))

		someone := models.Staff{Username: fmt.Sprintf("staff-%d", i), Name: "Somebody", Role: models.Support,
			PasswordHash: "x", Profile: models.DefaultProfile}
		account, err := at.CreateStaff(ctx, models.System, someone)
		require.NoError(t, err)
		hash := fmt.Sprintf("session-%d", i)
		require.NoError(t, elsewhere.CreateStaffSession(ctx,
			models.StaffSession{Hash: hash, StaffID: account.ID, ExpiresAt: time.Now().Add(time.Hour)}, account))
		_, _, found, err := at.StaffSession(ctx, hash)
		require.NoError(t, err)
		require.True(t, found)
		require.NoError(t, at.RevokeStaffSessions(ctx, models.System, account.ID, ""))
		_, _, found, err = elsewhere.StaffSession(ctx, hash)
		require.NoError(t, err)
		require.False(t, found, "a session that was ended on another node")
	}

	var admins []models.Staff
	for i := range stores {
		admin, err := stores[0].CreateStaff(ctx, models.System, models.Staff{
			Username: fmt.Sprintf("admin-%d", i), Name: "Admin", Role: models.Administrator, PasswordHash: "x",
			Profile: models.DefaultProfile,
		})
		require.NoError(t, err)
		admins = append(admins, admin)
	}
	for i := range long(8, 300) {
		var held, refused atomic.Int32
		var group sync.WaitGroup
		for n, s := range stores {
			group.Go(func() {
				got, err := s.Lease(ctx, fmt.Sprintf("lease-%d", i), fmt.Sprint(n), time.Minute)
				if err != nil {
					t.Error(err)
				}
				if got {
					held.Add(1)
				}
				switch err := s.DisableStaff(ctx, models.System, admins[n].ID, ""); {
				case errors.Is(err, models.ErrLastAdmin):
					refused.Add(1)
				case err != nil:
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, held.Load(), "instances that have the lease")
		require.EqualValues(t, 1, refused.Load(), "administrators who are left")
		for n, admin := range admins {
			require.NoError(t, stores[n].EnableStaff(ctx, models.System, admin.ID))
		}
	}
}

// loseNodes has a platform play while a node is killed and comes back, and another is cut off and joins again. One play expects
// every answer to be exact; two others share a few players, and their sums are compared by the platform's statement. Whatever
// is lost, each instance still moves the money of one more player.
func (c *cluster) loseNodes(t *testing.T, users []string, paid string) {
	payments := 0
	pay := func(instance int) {
		payments++
		r := wire.Request{UserID: paid, Amount: "1.00", TransactionID: fmt.Sprintf("payment-%d", payments), RoundID: "r"}
		require.Contains(t, []int{0, 11}, definite(t, c.bases[instance].String(), wire.Deposit, r))
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	plays := []simulator.PlayOptions{{Players: users[4:]}, {Players: users[:4], Company: true}, {Players: users[:4], Company: true}}
	reports := make([]simulator.Report, len(plays))
	failed := make([]error, len(plays))
	platform := c.platform(t)
	var playing sync.WaitGroup
	for i, options := range plays {
		options.Seed, options.Workers, options.LostAnswers = rand.Uint64(), 4, 0.02
		options.Pace, options.RetryFor = 5*time.Millisecond, 2*time.Minute
		playing.Go(func() { reports[i], failed[i] = platform.Play(ctx, options) })
	}
	for round := range long(1, 5) {
		require.NoError(t, c.Nodes[0].Kill())
		c.await(t, 1, "wsrep_cluster_size", "2")
		pay(0)
		if round%2 == 1 {
			require.NoError(t, c.Nodes[0].Forget())
		}
		require.NoError(t, c.Nodes[0].Restart())
		c.await(t, 0, "wsrep_local_state", "4")
		c.isolate(t, 1, true)
		c.await(t, 1, "wsrep_cluster_status", "non-Primary")
		c.await(t, 2, "wsrep_cluster_size", "2")
		pay(1)
		c.isolate(t, 1, false)
		c.await(t, 1, "wsrep_local_state", "4")
	}
	stop()
	playing.Wait()
	b, _, err := open(t, c.url(2)).Balance(t.Context(), models.UserID(paid))
	require.NoError(t, err)
	require.EqualValues(t, 50000+100*payments, b.Amount)
	for i, report := range reports {
		require.NoError(t, failed[i])
		require.NoError(t, report.Err())
		require.Empty(t, report.Unsettled)
		t.Logf("%d rounds, %d retries", report.Rounds, report.Retries)
	}
	_, found := differences(t, c.url(2), platform)
	for _, difference := range found {
		require.False(t, difference.Theirs.There, "the platform knows a transaction otherwise than the ledger: %v", difference)
	}
}

// takeLockOver has three instances migrate while the lock belongs to one that is gone.
func (c *cluster) takeLockOver(t *testing.T) {
	db := c.node(t, 0, "pitboss")
	_, err := db.Exec("REPLACE INTO migration_lock (lock_id, locked, locked_by, lease_expires_at) VALUES (?, true, 'gone', now(6) + INTERVAL 20 SECOND)",
		lock.DefaultLockID)
	require.NoError(t, err)
	_, err = db.Exec("DELETE FROM goose_db_version WHERE version_id = (SELECT n FROM (SELECT MAX(version_id) AS n " +
		"FROM goose_db_version) newest)")
	require.NoError(t, err)
	var applied atomic.Int32
	var group sync.WaitGroup
	for i := range c.Nodes {
		group.Go(func() {
			s, err := store.Open(t.Context(), store.Config{URL: c.url(i), LedgerKey: []byte(testLedger)})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			done, err := s.Migrate(t.Context())
			if err != nil {
				t.Error(err)
			}
			applied.Add(int32(len(done)))
		})
	}
	group.Wait()
	require.EqualValues(t, 1, applied.Load())
}
