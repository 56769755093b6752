package ledger

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// crowd is a queue of two lanes whose batches wait until they are let go.
type crowd struct {
	*queue[struct{}]
	batches chan []*request[struct{}]
	letGo   chan struct{}
	callers sync.WaitGroup
}

func newCrowd() *crowd {
	c := &crowd{batches: make(chan []*request[struct{}], 2), letGo: make(chan struct{})}
	c.queue = newQueue(2, func(batch []*request[struct{}]) {
		c.batches <- batch
		<-c.letGo
		for _, r := range batch {
			r.answer(nil)
		}
	})
	return c
}

// arrive adds n callers to a lane and returns when they wait or are in a batch.
func (c *crowd) arrive(t *testing.T, n int, lane int64) {
	for range n {
		r := newRequest[struct{}](t.Context())
		require.NoError(t, c.add(r, lane))
		c.callers.Go(func() { <-r.done })
	}
}

// starts waits for the next batch to start and returns how many callers it has.
func (c *crowd) starts(t *testing.T) int {
	select {
	case batch := <-c.batches:
		return len(batch)
	case <-time.After(time.Minute):
		t.Fatal("no batch starts")
		return 0
	}
}

// requireWaiting requires that this many callers wait in the lanes, and that no batch may start.
func (c *crowd) requireWaiting(t *testing.T, first, second int) {
	one, _ := c.state(0)
	two, _ := c.state(1)
	require.Equal(t, []int{first, second}, []int{one, two})
	require.Empty(t, c.batches)
}

func TestFewCallersShareABatch(t *testing.T) {
	c := newCrowd()
	c.arrive(t, 1, 0)
	require.Equal(t, 1, c.starts(t))
	c.arrive(t, 5, 0)
	c.arrive(t, worthBatch, 1)
	c.requireWaiting(t, 5, worthBatch) // the first batch has both lanes
	c.letGo <- struct{}{}
	require.Equal(t, 5+worthBatch, c.starts(t))
	c.letGo <- struct{}{}
	c.close()
	c.callers.Wait()
}

func TestManyCallersHaveTwoBatches(t *testing.T) {
	c := newCrowd()
	c.arrive(t, 1, 0)
	require.Equal(t, 1, c.starts(t))
	c.arrive(t, 2*worthBatch, 0)
	c.arrive(t, worthBatch, 1)
	c.letGo <- struct{}{}
	require.Equal(t, 2*worthBatch, c.starts(t), "the longer lane")
	require.Equal(t, worthBatch, c.starts(t), "the other one, beside it")
	c.arrive(t, worthBatch-1, 1)
	c.arrive(t, worthBatch, 0)
	c.requireWaiting(t, worthBatch, worthBatch-1) // both lanes are in batches
	c.letGo <- struct{}{}
	c.letGo <- struct{}{}
	require.Contains(t, []int{worthBatch, 2*worthBatch - 1}, c.starts(t), "whichever batch ended first")
	close(c.letGo)
	c.close()
	c.callers.Wait()
}

// A player's operation does not wait for a second batch of the other lane, however many callers wait there.
func TestAShortLaneGetsItsTurn(t *testing.T) {
	c := newCrowd()
	c.arrive(t, 1, 0)
	require.Equal(t, 1, c.starts(t))
	c.arrive(t, 2*batchCap, 0)
	c.letGo <- struct{}{}
	require.Equal(t, batchCap/2, c.starts(t))
	c.arrive(t, 1, 1)
	c.letGo <- struct{}{}
	require.Equal(t, batchCap/2+1, c.starts(t))
	close(c.letGo)
	c.close()
	c.callers.Wait()
}

func TestClosingAnswersThoseWhoWait(t *testing.T) {
	c := newCrowd()
	c.arrive(t, 1, 0)
	require.Equal(t, 1, c.starts(t))
	c.arrive(t, 1, 0)
	c.arrive(t, 1, 1)
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
	c.letGo <- struct{}{}
	require.Equal(t, 2, c.starts(t))
	c.letGo <- struct{}{}
	<-closed
	c.callers.Wait()
}

// Every caller is answered, and no lane is in two batches at a time.
func TestQueueUnderLoad(t *testing.T) {
	const callers, each = 64, 200
	var underWay [2]atomic.Int32
	var handled atomic.Int64
	q := newQueue(2, func(batch []*request[struct{}]) {
		seen := map[int64]bool{}
		for _, r := range batch {
			seen[r.PlayerID%2] = true
		}
		for lane := range seen {
			if underWay[lane].Add(1) > 1 {
				t.Error("a lane is in two batches")
			}
		}
		handled.Add(int64(len(batch)))
		for lane := range seen {
			underWay[lane].Add(-1)
		}
		for _, r := range batch {
			r.answer(nil)
		}
	})
	var done sync.WaitGroup
	for i := range callers {
		done.Go(func() {
			for n := range each {
				r := newRequest[struct{}](context.Background())
				r.Member = &Member{PlayerID: int64(i)}
				if err := q.wait(t.Context(), r, int64(i)); err != nil {
					t.Error(fmt.Errorf("caller %d, operation %d: %w", i, n, err))
				}
			}
		})
	}
	done.Wait()
	q.close()
	require.EqualValues(t, callers*each, handled.Load())
}
