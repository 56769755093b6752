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

// Read replicas: copies of the database that lag slightly behind it, for reads that are large and decide nothing.
//
// Which reads use a replica. FromReplica calls a function with a context. Everything that the function reads with that context
// through DB.Read, DB.Reads and Snapshot comes from a replica. All other reads come from the primary, and so do those of a
// change that begins with such a context. Reads for a decision about money, for an approval or for a form never use
// FromReplica. Nothing can be written through a replica's connections, even if the server would allow the account to, because
// their transactions are read-only.
//
// How current a replica is. Every second each instance writes the time into a row of its own on the primary: a beat. A replica
// commits transactions in the order of the primary (MariaDB in one domain; MySQL with replica_preserve_commit_order, the
// default since 8.0.27). So if a replica shows the beat of a time, it has everything that was committed before that time. This
// needs no privilege, works with any kind of replication and, unlike Seconds_Behind_Master, also shows when replication has
// stopped or the replica has lost its source. The row also proves that a server replicates this primary: its name is random, so
// no copy of another primary has it.
//
// When a replica is not used. A replica is skipped if it does not answer, is further behind than Config.ReplicaLag, lacks a
// migration that this program needs, follows another database, or lacks recent changes that the reader must see. Then the next
// host of the URL is tried, and after the last one the primary. If a function fails on a replica for any reason, it is called
// again with the primary. It starts from the beginning, so that a page, an export or a verification always comes from one
// server and never mixes two states. That is also how an object is found that the replica does not have yet.
//
// Each host of the URL is watched separately. A load balancer in front of several replicas would hide which of them answered.

// DefaultReplicaLag is how far behind a replica may be.
const DefaultReplicaLag = 30 * time.Second

const (
	beatEvery   = time.Second
	beatPrefix  = "replica beat "
	beatKept    = 24 * time.Hour  // how long the row of an instance that has crashed is kept
	pollTimeout = 2 * time.Second // for a replica to answer a trivial query
	pollsLost   = 2               // polls in a row without an answer after which reads from the replica are ended
	avoidedFor  = time.Minute     // after an error that does not go away by itself, such as a missing privilege
)

// clockMargin is the most by which the clocks of two instances may differ. A time by another instance's clock has certainly
// passed when this instance's clock shows that much more.
const clockMargin = 2 * clockTolerance

// errReplicaLost is the cause that ends reads from a replica that no longer answers.
var errReplicaLost = errors.New("the replica does not answer")

// ReplicaBehindError means that a replica does not have the requested data yet.
type ReplicaBehindError struct{ Lacks string }

// Error says what the replica does not have yet.
func (e ReplicaBehindError) Error() string { return "the replica has not got as far as " + e.Lacks }

// lane is the server that the reads of a context use.
type lane struct {
	replica *replica  // nil for the primary
	at      time.Time // the replica has everything that was committed before at
}

type laneKey struct{}

func laneOf(ctx context.Context) lane {
	l, _ := ctx.Value(laneKey{}).(lane)
	return l
}

// OnPrimary returns a context whose reads come from the primary.
func OnPrimary(ctx context.Context) context.Context {
	if laneOf(ctx).replica == nil {
		return ctx
	}
	return context.WithValue(ctx, laneKey{}, lane{})
}

// AsOf returns the time up to which the reads of a context are complete, and whether they come from a replica.
func (s *DB) AsOf(ctx context.Context) (at time.Time, replica bool) {
	if l := laneOf(ctx); l.replica != nil {
		return l.at, true
	}
	return s.Now(), false
}

// Reads are the connections for reads: those of a replica in a context of FromReplica, otherwise those of the primary.
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

// replicas are the replicas of one database.
type replicas struct {
	list   []*replica
	most   time.Duration // how far behind a replica may be
	beat   string        // the name of this instance's row in leases
	schema int64         // the newest migration that this program knows

	read, passed, failed atomic.Uint64 // how often a replica was read, the primary for lack of one, and a replica failed
}

// replica is one replica.
type replica struct {
	name  string
	pool  *sql.DB
	watch *sql.DB // a separate connection for polls, so that they never wait for readers

	mu      sync.Mutex
	at      time.Time     // it has everything that was committed before at
	why     string        // why it is not used; empty if it is used
	silent  int           // polls in a row without an answer
	avoided time.Time     // until then it is not used
	told    bool          // whether the log said last that it is used
	polled  chan struct{} // closed after the next poll
	runs    map[int]context.CancelCauseFunc
	next    int
}

// FromReplica calls read with a context whose reads come from a replica that has everything from before since. It waits up to
// wait for such a replica. since may be a time by another instance's clock. If there is no such replica, or read fails on it,
// FromReplica calls read with the primary, from the beginning; read must not keep anything from a failed run.
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
		s.Log.Info("Reading from the primary instead of the replica.", "replica", chosen.name, "reason", behind.Error())
	case number != 0 && !IsDown(err) && !IsContention(err):
		// Other reads would fail too, for example because the account lacks a privilege or a table is not replicated.
		chosen.avoid(fmt.Sprintf("it answered a read with error %d", number))
		s.Log.Warn("A replica has refused a read and is not used for a minute.", "replica", chosen.name, "error_number", number)
	case IsDown(err):
		chosen.avoid("")
	}
	return read(ctx)
}

// choose returns the first replica that has everything from before since, and the time up to which it has everything. It
// returns nil if there is no such replica within wait.
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

// run calls read with a context that ends when the replica is lost.
func (one *replica) run(ctx context.Context, read func(context.Context) error) error {
	on, leave := one.enter(ctx)
	defer leave()
	err := read(on)
	if err != nil && errors.Is(context.Cause(on), errReplicaLost) {
		return errors.Join(errReplicaLost, err)
	}
	return err
}

// enter returns a context that ends when the replica is lost. The caller must call leave when it has finished reading.
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

// avoid stops the use of the replica: for avoidedFor if why is a reason that polls do not notice, or until the next poll if why
// is empty.
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

// Replicas returns the state of each replica, in the order in which they are tried.
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

// ReplicaCounts returns how often a replica was read, how often the primary was read because no replica could be used, and how
// often the primary was read because a replica failed.
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

// CheckReplicaURL returns what is wrong with the URL of replicas. The error does not contain its password.
func CheckReplicaURL(raw string) error {
	d, _, err := splitURL(raw)
	if err == nil && d != MySQL {
		err = errors.New("replicas are MariaDB's or MySQL's: mysql://user:password@tcp(10.0.0.2:3306)/pitboss")
	}
	return err
}

// hostOf returns the DSN for one of a URL's hosts, or false if the URL does not have that host.
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

// newReplicas prepares connections to the replicas of a URL. It does not connect, so that Pitboss starts even if a replica is
// down.
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
				return "", errors.Join(err, fmt.Errorf("the URL of replicas no longer has the host %s", name))
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
		r.list = append(r.list, &replica{name: name, pool: open(cfg.MaxConns), watch: open(1), why: "it was not checked yet",
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
