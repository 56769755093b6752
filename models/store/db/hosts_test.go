package db_test

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/mariadb"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// relay is a host of a database URL that can go away and come back at the same address, and that can freeze: it then accepts
// connections and says nothing on them.
type relay struct {
	addr, upstream string

	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
	taken    int           // connections
	frozen   chan struct{} // closed when the host is no longer frozen; nil if it is not
	running  sync.WaitGroup
}

func newRelay(t *testing.T, upstream string) *relay {
	t.Helper()
	r := &relay{addr: "127.0.0.1:0", upstream: upstream}
	r.open(t)
	r.addr = r.listener.Addr().String()
	t.Cleanup(r.close)
	return r
}

func (r *relay) open(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp4", r.addr)
	require.NoError(t, err)
	r.listener = listener
	r.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp4", r.upstream)
			if err != nil {
				client.Close()
				continue
			}
			r.mu.Lock()
			r.conns, r.taken = append(r.conns, client, server), r.taken+1
			r.mu.Unlock()
			for _, pair := range [][2]net.Conn{{client, server}, {server, client}} {
				r.running.Go(func() {
					io.Copy(gate{r, pair[0]}, pair[1])
					pair[0].Close()
				})
			}
		}
	})
}

// gate passes bytes on unless the relay is frozen.
type gate struct {
	relay *relay
	to    io.Writer
}

func (g gate) Write(p []byte) (int, error) {
	g.relay.mu.Lock()
	frozen := g.relay.frozen
	g.relay.mu.Unlock()
	if frozen != nil {
		<-frozen
	}
	return g.to.Write(p)
}

func (r *relay) freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = make(chan struct{})
}

func (r *relay) close() {
	r.listener.Close()
	r.mu.Lock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
	if r.frozen != nil {
		close(r.frozen)
		r.frozen = nil
	}
	r.mu.Unlock()
	r.running.Wait()
}

func (r *relay) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken
}

// hostsURL returns the URL of a database with other hosts.
func hostsURL(t *testing.T, url string, hosts ...string) string {
	t.Helper()
	config, err := mysql.ParseDSN(strings.TrimPrefix(url, "mysql://"))
	require.NoError(t, err)
	return strings.Replace(url, "("+config.Addr+")", "("+strings.Join(hosts, ", ")+")", 1)
}

// address returns where the server of a URL listens.
func address(t *testing.T, url string) string {
	t.Helper()
	config, err := mysql.ParseDSN(strings.TrimPrefix(url, "mysql://"))
	require.NoError(t, err)
	return config.Addr
}

// deadHost returns an address where nobody listens.
func deadHost(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// A server that has reset its idle connections is no reason for an error when the database is closed.
func TestCloseAfterTheServer(t *testing.T) {
	url := storetest.EmptyURL(t, storetest.MariaDB)
	host := newRelay(t, address(t, url))
	s, err := store.Open(t.Context(), store.Config{URL: hostsURL(t, url, host.addr)})
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Ping(t.Context()))
	host.mu.Lock()
	for _, c := range host.conns {
		c.(*net.TCPConn).SetLinger(0)
	}
	host.mu.Unlock()
	host.close()
	require.NoError(t, s.Close())
}

// A URL's hosts are tried in order, when the program starts and whenever a host is lost, for both accounts.
func TestHostsInOrder(t *testing.T) {
	url := storetest.EmptyURL(t, storetest.MariaDB)
	first, second := newRelay(t, address(t, url)), newRelay(t, address(t, url))
	var log storetest.Log
	s := storetest.Open(t, store.Config{
		URL:     hostsURL(t, url, deadHost(t), first.addr, second.addr),
		Migrate: hostsURL(t, url, deadHost(t), second.addr, first.addr),
		Log:     slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.Positive(t, first.connections())
	require.Positive(t, second.connections(), "the migrations' URL begins with the second host")
	before := second.connections()
	storetest.CreatePlayer(t, s, "anna", 1000)
	require.Equal(t, before, second.connections(), "the first host that answers is used")

	first.close()
	bet := func(id string) {
		t.Helper()
		result, err := s.Apply(t.Context(), models.Operation{
			Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna", TransactionID: models.TransactionID(id),
			RoundID: "r", Bet: 100,
		})
		require.NoError(t, err)
		require.Equal(t, models.None, result.Decline)
	}
	bet("a")
	require.Greater(t, second.connections(), before)
	first.open(t)
	second.close()
	bet("b")
	require.NoError(t, s.Ping(t.Context()))
	b, found, err := s.Balance(t.Context(), "anna")
	require.NoError(t, err)
	require.True(t, found)
	require.EqualValues(t, 800, b.Amount)
	require.Contains(t, log.String(), "New connections go to another host of the database URL.")
	require.Contains(t, log.String(), "host="+second.addr)
}

// A host that is frozen, by kill -STOP or by a hung disk, accepts connections and never answers. Callbacks go to the next host
// when those that were on their way have missed their deadlines.
func TestFrozenHostIsLeft(t *testing.T) {
	url := storetest.EmptyURL(t, storetest.MariaDB)
	first, second := newRelay(t, address(t, url)), newRelay(t, address(t, url))
	s := storetest.Open(t, store.Config{URL: hostsURL(t, url, first.addr, second.addr)})
	storetest.CreatePlayer(t, s, "anna", 1000)
	bet := func(id string) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.Apply(ctx, storetest.Bet("anna", models.TransactionID(id), 100))
		return err
	}
	require.Eventually(t, func() bool { return bet("a") == nil }, storetest.Patience, time.Millisecond)
	require.Zero(t, second.connections())
	first.freeze()
	require.ErrorIs(t, bet("b"), context.DeadlineExceeded, "its outcome is not known")
	for _, id := range []string{"b", "c"} { // the platform repeats it
		require.Eventually(t, func() bool { return bet(id) == nil }, storetest.Patience, time.Millisecond)
	}
	require.Positive(t, second.connections())
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		b, _, err := s.Balance(ctx, "anna")
		return err == nil && b.Amount == 700
	}, storetest.Patience, time.Millisecond)
}

// If no host can be used, the error names each host with the reason, and no password.
func TestNoHostAnswers(t *testing.T) {
	one, other := deadHost(t), deadHost(t)
	_, err := store.Open(t.Context(), store.Config{URL: "mysql://u:geheim@tcp(" + one + "," + other + ")/pitboss"})
	require.ErrorContains(t, err, one+": ")
	require.ErrorContains(t, err, other+": ")
	require.NotContains(t, err.Error(), "geheim")
}

// A host that is read-only is skipped if there is another.
func TestReadOnlyHostIsPassedOver(t *testing.T) {
	dir, err := mariadb.TempDir("pitboss-test-mariadb-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	replica, err := mariadb.Start(dir, "--read-only=1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, replica.Kill()) })
	url := storetest.EmptyURL(t, storetest.MariaDB)
	config, err := mysql.ParseDSN(strings.TrimPrefix(url, "mysql://"))
	require.NoError(t, err)
	db, err := sql.Open("mysql", replica.DSN(""))
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	_, err = db.Exec("CREATE DATABASE " + config.DBName)
	require.NoError(t, err)

	s := storetest.Open(t, store.Config{URL: hostsURL(t, url, replica.Addr(), config.Addr)})
	storetest.CreatePlayer(t, s, "anna", 1000)
	var tables int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ?", config.DBName).
		Scan(&tables))
	require.Zero(t, tables)
}
