package ledger

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrBusy means that the queue of waiting operations is full. Nothing was done.
var ErrBusy = errors.New("too many operations are waiting for the database")

// ErrClosed means that the store is being closed. Nothing was done.
var ErrClosed = errors.New("the store is closed")

const (
	queueLength  = 4096             // callers that wait in a lane
	batchCap     = 512              // operations in one transaction
	worthBatch   = 16               // callers in a lane for which a batch beside another one is worth its own transaction
	defaultGrace = 10 * time.Second // for callers without a deadline
)

// request is a waiting caller. The caller may read value and err once done is closed.
type request[T any] struct {
	*Member
	value    T
	err      error
	deadline time.Time
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

// queue is a bounded queue of callers in lanes. As many goroutines as there are lanes handle everything that waits, up to
// batchCap callers at a time. Each lane is in one batch at a time.
type queue[T any] struct {
	handle  func([]*request[T]) // answers every caller
	running sync.WaitGroup

	mu     sync.Mutex
	ready  *sync.Cond
	lanes  []lane[T]
	closed bool
}

type lane[T any] struct {
	waiting []*request[T]
	busy    bool   // in a batch that is being handled
	full    uint64 // callers refused because the lane was full
}

func newQueue[T any](lanes int, handle func([]*request[T])) *queue[T] {
	q := &queue[T]{handle: handle, lanes: make([]lane[T], lanes)}
	q.ready = sync.NewCond(&q.mu)
	for range lanes {
		q.running.Go(q.run)
	}
	return q
}

// next returns the lanes from which a batch may start now, as a range that is empty if there are none. If no batch is being
// handled, that is all lanes together, unless each has enough callers for a batch of its own. Otherwise it is the longest free
// lane, if it has enough. So a lane with few callers waits for the other's batch, but never for a second one.
func (q *queue[T]) next() (from, to int) {
	busy, longest, shortest, waiting := false, -1, worthBatch, 0
	for i := range q.lanes {
		l := &q.lanes[i]
		waiting, shortest = waiting+len(l.waiting), min(shortest, len(l.waiting))
		if busy = busy || l.busy; !l.busy && (longest < 0 || len(l.waiting) > len(q.lanes[longest].waiting)) {
			longest = i
		}
	}
	switch {
	case !busy && waiting > 0 && shortest < worthBatch:
		return 0, len(q.lanes)
	case longest >= 0 && len(q.lanes[longest].waiting) >= worthBatch:
		return longest, longest + 1
	default:
		return 0, 0
	}
}

// run handles batches until the queue is closed and empty.
func (q *queue[T]) run() {
	batch := make([]*request[T], 0, batchCap)
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		from, to := q.next()
		if from == to {
			if q.closed && !slices.ContainsFunc(q.lanes, func(l lane[T]) bool { return len(l.waiting) > 0 }) {
				return
			}
			q.ready.Wait()
			continue
		}
		batch = batch[:0]
		for i := from; i < to; i++ {
			l := &q.lanes[i]
			n := min(len(l.waiting), batchCap/(to-from))
			batch = append(batch, l.waiting[:n]...)
			l.waiting, l.busy = slices.Delete(l.waiting, 0, n), true
		}
		q.wake()
		q.mu.Unlock()
		q.handle(batch)
		q.mu.Lock()
		for i := from; i < to; i++ {
			q.lanes[i].busy = false
		}
		if q.closed {
			q.ready.Broadcast()
		}
	}
}

// wake wakes a goroutine if a batch may start.
func (q *queue[T]) wake() {
	if from, to := q.next(); from < to {
		q.ready.Signal()
	}
}

// wait adds r to the lane of key and returns when it has been answered, or ctx's error if that ends first.
func (q *queue[T]) wait(ctx context.Context, r *request[T], key int64) error {
	if err := q.add(r, key); err != nil {
		return err
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *queue[T]) add(r *request[T], key int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := &q.lanes[uint64(key)%uint64(len(q.lanes))]
	switch {
	case q.closed:
		return ErrClosed
	case len(l.waiting) >= queueLength:
		l.full++
		return ErrBusy
	}
	l.waiting = append(l.waiting, r)
	q.wake()
	return nil
}

// state returns how many callers wait in a lane, and how many it has refused because it was full.
func (q *queue[T]) state(lane int) (waiting int, full uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.lanes[lane].waiting), q.lanes[lane].full
}

// close refuses new callers and returns when all others have been answered.
func (q *queue[T]) close() {
	q.mu.Lock()
	q.closed = true
	q.ready.Broadcast()
	q.mu.Unlock()
	q.running.Wait()
}
