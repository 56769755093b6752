package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
)

// The lock of migrations on Galera, where GET_LOCK is of one node. It is a row of a table that this lock makes by itself,
// because it comes before the first migration. The instance that migrates is named there and counts beats. It is taken to be
// gone when its count has stood still for lockStale and for lockLooks looks: a change of the schema stops all nodes, and looks
// with them, so that a long migration does not seem to be dead. No clock of another machine matters. An instance that finds out
// that another has taken its lock stops migrating.

const (
	lockBeat  = 2 * time.Second
	lockLook  = 250 * time.Millisecond
	lockLooks = 60
	lockStale = 20 * time.Second
	lockWait  = 10 * time.Minute // for an instance that is alive
)

// errLockLost ends a migration whose lock another instance has taken.
var errLockLost = errors.New("another instance has taken the lock of migrations, since this one had not been heard of")

// migrationLock is the lock as one instance sees it.
type migrationLock struct {
	pool *sql.DB
	name string // of this instance
}

// lockedCluster calls fn while no other instance migrates, on whatever node. fn's context ends when the lock is lost.
func lockedCluster(ctx context.Context, pool *sql.DB, p *goose.Provider,
	fn func(context.Context, *goose.Provider) error) error {
	l := &migrationLock{pool: pool, name: rand.Text()}
	if err := l.acquire(ctx); err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	locked, lost := context.WithCancelCause(ctx)
	var beating sync.WaitGroup
	beating.Go(func() { l.beat(locked, lost) })
	err := fn(locked, p)
	if cause := context.Cause(locked); cause != nil {
		err = errors.Join(err, cause)
	}
	lost(nil)
	beating.Wait()
	return errors.Join(err, l.release(ctx))
}

// wholeSchema reports whether there is nothing to migrate and no trigger to make, for which no instance needs the lock.
func (s *DB) wholeSchema(ctx context.Context, pool *sql.DB) (bool, error) {
	if any, err := s.hasMigrations(ctx); err != nil || !any {
		return false, err
	}
	if done, err := s.Migrated(ctx); err != nil || !done {
		return false, err
	}
	// An error here means little: while another instance makes a trigger, its DDL rolls this trial back (1213) or shows it half
	// a trigger (1064). Whoever has the lock tries again, and nobody else makes triggers then.
	missing, err := missingTriggers(ctx, s.Dialect, pool)
	return err == nil && len(missing) == 0, ctx.Err()
}

// acquire waits for the lock.
func (l *migrationLock) acquire(ctx context.Context) error {
	type state struct {
		holder string
		beat   int64
	}
	var seen state
	var since time.Time
	looks := 0
	for began := time.Now(); time.Since(began) < lockWait; {
		var now state
		err := l.pool.QueryRowContext(ctx, "SELECT holder, beat FROM migration_lock WHERE id = 1").Scan(&now.holder, &now.beat)
		switch {
		case MySQLNumber(err) == MySQLUnknownTable || errors.Is(err, sql.ErrNoRows):
			if err := l.create(ctx); err != nil {
				return err
			}
			continue
		case err != nil && !IsContention(err) && !IsDown(err):
			return err
		case err != nil:
		case now.holder == l.name: // an answer was lost
			return nil
		case now.holder == "" || now == seen && looks >= lockLooks && time.Since(since) >= lockStale:
			taken, err := l.update(ctx,
				"UPDATE migration_lock SET holder = ?, beat = beat + 1 WHERE id = 1 AND holder = ? AND beat = ?", l.name,
				now.holder, now.beat)
			if err != nil || taken {
				return err
			}
		case now != seen:
			seen, since, looks = now, time.Now(), 0
		default:
			looks++
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockLook):
		}
	}
	return fmt.Errorf("another instance has been migrating this database for %v; look at it, then try again", lockWait)
}

// create makes the table and its row. Others may do the same.
func (l *migrationLock) create(ctx context.Context) error {
	_, err := l.pool.ExecContext(ctx,
		"CREATE TABLE IF NOT EXISTS migration_lock (id TINYINT NOT NULL PRIMARY KEY, holder VARBINARY(64) NOT NULL, beat "+
			"BIGINT NOT NULL) ENGINE=InnoDB")
	if err == nil {
		_, err = l.update(ctx, "INSERT IGNORE INTO migration_lock (id, holder, beat) VALUES (1, '', 0)")
	}
	return err
}

// update runs a statement on the row and reports whether it matched. A conflict with another node counts as not matched.
func (l *migrationLock) update(ctx context.Context, query string, args ...any) (bool, error) {
	result, err := l.pool.ExecContext(ctx, query, args...)
	if IsContention(err) || IsDown(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows == 1, err
}

// beat tells the others that this instance is alive, until ctx ends. It calls lost when another has the lock.
func (l *migrationLock) beat(ctx context.Context, lost context.CancelCauseFunc) {
	every := time.NewTicker(lockBeat)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		result, err := l.pool.ExecContext(ctx, "UPDATE migration_lock SET beat = beat + 1 WHERE id = 1 AND holder = ?", l.name)
		if err != nil {
			continue // the next beat may come through
		}
		if rows, err := result.RowsAffected(); err == nil && rows == 0 {
			lost(errLockLost)
			return
		}
	}
}

// release gives the lock back.
func (l *migrationLock) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for try := 0; ; try++ {
		_, err := l.pool.ExecContext(ctx, "UPDATE migration_lock SET holder = '' WHERE id = 1 AND holder = ?", l.name)
		if err == nil || !IsContention(err) && !IsDown(err) || !Pause(ctx, try) {
			return err
		}
	}
}
