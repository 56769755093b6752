package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pitboss/models"
)

// Read replicas: copies of the database that follow it some moments behind, for what reads much and decides nothing.
//
// Which reads go there. FromReplica calls a function with a context, and what the function reads with that context through
// DB.Read, DB.Reads and Snapshot comes from a replica. All other reads come from the primary: what a decision about money, an
// approval or a form rests on needs no care, it is never read by way of FromReplica. A change that begins with such a context
// reads from the primary too. Nothing can be written by way of a replica's connections, even where the server would let the
// account write: their transactions are read-only.
//
// How far a replica has come. Every second each instance writes the time into a row of its own on the primary, a beat. A
// replica commits transactions in the order of the primary (MariaDB in one domain; MySQL with replica_preserve_commit_order,
// the default since 8.0.27). So a replica that shows the beat of a time has everything that was committed before that time.
// This needs no privilege, works with any kind of replication, and, unlike Seconds_Behind_Master, also tells when replication
// has stopped or the replica has lost its source. The row also shows whose replica a server is: nobody else knows its name, so
// that a copy which follows another primary does not have it.
//
// When a replica is not used. If it does not answer, is further behind than Config.ReplicaLag, lacks a migration that this
// program needs, or follows another database, or if a reader must see what happened lately and the replica has not come so
// far, then the next host of the URL is asked, and after the last one the primary. A function that fails on a replica, whatever
// the reason, is called once more with the primary. It starts from the beginning, so that nothing is put together from two
// states: a page, an export and a verification come from one server. An object that the replica does not have yet is also
// found that way.
//
// Each host of the URL is watched by itself. A balancer in front of several replicas would hide which of them answered.

// DefaultReplicaLag is how far behind a replica may be.
const DefaultReplicaLag = 30 * time.Second

const (
	beatEvery   = time.Second
	beatPrefix  = "replica beat "
	beatKept    = 24 * time.Hour  // the row of an instance that did not end in good order
	pollTimeout = 2 * time.Second // within which a replica answers a question that takes no time
	pollsLost   = 2               // in a row without an answer: whoever reads there reads elsewhere
	avoidedFor  = time.Minute     // after an error that waiting does not cure, such as a missing privilege
)

// clockMargin is by how much the clocks of two instances may differ: a time that another instance has noted is over, for
// certain, so much later.
const clockMargin = 2 * clockTolerance

// errReplicaLost ends what reads from a replica that does not answer any more.
var errReplicaLost = errors.New("the replica does not answer")

// ReplicaBehindError means that a replica does not have yet what was asked of it.
type ReplicaBehindError struct{ Lacks string }

// Error says what the replica does not have yet.
func (e ReplicaBehindError) Error() string { return "the replica has not got as far as " + e.Lacks }

// lane is where the reads of a context go.
type lane struct {
	replica *replica  // nil: the primary
	at      time.Time // everything that was committed before is there
}

type laneKey struct{}

func laneOf(ctx context.Context) lane {
	l, _ := ctx.Value(laneKey{}).(lane)
	return l
}

// OnPrimary returns a context whose reads go to the primary.
func OnPrimary(ctx context.Context) context.Context {
	if laneOf(ctx).replica == nil {
		return ctx
	}
	return context.WithValue(ctx, laneKey{}, lane{})
}

// AsOf returns the time up to which what a context reads is complete, and whether it comes from a replica.
func (s *DB) AsOf(ctx context.Context) (at time.Time, replica bool) {
	if l := laneOf(ctx); l.replica != nil {
		return l.at, true
	}
	return s.Now(), false
}

// Reads are the connections that reads use: the replica's of FromReplica's contexts, otherwise the primary's.
type Reads struct{ primary *sql.DB }

// Pool returns the connections that a context's reads use.
func (r Reads) Pool(ctx context.Context) *sql.DB {
	if replica := laneOf(ctx).replica; replica != nil {
		return replica.pool
	}
	return r.primary
}

// PrepareContext prepares a statement.
func (r Reads) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return r.Pool(ctx).PrepareContext(ctx, query)
}

// ExecContext runs a statement.
func (r Reads) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return r.Pool(ctx).ExecContext(ctx, query, args...)
}

