package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Group commit: many operations, one flush.
//
// A database transaction for each callback spends its time on round trips, row locks and the flush of the log. Operations that
// arrive together share one instead: while one batch commits, the next one fills. Nothing waits on purpose, so one connection
// alone is as fast as it would be without batches.
//
// How an operation is applied
//
//	Apply -> number of the wallet (cached: a hint, see walletNumbers) -> queue of one of the committers, chosen by player
//	committer: takes whatever waits, up to a cap -> attempt (apply.go), five plain statements:
//	  1 lock the wallets in ascending number, except those that somebody else holds
//	  2 look up the TransactionIDs, after the locks: what was applied, what was rolled back, what other readings of a signed text there are
//	  3 insert the postings (and the lines of free spins, and the callback log)
//	  4 write the wallets' balances and heads
//	  5 commit
//	-> answers all.
//
// Each statement is sent by itself. Sent together in one packet they were faster, and lost acknowledged money on a Galera
// cluster with two writers.
//
// Why each answer is safe
//
//   - Nobody is answered before the commit that holds their operation. That goes for a refusal too: it was decided against the
//     state that the batch left.
//   - Two operations of one wallet never run at once, on whatever instance: the wallet's row is locked first. Those of one
//     batch are decided in order of arrival, each against the state that those before it have left.
//   - Two operations of one TransactionID under one player meet at the wallet's lock, and the second finds the first's posting.
//     Under two players they meet at the unique key: the second INSERT waits for the first's commit and fails, its batch is
//     repeated, and then finds the posting. So every retry is safe.
//   - A failed attempt before COMMIT has changed nothing. A COMMIT that ends without an answer is in doubt: the next attempt
//     locks the same wallets, which waits until the first has ended, and looks for the very postings that it would have
//     written, known by their hash. If they are there, the first attempt's answer is the answer.
//   - A committer waits for no wallet: operations whose wallet somebody else holds (another instance, a foreign program) are
//     set aside and settled by wallet, in goroutines of their own. So are those of a batch that fails, after one repetition
//     where that may help, and where a wallet's group fails as well, its operations one by one. So one bad operation never
//     costs the others. When the database is gone the batch waits and tries again, until the deadlines of its callers.
//   - A caller who gives up does not stop the batch. There is no definite answer then, and the retry meets the TransactionID.
//   - The queue is bounded: when it is full, callers get ErrBusy at once and nothing is written.
//
// There are two committers, and each player belongs to one: while one waits for its flush, the other's statements run. SQLite
// has one writer, hence one committer. One reader reads balances: its reads wait for nothing, and with two readers each read
// would answer half as many callers.

// ErrBusy is returned when more operations wait than the queue holds. Nothing was done.
var ErrBusy = errors.New("too many operations are waiting for the database")

// ErrClosed is returned when the store is being closed. Nothing was done.
var ErrClosed = errors.New("the store is closed")

const (
	queueLength  = 4096             // of one committer, or of the reader
	batchCap     = 512              // operations in one transaction
	defaultGrace = 10 * time.Second // for callers without a deadline
)

// applier takes operations to the database: a batcher many at a time, single one by one.
type applier interface {
	apply(ctx context.Context, m *Member) error
	balance(ctx context.Context, player int64) (models.Balance, bool, error)
	close()
}

// request is a caller who waits. Its maker reads the embedded value only after done.
type request[T any] struct {
	*Member
	value    T
	err      error
	deadline time.Time
	taken    bool // out of the queue, by the taker, who will answer it or has handed it on
	done     chan struct{}
}

func newRequest[T any](ctx context.Context) *request[T] {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(defaultGrace)
	}
	return &request[T]{deadline: deadline, done: make(chan struct{})}
}

func (r *request[T]) answer(err error) {
	r.err = err
	close(r.done)
}

// queue is bounded, and its taker handles whatever waits in it, all at once.
type queue[T any] struct {
	waiting chan *request[T]
	quit    chan struct{}
	end     sync.Once
	stopped chan struct{}
	full    atomic.Uint64 // callers that were turned away
}

