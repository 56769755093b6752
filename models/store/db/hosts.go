package db

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
)

// Several hosts in one database URL: mysql://user:password@tcp(first:3306,second:3306)/pitboss. All must have the same data:
// nodes of one Galera cluster, or a primary and a standby that is read-only until it is promoted.
//
// A new connection goes to the first host that answers and accepts writes. If its node loses the cluster or becomes read-only,
// it is closed after the statement that failed; others end after ConnMaxLifetime, so the program returns to the first host by
// itself. On a frozen host each statement waits until its deadline, which closes its connection.

const hostPatience = 500 * time.Millisecond // if there are several hosts and the URL sets no timeout

// hosts connects to the first usable host of a list.
type hosts struct {
	log    *slog.Logger
	galera *atomic.Bool // whether any connection was to a Galera node
	list   []host
	used   atomic.Int64 // the index of the host that the last new connection went to
}

// host is one host of the list.
type host struct {
	name     string
	connect  driver.Connector
	together driver.Connector // makes connections that accept several statements in one packet
	patience time.Duration    // until a new connection can be used
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
		one := host{name: cfg.Addr, patience: cmp.Or(cfg.Timeout, 2*time.Second)}
		if len(dsns) > 1 {
			one.patience, cfg.RejectReadOnly = cmp.Or(cfg.Timeout, hostPatience), true
		}
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

// connector makes the connections of a pool.
type connector struct {
	*hosts
	together   bool     // they accept several statements in one packet (packet.go)
	statements []string // to be run on each
}

// Driver returns the driver of MySQL.
func (connector) Driver() driver.Driver { return mysqldriver.MySQLDriver{} }

// Connect opens a connection to the first usable host.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	var errs []error
	for i, one := range c.list {
		conn, err := c.open(ctx, one)
		switch {
		case err == nil:
			if c.used.Swap(int64(i)) != int64(i) {
				c.log.Warn("New connections go to another host of the database URL.", "host", one.name, "error", errors.Join(errs...))
			}
			return conn, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		errs = append(errs, fmt.Errorf("%s: %w", one.name, err))
	}
	if len(errs) == 1 {
		return nil, errors.Unwrap(errs[0])
	}
	return nil, errors.Join(errs...)
}

// open connects to one host.
func (c connector) open(ctx context.Context, one host) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, one.patience)
	defer cancel()
	from := one.connect
	if c.together {
		from = one.together
	}
	plain, err := from.Connect(ctx)
	if err == nil {
		conn := &nodeConn{mysqlConn: plain.(mysqlConn), hosts: c.hosts}
		err = conn.greet(ctx)
		for _, statement := range c.statements {
			if err == nil {
				_, err = conn.ExecContext(ctx, statement, nil)
			}
		}
		if err == nil {
			return conn, nil
		}
		conn.Close()
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("it gave no answer within %v: %w", one.patience, err)
	}
	return nil, err
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
	ended bool // it is closed when it is back in the pool
}

// ExecContext runs a statement.
func (c *nodeConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.mysqlConn.ExecContext(ctx, query, args)
	if err != nil {
		c.note(err)
	}
	return result, err
}

// QueryContext runs a query.
func (c *nodeConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.mysqlConn.QueryContext(ctx, query, args)
	if err != nil {
		c.note(err)
	}
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
	return tx, c.note(err)
}

// IsValid reports whether the pool may keep the connection.
func (c *nodeConn) IsValid() bool { return !c.ended && c.mysqlConn.IsValid() }

// note has the connection closed if err shows that the node has left its cluster. It returns err.
func (c *nodeConn) note(err error) error {
	c.ended = c.ended || MySQLNumber(err) == MySQLNotPrepared
	return err
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
