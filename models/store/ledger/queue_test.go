package ledger

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// crowd is a queue with two workers whose batches last until they are ended. Each caller has a key of its own, unless a
// test gives it one.
type crowd struct {
	*queue[struct{}]
	t       *testing.T
	begun   chan handled
	callers sync.WaitGroup
	lastKey int64
}

// handled is a batch that is being handled.
type handled struct {
	callers int
	end     func()
}

func newCrowd(t *testing.T, hangsAfter time.Duration) *crowd {
	c := &crowd{t: t, begun: make(chan handled, 2)}
	c.queue = newQueue(2, func(batch []*request[struct{}]) {
		ended := make(chan struct{})
		c.begun <- handled{len(batch), func() { close(ended) }}
		<-ended
		for _, r := range batch {
			r.answer(nil)
		}
	})
	c.mu.Lock()
	c.hangsAfter = hangsAfter
	c.mu.Unlock()
	return c
}

// arrive adds callers.
func (c *crowd) arrive(callers int) {
	for range callers {
		c.lastKey++
		c.arriveAs(c.lastKey)
	}
}

// arriveAs adds a caller with a key.
func (c *crowd) arriveAs(key int64) {
	r := newRequest(c.t.Context(), key, struct{}{})
	require.NoError(c.t, c.add(r))
	c.callers.Go(func() { <-r.done })
}

// begins waits until a batch of this many callers begins.
func (c *crowd) begins(callers int) handled {
	c.t.Helper()
	select {
	case b := <-c.begun:
		require.Equal(c.t, callers, b.callers)
		return b
	case <-time.After(time.Minute):
		c.t.Fatal("no batch begins")
		return handled{}
	}
}

// requireWaiting requires that this many callers wait, and that no batch may begin.
func (c *crowd) requireWaiting(ready, held int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(c.t, []int{ready, held}, []int{len(c.ready), len(c.held)})
	require.Zero(c.t, c.next())
}

// finish closes the queue and ends all batches.
func (c *crowd) finish(batches ...handled) {
	for _, b := range batches {
		b.end()
	}
	c.close()
	c.callers.Wait()
}

func TestQueueFewCallersShareABatch(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1)
	first := c.begins(1)
	c.arrive(worthBatch - 1)
	c.requireWaiting(worthBatch-1, 0)
	first.end()
	c.finish(c.begins(worthBatch - 1))
}

func TestQueueManyCallersHaveTwoBatches(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1)
	first := c.begins(1)
	c.arrive(worthBatch)
	second := c.begins(worthBatch)
	c.arrive(3 * worthBatch)
	c.mu.Lock()
	require.Len(t, c.ready, 3*worthBatch, "both workers have a batch")
	c.mu.Unlock()
	first.end()
	third := c.begins(3 * worthBatch)
	c.arrive(1)
	c.requireWaiting(1, 0)
	second.end()
	third.end()
	c.finish(c.begins(1))
}

// If nothing is being handled, two idle workers share what waits, unless it is too little.
func TestQueueTwoWorkersShare(t *testing.T) {
	for callers, want := range map[int][]int{
		2*worthBatch - 1: {2*worthBatch - 1}, 2 * worthBatch: {worthBatch, worthBatch},
		2*worthBatch + 1: {worthBatch, worthBatch + 1},
	} {
		c := newCrowd(t, time.Hour)
		c.whenIdle(func() {
			for i := range callers {
				c.ready = append(c.ready, newRequest(t.Context(), int64(i)+1, struct{}{}))
			}
		})
		var batches []handled
		var sizes []int
		for range want {
			batches = append(batches, <-c.begun)
			sizes = append(sizes, batches[len(batches)-1].callers)
		}
		require.ElementsMatch(t, want, sizes) // in whatever order their goroutines run
		c.finish(batches...)
	}
}

// Callers with the same key share a batch instead of waiting for each other.
func TestQueueCallersOfOneKeyStayTogether(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.whenIdle(func() {
		for i := range 4 * worthBatch {
			c.ready = append(c.ready, newRequest(t.Context(), int64(i%2)+1, struct{}{}))
		}
	})
	c.finish(c.begins(4 * worthBatch))
}

// whenIdle waits until both workers are idle, adds callers and lets batches begin.
func (c *crowd) whenIdle(add func()) {
	require.Eventually(c.t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.idle < 2 {
			return false
		}
		add()
		for _, r := range c.ready {
			c.ofKey[r.key]++
		}
		c.wake()
		return true
	}, time.Minute, time.Millisecond)
}

// If a batch has no room for the last callers, they do not have to wait for its end.
func TestQueueNobodyWaitsForTwoBatches(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1)
	first := c.begins(1)
	c.arrive(worthBatch)
	second := c.begins(worthBatch)
	c.arrive(batchCap + 1)
	first.end()
	third := c.begins(batchCap)
	second.end()
	fourth := c.begins(1) // the third began after it came
	c.finish(third, fourth)
}

