// Package store keeps Pitboss's data in MySQL/MariaDB or SQLite. It is the only package that knows SQL. Plain reads and writes
// go through GORM; the way to a wallet (apply.go, batch.go) is written out: it is easier to read so, and faster.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"pitboss/models"
)

// Config is what a store needs to open.
type Config struct {
	URL       string           // PITBOSS_DATABASE_URL
	Migrate   string           // PITBOSS_MIGRATE_DATABASE_URL: the same database under an account that may change its schema; empty: URL
	LedgerKey []byte           // PITBOSS_LEDGER_KEY; empty for unkeyed chains
	LockWait  time.Duration    // how long a statement waits for a lock; 0 means 1 s. Below the callbacks' deadline
	MaxConns  int              // of the pool; 0 means 32. SQLite writes through one
	Unbatched bool             // PITBOSS_BATCH=off: a database transaction for each operation
	Now       func() time.Time // the clock; nil means the database's (clock.go)
	LocalTime func() time.Time // the machine's clock; nil means the system's
	Log       *slog.Logger     // nil discards

	// ReadURL reads URL again when the database refuses the account or its password; nil: nothing does.
	ReadURL func() (string, error)
}

// Store is one database. Its methods are safe for concurrent use.
type Store struct {
	db      *gorm.DB // writes, and reads that belong to them
	read    *gorm.DB // reads alone: on SQLite a pool of its own, which writers do not hold up
	pools   pools    // under them, and that of attempts (apply.go)
	dialect dialect
	chain   *models.Chain
	log     *slog.Logger
	wallets walletNumbers
	shapes  atomic.Pointer[idShapes] // as they were read last
	applier applier
	aside   aside
	meter   *meter
	retries retries

	localTime  func() time.Time // of this machine
	fixedClock bool             // it is the only one
	clock      atomic.Pointer[clockReading]
	stopClock  context.CancelFunc
	following  sync.WaitGroup // the database's clock

	migrateURL string
	unguarded  unguarded
	writable   writable
}

// Open connects to the database that cfg.URL names and checks that it answers. It neither migrates nor begins a ledger: see
// Migrate and BeginLedger. Errors name what is wrong with the URL, never its password.
func Open(ctx context.Context, cfg Config) (*Store, error) {
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
	s := &Store{
		chain: models.NewChain(cfg.LedgerKey), log: cfg.Log, migrateURL: cfg.Migrate, writable: writable{log: cfg.Log},
		localTime: cfg.LocalTime, fixedClock: cfg.Now != nil, meter: newMeter(),
	}
	pools, err := openPools(cfg)
	if err != nil {
		return nil, err
	}
	s.dialect, s.pools = pools.dialect, pools
	if err := errors.Join(s.pools.write.PingContext(ctx), s.readClock(ctx)); err != nil {
		pools.close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	if s.db, err = gorm.Open(pools.dialect.dialector(pools.write), gormConfig(s.now)); err == nil {
		s.read, err = gorm.Open(pools.dialect.dialector(pools.read), gormConfig(s.now))
	}
	if err != nil {
		pools.close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	s.wallets.lookUp = newQueue(reading(&s.retries, s.findNumbers))
	if cfg.Unbatched {
		s.applier = &single{s}
	} else {
		s.applier = newBatcher(s)
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stopClock = stop
	s.following.Go(func() { s.followClock(follow) })
	return s, nil
}

func gormConfig(now func() time.Time) *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		TranslateError:         true,
		NowFunc:                now,
		Logger:                 logger.Discard, // errors are returned, and statements may hold personal data
	}
}

// Close waits for operations under way, then closes the connections.
func (s *Store) Close() error {
	s.stopClock()
	s.following.Wait()
	s.applier.close()
	s.aside.running.Wait()
	s.wallets.lookUp.close()
	s.writable.wait()
	return s.pools.close()
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.pools.write.PingContext(ctx) }

// Keyed reports whether the ledger's chains are keyed.
func (s *Store) Keyed() bool { return s.chain.Keyed() }

// change runs fn in one transaction on the write pool and repeats the whole of it when the database asks for that (a deadlock, a
// lock wait). fn must not keep anything from a run that failed. The audit events that it has recorded are written last.
func (s *Store) change(ctx context.Context, fn func(tx *gorm.DB) error) error {
	for try := 0; ; try++ {
		recorded, collected := recording(ctx)
		err := s.db.WithContext(recorded).Transaction(func(tx *gorm.DB) error {
			if err := fn(tx); err != nil {
				return err
			}
			return s.writeAudit(tx, collected)
		})
		if err == nil || try == 9 || !isContention(err) || !pause(ctx, try) {
			return err
		}
		s.retries.count(retriedChanges, err)
	}
}

// pause waits before another try, longer each time, and reports false when ctx ends first.
func pause(ctx context.Context, try int) bool {
	t := time.NewTimer(backoff(try))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Times are stored as microseconds since 1970, UTC, in a BIGINT: the same number in both databases, and the one that is hashed.

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
