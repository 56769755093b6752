package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
)

// Several hosts in one database URL: mysql://user:password@tcp(first:3306,second:3306)/pitboss.
//
// A new connection goes to the first host in this order that answers and accepts writes. A host that failed is tried last for
// hostAvoided, so that a dead host does not delay every connection; then it gets another chance. If a connection's node loses
// its cluster or becomes read-only, the connection is closed after the statement that failed, and the next one goes to another
// host. Other connections stay open. They end after ConnMaxLifetime at the latest, so the program returns to the first host by
// itself.
//
// A host can also freeze: its machine still accepts connections, but nothing answers. So each host has hostPatience to accept a
// connection and to answer its first questions. And if a statement gets no answer before its deadline, a new connection tries
// the host; if that gets no answer either, all connections to the host are cut, and what waits on them continues on the next.
// A caller whose own deadline passes while it connects says nothing about a host.
//
// All hosts must have the same data: nodes of one Galera cluster, or a primary and a standby that is read-only until it is
// promoted.

const (
	hostAvoided  = 10 * time.Second
	hostPatience = 500 * time.Millisecond // if there are several hosts and the URL sets no timeout
)

// hosts connects to the first usable host of a list.
type hosts struct {
	log    *slog.Logger
	galera *atomic.Bool // whether any connection was to a Galera node
	list   []*host

	mu   sync.Mutex
	used *host
}

// host is one host of the list.
type host struct {
	name     string
	connect  driver.Connector
	together driver.Connector // makes connections that accept several statements in one packet
	patience time.Duration    // to accept a connection
	avoided  time.Time        // it is tried last until then
	testing  atomic.Bool      // whether a new connection is trying the host, because a statement got no answer

	mu    sync.Mutex
	conns map[*hostConn]struct{}
}

// newHosts returns the connector for a DSN with one or more hosts.
func newHosts(dsn string, cfg Config, galera *atomic.Bool) (*hosts, error) {
	h := &hosts{log: cfg.Log, galera: galera}
	dsns, err := hostDSNs(dsn)
	if err != nil {
		return nil, err
	}
	for _, one := range dsns {
		cfg, err := mysqlConfig(one, cfg.LockWait)
		if err != nil {
			return nil, err
		}
		one := &host{name: cfg.Addr, patience: cfg.Timeout, conns: map[*hostConn]struct{}{}}
		if one.patience == 0 {
			one.patience = 2 * time.Second
			if len(dsns) > 1 {
				one.patience = hostPatience
			}
		}
		cfg.Timeout, cfg.DialFunc = 0, one.dial // open has the timeout
		if one.connect, err = mysqldriver.NewConnector(cfg); err != nil {
			return nil, err
		}
		cfg.MultiStatements = true
		if one.together, err = mysqldriver.NewConnector(cfg); err != nil {
			return nil, err
		}
		h.list = append(h.list, one)
	}
	return h, nil
}

// hostDSNs splits a DSN with several hosts into one DSN for each. Like the driver, it looks for the last slash, and for the
// last @ before it.
func hostDSNs(dsn string) ([]string, error) {
	slash := strings.LastIndexByte(dsn, '/')
	if slash < 1 || dsn[slash-1] != ')' {
		return []string{dsn}, nil
	}
	network := strings.LastIndexByte(dsn[:slash], '@') + 1
	open := strings.IndexByte(dsn[network:slash], '(') + network
	if dsn[network:max(open, network)] != "tcp" {
		return []string{dsn}, nil
	}
	var list []string
	for one := range strings.SplitSeq(dsn[open+1:slash-1], ",") {
		if one = strings.TrimSpace(one); one == "" {
			return nil, errURL
		}
		list = append(list, dsn[:open+1]+one+dsn[slash-1:])
	}
	return list, nil
}

// Driver returns the driver of MySQL.
func (h *hosts) Driver() driver.Driver { return h.list[0].connect.Driver() }

