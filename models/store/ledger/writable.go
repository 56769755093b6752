package ledger

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Whether money can be written.
//
// A database that answers may still refuse every write: it is read-only, its disk is full, its Galera node has lost the
// cluster, or a privilege has been revoked. There are two sources:
//
//   - Attempts. When the database refuses one, the answer becomes "no" immediately; when one commits a transaction, it becomes
//     "yes".
//   - A probe, if no attempt has shown anything for writableFor. On a connection that attempts use, it inserts a row into the
//     callback log, deletes it and commits. So it fails whenever a commit would, and leaves nothing behind.
//
// On a full disk the probe's row may still fit when a batch does not. So after an attempt was refused for lack of space, the
// answer stays "no" for fullFor, unless another attempt commits.

const (
	writableFor  = 500 * time.Millisecond  // how long an answer is valid
	fullFor      = 10 * time.Second        // how long an attempt's lack of space outweighs a probe that succeeds
	writeTimeout = 1250 * time.Millisecond // of a probe; together with writableFor less than two seconds
)

// writable is what is known about whether money can be written.
type writable struct {
	log *slog.Logger

	mu      sync.Mutex
	err     *models.WriteError // nil if money can be written
	at      time.Time          // when that was last known; zero: never
	since   time.Time          // when err became non-nil
	refused int                // how many attempts the database has refused
	full    error              // the last refusal for lack of space
	fullAt  time.Time          // when that was; zero if an attempt has committed since
	asking  chan struct{}      // closed when the current probe ends; nil if there is none
}

// Writable returns nil if money can be written, and a *models.WriteError otherwise. The answer is at most half a second old and
// takes at most a second and a half.
func (s *Store) Writable(ctx context.Context) error {
	w := &s.writable
	w.mu.Lock()
	if !w.at.IsZero() && time.Since(w.at) < writableFor {
		defer w.mu.Unlock()
		return w.reason()
	}
	asking := w.asking
	if asking == nil {
		asking = make(chan struct{})
		w.asking = asking
		go s.askWritable(asking, w.refused)
	}
	w.mu.Unlock()
	select {
	case <-asking:
	case <-ctx.Done():
		return silent(ctx.Err())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason()
}

// reason returns w.err as an error. The caller holds w.mu.
func (w *writable) reason() error {
	if w.err == nil {
		return nil
	}
	return w.err
}

// askWritable runs a probe and keeps its answer, unless an attempt was refused in the meantime, which is more recent.
func (s *Store) askWritable(done chan struct{}, refused int) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	locked := s.db.Retries.Locked()
	err := s.probeWrite(ctx)
	if err != nil && ctx.Err() != nil && !refusesWrites(err) {
		err = ctx.Err() // the driver may have wrapped it in something else
		// On SQLite the probe may wait for the one connection that writes behind changes that wait for the lock themselves.
		if s.db.Dialect == db.SQLite && s.db.Retries.Locked() != locked {
			err = errLocked
		}
	}
	w := &s.writable
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && time.Since(w.fullAt) < fullFor {
		err = w.full
	}
	if err != nil || w.refused == refused {
		w.set(err)
	}
	w.asking = nil
	close(done)
}

// set stores an answer, and logs it if it has changed. The caller holds w.mu.
func (w *writable) set(err error) {
	now := time.Now()
	w.at = now
	switch was := w.err; {
	case err == nil:
		w.err = nil
		if was != nil {
			w.log.Info("Money can be written again.", "after", now.Sub(w.since).Round(time.Millisecond))
		}
	default:
		w.err = explainWrite(err)
		if was == nil {
			w.since = now
		}
		if was == nil || was.Reason != w.err.Reason {
			w.log.Error("Money cannot be written.", "reason", w.err.Reason, "error", err)
		}
	}
}

// wait waits until no probe is running.
func (w *writable) wait() {
	w.mu.Lock()
	asking := w.asking
	w.mu.Unlock()
	if asking != nil {
		<-asking
	}
}

// note updates the answer after an attempt that ended with err.
func (w *writable) note(members []*Member, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		if slices.ContainsFunc(members, func(m *Member) bool { return m.processed && !m.aside && !m.settled }) {
			w.fullAt = time.Time{}
			w.set(nil)
		}
	case refusesWrites(err):
		w.refused++
		if db.IsFull(err) {
			w.full, w.fullAt = err, time.Now()
		}
		w.set(err)
	case !db.IsContention(err) && !db.IsDuplicate(err) && w.err == nil:
		w.at = time.Time{}
	}
}

