// Package db is the store's access to the database: connections to MySQL, MariaDB or SQLite, and the differences between them;
// migrations; changes with their audit events and the rows that these cover; leases; paging. The other packages of the store
// are built on it.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"pitboss/models"
)

// Config configures Open.
type Config struct {
	URL string // PITBOSS_DATABASE_URL
	// PITBOSS_MIGRATE_DATABASE_URL: the same database with an account that may change its schema. If empty, URL is used.
	Migrate   string
	LedgerKey []byte           // PITBOSS_LEDGER_KEY; empty for unkeyed chains
	LockWait  time.Duration    // how long a statement waits for a lock, less than the callbacks' deadline; 0 means 1 s
	Idle      time.Duration    // after which MariaDB ends an idle transaction that may hold locks; 0 means 5 s
	MaxConns  int              // of each pool; 0 means 32. SQLite has one writer
	Now       func() time.Time // the clock; nil means the database's (clock.go)
	LocalTime func() time.Time // the machine's clock; nil means the system's
	Log       *slog.Logger     // nil discards

	GrantedOnly bool // PITBOSS_FREE_SPINS=granted: free spins that no grant with spins left explains are refused
}

// DB is one database. Its methods are safe for concurrent use.
type DB struct {
	Write   *gorm.DB // writes, and the reads that belong to them
	Read    *gorm.DB // all other reads; on SQLite a separate pool, so that writers do not block them
	Pools   Pools    // the connections of Write and Read, and those for operations on wallets
	Dialect Dialect
	Chain   *models.Chain
	Log     *slog.Logger
	Retries Retries
	Far     Far

	localTime  func() time.Time // this machine's clock
	fixedClock bool             // localTime is Config.Now, and the database's clock is ignored
	clock      atomic.Pointer[clockReading]
	stopClock  context.CancelFunc
	following  sync.WaitGroup // the goroutine that watches the database's clock

	GrantedOnly bool // Config.GrantedOnly

	MigrateURL string // Config.Migrate
}

// Open connects to the database at cfg.URL and checks that it answers. Errors say what is wrong with the URL and never contain
// its password.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.LocalTime == nil {
		cfg.LocalTime = time.Now
	}
	if cfg.Now != nil {
		cfg.LocalTime = cfg.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	d := &DB{
		Chain: models.NewChain(cfg.LedgerKey), Log: cfg.Log, MigrateURL: cfg.Migrate,
		GrantedOnly: cfg.GrantedOnly, Retries: newRetries(),
		Far:        Far{AlongTable: 50_000, AlongIndex: 20_000},
		localTime:  cfg.LocalTime,
		fixedClock: cfg.Now != nil,
	}
	pools, err := openPools(cfg)
	if err != nil {
		return nil, err
	}
	d.Dialect, d.Pools = pools.dialect, pools
	if err := errors.Join(d.Ping(ctx), d.ReadClock(ctx), d.refuseTiDB(ctx)); err != nil {
		pools.close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	write := gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		NowFunc:                d.Now,
		Logger:                 logger.Discard, // errors are returned, and statements may contain personal data
	}
	read := write
	if d.Write, err = gorm.Open(pools.dialect.dialector(pools.Write), &write); err == nil {
		d.Read, err = gorm.Open(pools.dialect.dialector(pools.Read), &read)
	}
	if err == nil {
		err = errors.Join(nameErrors(d.Write), nameErrors(d.Read))
	}
	if err != nil {
		pools.close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stopClock = stop
	d.following.Go(func() { d.followClock(follow) })
	return d, nil
}

// refuseTiDB returns an error if the database is TiDB. TiDB accepts FOR UPDATE SKIP LOCKED and locks nothing, so two instances
// could decide about one wallet at the same time.
func (d *DB) refuseTiDB(ctx context.Context) error {
	if d.Dialect == SQLite {
		return nil
	}
	var version string
	if err := d.Pools.Write.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return fmt.Errorf("read the database's version: %w", err)
	}
	if strings.Contains(version, "TiDB") {
		return errors.New("this is TiDB, which does not lock the rows that Pitboss needs locked: use MariaDB or MySQL")
	}
	return nil
}

// Close closes the connections. Nothing may use them any more. An error means that SQLite's file was not closed cleanly: a
// connection of MySQL that cannot be closed was closed by the server, after wait_timeout or when it stopped.
func (d *DB) Close() error {
	d.stopClock()
	d.following.Wait()
	err := d.Pools.close()
	if d.Dialect == MySQL {
		return nil
	}
	return err
}

// Ping reports whether the database answers.
func (s *DB) Ping(ctx context.Context) error { return s.Pools.Write.PingContext(ctx) }

// Keyed reports whether the ledger's chains are keyed.
func (s *DB) Keyed() bool { return s.Chain.Keyed() }

// Change runs fn in one transaction on the write pool. After a deadlock or a lock wait it runs the whole transaction again, up
// to ten times in all, so fn must not keep anything from a failed run. The audit events that fn has recorded are written last.
// If COMMIT gets no answer, Change finds out by its last event whether the change was committed, for up to ten seconds.
func (s *DB) Change(ctx context.Context, fn func(tx *gorm.DB) error) error {
	besides, _ := ctx.Value(alsoKey{}).(*also)
	if besides != nil && besides.done {
		besides = nil
	}
	for try := 0; ; try++ {
		recorded, collected := Recording(ctx)
		err := s.Write.WithContext(recorded).Transaction(func(tx *gorm.DB) error {
			if err := s.TakeTurn(tx, collected, try > 0); err != nil {
				return err
			}
			if err := fn(tx); err != nil {
				return err
			}
			if besides != nil {
				if err := besides.run(tx, collected.events); err != nil {
					return err
				}
			}
			return s.WriteAudit(tx, collected)
		})
		// A COMMIT without an answer may have succeeded, and so may a COMMIT that ends with a conflict on Galera (galera.go).
		if err != nil {
			switch committed, unknown := s.committed(ctx, collected); {
			case committed:
				err = nil
			case unknown != nil:
				return fmt.Errorf("%w, after %w", unknown, err)
			}
		}
		if err == nil && besides != nil {
			besides.done = true
		}
		if err == nil || try == 9 || !IsContention(err) || !Pause(ctx, try) {
			return err
		}
		s.Retries.Count("changes", err)
	}
}

// Times are stored as microseconds since 1970, UTC, in a BIGINT: the same number on both databases and in hashes.

// Micros returns a time as it is stored, and 0 for the zero time.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// FromMicros returns the time that is stored as us, and the zero time for 0.
func FromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