func newQueue[T any](handle func([]*request[T])) *queue[T] {
	q := &queue[T]{waiting: make(chan *request[T], queueLength), quit: make(chan struct{}), stopped: make(chan struct{})}
	go func() {
		defer close(q.stopped)
		batch := make([]*request[T], 0, batchCap)
		for {
			var first *request[T]
			select {
			case first = <-q.waiting:
			case <-q.quit:
				select {
				case first = <-q.waiting:
				default:
					return
				}
			}
			first.taken = true
			batch = append(batch[:0], first)
		more:
			for len(batch) < batchCap {
				select {
				case r := <-q.waiting:
					r.taken = true
					batch = append(batch, r)
				default:
					break more
				}
			}
			handle(batch)
		}
	}()
	return q
}

// wait hands r over and returns when it is answered, or with ctx's error when the caller gives up first.
func (q *queue[T]) wait(ctx context.Context, r *request[T]) error {
	select {
	case <-q.quit:
		return ErrClosed
	default:
	}
	select {
	case q.waiting <- r:
	default:
		q.full.Add(1)
		return ErrBusy
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	case <-q.stopped:
	}
	if !r.taken {
		return ErrClosed
	}
	select { // it was set aside, and is being settled
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *queue[T]) close() {
	q.end.Do(func() { close(q.quit) })
	<-q.stopped
}

// batcher applies many operations in one transaction.
type batcher struct {
	committers []*queue[struct{}]
	reader     *queue[walletBalance]
}

// walletBalance is asked for by player and answered where there is such a wallet.
type walletBalance struct {
	player  int64
	balance models.Balance
	found   bool
}

func newBatcher(s *Store) *batcher {
	b := &batcher{reader: newQueue(reading(&s.db.Retries, s.readBalances))}
	n := 2
	if s.db.Dialect == db.SQLite {
		n = 1
	}
	for range n {
		b.committers = append(b.committers, newQueue(s.settleAll))
	}
	return b
}

func (b *batcher) apply(ctx context.Context, m *Member) error {
	r := newRequest[struct{}](ctx)
	r.Member = m
	return b.committers[m.PlayerID%int64(len(b.committers))].wait(ctx, r)
}

func (b *batcher) balance(ctx context.Context, player int64) (models.Balance, bool, error) {
	r := newRequest[walletBalance](ctx)
	r.value.player = player
	if err := b.reader.wait(ctx, r); err != nil {
		return models.Balance{}, false, err
	}
	return r.value.balance, r.value.found, nil
}

func (b *batcher) close() {
	for _, g := range b.committers {
		g.close()
	}
	b.reader.close()
}

// single applies operations one by one, each in a transaction of its own.
type single struct{ s *Store }

func (u *single) apply(ctx context.Context, m *Member) error {
	r := newRequest[struct{}](ctx)
	r.Member, m.Patient = m, true
	u.s.settleGroup([]*request[struct{}]{r}, 0)
	return r.err
}

func (u *single) balance(ctx context.Context, player int64) (models.Balance, bool, error) {
	r := newRequest[walletBalance](ctx)
	r.value.player = player
	reading(&u.s.db.Retries, u.s.readBalances)([]*request[walletBalance]{r})
	return r.value.balance, r.value.found, r.err
}

func (u *single) close() {}

// settleAll settles a batch and survives a fault in it: those who are not answered yet get an error, and the committer goes on.
func (s *Store) settleAll(group []*request[struct{}]) {
	defer func() {
		if fault := recover(); fault != nil {
			s.db.Log.Error("a batch panicked", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			for _, r := range group {
				select {
				case <-r.done:
				default:
					r.answer(errors.New("internal fault while settling"))
				}
			}
		}
	}()
	s.settleGroup(group, 0)
}

// settleGroup settles callers together, and in smaller groups when that fails. It answers all of them, or sets them aside,
// which it does last. A patient group is of one wallet; it waits for the wallet, and tries again until its callers' deadlines.
func (s *Store) settleGroup(group []*request[struct{}], try int) {
	group, latest := waiting(group)
	if len(group) == 0 {
		return
	}
	members := make([]*Member, len(group))
	for i, r := range group {
		members[i] = r.Member
	}
	ctx, cancel := context.WithDeadline(context.Background(), latest)
	defer cancel()
	err := s.attempt(ctx, members)
	s.writable.note(members, err)
	patient := members[0].Patient
	collision := db.IsContention(err) || db.IsDuplicate(err)
	switch {
	case err == nil:
		var aside []*request[struct{}]
		for _, r := range group {
			if r.aside {
				aside = append(aside, r)
			} else {
				r.answer(nil)
			}
		}
		s.setAside(aside)
	case db.IsDown(err), s.db.Dialect == db.SQLite && db.IsContention(err), // all wait alike
		collision && try == 0 && db.MySQLNumber(err) != db.MySQLLockWait, // which has cost enough time
		patient && len(group) == 1 && (db.IsContention(err) || db.IsDuplicate(err) && try < 20):
		s.db.Retries.Count(db.RetriedOperations, err)
		db.Pause(ctx, try)
		s.settleGroup(group, try+1)
	case !patient && (collision || len(group) > 1):
		s.db.Retries.Count(db.RetriedOperations, err)
		s.setAside(group)
	case len(group) == 1:
		group[0].answer(err)
	default:
		s.db.Retries.Count(db.RetriedOperations, err)
		for i := range group {
			s.settleGroup(group[i:i+1], try+1)
		}
	}
}

// setAside settles callers in goroutines of their own, a group for each wallet. There can be as many of them as a queue holds.
func (s *Store) setAside(group []*request[struct{}]) {
	wallets := map[int64][]*request[struct{}]{}
	for _, r := range group {
		if s.aside.count.Add(1) > queueLength {
			s.aside.count.Add(-1)
			s.meter.asideFull.Add(1)
			if r.doubt.Seq != 0 {
				r.answer(errors.New("too many operations are waiting for their wallets to find out whether they were applied"))
			} else {
				r.answer(ErrBusy)
			}
			continue
		}
		s.meter.setAside.Add(1)
		r.Patient = true
		wallets[r.PlayerID] = append(wallets[r.PlayerID], r)
	}
	for _, of := range wallets {
		s.aside.running.Go(func() {
			defer s.aside.count.Add(-int64(len(of)))
			s.settleAll(of)
		})
	}
}

// aside is what is being settled outside the committers.
type aside struct {
	running sync.WaitGroup
	count   atomic.Int64
}

// waiting answers those whose deadline has passed and returns the others with the latest of their deadlines. What an attempt in
// doubt wrote for a caller who is sent away is found by the retry.
func waiting[T any](group []*request[T]) (rest []*request[T], latest time.Time) {
	now := time.Now()
	rest = make([]*request[T], 0, len(group))
	for _, r := range group {
		if !r.deadline.After(now) {
			r.answer(context.DeadlineExceeded)
			continue
		}
		if r.deadline.After(latest) {
			latest = r.deadline
		}
		rest = append(rest, r)
	}
	return rest, latest
}

// reading makes the handler of a queue of reads: it reads for all who wait at once, again and again while the database is away,
// until their deadlines.
func reading[T any](counts *db.Retries, read func(context.Context, []*request[T]) error) func([]*request[T]) {
	return func(group []*request[T]) {
		for try := 0; ; try++ {
			var latest time.Time
			if group, latest = waiting(group); len(group) == 0 {
				return
			}
			ctx, cancel := context.WithDeadline(context.Background(), latest)
			err := read(ctx, group)
			if err != nil && (db.IsDown(err) || db.IsContention(err)) {
				counts.Count(db.RetriedReads, err)
				db.Pause(ctx, try)
				cancel()
				continue
			}
			cancel()
			for _, r := range group {
				r.answer(err)
			}
			return
		}
	}
}

// readBalances reads the balances that are asked for in one statement.
func (s *Store) readBalances(ctx context.Context, group []*request[walletBalance]) error {
	numbers := make([]int64, len(group))
	for i, r := range group {
		numbers[i] = r.value.player
	}
	found := make(map[int64]models.Balance, len(group))
	var q db.Statement
	q.Begin("SELECT player_id, balance_minor, currency FROM wallets WHERE erased = 0 AND player_id IN (").Numbers(numbers).
		Text(")")
	err := q.Query(ctx, s.db.Pools.Read, func(rows *sql.Rows) error {
		var player int64
		var b models.Balance
		var currency string
		if err := rows.Scan(&player, (*int64)(&b.Amount), &currency); err != nil {
			return err
		}
		b.Currency = models.Currency(currency)
		found[player] = b
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range group {
		r.value.balance, r.value.found = found[r.value.player]
	}
	return nil
}