// probeWrite writes like an attempt. It skips connections that a restart of the database has closed.
func (s *Store) probeWrite(ctx context.Context) error {
	at := strconv.FormatInt(-1-rand.Int64N(1<<62), 10) // a negative time that nothing else uses
	return s.probeTransaction(ctx,
		"INSERT INTO callback_minutes (minute_us, endpoint, result, answers) VALUES ("+at+", '', 0, 0)",
		"DELETE FROM callback_minutes WHERE minute_us = "+at, "COMMIT")
}

func (s *Store) probeTransaction(ctx context.Context, statements ...string) error {
	for {
		conn, err := s.begin(ctx)
		if err == nil {
			for _, statement := range statements {
				if _, err = conn.ExecContext(ctx, statement); err != nil {
					abandon(ctx, conn)
					break
				}
			}
			conn.Close()
		}
		stale := errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysqldriver.ErrInvalidConn)
		if !stale || ctx.Err() != nil {
			return err
		}
	}
}

// errLocked means that another program holds the lock under which SQLite's database is written.
var errLocked = errors.New("another program has locked the database")

// refusals are the errors of MySQL and MariaDB after which every other write would fail too, and what they mean.
var refusals = map[int]string{
	db.MySQLOptionPrevents:  "the database is read-only",
	db.MySQLReadOnlyMode:    "the database is read-only",
	db.MySQLReadOnlyTx:      "the database is read-only",
	db.MySQLDiskFull:        "the database's disk is full",
	db.MySQLTableFull:       "the database's disk or a table's file is full",
	db.MySQLWriteFailed:     "the database cannot write its files; is its disk full?",
	db.MySQLEngineError:     "the database's storage engine fails",
	db.MySQLTableDenied:     "the database account lacks a privilege: it needs SELECT, INSERT, UPDATE and DELETE",
	db.MySQLColumnDenied:    "the database account lacks a privilege: it needs SELECT, INSERT, UPDATE and DELETE",
	db.MySQLDatabaseDenied:  "the database account may not use this database",
	db.MySQLPasswordRefused: "the database refuses the user or password of PITBOSS_DATABASE_URL",
	db.MySQLNoDatabase:      "there is no database of the name in PITBOSS_DATABASE_URL",
	db.MySQLUnknownTable:    "a table is missing; run pitboss migrate up",
	db.MySQLNotPrepared:     "this database node has lost its cluster",
}

// fileRefusals are the same for SQLite.
var fileRefusals = map[int]string{
	db.SQLiteReadOnly: "the database file is read-only",
	db.SQLiteIO:       "the database file cannot be read or written",
	db.SQLiteFull:     "the disk of the database file is full",
	db.SQLiteCantOpen: "the database file cannot be opened",
	db.SQLiteCorrupt:  "the database file is damaged",
	db.SQLiteNoDB:     "the database file is damaged",
}

// refusesWrites reports whether every other write would fail with the same error.
func refusesWrites(err error) bool {
	return refusals[db.MySQLNumber(err)] != "" || fileRefusals[db.SQLiteCode(err)&0xff] != ""
}

func silent(err error) *models.WriteError {
	return &models.WriteError{Reason: "the database does not answer", Silent: true, Err: err}
}

// explainWrite describes an error for people who must not see the database's own message.
func explainWrite(err error) *models.WriteError {
	number, code := db.MySQLNumber(err), db.SQLiteCode(err)&0xff
	numbered := func(reason string) *models.WriteError {
		return &models.WriteError{Reason: fmt.Sprintf("%s (error %d)", reason, max(number, code)), Err: err}
	}
	switch {
	case refusals[number] != "":
		return numbered(refusals[number])
	case fileRefusals[code] != "":
		return numbered(fileRefusals[code])
	case number == db.MySQLTooManyConns, number == db.MySQLUserConns:
		return numbered("the database has no free connections")
	case errors.Is(err, errLocked):
		code = db.SQLiteBusy
		return numbered(errLocked.Error())
	case db.IsContention(err):
		return numbered(errLocked.Error())
	case db.IsDown(err), errors.Is(err, context.DeadlineExceeded):
		return silent(err)
	}
	return &models.WriteError{Reason: "the database refused a write; the log has the error", Err: err}
}
