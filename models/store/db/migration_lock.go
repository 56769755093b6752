package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"pitboss/models"
)

// The lock for migrations on Galera, where GET_LOCK only locks one node. The lock is a row of a table that this file creates,
// because it is needed before the first migration. The row has the name of the instance that migrates, and a counter of its
// beats. The other instances look at the row, and consider the holder dead if the counter has not changed for lockStale and for
// lockLooks looks. Looks are counted because a change of the schema blocks all nodes: the others cannot look meanwhile, so a
// long migration does not seem dead. The clocks of other machines do not matter. If an instance finds that another has taken
// its lock, it stops migrating.

const (
	lockBeat  = 2 * time.Second
	lockLook  = 250 * time.Millisecond
	lockLooks = 60
	lockStale = 20 * time.Second
	lockWait  = 10 * time.Minute // how long to wait for a live holder
)

// errLockLost is the cause for which a migration stops if another instance has taken its lock.
var errLockLost = errors.New("another instance has taken the lock for migrations, because this one did not respond")

// migrationLock is one instance's access to the lock.
type migrationLock struct {
	pool *sql.DB
	name string // of this instance
}

// lockedCluster calls fn while no other instance migrates on any node. fn's context ends when the lock is lost.
func lockedCluster(ctx context.Context, pool *sql.DB, patient bool, fn func(context.Context) error) error {
	l := &migrationLock{pool: pool, name: rand.Text()}
	if err := l.acquire(ctx, patient); err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	locked, lost := context.WithCancelCause(ctx)
	var beating sync.WaitGroup
	beating.Go(func() { l.beat(locked, lost) })
	err := fn(locked)
	if cause := context.Cause(locked); cause != nil {
		err = errors.Join(err, cause)
	}
	lost(nil)
	beating.Wait()
	return errors.Join(err, l.release(ctx))
}

// schema reports whether no migration is pending, and whether no trigger is missing. If both are true, nobody needs the lock. It
// returns an error if an applied migration is not the program's.
func (s *DB) schema(ctx context.Context, pool *sql.DB) (current, guarded bool, err error) {
	list, err := s.Migrations(ctx)
	if err != nil || slices.ContainsFunc(list, func(m models.Migration) bool { return m.AppliedAt.IsZero() }) {
		return false, false, err
	}
	// An error is no problem here: while another instance creates a trigger, its DDL may roll back this trial (1213) or show it
	// half a trigger (1064). Then this instance takes the lock and tries again while nobody else creates triggers.
	missing, err := missingTriggers(ctx, s.Dialect, pool)
	return true, err == nil && len(missing) == 0, ctx.Err()
}

// acquire waits for the lock. If patient is false, it returns errMigrating as soon as the holder shows that it is alive.
func (l *migrationLock) acquire(ctx context.Context, patient bool) error {
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
			if err := l.create(ctx); err != nil && !IsContention(err) {
				return err
			}
			continue
		case err != nil && !IsContention(err) && !IsDown(err):
			return err
		case err != nil:
		case now.holder == l.name: // an earlier answer was lost
			return nil
		case now.holder == "" || now == seen && looks >= lockLooks && time.Since(since) >= lockStale:
			taken, err := l.update(ctx,
				"UPDATE migration_lock SET holder = ?, beat = beat + 1 WHERE id = 1 AND holder = ? AND beat = ?", l.name,
				now.holder, now.beat)
			if err != nil || taken {
				return err
			}
		case now != seen && seen != (state{}) && !patient:
			return errMigrating
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
	return fmt.Errorf("%w, and has been for %v: check on it, then try again", errMigrating, lockWait)
}

// create creates the table and its row. Several instances may call it at the same time.
func (l *migrationLock) create(ctx context.Context) error {
	_, err := l.pool.ExecContext(ctx,
		"CREATE TABLE IF NOT EXISTS migration_lock (id TINYINT NOT NULL PRIMARY KEY, holder VARBINARY(64) NOT NULL, beat "+
			"BIGINT NOT NULL) ENGINE=InnoDB")
	if err == nil {
		_, err = l.update(ctx, "INSERT IGNORE INTO migration_lock (id, holder, beat) VALUES (1, '', 0)")
	}
	return err
}

// update runs a statement on the row and reports whether it affected the row. A conflict with another node or a lost connection
// counts as no.
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

// beat counts beats, until ctx ends, to show the other instances that this one is alive. It calls lost if another instance has
// the lock.
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
			continue // the next beat may succeed
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