// Connect opens a connection.
func (h *hosts) Connect(ctx context.Context) (driver.Conn, error) { return h.connect(ctx, false) }

// together makes connections that accept several statements in one packet (packet.go).
type together struct{ *hosts }

// Connect opens a connection.
func (t together) Connect(ctx context.Context) (driver.Conn, error) { return t.connect(ctx, true) }

// connect opens a connection to the first usable host. If together is true, the connection accepts several statements in one
// packet.
func (h *hosts) connect(ctx context.Context, together bool) (driver.Conn, error) {
	var errs []error
	for _, one := range h.order() {
		conn, err := h.open(ctx, one, together)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			h.avoid(one)
			errs = append(errs, fmt.Errorf("%s: %w", one.name, err))
		default:
			h.use(one, errs)
			return conn, nil
		}
	}
	if len(errs) == 1 {
		return nil, errors.Unwrap(errs[0])
	}
	return nil, errors.Join(errs...)
}

// order returns the hosts in the order in which to try them. When a host's time of being avoided is over, only one connection
// tries it, so that the others do not wait if it is still dead.
func (h *hosts) order() []*host {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	var first, last []*host
	for _, one := range h.list {
		if one.avoided.After(now) {
			last = append(last, one)
			continue
		}
		if !one.avoided.IsZero() {
			one.avoided = now.Add(hostAvoided)
		}
		first = append(first, one)
	}
	return append(first, last...)
}

func (h *hosts) avoid(one *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one.avoided = time.Now().Add(hostAvoided)
}

// use notes that a host works, and logs when new connections begin to go to another host.
func (h *hosts) use(one *host, errs []error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one.avoided = time.Time{}
	if h.used != nil && h.used != one {
		h.log.Warn("New connections go to another host of the database URL.", "host", one.name, "before", h.used.name, "error",
			errors.Join(errs...))
	}
	h.used = one
}

// open connects to one host.
func (h *hosts) open(ctx context.Context, one *host, together bool) (conn *nodeConn, err error) {
	ctx, cancel := context.WithTimeout(ctx, one.patience)
	defer cancel()
	connector := one.connect
	if together {
		connector = one.together
	}
	plain, err := connector.Connect(ctx)
	if err == nil {
		conn = &nodeConn{mysqlConn: plain.(mysqlConn), hosts: h, host: one}
		if err = conn.greet(ctx); err != nil {
			conn.Close()
		}
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("it gave no answer within %v: %w", one.patience, os.ErrDeadlineExceeded)
	}
	return conn, err
}

// test connects to a host that has not answered a statement before its deadline. If the host does not answer the new connection
// either, it is frozen: its connections are cut, so that whatever waits on them continues on another host.
func (h *hosts) test(one *host) {
	if len(h.list) == 1 || !one.testing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer one.testing.Store(false)
		conn, err := h.open(context.Background(), one, false)
		if err == nil {
			conn.Close()
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			h.avoid(one)
			h.log.Warn("A host of the database URL accepts connections but does not answer. Its connections are closed.",
				"host", one.name, "connections", one.cut())
		}
	}()
}

// hostConn is a network connection to a host, which the host knows until it is closed.
type hostConn struct {
	*net.TCPConn
	host *host
}

// Close closes the connection.
func (c *hostConn) Close() error {
	c.host.mu.Lock()
	delete(c.host.conns, c)
	c.host.mu.Unlock()
	return c.TCPConn.Close()
}

// dial opens a network connection to the host.
func (one *host) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	plain, err := dialer.DialContext(ctx, network, address)
	tcp, ok := plain.(*net.TCPConn)
	if !ok {
		return plain, err
	}
	conn := &hostConn{tcp, one}
	one.mu.Lock()
	defer one.mu.Unlock()
	one.conns[conn] = struct{}{}
	return conn, nil
}

