package store

import (
	"context"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// What the program asks of the database itself; package db says more about each.

// CheckURL returns an error that says what is wrong with a database URL, without its password.
func CheckURL(raw string) error { return db.CheckURL(raw) }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Keyed reports whether the ledger's chains are keyed.
func (s *Store) Keyed() bool { return s.db.Keyed() }

// Migrate applies the pending migrations, one instance at a time, and returns them.
func (s *Store) Migrate(ctx context.Context) ([]models.Migration, error) { return s.db.Migrate(ctx) }

// Migrations lists all migrations, with the time at which each was applied.
func (s *Store) Migrations(ctx context.Context) ([]models.Migration, error) {
	return s.db.Migrations(ctx)
}

// Migrated reports whether no migration is pending.
func (s *Store) Migrated(ctx context.Context) (bool, error) { return s.db.Migrated(ctx) }

// LackingPrivileges returns the account that would migrate and the privileges that it lacks for this.
func (s *Store) LackingPrivileges(ctx context.Context) (account string, lacking []string, err error) {
	return s.db.LackingPrivileges(ctx)
}

// BeginLedger stores a fingerprint of the chains' key if the ledger is new. It returns db.ErrLedgerKey if the ledger was begun
// with another key.
func (s *Store) BeginLedger(ctx context.Context) error { return s.db.BeginLedger(ctx) }

// CheckLedgerKey returns db.ErrLedgerKey if the ledger was begun with another key. It writes nothing.
func (s *Store) CheckLedgerKey(ctx context.Context) error { return s.db.CheckLedgerKey(ctx) }

// OpenJobs returns the numbers of the jobs of a kind that have not ended, oldest first, up to 100.
func (s *Store) OpenJobs(ctx context.Context, kind models.JobKind) ([]int64, error) {
	return s.db.OpenJobs(ctx, kind)
}

// BeginJob notes that an instance begins a job, and reports whether it is still open. It returns models.ErrJobTries if the job
// was begun too often.
func (s *Store) BeginJob(ctx context.Context, kind models.JobKind, id int64) (bool, error) {
	return s.db.BeginJob(ctx, kind, id)
}

// Lease takes or renews a lease, and reports whether holder has it.
func (s *Store) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	return s.db.Lease(ctx, name, holder, ttl)
}

// EndLease gives a lease back, if holder has it.
func (s *Store) EndLease(ctx context.Context, name, holder string) error {
	return s.db.EndLease(ctx, name, holder)
}

// ClockAhead returns how far this machine's clock is ahead of the database's.
func (s *Store) ClockAhead() time.Duration { return s.db.ClockAhead() }

// Unguarded returns the changes of append-only tables that the database would let this account make.
func (s *Store) Unguarded(ctx context.Context) ([]string, error) { return s.db.Unguarded(ctx) }

// WatcherFaults returns what was changed in the database so that jobs or administrators would overlook something.
func (s *Store) WatcherFaults(ctx context.Context) ([]string, error) {
	return s.db.WatcherFaults(s.db.Read.WithContext(ctx))
}
