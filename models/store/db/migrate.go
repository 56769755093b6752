package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"gorm.io/gorm"

	"pitboss/migrations"
	"pitboss/models"
)

// Migrate applies the pending migrations, one instance at a time, creates missing triggers, and returns the migrations that it
// has applied. It returns a SchemaError and changes nothing if the database has only a part of a schema. If only triggers are
// missing and another instance or command is changing the schema, it leaves them to that one. It uses the account of
// Config.Migrate if there is one; then the account of Config.URL needs only SELECT, INSERT, UPDATE and DELETE.
func (s *DB) Migrate(ctx context.Context) (applied []models.Migration, err error) {
	pool := s.Pools.Write
	if s.MigrateURL != "" {
		if pool, err = s.OpenMigrating(ctx); err != nil {
			return nil, err
		}
		defer pool.Close()
	}
	current, guarded, err := s.schema(ctx, pool)
	if err == nil && current {
		err = s.checkSchema(ctx, pool)
	}
	if err != nil || current && guarded {
		return nil, err
	}
	err = s.migrating(ctx, pool, !current, func(ctx context.Context, p *goose.Provider) error {
		if err := s.checkPending(ctx, pool); err != nil {
			return err
		}
		results, err := p.Up(ctx)
		var partial *goose.PartialError
		if errors.As(err, &partial) {
			results = partial.Applied // those before the one that failed
		}
		for _, r := range results {
			applied = append(applied, models.Migration{Number: r.Source.Version, File: r.Source.Path, AppliedAt: s.Now()})
		}
		if err != nil {
			return err
		}
		return s.CreateTriggers(ctx, pool)
	})
	if current && errors.Is(err, errMigrating) {
		// This instance must not wait for the other to serve.
		s.Log.Warn("Triggers that protect the ledger are missing, because another instance or command is changing the " +
			"schema. It creates them when it is done; /readyz says when they are there. If it was killed, run " +
			"pitboss migrate up.")
		return nil, nil
	}
	if err != nil {
		return applied, err
	}
	if done, err := s.Migrated(ctx); err != nil || !done {
		return applied, errors.Join(errors.New("the schema is up to date where PITBOSS_MIGRATE_DATABASE_URL leads, and not "+
			"where PITBOSS_DATABASE_URL does"), err)
	}
	return applied, nil
}

// schema reports whether no migration is pending, and whether no trigger is missing. If both are true, nobody needs the lock.
func (s *DB) schema(ctx context.Context, pool *sql.DB) (current, guarded bool, err error) {
	if current, err = s.Migrated(ctx); err != nil || !current {
		return false, false, err
	}
	// An error is no problem here: while another instance creates a trigger, its DDL may roll back this trial (1213) or show it
	// half a trigger (1064). Then this instance takes the lock and tries again while nobody else creates triggers.
	missing, err := missingTriggers(ctx, s.Dialect, pool)
	return true, err == nil && len(missing) == 0, ctx.Err()
}

