// Package store keeps Pitboss's data in MySQL, MariaDB or SQLite. Only it and the packages below it know SQL. Each of those
// packages has one subject; Open composes them.
package store

import (
	"context"
	"time"

	"pitboss/models"
	"pitboss/models/store/books"
	"pitboss/models/store/control"
	"pitboss/models/store/db"
	"pitboss/models/store/ledger"
	"pitboss/models/store/players"
	"pitboss/models/store/proof"
	"pitboss/models/store/spins"
	"pitboss/models/store/staff"
	"pitboss/models/store/statements"
)

// Config says which database to open, and how.
type Config = db.Config

// Distinct names for the packages' stores, so that Store can embed them all.
type (
	ledgerStore     = ledger.Store
	playersStore    = players.Store
	spinsStore      = spins.Store
	booksStore      = books.Store
	staffStore      = staff.Store
	statementsStore = statements.Store
	controlStore    = control.Store
	proofStore      = proof.Store
)

// upkeep has the methods for maintaining the database; see package db.
type upkeep interface {
	Ping(ctx context.Context) error
	Now() time.Time
	ClockAhead() time.Duration
	ClockFault() string
	Keyed() bool
	Migrate(ctx context.Context) ([]models.Migration, error)
	Migrations(ctx context.Context) ([]models.Migration, error)
	Migrated(ctx context.Context) (bool, error)
	CheckMigrating(ctx context.Context) error
	CheckSchema(ctx context.Context) error
	CheckPending(ctx context.Context) error
	CheckTriggerRight(ctx context.Context) error
	Unguarded(ctx context.Context) ([]string, error)
	BeginLedger(ctx context.Context) error
	CheckLedgerKey(ctx context.Context) error
	OpenJobs(ctx context.Context, kind models.JobKind) ([]int64, error)
	BeginJob(ctx context.Context, kind models.JobKind, id int64) (bool, error)
	Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error)
	EndLease(ctx context.Context, name, holder string) error
}

// Store is one database and everything in it. Its methods are safe for concurrent use.
type Store struct {
	db *db.DB
	upkeep
	*ledgerStore
	*playersStore
	*spinsStore
	*booksStore
	*staffStore
	*statementsStore
	*controlStore
	*proofStore
}

// Open connects to the database that cfg.URL names and checks that it answers. It neither migrates nor begins a ledger: see
// Migrate and BeginLedger. Errors say what is wrong with the URL, without its password.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	d, err := db.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	l, people := ledger.New(d), staff.New(d)
	list, free := players.New(d, l), spins.New(d, people)
	figures := books.New(d, l, people, list)
	files := statements.New(d)
	watch := control.New(d, people, free, l, list, figures, files)
	return &Store{d, d, l, list, free, figures, people, files, watch, proof.New(d, figures, l, people)}, nil
}

// Close waits for operations in progress, then closes the connections.
func (s *Store) Close() error {
	s.ledgerStore.Close()
	return s.db.Close()
}

// CheckURL returns an error that says what is wrong with a database URL, without its password.
func CheckURL(raw string) error { return db.CheckURL(raw) }

// WatcherFaults returns changes in the database that would make jobs or administrators overlook something.
func (s *Store) WatcherFaults(ctx context.Context) ([]string, error) {
	return s.db.WatcherFaults(s.db.Read.WithContext(ctx))
}
