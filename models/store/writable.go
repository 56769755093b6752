package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
)

// Whether money can be written.
//
// A database that answers may still refuse every write: it is read-only, its disk is full, its Galera node has lost the cluster, a
// privilege is gone. Two sources tell:
//
//   - Attempts. One that the database refused makes the answer "no" at once, and one that committed a transaction makes it "yes".
//   - A probe, when no attempt has told anything for writableFor. It inserts a line into the callback log on the connections that attempts
//     use, deletes it and commits, so that it fails wherever a commit would, and leaves nothing behind.
//
// One line finds room where a thousand callbacks would not. So after a refusal for want of space the probe first inserts a thousand long
// lines and rolls back.

const (
	writableFor  = 500 * time.Millisecond  // for which an answer counts
	writeTimeout = 1250 * time.Millisecond // of a probe; with writableFor it is below two seconds
)

// WriteError says why money cannot be written, in words that may be shown to anybody: the database's own are in Err.
type WriteError struct {
	Reason string
	Silent bool // the database did not answer
	Err    error
}

// Error returns the reason.
func (e *WriteError) Error() string { return e.Reason }

// Unwrap returns the database's error.
func (e *WriteError) Unwrap() error { return e.Err }

// writable is what is known about writing money.
type writable struct {
	log *slog.Logger

	mu      sync.Mutex
	err     *WriteError   // nil: money can be written
	at      time.Time     // when that was found out; zero: it has to be asked
	since   time.Time     // since when err is not nil
	full    bool          // the last refusal was for want of space
	refused int           // how many attempts were refused
	asking  chan struct{} // closed when the probe under way has ended; nil: there is none
}

// Writable returns nil when money can be written, or a *WriteError. The answer is at most half a second old, and comes within a second and
// a half.
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
		go s.askWritable(asking, w.full, w.refused)
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

// reason is err as an error. w.mu is held.
func (w *writable) reason() error {
	if w.err == nil {
		return nil
	}
	return w.err
}

// askWritable runs a probe and keeps its answer, unless an attempt was refused meanwhile, which knows better.
func (s *Store) askWritable(done chan struct{}, wantRoom bool, refused int) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	err := s.probeWrite(ctx, wantRoom)
	if err != nil && ctx.Err() != nil && !refusesWrites(err) {
		err = ctx.Err() // whatever the driver made of it
	}
	w := &s.writable
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || w.refused == refused {
		w.set(err)
	}
	w.asking = nil
	close(done)
}

// set keeps an answer and logs a change. w.mu is held.
func (w *writable) set(err error) {
	now := time.Now()
	w.at = now
	switch was := w.err; {
	case err == nil:
		w.err, w.full = nil, false
		if was != nil {
			w.log.Info("Money can be written again.", "after", now.Sub(w.since).Round(time.Millisecond))
		}
	default:
		w.err = explainWrite(err)
		w.full = w.full || isFull(err)
		if was == nil {
			w.since = now
		}
		if was == nil || was.Reason != w.err.Reason {
			w.log.Error("Money cannot be written.", "reason", w.err.Reason, "error", err)
		}
	}
}

// wait returns when no probe is under way.
func (w *writable) wait() {
	w.mu.Lock()
	asking := w.asking
	w.mu.Unlock()
	if asking != nil {
		<-asking
	}
}

// note learns from an attempt that has ended with err.
func (w *writable) note(members []*member, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		if slices.ContainsFunc(members, func(m *member) bool { return m.processed && !m.aside && !m.settled }) {
			w.set(nil)
		}
	case refusesWrites(err):
		w.refused++
		w.set(err)
	case !isContention(err) && !isDuplicate(err) && w.err == nil:
		w.at = time.Time{}
	}
}

// probeWrite writes as an attempt does. Connections that a restart of the database has left dead are passed over.
func (s *Store) probeWrite(ctx context.Context, wantRoom bool) error {
	const insert = "INSERT INTO callback_answers (at_us, first_request, callbacks, packed) "
	at := strconv.FormatInt(-1-rand.Int64N(1<<62), 10) // before all times, and nobody else's
	if wantRoom {
		if err := s.probeTransaction(ctx, insert+fillingRows(s.dialect, at), "ROLLBACK"); err != nil {
			return err
		}
	}
	return s.probeTransaction(ctx, insert+"VALUES ("+at+", 0, 0, '')", "DELETE FROM callback_answers WHERE at_us = "+at, "COMMIT")
}

