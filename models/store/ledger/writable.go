package ledger

import (
	"cmp"
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
	log     *slog.Logger
	probing sync.Mutex // held while a probe runs

	mu    sync.Mutex
	err   *models.WriteError // nil if money can be written
	until time.Time          // how long that is valid
	since time.Time          // when err became non-nil
}

// Writable returns nil if money can be written, and a *models.WriteError otherwise. The answer is at most half a second old and
// takes at most a second and a half.
func (s *Store) Writable(ctx context.Context) error {
	w := &s.writable
	if known, err := w.known(); known {
		return err
	}
	w.probing.Lock()
	defer w.probing.Unlock()
	if known, err := w.known(); known { // another caller has asked
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	err := s.probeWrite(ctx)
	if err != nil && ctx.Err() != nil && !refusesWrites(err) {
		err = ctx.Err() // the driver may have wrapped it in something else
	}
	if known, attempted := w.known(); known { // an attempt was refused or committed in the meantime, which is more recent
		return attempted
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(err, writableFor)
	return w.reason()
}

// known reports whether the answer is still valid, and returns it.
func (w *writable) known() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Before(w.until), w.reason()
}

// reason returns w.err as an error. The caller holds w.mu.
func (w *writable) reason() error {
	if w.err == nil {
		return nil
	}
	return w.err
}

// set stores an answer that is valid for some time, and logs it if it has changed. The caller holds w.mu.
func (w *writable) set(err error, lasts time.Duration) {
	now, was := time.Now(), w.err
	w.until, w.err = now.Add(lasts), nil
	if err == nil {
		if was != nil {
			w.log.Info("Money can be written again.", "after", now.Sub(w.since).Round(time.Millisecond))
		}
		return
	}
	w.err = explainWrite(err)
	if was == nil {
		w.since = now
	}
	if was == nil || was.Reason != w.err.Reason {
		w.log.Error("Money cannot be written.", "reason", w.err.Reason, "error", err)
	}
}

// note updates the answer after an attempt that ended with err.
func (w *writable) note(group []*caller, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		if slices.ContainsFunc(group, func(c *caller) bool { return c.asks.wrote.last != 0 && !c.aside && !c.settled }) {
			w.set(nil, writableFor)
		}
	case db.IsFull(err):
		w.set(err, fullFor)
	case refusesWrites(err):
		w.set(err, writableFor)
	case !db.IsContention(err) && !db.IsDuplicate(err) && w.err == nil:
		w.until = time.Time{}
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

// refusals are the errors of the databases after which every other write would fail too, and what they mean. No code of SQLite
// is a number of MySQL or MariaDB.
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
	db.SQLiteReadOnly:       "the database file is read-only",
	db.SQLiteIO:             "the database file cannot be read or written",
	db.SQLiteFull:           "the disk of the database file is full",
	db.SQLiteCantOpen:       "the database file cannot be opened",
	db.SQLiteCorrupt:        "the database file is damaged",
	db.SQLiteNoDB:           "the database file is damaged",
}

// numberOf returns the number of a database's error, or 0 for other errors.
func numberOf(err error) int { return cmp.Or(db.MySQLNumber(err), db.SQLiteCode(err)&0xff) }

// refusesWrites reports whether every other write would fail with the same error.
func refusesWrites(err error) bool { return refusals[numberOf(err)] != "" }

// explainWrite describes an error for people who must not see the database's own message.
func explainWrite(err error) *models.WriteError {
	number := numberOf(err)
	reason := refusals[number]
	switch {
	case reason != "":
	case number == db.MySQLTooManyConns, number == db.MySQLUserConns:
		reason = "the database has no free connections"
	case db.IsContention(err):
		reason = "another program has locked the database"
	case db.IsDown(err), errors.Is(err, context.DeadlineExceeded):
		return &models.WriteError{Reason: "the database does not answer", Silent: true, Err: err}
	default:
		return &models.WriteError{Reason: "the database refused a write; the log has the error", Err: err}
	}
	return &models.WriteError{Reason: fmt.Sprintf("%s (error %d)", reason, number), Err: err}
}