// Callers with one key are never in two batches. Those who wait for such a batch wait for at most one more.
func TestQueueCallersOfOneKeyTakeTurns(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arriveAs(-1)
	first := c.begins(1)
	c.arriveAs(-1)
	c.arriveAs(-1)
	c.requireWaiting(0, 2)
	c.arrive(worthBatch)
	second := c.begins(worthBatch)
	first.end()
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.ready) == 2
	}, time.Minute, time.Millisecond)
	c.requireWaiting(2, 0) // the second batch is the one more
	c.arriveAs(-1)
	second.end()
	c.finish(c.begins(3))
}

// One key's callers cannot fill the queue for the others.
func TestQueueIsFull(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arriveAs(-1)
	first := c.begins(1)
	for range maxOfKey {
		c.arriveAs(-1)
	}
	require.ErrorIs(t, c.add(newRequest(t.Context(), -1, struct{}{})), ErrBusy)
	c.arrive(worthBatch)
	second := c.begins(worthBatch)
	c.arrive(2*queueLength - maxOfKey)
	require.ErrorIs(t, c.add(newRequest(t.Context(), 0, struct{}{})), ErrBusy)
	waiting, full := c.state()
	require.Equal(t, c.length, waiting)
	require.EqualValues(t, 2, full)
	go func() {
		for b := range c.begun {
			b.end()
		}
	}()
	c.finish(first, second)
	close(c.begun)
	require.Empty(t, c.ofKey)
}

// While a batch hangs, others are served, even with its keys: the database says whose wallet is locked. Its end does not
// free the keys of a later batch.
func TestQueueABatchHangs(t *testing.T) {
	c := newCrowd(t, time.Millisecond)
	c.arriveAs(-1)
	hanging := c.begins(1)
	c.mu.Lock()
	c.hangsAfter = time.Hour
	c.mu.Unlock()
	c.arriveAs(-1)
	later := c.begins(1)
	c.end(1)
	c.arriveAs(-1)
	c.requireWaiting(0, 1)
	later.end()
	c.finish(c.begins(1), hanging)
}

func TestQueueClosingAnswersThoseWhoWait(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1)
	first := c.begins(1)
	c.arriveAs(c.lastKey)
	c.arrive(1)
	closed := make(chan struct{})
	go func() {
		c.close()
		close(closed)
	}()
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.closed
	}, time.Minute, time.Millisecond)
	require.ErrorIs(t, c.wait(t.Context(), newRequest(t.Context(), 0, struct{}{})), ErrClosed)
	first.end()
	c.finish(c.begins(2))
	<-closed
}

// Every caller is answered, and no key is in two batches at a time.
func TestQueueUnderLoad(t *testing.T) {
	const callers, each, keys = 64, 100, 32
	var underWay [keys]atomic.Int32
	var answered atomic.Int64
	q := newQueue(2, func(batch []*request[struct{}]) {
		inBatch := map[int64]bool{}
		for _, r := range batch {
			inBatch[r.key] = true
		}
		for key := range inBatch {
			if underWay[key-1].Add(1) > 1 {
				t.Error("a key is in two batches")
			}
		}
		time.Sleep(100 * time.Microsecond) // what a database would take, so that batches overlap
		for key := range inBatch {
			underWay[key-1].Add(-1)
		}
		answered.Add(int64(len(batch)))
		for _, r := range batch {
			r.answer(nil)
		}
	})
	q.mu.Lock()
	q.hangsAfter = time.Hour
	q.mu.Unlock()
	var done sync.WaitGroup
	for i := range callers {
		done.Go(func() {
			for n := range each {
				if err := q.wait(t.Context(), newRequest(t.Context(), int64(i%keys)+1, struct{}{})); err != nil {
					t.Error(fmt.Errorf("caller %d, operation %d: %w", i, n, err))
				}
			}
		})
	}
	done.Wait()
	q.close()
	require.EqualValues(t, callers*each, answered.Load())
	require.Empty(t, q.batchOf)
	require.Empty(t, q.ofKey)
}

// A caller whose attempts panic gets an error, and everybody else of the batch is answered.
func TestQueueAPanicHarmsNobodyElse(t *testing.T) {
	held := make(chan struct{})
	g := groupCommit[int]{
		log: slog.New(slog.DiscardHandler),
		attempt: func(_ context.Context, group []*request[int]) error {
			<-held
			for _, r := range group {
				if r.asks == 3 {
					panic("a bug")
				}
			}
			return nil
		},
		after: func(group []*request[int], _ error, _ int) step {
			if len(group) == 1 {
				return fail
			}
			return apart
		},
	}
	g.start(1, 0)
	var callers []*request[int]
	for i := range 6 {
		callers = append(callers, newRequest(t.Context(), int64(i+1), i))
		require.NoError(t, g.waiting.add(callers[i]))
	}
	close(held)
	for i, r := range callers {
		<-r.done
		require.Equal(t, i == 3, r.err != nil, "%d: %v", i, r.err)
	}
	g.waiting.close()
}