// QueryContext runs a query.
func (r Reads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.Pool(ctx).QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query of one row.
func (r Reads) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return r.Pool(ctx).QueryRowContext(ctx, query, args...)
}

// replicas are those of one database.
type replicas struct {
	list   []*replica
	most   time.Duration // how far behind they may be
	beat   string        // the name of this instance's row in leases
	schema int64         // the newest migration that this program knows

	read, passed, failed atomic.Uint64 // what was read from a replica, from the primary instead, and in vain
}

// replica is one of them.
type replica struct {
	name  string
	pool  *sql.DB
	watch *sql.DB // a connection of its own for polls, which busy readers do not hold up

	mu      sync.Mutex
	at      time.Time     // everything that was committed before is there
	why     string        // it is not used; empty where it is
	silent  int           // polls in a row without an answer
	avoided time.Time     // until then it is not used
	told    bool          // the log says that it is used
	polled  chan struct{} // closed with the next poll
	runs    map[int]context.CancelCauseFunc
	next    int
}

// FromReplica calls read with a context whose reads come from a replica that has everything from before since, for which it
// waits as long as wait; since may be by another instance's clock. If there is none, or read fails there, it calls read with
// the primary, from the beginning, and read must not keep anything from the run that failed.
func (s *DB) FromReplica(ctx context.Context, since time.Time, wait time.Duration, read func(context.Context) error) error {
	if s.replicas == nil || laneOf(ctx).replica != nil {
		return read(ctx)
	}
	if !since.IsZero() {
		since = since.Add(clockMargin)
	}
	chosen, at := s.replicas.choose(ctx, since, wait)
	if chosen == nil {
		s.replicas.passed.Add(1)
		return read(ctx)
	}
	err := chosen.run(context.WithValue(ctx, laneKey{}, lane{chosen, at}), read)
	if err == nil {
		s.replicas.read.Add(1)
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	s.replicas.failed.Add(1)
	var behind ReplicaBehindError
	switch number := MySQLNumber(err); {
	case errors.As(err, &behind):
		s.Log.Info("The primary is read instead of the replica.", "replica", chosen.name, "reason", behind.Error())
	case number != 0 && !IsDown(err) && !IsContention(err):
		// Another reader would meet it too: an account without privileges there, a table that is not replicated.
		chosen.avoid(fmt.Sprintf("it answered a read with error %d", number))
		s.Log.Warn("A replica has refused a read and is not used for a minute.", "replica", chosen.name, "error_number", number)
	case IsDown(err):
		chosen.avoid("")
	}
	return read(ctx)
}

// choose returns the first replica that has everything from before since, and the time up to which it has everything; nil
// where none has it within wait.
func (r *replicas) choose(ctx context.Context, since time.Time, wait time.Duration) (*replica, time.Time) {
	patience := time.NewTimer(wait)
	defer patience.Stop()
	for {
		var polled chan struct{}
		for _, one := range r.list {
			at, usable, next := one.state()
			switch {
			case usable && !at.Before(since):
				return one, at
			case usable && polled == nil:
				polled = next
			}
		}
		if polled == nil || wait == 0 {
			return nil, time.Time{}
		}
		select {
		case <-polled:
		case <-patience.C:
			return nil, time.Time{}
		case <-ctx.Done():
			return nil, time.Time{}
		}
	}
}

func (one *replica) state() (at time.Time, usable bool, polled chan struct{}) {
	one.mu.Lock()
	defer one.mu.Unlock()
	return one.at, one.why == "", one.polled
}

// run calls read, and ends its context when the replica is lost.
func (one *replica) run(ctx context.Context, read func(context.Context) error) error {
	on, leave := one.enter(ctx)
	defer leave()
	err := read(on)
	if err != nil && errors.Is(context.Cause(on), errReplicaLost) {
		return errors.Join(errReplicaLost, err)
	}
	return err
}

// enter notes that somebody reads from the replica until leave is called, so that this ends when the replica is lost.
func (one *replica) enter(ctx context.Context) (on context.Context, leave func()) {
	on, cancel := context.WithCancelCause(ctx)
	one.mu.Lock()
	defer one.mu.Unlock()
	id := one.next
	one.next++
	one.runs[id] = cancel
	return on, func() {
		one.mu.Lock()
		defer one.mu.Unlock()
		delete(one.runs, id)
		cancel(nil)
	}
}

// avoid has the replica not used: until the next poll, or for avoidedFor where there is a reason that a poll does not find.
func (one *replica) avoid(why string) {
	one.mu.Lock()
	defer one.mu.Unlock()
	if why != "" {
		one.avoided = time.Now().Add(avoidedFor)
	}
	if one.why == "" {
		one.why = why
		if why == "" {
			one.why = "it does not answer"
		}
	}
}

// Replicas returns what is known of each replica, in the order in which they are asked.
func (s *DB) Replicas() (list []models.ReplicaState) {
	if s.replicas == nil {
		return nil
	}
	for _, one := range s.replicas.list {
		one.mu.Lock()
		list = append(list, models.ReplicaState{Name: one.name, At: one.at, Why: one.why})
		one.mu.Unlock()
	}
	return list
}

// ReplicaCounts returns how often something was read from a replica, how often from the primary since no replica could be used,
// and how often it failed on a replica and was read from the primary then.
func (s *DB) ReplicaCounts() (replica, primary, failed uint64) {
	if s.replicas == nil {
		return 0, 0, 0
	}
	return s.replicas.read.Load(), s.replicas.passed.Load(), s.replicas.failed.Load()
}

// ReplicaPools returns the connections to the replicas.
func (s *DB) ReplicaPools() (pools []*sql.DB) {
	if s.replicas != nil {
		for _, one := range s.replicas.list {
			pools = append(pools, one.pool)
		}
	}
	return pools
}

// CheckReplicaURL returns what is wrong with the URL of replicas, without its password.
func CheckReplicaURL(raw string) error {
	d, _, err := splitURL(raw)
	if err == nil && d != MySQL {
		err = errors.New("replicas are MariaDB's or MySQL's: mysql://user:password@tcp(10.0.0.2:3306)/pitboss")
	}
	return err
}

// hostOf returns the DSN of one host among those of a URL.
func hostOf(raw, name string) (string, bool) {
	_, rest, err := splitURL(raw)
	if err != nil {
		return "", false
	}
	dsns, err := hostDSNs(rest)
	if err != nil {
		return "", false
	}
	for _, dsn := range dsns {
		if one, err := mysqlConfig(dsn, time.Second); err == nil && one.Addr == name {
			return dsn, true
		}
	}
	return "", false
}

// newReplicas prepares connections to the replicas of a URL. It connects to none of them: one that is down is no reason not to
// start.
func newReplicas(cfg Config) (*replicas, error) {
	if err := CheckReplicaURL(cfg.Replica); err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(cfg.Replica, "://")
	dsns, err := hostDSNs(rest)
	if err != nil {
		return nil, err
	}
	r := &replicas{most: cfg.ReplicaLag}
	if r.most == 0 {
		r.most = DefaultReplicaLag
	}
	for _, dsn := range dsns {
		one, err := mysqlConfig(dsn, cfg.LockWait)
		if err != nil {
			return nil, errURL
		}
		name := one.Addr
		own := cfg
		own.ReadURL = nil
		if cfg.ReadReplica != nil {
			own.ReadURL = func() (string, error) {
				url, err := cfg.ReadReplica()
				if now, there := hostOf(url, name); err == nil && there {
					return "mysql://" + now, nil
				}
				return "", errors.Join(err, fmt.Errorf("the URL of replicas does not name %s any more", name))
			}
		}
		connector, err := newRotating(dsn, own, new(atomic.Bool))
		if err != nil {
			return nil, errURL
		}
		open := func(most int) *sql.DB {
			pool := sql.OpenDB(prepared{connector, []string{
				"SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET SESSION TRANSACTION READ ONLY"}})
			pool.SetMaxOpenConns(most)
			pool.SetMaxIdleConns(most)
			pool.SetConnMaxLifetime(4 * time.Minute)
			return pool
		}
		r.list = append(r.list, &replica{name: name, pool: open(cfg.MaxConns), watch: open(1), why: "it was not asked yet",
			polled: make(chan struct{}), runs: map[int]context.CancelCauseFunc{}})
	}
	return r, nil
}

func (r *replicas) close() error {
	var errs []error
	for _, one := range r.list {
		errs = append(errs, one.pool.Close(), one.watch.Close())
	}
	return errors.Join(errs...)
}
