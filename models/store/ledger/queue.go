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
	queueLength  = 4096                   // callers that wait in a lane
	batchCap     = 512                    // operations in one transaction
	worthBatch   = 16                     // callers in a lane for which a batch beside another one is worth its own transaction
	hangingBatch = 250 * time.Millisecond // after which a batch no longer keeps its lanes to itself
	defaultGrace = 10 * time.Second       // for callers without a deadline
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

// queue is a bounded queue of callers in lanes. As many goroutines as there are lanes handle what waits, up to batchCap callers
// at a time. Each lane is in one batch at a time, unless that batch hangs.
type queue[T any] struct {
	handle     func([]*request[T]) // answers every caller
	hangsAfter time.Duration
	running    sync.WaitGroup

	mu      sync.Mutex
	ready   *sync.Cond
	lanes   []lane[T]
	free    []int // of the latest next
	batches int64 // how many have begun
	closed  bool
}

type lane[T any] struct {
	waiting []*request[T]
	since   int64  // how many batches had begun when the first of those who wait came
	batch   int64  // the number of the batch that has the lane, or 0
	full    uint64 // callers refused because the lane was full
}

func newQueue[T any](lanes int, handle func([]*request[T])) *queue[T] {
	q := &queue[T]{handle: handle, hangsAfter: hangingBatch, lanes: make([]lane[T], lanes)}
	q.ready = sync.NewCond(&q.mu)
	for range lanes {
		q.running.Go(q.run)
	}
	return q
}

// next returns the lanes from which a batch may begin now, the shortest first.
//
// While no batch is being handled, these are all lanes in which somebody waits. If there are enough callers in each, it is only
// the longest, because the others get batches of their own beside it. While a batch is being handled, it is the longest free
// lane, if it has enough callers, or if that batch began after the lane's first caller came: so nobody waits for two batches
// unless more callers wait than fit into one.
func (q *queue[T]) next() []int {
	q.free = q.free[:0]
	latest := int64(0) // of the batches that are being handled
	for i := range q.lanes {
		if l := &q.lanes[i]; l.batch > 0 {
			latest = max(latest, l.batch)
		} else if len(l.waiting) > 0 {
			q.free = append(q.free, i)
		}
	}
	if len(q.free) == 0 {
		return nil
	}
	slices.SortFunc(q.free, func(a, b int) int { return len(q.lanes[a].waiting) - len(q.lanes[b].waiting) })
	longest := q.free[len(q.free)-1:]
	switch l := &q.lanes[longest[0]]; {
	case latest == 0 && (len(q.free) < len(q.lanes) || len(q.lanes[q.free[0]].waiting) < worthBatch):
		return q.free
	case latest == 0, len(l.waiting) >= worthBatch, l.since < latest:
		return longest
	default:
		return nil
	}
}

// run handles batches until the queue is closed and empty.
func (q *queue[T]) run() {
	batch := make([]*request[T], 0, batchCap)
	for {
		number, ok := q.begin(&batch)
		if !ok {
			return
		}
		hanging := time.AfterFunc(q.hangsAfter, func() { q.end(number) })
		q.handle(batch)
		hanging.Stop()
		q.end(number)
	}
}

// begin waits until a batch may begin, and takes its callers from the queue. It returns the batch's number, or false if the
// queue is closed and empty.
func (q *queue[T]) begin(batch *[]*request[T]) (number int64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lanes := q.next()
	for ; len(lanes) == 0; lanes = q.next() {
		if q.closed && !slices.ContainsFunc(q.lanes, func(l lane[T]) bool { return len(l.waiting) > 0 }) {
			return 0, false
		}
		q.ready.Wait()
	}
	q.batches++
	*batch = (*batch)[:0]
	for _, i := range lanes {
		l := &q.lanes[i]
		n := min(len(l.waiting), batchCap-len(*batch))
		*batch = append(*batch, l.waiting[:n]...)
		l.waiting, l.batch = slices.Delete(l.waiting, 0, n), q.batches
	}
	q.wake()
	return q.batches, true
}

// end frees the lanes of a batch, unless another batch has them meanwhile.
func (q *queue[T]) end(number int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.lanes {
		if l := &q.lanes[i]; l.batch == number {
			l.batch = 0
		}
	}
	if q.closed {
		q.ready.Broadcast()
	} else {
		q.wake()
	}
}

// wake wakes a goroutine if a batch may begin.
func (q *queue[T]) wake() {
	if len(q.next()) > 0 {
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
	l := &q.lanes[q.laneOf(key)]
	switch {
	case q.closed:
		return ErrClosed
	case len(l.waiting) >= queueLength:
		l.full++
		return ErrBusy
	}
	if len(l.waiting) == 0 {
		l.since = q.batches
	}
	l.waiting = append(l.waiting, r)
	q.wake()
	return nil
}

// laneOf returns the lane of a key. It mixes the key's bits: on a cluster, a node may give out only odd numbers.
func (q *queue[T]) laneOf(key int64) int {
	return int(uint64(key) * 0x9E3779B97F4A7C15 >> 33 % uint64(len(q.lanes)))
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
