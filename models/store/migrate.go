package store

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
)

// Migration is one numbered change of the schema.
type Migration struct {
	Number    int64
	File      string
	AppliedAt time.Time // zero while it is pending
}

// Migrate applies what is pending, one instance at a time, and returns it.
func (s *Store) Migrate(ctx context.Context) (applied []Migration, err error) {
	err = s.migrating(ctx, func(p *goose.Provider) error {
		results, err := p.Up(ctx)
		for _, r := range results {
			applied = append(applied, Migration{Number: r.Source.Version, File: r.Source.Path, AppliedAt: s.now()})
		}
		return err
	})
	return applied, err
}

// Migrations lists every migration that this program knows, applied or pending.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	p, err := s.provider()
	if err != nil {
		return nil, err
	}
	status, err := p.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	var out []Migration
	for _, m := range status {
		out = append(out, Migration{m.Source.Version, m.Source.Path, m.AppliedAt})
	}
	return out, nil
}

// Migrated reports whether nothing is pending.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	p, err := s.provider()
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	return !pending, err
}

func (s *Store) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations.FS, string(s.dialect))
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectMySQL
	if s.dialect == sqliteDialect {
		dialect = goose.DialectSQLite3
	}
	return goose.NewProvider(dialect, s.sql, files, goose.WithDisableGlobalRegistry(true))
}

// migrating calls fn while no other instance migrates.
func (s *Store) migrating(ctx context.Context, fn func(*goose.Provider) error) error {
	p, err := s.provider()
	if err != nil {
		return err
	}
	if s.dialect == sqliteDialect {
		// SQLite has no named lock. Each migration is a transaction of its own that takes the file's lock first, so the loser of a
		// race fails on what the winner has made, and finds it done when it looks again.
		for try := 0; ; try++ {
			err := fn(p)
			if err == nil || try == 9 || !pause(ctx, try+3) {
				return err
			}
		}
	}
	conn, err := s.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	const name = "CONCAT('pitboss migrations ', MD5(DATABASE()))"
	var got sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT GET_LOCK("+name+", 60)").Scan(&got); err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	if got.Int64 != 1 {
		return errors.New("another instance has been migrating this database for a minute; look at it, then try again")
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK("+name+")")
	return fn(p)
}

// ErrLedgerKey is returned by BeginLedger when the ledger was begun with another key, or with none.
var ErrLedgerKey = errors.New("PITBOSS_LEDGER_KEY is not the one that this ledger was begun with: set that one (or unset it, if there was none); it cannot be changed later")

// BeginLedger remembers the chain's key by its fingerprint when the ledger is new, and returns ErrLedgerKey when it was begun with
// another: a chain half keyed would prove nothing.
func (s *Store) BeginLedger(ctx context.Context) error {
	return s.change(ctx, func(tx *gorm.DB) error {
		insert := "INSERT OR IGNORE INTO ledgers (id, key_fingerprint, begun_at_us) VALUES (1, ?, ?)"
		if s.dialect == mysqlDialect {
			insert = "INSERT IGNORE INTO ledgers (id, key_fingerprint, begun_at_us) VALUES (1, ?, ?)"
		}
		if err := tx.Exec(insert, s.chain.Fingerprint(), micros(s.now())).Error; err != nil {
			return fmt.Errorf("begin ledger: %w", err)
		}
		var fingerprint string
		if err := tx.Raw("SELECT key_fingerprint FROM ledgers WHERE id = 1").Scan(&fingerprint).Error; err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		if fingerprint != s.chain.Fingerprint() {
			return ErrLedgerKey
		}
		return nil
	})
}
