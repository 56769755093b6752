package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"pitboss/migrations"
	"pitboss/models"
)

// TriggersDue reports whether Migrate has left missing triggers to another instance or command that is changing the schema.
func (s *DB) TriggersDue() bool { return s.triggersDue.Load() }

// CreateTriggersDue creates the triggers that Migrate has left to another instance or command, if that one was killed before it
// could. It does nothing while that one works, and if Migrate left none.
func (s *DB) CreateTriggersDue(ctx context.Context) error {
	if !s.triggersDue.Swap(false) {
		return nil
	}
	_, err := s.Migrate(ctx)
	if err != nil {
		s.triggersDue.Store(true)
	}
	return err
}

// Migrate applies the pending migrations, one instance at a time, creates missing triggers, and returns the migrations that it
// has applied. If only triggers are missing and another instance or command is changing the schema, it leaves them to that one:
// see CreateTriggersDue. It uses the account of Config.Migrate if there is one; then the account of Config.URL needs no more
// than SELECT, INSERT, UPDATE and DELETE.
func (s *DB) Migrate(ctx context.Context) (applied []models.Migration, err error) {
	pool := s.Pools.Write
	if s.MigrateURL != "" {
		if pool, err = s.OpenMigrating(ctx); err != nil {
			return nil, err
		}
		defer pool.Close()
	}
	current, guarded, err := s.schema(ctx, pool)
	if err != nil || current && guarded {
		return nil, err
	}
	err = s.migrating(ctx, pool, !current, func(ctx context.Context, p *goose.Provider) error {
		if err := s.storeDigests(ctx, p, pool); err != nil {
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
		// A purge takes long, and this instance must not wait for it to serve.
		s.Log.Warn("Triggers that protect the ledger are missing, because another instance or command, such as a purge, is " +
			"changing the schema. They are created when it is done; /readyz says when they are there.")
		s.triggersDue.Store(true)
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

// Migrations returns every migration that this program knows, applied or pending. It returns an error if an applied migration is
// not the program's.
func (s *DB) Migrations(ctx context.Context) ([]models.Migration, error) {
	list, err := s.migrations(ctx)
	if err == nil {
		err = s.checkDigests(ctx, list)
	}
	return list, err
}

// migrations returns the program's migrations. Unlike goose, it does not create the table of migrations.
func (s *DB) migrations(ctx context.Context) (out []models.Migration, err error) {
	p, err := s.provider(s.Pools.Write)
	if err != nil {
		return nil, err
	}
	switch any, err := s.hasTable(ctx, "goose_db_version"); {
	case err != nil:
		return nil, err
	case !any:
		for _, source := range p.ListSources() {
			out = append(out, models.Migration{Number: source.Version, File: source.Path})
		}
		return out, nil
	}
	// goose would read one migration at a time, and the platform page needs all of them.
	var rows []struct {
		VersionID int64
		IsApplied bool
		Tstamp    time.Time
	}
	err = s.Write.WithContext(ctx).Raw("SELECT version_id, is_applied, tstamp FROM goose_db_version ORDER BY id").
		Scan(&rows).Error
	if err != nil {
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
	p, err := s.provider(s.Pools.Write)
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	return !pending, err
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
var errMigrating = errors.New("another instance or command, such as a purge, is changing the schema of this database")

// Migrating calls fn while no other instance migrates or purges. It waits for a minute, on Galera for ten. It calls fn again if
// fn fails because somebody else uses a table: on SQLite up to ten times, on MySQL for up to ten minutes.
func (s *DB) Migrating(ctx context.Context, pool *sql.DB, fn func(context.Context, *goose.Provider) error) error {
	return s.migrating(ctx, pool, true, fn)
}

// migrating does what Migrating does, but returns errMigrating instead of waiting if patient is false.
func (s *DB) migrating(ctx context.Context, pool *sql.DB, patient bool,
	fn func(context.Context, *goose.Provider) error) error {
	p, err := s.provider(pool)
	if err != nil {
		return err
	}
	if s.Dialect == SQLite {
		// SQLite has no named locks. Each migration is a transaction of its own, which locks the file first. So of two
		// instances the second fails because the tables exist, and finds the migration applied when it tries again.
		for try := 0; ; try++ {
			err := fn(ctx, p)
			if err == nil || try == 9 || !Pause(ctx, try+3) {
				return err
			}
		}
	}
	if s.Galera() {
		return lockedCluster(ctx, pool, patient, func(ctx context.Context) error { return changeTables(ctx, p, fn) })
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// The lock ends with its connection, which is idle while fn works on others.
	if _, err := conn.ExecContext(ctx, "SET SESSION wait_timeout = 604800"); err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	const name = "CONCAT('pitboss migrations ', MD5(DATABASE()))"
	seconds := 0
	if patient {
		seconds = 60
	}
	var got sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT GET_LOCK("+name+", ?)", seconds).Scan(&got); err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	if got.Int64 != 1 {
		return fmt.Errorf("%w: check on it, then try again", errMigrating)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK("+name+")")
	return changeTables(ctx, p, fn)
}

// changeTables calls fn until it no longer fails because somebody else uses a table. Between two tries it lets those pass who
// have waited for it.
func changeTables(ctx context.Context, p *goose.Provider, fn func(context.Context, *goose.Provider) error) error {
	for began := time.Now(); ; {
		err := fn(ctx, p)
		if !IsContention(err) {
			return err
		}
		if time.Since(began) > lockWait {
			return fmt.Errorf("for %v, another transaction has used a table whose schema has to be changed, such as a "+
				"verification, an export, or a dump of the database; try again when it has ended: %w", lockWait, err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
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
		insert := "INSERT OR IGNORE INTO ledgers (id, key_fingerprint, begun_at_us) VALUES (1, ?, ?)"
		if s.Dialect == MySQL {
			insert = "INSERT IGNORE INTO ledgers (id, key_fingerprint, begun_at_us) VALUES (1, ?, ?)"
		}
		if err := tx.Exec(insert, s.Chain.Fingerprint(), Micros(s.Now())).Error; err != nil {
			return fmt.Errorf("begin ledger: %w", err)
		}
		var fingerprint string
		if err := tx.Raw("SELECT key_fingerprint FROM ledgers WHERE id = 1").Scan(&fingerprint).Error; err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		if fingerprint != s.Chain.Fingerprint() {
			return ErrLedgerKey
		}
		return s.proveAuditBeginning(tx)
	})
}