// fillingRows selects a thousand rows for callback_answers, 6 MB together: more than InnoDB extends a file by at a time, which is up to
// 4 MiB. They are short enough to lie within a page. A long text goes to pages of its own, and MariaDB 10.11 has crashed where a full disk
// had no room for these.
func fillingRows(d dialect, at string) string {
	filler := "REPEAT('0', 6000)"
	if d == sqliteDialect {
		filler = "hex(zeroblob(3000))"
	}
	digits := "(SELECT 0 AS n" + strings.Repeat(" UNION ALL SELECT %d", 9) + ")"
	digits = fmt.Sprintf(digits, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	return "SELECT " + at + ", a.n + 10 * b.n + 100 * c.n, 0, " + filler + " FROM " + digits + " a, " + digits + " b, " + digits + " c"
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

// isFull reports that the database has no space left.
func isFull(err error) bool {
	switch mysqlNumber(err) {
	case mysqlDiskFull, mysqlTableFull, mysqlWriteFailed:
		return true
	}
	return sqliteCode(err)&0xff == sqliteFull
}

// refusals are the errors of MySQL and MariaDB after which no other write would succeed either, and what they mean.
var refusals = map[int]string{
	mysqlOptionPrevents:  "the database is read-only",
	mysqlReadOnlyMode:    "the database is read-only",
	mysqlReadOnlyTx:      "the database is read-only",
	mysqlDiskFull:        "the database's disk is full",
	mysqlTableFull:       "the database's disk, or the file of a table, is full",
	mysqlWriteFailed:     "the database cannot write its files; is its disk full?",
	mysqlEngineError:     "the database's storage engine fails",
	mysqlTableDenied:     "the database account lacks a privilege: it needs SELECT, INSERT, UPDATE and DELETE",
	mysqlColumnDenied:    "the database account lacks a privilege: it needs SELECT, INSERT, UPDATE and DELETE",
	mysqlDatabaseDenied:  "the database account may not use this database",
	mysqlPasswordRefused: "the database refuses the user or password of PITBOSS_DATABASE_URL",
	mysqlNoDatabase:      "there is no database of the name in PITBOSS_DATABASE_URL",
	mysqlUnknownTable:    "a table is missing; run pitboss migrate up",
	mysqlNotPrepared:     "this database node has lost its cluster",
}

// fileRefusals are those of SQLite.
var fileRefusals = map[int]string{
	sqliteReadOnly: "the database file is read-only",
	sqliteIO:       "the database file cannot be read or written",
	sqliteFull:     "the disk of the database file is full",
	sqliteCantOpen: "the database file cannot be opened",
	sqliteCorrupt:  "the database file is damaged",
	sqliteNoDB:     "the database file is damaged",
}

// refusesWrites reports an error that every other write would meet too.
func refusesWrites(err error) bool {
	return refusals[mysqlNumber(err)] != "" || fileRefusals[sqliteCode(err)&0xff] != ""
}

func silent(err error) *WriteError {
	return &WriteError{Reason: "the database does not answer", Silent: true, Err: err}
}

// explainWrite words an error for people who may not see the database's own.
func explainWrite(err error) *WriteError {
	number, code := mysqlNumber(err), sqliteCode(err)&0xff
	numbered := func(reason string) *WriteError {
		return &WriteError{Reason: fmt.Sprintf("%s (error %d)", reason, max(number, code)), Err: err}
	}
	switch {
	case refusals[number] != "":
		return numbered(refusals[number])
	case fileRefusals[code] != "":
		return numbered(fileRefusals[code])
	case number == mysqlTooManyConns, number == mysqlUserConns:
		return numbered("the database has no connection left")
	case isContention(err):
		return numbered("somebody else has locked the database")
	case isDown(err), errors.Is(err, context.DeadlineExceeded):
		return silent(err)
	}
	return &WriteError{Reason: "the database refused a write; the log names the error", Err: err}
}
