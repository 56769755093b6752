package db

import (
	"context"
	"database/sql/driver"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// isSignInRefused reports whether err means that the database refuses the account or its password.
func isSignInRefused(err error) bool {
	switch MySQLNumber(err) {
	case MySQLPasswordRefused, mysqlNoPassword, mysqlPasswordExpired, mysqlAccountLocked, mariaDBAccountLocked:
		return true
	}
	return false
}

// rotating connects to MySQL or MariaDB, and reads the URL again if the database refuses the account or its password. So a
// password can be changed by writing the new one to the file of the URL, without a restart. Open connections stay open.
type rotating struct {
	read     func() (string, error)
	lockWait time.Duration
	log      *slog.Logger
	galera   *atomic.Bool

	mu      sync.Mutex
	dsn     string
	current *hosts
}

// newRotating returns the connector for a DSN. If cfg.ReadURL is nil, the DSN never changes.
func newRotating(dsn string, cfg Config, galera *atomic.Bool) (*rotating, error) {
	connector, err := newHosts(dsn, cfg.LockWait, cfg.Log, galera)
	if err != nil {
		return nil, err
	}
	return &rotating{read: cfg.ReadURL, lockWait: cfg.LockWait, log: cfg.Log, galera: galera, dsn: dsn, current: connector}, nil
}

// Driver returns the driver of MySQL.
func (r *rotating) Driver() driver.Driver { return r.connector().Driver() }

func (r *rotating) connector() *hosts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current
}

// Connect opens a connection.
func (r *rotating) Connect(ctx context.Context) (driver.Conn, error) { return r.connect(ctx, false) }

// together is a rotating connector whose connections accept several statements in one packet (packet.go).
type together struct{ *rotating }

// Connect opens a connection.
func (t together) Connect(ctx context.Context) (driver.Conn, error) { return t.connect(ctx, true) }

func (r *rotating) connect(ctx context.Context, together bool) (driver.Conn, error) {
	conn, err := r.connector().connect(ctx, together)
	if r.read == nil || !isSignInRefused(err) {
		return conn, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	url, unreadable := r.read()
	if unreadable != nil {
		r.log.Error("The database refuses the account or its password, and the file with its URL cannot be read again.",
			"error", unreadable)
		return nil, err
	}
	d, dsn, wrong := splitURL(url)
	if wrong != nil || d != MySQL {
		r.log.Error("The database refuses the account or its password, and the file with its URL no longer has a MySQL URL.")
		return nil, err
	}
	next := r.current // another goroutine may have changed it meanwhile
	if dsn != r.dsn {
		if next, wrong = newHosts(dsn, r.lockWait, r.log, r.galera); wrong != nil {
			return nil, err
		}
	}
	if conn, err = next.connect(ctx, together); err != nil {
		return nil, err
	}
	if dsn != r.dsn {
		r.dsn, r.current = dsn, next
		r.log.Info("The database's URL was read again from its file, after the database had refused the account or its " +
			"password.")
	}
	return conn, nil
}