// OpenMigrating opens the database with the account that may change its schema.
func (s *DB) OpenMigrating(ctx context.Context) (*sql.DB, error) {
	pools, err := openPools(Config{URL: s.MigrateURL, MaxConns: 4, Log: s.Log})
	if err == nil && pools.dialect != s.Dialect {
		pools.close()
		err = errors.New("it is not the same kind of database as PITBOSS_DATABASE_URL")
	}
	if err == nil {
		err = pools.Write.PingContext(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("PITBOSS_MIGRATE_DATABASE_URL: %w", err)
	}
	// The pools for reads and money are not needed.
	for _, pool := range []*sql.DB{pools.Read, pools.Money} {
		if pool != pools.Write {
			pool.Close()
		}
	}
	return pools.Write, nil
}

// Migrations returns every migration that this program knows, applied or pending. Unlike goose, it does not create the table of
// migrations.
func (s *DB) Migrations(ctx context.Context) (out []models.Migration, err error) {
	p, err := s.provider(s.Pools.Write)
	if err != nil {
		return nil, err
	}
	// goose would read one migration at a time, and the platform page needs all of them.
	var rows []struct {
		VersionID int64
		IsApplied bool
		Tstamp    time.Time
	}
	err = s.Write.WithContext(ctx).Raw("SELECT version_id, is_applied, tstamp FROM goose_db_version ORDER BY id").
		Scan(&rows).Error
	if err != nil && MySQLNumber(err) != MySQLUnknownTable && !strings.Contains(err.Error(), "no such table") {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	applied := map[int64]time.Time{}
	for _, r := range rows {
		if delete(applied, r.VersionID); r.IsApplied {
			applied[r.VersionID] = r.Tstamp
		}
	}
	for _, source := range p.ListSources() {
		out = append(out, models.Migration{Number: source.Version, File: source.Path, AppliedAt: applied[source.Version]})
	}
	return out, nil
}

// Migrated reports whether nothing is pending.
func (s *DB) Migrated(ctx context.Context) (bool, error) {
	list, err := s.Migrations(ctx)
	return err == nil && !slices.ContainsFunc(list, func(m models.Migration) bool { return m.AppliedAt.IsZero() }), err
}

func (s *DB) provider(pool *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations.FS, string(s.Dialect))
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectMySQL
	if s.Dialect == SQLite {
		dialect = goose.DialectSQLite3
	}
	// Two people may number migrations at the same time, so one may be applied after a higher number.
	return goose.NewProvider(dialect, pool, files, goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
}

// errMigrating means that another instance or command holds the lock for changes of the schema.
var errMigrating = errors.New("another instance or command is changing the schema of this database")

// How long an instance waits for another to change the schema, and how long the lock of one that was killed lasts.
const (
	lockWait  = 10 * time.Minute
	lockLook  = 250 * time.Millisecond
	lockLease = 20 * time.Second
	lockBeat  = 2 * time.Second
)

// migrating calls fn while no other instance migrates; it waits for them for up to ten minutes or, if patient is false, returns
// errMigrating. It calls fn again if fn fails because somebody else uses a table: on SQLite up to ten times, on MySQL for up to
// ten minutes.
func (s *DB) migrating(ctx context.Context, pool *sql.DB, patient bool,
	fn func(context.Context, *goose.Provider) error) (err error) {
	p, err := s.provider(pool)
	if err != nil {
		return err
	}
	// SQLite has no locks for this. Each migration is a transaction of its own, which locks the file first. So of two instances
	// the second fails because the tables exist, and finds the migration applied when it tries again.
	pause := 100 * time.Millisecond
	if s.Dialect == MySQL {
		pause = time.Second // between two tries it lets those pass who have waited for it
		looks := uint64(1)
		if patient {
			looks = uint64(lockWait / lockLook)
		}
		// The lock is a row, because GET_LOCK only locks one node of a Galera cluster. If a long change of the schema blocks
		// all nodes, its holder can lose the lock. Then two instances apply the same migration, and the second fails because
		// its tables exist.
		locker, err := lock.NewMySQLTableLocker(lock.WithTableName("migration_lock"), lock.WithTableLeaseDuration(lockLease),
			lock.WithTableHeartbeatInterval(lockBeat), lock.WithTableLockTimeout(lockLook, looks),
			lock.WithTableUnlockTimeout(lockLook, 20), lock.WithTableLogger(slog.New(slog.DiscardHandler)))
		if err != nil {
			return err
		}
		if err := locker.Lock(ctx, pool); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: check on it, then try again (%w)", errMigrating, err)
		}
		defer func() { err = errors.Join(err, locker.Unlock(ctx, pool)) }()
	}
	for began, try := time.Now(), 1; ; try++ {
		err := fn(ctx, p)
		switch {
		case err == nil, s.Dialect == SQLite && try == 10, s.Dialect == MySQL && !IsContention(err):
			return err
		case time.Since(began) > lockWait:
			return fmt.Errorf("for %v, another transaction has used a table whose schema has to be changed, such as a "+
				"verification, an export, or a dump of the database; try again when it has ended: %w", lockWait, err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// ErrLedgerKey is returned by BeginLedger and CheckLedgerKey if the ledger was begun with another key, or with none.
var ErrLedgerKey = errors.New("PITBOSS_LEDGER_KEY is not the key that this ledger was begun with: set that key (or unset " +
	"it, if there was none); it cannot be changed later")

// BeginLedger stores the fingerprint of the chain's key if the ledger is new. It returns ErrLedgerKey if the ledger was begun
// with another key, because a chain of lines with two keys would prove nothing.
func (s *DB) BeginLedger(ctx context.Context) error {
	return s.Change(ctx, func(tx *gorm.DB) error {
		begun, err := s.checkKey(tx)
		if err == nil && !begun { // another instance may begin it at the same time
			err = tx.Exec("INSERT INTO ledgers (id, key_fingerprint, begun_at_us) VALUES (1, ?, ?)"+s.Dialect.OnConflict("id")+
				"id = ledgers.id", s.Chain.Fingerprint(), Micros(s.Now())).Error
			if err == nil {
				_, err = s.checkKey(tx)
			}
		}
		return err
	})
}

// CheckMigrating returns why the account that applies migrations cannot sign in, if it has a URL of its own.
func (s *DB) CheckMigrating(ctx context.Context) error {
	if s.MigrateURL == "" {
		return nil
	}
	pool, err := s.OpenMigrating(ctx)
	if err != nil {
		return err
	}
	return pool.Close()
}

// CheckLedgerKey returns ErrLedgerKey if the ledger was begun with another key. Unlike BeginLedger it writes nothing.
func (s *DB) CheckLedgerKey(ctx context.Context) error {
	_, err := s.checkKey(s.Read.WithContext(ctx))
	return err
}

// checkKey reports whether the ledger was begun.
func (s *DB) checkKey(tx *gorm.DB) (begun bool, err error) {
	key, begun, err := First(All[string](tx, "SELECT key_fingerprint FROM ledgers WHERE id = 1"))
	if begun && key != s.Chain.Fingerprint() {
		err = ErrLedgerKey
	}
	return begun, err
}
