package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/jobs"
	"pitboss/cmd/testing/storetest"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestLeases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		s := storetest.Open(t, store.Config{URL: url, Now: func() time.Time { return now }})
		take := func(holder string) bool {
			t.Helper()
			held, err := s.Lease(t.Context(), "job", holder, time.Minute)
			require.NoError(t, err)
			return held
		}
		require.True(t, take("a"))
		require.False(t, take("b"))
		now = now.Add(50 * time.Second)
		require.True(t, take("a"), "prolonged")
		now = now.Add(50 * time.Second)
		require.False(t, take("b"))
		now = now.Add(11 * time.Second)
		require.True(t, take("b"), "a's lease has expired")
		require.False(t, take("a"))
		require.NoError(t, s.EndLease(t.Context(), "job", "a"))
		require.False(t, take("a"), "the lease is no longer a's")
		require.NoError(t, s.EndLease(t.Context(), "job", "b"))
		require.True(t, take("a"))

		var wait sync.WaitGroup
		var mu sync.Mutex
		winners := 0
		for i := range 8 {
			wait.Go(func() {
				held, err := s.Lease(context.Background(), "new", string(rune('a'+i)), time.Minute)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if held {
					winners++
				}
			})
		}
		wait.Wait()
		require.Equal(t, 1, winners)
	})
}

func TestHoldKeepsOthersOut(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	failure := errors.New("the work failed")
	held, err := jobs.Hold(t.Context(), s, "job", "a", time.Minute, func(ctx context.Context) error {
		held, err := jobs.Hold(ctx, s, "job", "a", time.Minute, func(context.Context) error {
			t.Error("twice at once")
			return nil
		})
		require.NoError(t, err)
		require.False(t, held)
		return failure
	})
	require.True(t, held)
	require.ErrorIs(t, err, failure)
	held, err = jobs.Hold(t.Context(), s, "job", "b", time.Minute, func(context.Context) error { return nil })
	require.NoError(t, err)
	require.True(t, held, "the lease was released")
}

// fickle grants a lease once and never again.
type fickle struct {
	mu    sync.Mutex
	asked int
}

func (f *fickle) Lease(context.Context, string, string, time.Duration) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	return f.asked == 1, nil
}

func (f *fickle) EndLease(context.Context, string, string) error { return nil }

func TestALostLeaseEndsTheWork(t *testing.T) {
	held, err := jobs.Hold(t.Context(), &fickle{}, "job", "a", time.Millisecond, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	require.True(t, held)
	require.ErrorIs(t, err, jobs.ErrLeaseLost)
}

// mute grants a lease once. After that, the database does not answer.
type mute struct{ fickle }

func (m *mute) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	if granted, err := m.fickle.Lease(ctx, name, holder, ttl); granted {
		return true, err
	}
	<-ctx.Done()
	return false, ctx.Err()
}

func TestALeaseThatIsNotRenewedEndsTheWork(t *testing.T) {
	held, err := jobs.Hold(t.Context(), &mute{}, "job", "a", 3*time.Millisecond, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	require.True(t, held)
	require.ErrorIs(t, err, jobs.ErrLeaseLost)
}

// TestAPanicIsAFailure: a job that panics must not end the program, which also serves callbacks.
func TestAPanicIsAFailure(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	held, err := jobs.Hold(t.Context(), s, "job", "a", time.Minute, func(context.Context) error { panic("a bug") })
	require.True(t, held)
	require.ErrorContains(t, err, "a bug")
	held, err = jobs.Hold(t.Context(), s, "job", "b", time.Minute, func(context.Context) error { return nil })
	require.NoError(t, err)
	require.True(t, held, "the lease was released")
}

func TestTheScheduleGoesOnAfterAFailure(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	ctx, cancel := context.WithCancel(t.Context())
	tick := make(chan time.Time)
	runs := make(chan int, 10)
	n := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		jobs.Schedule{
			Leases: s, Holder: "a", Log: slog.New(slog.DiscardHandler),
			Tick: func(every time.Duration) (<-chan time.Time, func()) { return tick, func() {} },
		}.Run(ctx, jobs.Job{Name: "job", Every: time.Hour, Work: func(context.Context) error {
			n++
			runs <- n
			return errors.New("not today")
		}})
	}()
	require.Equal(t, 1, <-runs, "at once")
	tick <- time.Now()
	require.Equal(t, 2, <-runs)
	tick <- time.Now()
	require.Equal(t, 3, <-runs)
	cancel()
	<-done
}

// TestJobsRest: after a long run a job rests, even if it is due several times meanwhile.
func TestJobsRest(t *testing.T) {
	s := storetest.Open(t, store.Config{URL: storetest.URL(t, storetest.SQLite)})
	ctx, stop := context.WithCancel(t.Context())
	tick, ended := make(chan time.Time), make(chan struct{})
	var runs atomic.Int64
	go func() {
		defer close(ended)
		jobs.Schedule{Leases: s, Log: slog.New(slog.DiscardHandler),
			Tick: func(time.Duration) (<-chan time.Time, func()) { return tick, func() {} }}.Run(ctx,
			jobs.Job{Name: "resting", Rest: 1_000_000, Work: func(context.Context) error {
				runs.Add(1)
				time.Sleep(time.Millisecond) // the long run
				return nil
			}})
	}()
	for range 5 {
		tick <- time.Now()
	}
	stop()
	<-ended
	require.EqualValues(t, 1, runs.Load())
}

// TestAJobEverywhere: it needs no lease, and if it waits, it first runs an interval after the start.
func TestAJobEverywhere(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	tick, ended := make(chan time.Time), make(chan struct{})
	runs := 0
	go func() {
		defer close(ended)
		jobs.Schedule{Log: slog.New(slog.DiscardHandler),
			Tick: func(time.Duration) (<-chan time.Time, func()) { return tick, func() {} }}.Run(ctx,
			jobs.Job{Name: "job", Everywhere: true, Waits: true, Work: func(context.Context) error {
				runs++
				return nil
			}})
	}()
	tick <- time.Now()
	stop()
	<-ended
	require.Equal(t, 1, runs)
}
