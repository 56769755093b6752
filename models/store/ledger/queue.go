package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ErrBusy means that the queue of waiting operations is full. Nothing was done.
var ErrBusy = errors.New("too many operations are waiting for the database")

// ErrClosed means that the store is being closed. Nothing was done.
var ErrClosed = errors.New("the store is closed")

const (
	queueLength   = 4096                   // callers that wait, for each worker
	maxOfKey      = 1024                   // of them with the same key, so that they cannot fill the queue for all others
	batchCap      = 512                    // callers in one batch
	worthBatch    = 32                     // callers for which a batch beside another one is worth its own transaction
	hangingBatch  = 250 * time.Millisecond // after which a batch no longer keeps its keys to itself
	hangingWallet = time.Second            // the same for a batch of one key that was set aside
	defaultGrace  = 10 * time.Second       // for callers without a deadline
)

// request is a waiting caller. The caller may read what it asks for and err once done is closed.
type request[T any] struct {
	asks     T
	key      int64
	deadline time.Time
	patient  bool // its attempt waits for what is locked; either all callers of an attempt are patient or none
	settled  bool // an attempt sets it: an earlier attempt was for this caller, whatever becomes of this one
	aside    bool // an attempt sets it: the attempt left this caller out, because something is locked
	unsure   bool // an attempt sets it: whether it was for this caller is unknown

	err   error
	last  atomic.Pointer[error] // why the last attempt failed; nil if none did
	done  chan struct{}
	since int64 // how many batches had begun when it became ready
}

func newRequest[T any](ctx context.Context, key int64, asks T) *request[T] {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(defaultGrace)
	}
	return &request[T]{asks: asks, key: key, deadline: deadline, done: make(chan struct{})}
}

func (r *request[T]) answer(err error) {
	r.err = err
	close(r.done)
}

// late returns err with what the caller waited for.
func (r *request[T]) late(err error) error {
	if last := r.last.Load(); last != nil {
		return fmt.Errorf("%w; the last attempt ended with: %w", err, *last)
	}
	return fmt.Errorf("%w before an attempt ended", err)
}

// queue is a bounded queue of callers. Its workers handle what waits, up to batchCap callers at a time. Callers with the same
// key are handled in the order of arrival and are never in two batches at a time, unless a batch hangs. Callers with the key 0
// have nothing in common.
type queue[T any] struct {
	handle     func([]*request[T]) // answers every caller
	hangsAfter time.Duration
	oneKey     bool // a batch has the callers with one key only
	length     int
	running    sync.WaitGroup

	mu       sync.Mutex
	changed  *sync.Cond
	idle     int             // workers that wait for a batch
	ready    []*request[T]   // callers who may be in the next batch
	held     []*request[T]   // callers whose key is in a batch
	ofKey    map[int64]int   // how many callers with a key wait
	batchOf  map[int64]int64 // the number of the batch that has a key
	underWay []int64         // the batches that are being handled and do not hang, in the order of their numbers
	batches  int64           // how many have begun
	full     uint64          // callers refused because the queue was full
	closed   bool
}

func newQueue[T any](workers int, handle func([]*request[T])) *queue[T] {
	q := &queue[T]{handle: handle, hangsAfter: hangingBatch, length: workers * queueLength}
	q.start(workers)
	return q
}

// start starts the workers.
func (q *queue[T]) start(workers int) {
	q.ofKey, q.batchOf = map[int64]int{}, map[int64]int64{}
	q.changed = sync.NewCond(&q.mu)
	for range workers {
		q.running.Go(q.run)
	}
}

// next returns how many callers the next batch takes if it begins now, or 0 if it has to wait.
//
// While no batch is being handled, it takes all callers who are ready, or half of them if the other half is worth a batch of an
// idle worker. While one is being handled, the next begins when enough callers are ready, or if the first of them was ready
// before that one began. So hardly anybody waits for more than the batch with the same key and one other, unless more callers
// are ready than fit into a batch.
func (q *queue[T]) next() int {
	waiting := len(q.ready)
	switch {
	case waiting == 0:
		return 0
	case q.oneKey:
		return 1
	case len(q.underWay) > 0:
		if waiting < worthBatch && q.ready[0].since >= q.underWay[len(q.underWay)-1] {
			return 0
		}
	case q.idle > 0 && waiting >= 2*worthBatch:
		waiting = (waiting + 1) / 2
	}
	return min(waiting, batchCap)
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
	size := q.next()
	for ; size == 0; size = q.next() {
		if q.closed && len(q.ready)+len(q.held) == 0 {
			return 0, false
		}
		q.idle++
		q.changed.Wait()
		q.idle--
	}
	q.batches++
	q.underWay = append(q.underWay, q.batches)
	*batch = (*batch)[:0]
	rest := q.ready[:0]
	for i, r := range q.ready {
		of := q.batchOf[r.key] // 0 for the key 0
		switch {
		// Other callers with the keys of the batch join it, if there is room.
		case i < size, of == q.batches && len(*batch) < batchCap:
			*batch = append(*batch, r)
			if r.key == 0 {
				continue
			}
			q.batchOf[r.key] = q.batches
			if q.ofKey[r.key]--; q.ofKey[r.key] == 0 {
				delete(q.ofKey, r.key)
			}
		case of != 0:
			q.held = append(q.held, r)
		default:
			rest = append(rest, r)
		}
	}
	clear(q.ready[len(rest):])
	q.ready = rest
	q.wake()
	return q.batches, true
}

// end frees the keys of a batch, unless it hung and did that before.
func (q *queue[T]) end(number int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.underWay, number)
	if i < 0 {
		return
	}
	q.underWay = slices.Delete(q.underWay, i, i+1)
	maps.DeleteFunc(q.batchOf, func(_, batch int64) bool { return batch == number })
	q.held = slices.DeleteFunc(q.held, func(r *request[T]) bool {
		if q.batchOf[r.key] != 0 {
			return false
		}
		r.since, q.ready = q.batches, append(q.ready, r)
		return true
	})
	if q.closed {
		q.changed.Broadcast()
	} else {
		q.wake()
	}
}

// wake wakes a worker if a batch may begin.
func (q *queue[T]) wake() {
	if q.next() > 0 {
		q.changed.Signal()
	}
}

// wait adds r to the queue and returns when it has been answered, or ctx's error if that ends first.
func (q *queue[T]) wait(ctx context.Context, r *request[T]) error {
	if err := q.add(r); err != nil {
		return err
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return r.late(ctx.Err())
	}
}

func (q *queue[T]) add(r *request[T]) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	if len(q.ready)+len(q.held) >= q.length || q.ofKey[r.key] >= maxOfKey {
		q.full++
		return ErrBusy
	}
	list := &q.ready
	if r.key != 0 {
		q.ofKey[r.key]++
		if q.batchOf[r.key] != 0 {
			list = &q.held
		}
	}
	r.since = q.batches
	*list = append(*list, r)
	q.wake()
	return nil
}

// state returns how many callers wait, and how many it has refused because it was full.
func (q *queue[T]) state() (waiting int, full uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ready) + len(q.held), q.full
}

// close refuses new callers and returns when all others have been answered.
func (q *queue[T]) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
	q.running.Wait()
}