// cut closes all network connections to the host, and returns how many there were. The driver reports them as lost.
func (one *host) cut() int {
	one.mu.Lock()
	defer one.mu.Unlock()
	for conn := range one.conns {
		conn.TCPConn.Close()
	}
	return len(one.conns)
}

// mysqlConn is the methods of the driver's connections.
type mysqlConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// nodeConn is a connection that the pool closes when its node can no longer be used.
type nodeConn struct {
	mysqlConn
	hosts *hosts
	host  *host
	ended bool // it is closed when it is back in the pool
}

// ExecContext runs a statement.
func (c *nodeConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.mysqlConn.ExecContext(ctx, query, args)
	c.note(ctx, err)
	return result, err
}

// QueryContext runs a query.
func (c *nodeConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.mysqlConn.QueryContext(ctx, query, args)
	c.note(ctx, err)
	return rows, err
}

// BeginTx begins a transaction. A read-only one is a snapshot: a verification reads other things for minutes while its snapshot
// waits, which has locked nothing that others need. The limit belongs to the connection, so the connection ends with it.
func (c *nodeConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if options.ReadOnly {
		c.ended = true
		_, err := c.ExecContext(ctx, "SET @snapshot = 1 /*M!100300 , SESSION idle_transaction_timeout = 3600 */", nil)
		if err != nil {
			return nil, err
		}
	}
	tx, err := c.mysqlConn.BeginTx(ctx, options)
	c.note(ctx, err)
	return tx, err
}

// IsValid reports whether the pool may keep the connection.
func (c *nodeConn) IsValid() bool { return !c.ended && c.mysqlConn.IsValid() }

// note has the connection closed if an error shows that the node has left its cluster, or that it is read-only and there are
// other hosts. If the statement got no answer before its deadline, it has the host tested.
func (c *nodeConn) note(ctx context.Context, err error) {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		c.hosts.test(c.host)
		return
	}
	switch MySQLNumber(err) {
	case MySQLNotPrepared:
	case MySQLOptionPrevents, MySQLReadOnlyMode:
		if len(c.hosts.list) == 1 {
			return
		}
	default:
		return
	}
	c.ended = true
	c.hosts.avoid(c.host)
}

// greet finds out on a new connection what kind of server it is, and turns on causal reads on a Galera node (galera.go). If the
// server refuses writes, greet returns the error that a write would get.
func (c *nodeConn) greet(ctx context.Context) error {
	is, err := c.show(ctx, "SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_provider', 'read_only')")
	if err != nil {
		return err
	}
	if is["read_only"] != "OFF" && len(c.hosts.list) > 1 { // MariaDB has more values than ON
		return &mysqldriver.MySQLError{Number: MySQLOptionPrevents, Message: "the server is read-only"}
	}
	if is["wsrep_on"] != "ON" || is["wsrep_provider"] == "" || is["wsrep_provider"] == "none" {
		return nil
	}
	if is, err = c.show(ctx, "SHOW GLOBAL STATUS WHERE Variable_name = 'wsrep_ready'"); err != nil {
		return err
	}
	if is["wsrep_ready"] != "ON" {
		return &mysqldriver.MySQLError{Number: MySQLNotPrepared, Message: "the Galera node is not part of its cluster"}
	}
	if _, err := c.mysqlConn.ExecContext(ctx, askForCausalReads, nil); err != nil {
		return err
	}
	c.hosts.galera.Store(true)
	return nil
}

// show runs a SHOW statement that returns names and values.
func (c *nodeConn) show(ctx context.Context, query string) (map[string]string, error) {
	rows, err := c.mysqlConn.QueryContext(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]string{}
	for row := make([]driver.Value, 2); ; {
		switch err := rows.Next(row); {
		case err == io.EOF:
			return found, nil
		case err != nil:
			return nil, err
		}
		found[fmt.Sprintf("%s", row[0])] = fmt.Sprintf("%s", row[1])
	}
}
