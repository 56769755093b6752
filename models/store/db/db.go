// Package db is the way to the database: connections to MySQL, MariaDB or SQLite, and what differs between them; migrations;
// changes with their audit events and the rows that these cover; leases; paging. The other packages of the store stand on it.
package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"pitboss/models"
)

// Config is what a store needs to open.
type Config struct {
	URL string // PITBOSS_DATABASE_URL
	// PITBOSS_MIGRATE_DATABASE_URL: the same database under an account that may change its schema; empty: URL
	Migrate   string
	LedgerKey []byte           // PITBOSS_LEDGER_KEY; empty for unkeyed chains
	LockWait  time.Duration    // how long a statement waits for a lock; 0 means 1 s. Below the callbacks' deadline
	MaxConns  int              // of the pool; 0 means 32. SQLite writes through one
	Unbatched bool             // PITBOSS_BATCH=off: a database transaction for each operation
	Now       func() time.Time // the clock; nil means the database's (clock.go)
	LocalTime func() time.Time // the machine's clock; nil means the system's
	Log       *slog.Logger     // nil discards

	// ReadURL reads URL again when the database refuses the account or its password; nil: nothing does.
	ReadURL func() (string, error)

	// Traced is told of each attempt to commit operations, for traces. It must not wait. nil: nobody is told.
	Traced func(Attempt)

	Replica     string                 // PITBOSS_REPLICA_URL: of replicas (replicas.go); empty: there are none
	ReplicaLag  time.Duration          // how far behind they may be; 0 means DefaultReplicaLag
	ReadReplica func() (string, error) // is to Replica what ReadURL is to URL
}

// Attempt is one attempt to commit operations together.
type Attempt struct {
	Began      time.Time
	Operations int
	Requests   iter.Seq[models.RequestID] // the callbacks that brought them
	Err        error                      // nil: it was committed
}

// DB is one database. Its methods are safe for concurrent use.
type DB struct {
	Write   *gorm.DB // and reads that belong to writes
	Read    *gorm.DB // reads alone: on SQLite a pool of its own, which writers do not hold up; see FromReplica
	Reads   Reads    // the connections of Read
	Pools   Pools    // under them, and that of the wallets' operations
	Dialect Dialect
	Chain   *models.Chain
	Log     *slog.Logger
	Retries Retries

	localTime  func() time.Time // of this machine
	fixedClock bool             // it is the only one
	clock      atomic.Pointer[clockReading]
	stopClock  context.CancelFunc
	following  sync.WaitGroup // the database's clock, and replicas
	replicas   *replicas      // nil: there are none

	MigrateURL string        // Config.Migrate
	Traced     func(Attempt) // Config.Traced
	unguarded  unguarded
	compared   sync.Map // GuardedRow -> comparedLists
	boundaries boundaries
}

// Open connects to the database that cfg.URL names and checks that it answers. Errors name what is wrong with the URL, never
// its password.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.LockWait == 0 {
		cfg.LockWait = time.Second
	}
	if cfg.MaxConns == 0 {
		cfg.MaxConns = 32
	}
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
		Chain: models.NewChain(cfg.LedgerKey), Log: cfg.Log, MigrateURL: cfg.Migrate, Traced: cfg.Traced,
		localTime:  cfg.LocalTime,
		fixedClock: cfg.Now != nil,
	}
	pools, err := openPools(cfg)
	if err != nil {
		return nil, err
	}
	d.Dialect, d.Pools, d.Reads = pools.dialect, pools, Reads{pools.Read}
	if err := errors.Join(d.Ping(ctx), d.ReadClock(ctx), d.refuseTiDB(ctx)); err != nil {
		pools.close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	if d.Write, err = gorm.Open(pools.dialect.dialector(pools.Write), gormConfig(d.Now)); err == nil {
		d.Read, err = gorm.Open(pools.dialect.dialector(d.Reads), gormConfig(d.Now))
	}
	if err == nil && cfg.Replica != "" {
		d.replicas, err = newReplicas(cfg)
	}
	if err != nil {
		pools.close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stopClock = stop
	d.following.Go(func() { d.followClock(follow) })
	if d.replicas != nil {
		if err := d.followReplicas(follow); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return d, nil
}

// refuseTiDB returns an error where the database is TiDB: it takes FOR UPDATE SKIP LOCKED and locks nothing, so that two
// instances would decide about one wallet at once.
func (d *DB) refuseTiDB(ctx context.Context) error {
	if d.Dialect == SQLite {
		return nil
	}
	var version string
	if err := d.Pools.Write.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return fmt.Errorf("ask for the database's version: %w", err)
	}
	if strings.Contains(version, "TiDB") {
		return errTiDB
	}
	return nil
}

var errTiDB = errors.New("this is TiDB, which does not lock the rows that Pitboss needs locked: use MariaDB or MySQL")

func gormConfig(now func() time.Time) *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		TranslateError:         true,
		NowFunc:                now,
		Logger:                 logger.Discard, // errors are returned, and statements may hold personal data
	}
}

// Close closes the connections. Whoever uses them has ended before.
func (d *DB) Close() error {
	d.stopClock()
	d.following.Wait()
	if d.replicas == nil {
		return d.Pools.close()
	}
	d.endBeats()
	return errors.Join(d.replicas.close(), d.Pools.close())
}

// Ping reports whether the database answers.
func (s *DB) Ping(ctx context.Context) error { return s.Pools.Write.PingContext(ctx) }

// Keyed reports whether the ledger's chains are keyed.
func (s *DB) Keyed() bool { return s.Chain.Keyed() }

// Change runs fn in one transaction on the write pool and repeats the whole of it when the database asks for that (a deadlock,
// a lock wait). fn must not keep anything from a run that failed. The audit events that it has recorded are written last:
// by them it is known whether a change whose COMMIT was not answered is in the database.
func (s *DB) Change(ctx context.Context, fn func(tx *gorm.DB) error) error {
	ctx = OnPrimary(ctx)
	for try := 0; ; try++ {
		recorded, collected := Recording(ctx)
		err := s.Write.WithContext(recorded).Transaction(func(tx *gorm.DB) error {
			if err := s.TakeTurn(tx, collected, try > 0); err != nil {
				return err
			}
			if err := fn(tx); err != nil {
				return err
			}
			return s.WriteAudit(tx, collected)
		})
		// A COMMIT that ends without an answer may have succeeded, and so may one that ends with a conflict on Galera
		// (galera.go).
		if err != nil && (IsDown(err) || IsContention(err)) && s.committed(ctx, collected) {
			return nil
		}
		if err == nil || try == 9 || !IsContention(err) || !Pause(ctx, try) {
			return err
		}
		s.Retries.Count(retriedChanges, err)
	}
}

// Times are stored as microseconds since 1970, UTC, in a BIGINT: the same number in both databases, and the one that is hashed.

// Micros is a time as it is stored; 0 for the zero time.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// FromMicros is the time that is stored as us.
func FromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
