package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
	"pitboss/cmd/testing/mariadb"
	"pitboss/models"
	"pitboss/models/store"
)

// figures prints how fast callbacks are answered compared with a single server, and what conflicts and causal reads cost.
func (c *cluster) figures(t *testing.T) {
	dir, err := mariadb.TempDir("pitboss-test-mariadb-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	single, err := mariadb.Start(dir, "--innodb-buffer-pool-size=64M")
	require.NoError(t, err)
	t.Cleanup(func() { single.Kill() })
	db, err := sql.Open("mysql", single.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	_, err = db.Exec("CREATE DATABASE pitboss")
	require.NoError(t, err)
	alone := start(t, environment("mysql://"+single.DSN("pitboss"), ports(t)...))
	const most = 64
	var users []string
	for _, s := range []*store.Store{open(t, "mysql://"+single.DSN("pitboss")), open(t, c.url(0))} {
		users = nil
		for i := range most {
			user := fmt.Sprintf("load-%02d", i)
			users = append(users, user)
			_, err := s.CreatePlayer(t.Context(), models.System,
				models.NewPlayer{UserID: models.UserID(user), Currency: "EUR", Balance: 100000})
			require.NoError(t, err)
		}
	}
	bases := []string{c.bases[0].String(), c.bases[1].String(), c.bases[2].String()}
	for _, way := range []struct {
		name    string
		players int // how many players' callbacks come at the same time
		base    func(worker, n int) string
	}{
		{"one server without Galera", most, func(int, int) string { return alone.callbackURL() }},
		{"three nodes, all callbacks to one instance", most, func(int, int) string { return bases[1] }},
		{"three nodes, each player to one instance", most, func(worker, _ int) string { return bases[worker%3] }},
		{"three nodes, each callback to the next instance", most, func(worker, n int) string { return bases[(worker+n)%3] }},
		{"three nodes, 4 players at all instances at once", 4, func(worker, n int) string { return bases[(worker+n)%3] }},
	} {
		for _, connections := range []int{16, most} {
			before := c.conflicts(t)
			var of []string
			for i := range connections {
				of = append(of, users[i%way.players])
			}
			rate, slow, failed := drive(t, of, way.base)
			t.Logf("%-48s %2d connections: %5.0f callbacks/s, 99%% within %v, %d conflicts and %d without an answer per "+
				"100,000",
				way.name, connections, rate, slow.Round(time.Millisecond),
				int(float64(c.conflicts(t)-before)/rate/loadFor.Seconds()*1e5),
				int(float64(failed)/rate/loadFor.Seconds()*1e5))
		}
	}
	// Reads on a node to which the others send what they write.
	var busy sync.WaitGroup
	busy.Go(func() { drive(t, users[:16], func(int, int) string { return bases[0] }) })
	for _, wait := range []int{0, 7} {
		read, err := sql.Open("mysql", fmt.Sprintf("%s?wsrep_sync_wait=%d", c.Nodes[1].DSN("pitboss"), wait))
		require.NoError(t, err)
		reads, began := 0, time.Now()
		for ; time.Since(began) < loadFor/3; reads++ {
			require.NoError(t, read.QueryRow("SELECT balance_minor FROM wallets LIMIT 1").Scan(new(int64)))
		}
		t.Logf("a read with wsrep_sync_wait = %d: %v", wait, (time.Since(began) / time.Duration(reads)).Round(time.Microsecond))
		require.NoError(t, read.Close())
	}
	busy.Wait()
}

// conflicts counts the transactions of all nodes that failed because of another node's.
func (c *cluster) conflicts(t *testing.T) (n int) {
	t.Helper()
	for i := range c.Nodes {
		for _, name := range []string{"wsrep_local_cert_failures", "wsrep_local_bf_aborts"} {
			count, err := strconv.Atoi(c.status(t, i, name))
			require.NoError(t, err)
			n += count
		}
	}
	return n
}

const loadFor = 10 * time.Second

var drives atomic.Int64

// drive sends bets and wins of each user, one after the other, for loadFor. It returns how many were answered per second, the
// 99th percentile of their latency, and how many got no definite answer.
func drive(t *testing.T, users []string, base func(worker, n int) string) (rate float64, slow time.Duration, failed int) {
	run := drives.Add(1)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: len(users)}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var took []time.Duration
	var group sync.WaitGroup
	began := time.Now()
	for worker, user := range users {
		group.Go(func() {
			for n := 0; time.Since(began) < loadFor; n++ {
				r, e := wire.Request{UserID: user, Amount: "0.01",
					TransactionID: fmt.Sprintf("%02d-%02d-%08d", run, worker, n), RoundID: "r"}, wire.Withdraw
				if n%2 == 1 {
					e = wire.Deposit
				}
				body, err := json.Marshal(genuine(e, r))
				if err != nil {
					t.Error(err)
					return
				}
				sent := time.Now()
				answer, err := client.Post(base(worker, n)+e.Path(), "application/json", bytes.NewReader(body))
				ok := err == nil && answer.StatusCode == http.StatusOK
				if err == nil {
					io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				mu.Lock()
				if ok {
					took = append(took, time.Since(sent))
				} else {
					failed++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	slices.Sort(took)
	return float64(len(took)) / time.Since(began).Seconds(), took[len(took)*99/100], failed
}
