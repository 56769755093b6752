package ledger

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// crowd is a queue of two lanes whose batches last until they are ended.
type crowd struct {
	*queue[struct{}]
	t       *testing.T
	begun   chan handled
	callers sync.WaitGroup
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

// arrive adds callers to a lane.
func (c *crowd) arrive(callers, lane int) {
	key := int64(0)
	for c.laneOf(key) != lane {
		key++
	}
	for range callers {
		r := newRequest[struct{}](c.t.Context())
		require.NoError(c.t, c.add(r, key))
		c.callers.Go(func() { <-r.done })
	}
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

// requireWaiting requires that this many callers wait in the lanes, and that no batch may begin.
func (c *crowd) requireWaiting(first, second int) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(c.t, []int{first, second}, []int{len(c.lanes[0].waiting), len(c.lanes[1].waiting)})
	require.Empty(c.t, c.next())
}

// finish closes the queue and ends all batches.
func (c *crowd) finish(batches ...handled) {
	for _, b := range batches {
		b.end()
	}
	c.close()
	c.callers.Wait()
}

func TestFewCallersShareABatch(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1, 0)
	first := c.begins(1)
	c.arrive(5, 0)
	c.arrive(worthBatch-1, 1)
	c.requireWaiting(5, worthBatch-1)
	first.end()
	c.finish(c.begins(5 + worthBatch - 1))
}

func TestManyCallersHaveTwoBatches(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1, 0)
	first := c.begins(1)
	c.arrive(worthBatch, 1)
	second := c.begins(worthBatch)
	c.arrive(2*worthBatch, 0)
	c.arrive(worthBatch-1, 1)
	c.requireWaiting(2*worthBatch, worthBatch-1) // both lanes are in batches
	first.end()
	third := c.begins(2 * worthBatch)
	c.arrive(1, 1)
	second.end()
	c.finish(third, c.begins(worthBatch))
}

// However many callers wait in the other lane, those in a short one wait only for the batch that was being handled when they
// came.
func TestNobodyWaitsForTwoBatches(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1, 0)
	first := c.begins(1)
	c.arrive(2*batchCap, 0)
	c.arrive(1, 1)
	first.end()
	second := c.begins(batchCap) // the single caller, and as many of the others as there is room for
	c.arrive(worthBatch, 1)
	c.requireWaiting(2*batchCap-(batchCap-1), worthBatch)
	second.end()
	third, fourth := <-c.begun, <-c.begun // a batch of each lane, in whatever order their goroutines run
	if third.callers < fourth.callers {
		third, fourth = fourth, third
	}
	require.Equal(t, []int{batchCap, worthBatch}, []int{third.callers, fourth.callers})
	c.arrive(1, 1)
	third.end()
	fifth := c.begins(1) // what is left of the long lane, which came before the fourth began
	c.requireWaiting(0, 1)
	fourth.end()
	c.finish(fifth, c.begins(1)) // it came before the fifth began
}

// While a batch hangs, the others are served: the lanes are free again, and the database says whose wallet is locked.
func TestABatchHangs(t *testing.T) {
	c := newCrowd(t, time.Millisecond)
	c.arrive(1, 0)
	hanging := c.begins(1)
	c.arrive(1, 0)
	c.begins(1).end()
	c.arrive(1, 1)
	c.finish(c.begins(1), hanging)
}

func TestClosingAnswersThoseWhoWait(t *testing.T) {
	c := newCrowd(t, time.Hour)
	c.arrive(1, 0)
	first := c.begins(1)
	c.arrive(1, 0)
	c.arrive(1, 1)
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
	require.ErrorIs(t, c.wait(t.Context(), newRequest[struct{}](t.Context()), 0), ErrClosed)
	first.end()
	c.finish(c.begins(2))
	<-closed
}

// Every caller is answered, and no lane is in two batches at a time.
func TestQueueUnderLoad(t *testing.T) {
	const callers, each = 64, 200
	var underWay [2]atomic.Int32
	var answered atomic.Int64
	laneOf := (&queue[struct{}]{lanes: make([]lane[struct{}], 2)}).laneOf
	q := newQueue(2, func(batch []*request[struct{}]) {
		lanes := map[int]bool{}
		for _, r := range batch {
			lanes[laneOf(r.PlayerID)] = true
		}
		for lane := range lanes {
			if underWay[lane].Add(1) > 1 {
				t.Error("a lane is in two batches")
			}
		}
		time.Sleep(100 * time.Microsecond) // what a database would take, so that batches overlap
		for lane := range lanes {
			underWay[lane].Add(-1)
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
				r := newRequest[struct{}](t.Context())
				r.Member = &Member{PlayerID: int64(i)}
				if err := q.wait(t.Context(), r, int64(i)); err != nil {
					t.Error(fmt.Errorf("caller %d, operation %d: %w", i, n, err))
				}
			}
		})
	}
	done.Wait()
	q.close()
	require.EqualValues(t, callers*each, answered.Load())
}
