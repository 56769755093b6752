package activity_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/activity"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// broken is a store whose writes fail while broken is set.
type broken struct {
	*store.Store
	broken atomic.Bool
}

var errBroken = errors.New("the database is away")

// AddCallbacks fails while broken is set.
func (b *broken) AddCallbacks(ctx context.Context, at time.Time, more models.CallbackCounts) error {
	if b.broken.Load() {
		return errBroken
	}
	return b.Store.AddCallbacks(ctx, at, more)
}

func counts(n uint64) models.CallbackCounts {
	return models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{{Endpoint: "Withdraw"}: n}}
}

// TestFlush adds the counts since the last flush, and keeps those that could not be written for the next one.
func TestFlush(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		ctx := t.Context()
		s := &broken{Store: storetest.Open(t, store.Config{URL: url})}
		at := time.Date(2026, 11, 20, 12, 0, 30, 0, time.UTC)
		var counted atomic.Uint64
		service := activity.New(activity.Config{
			Store: s, Counts: func() models.CallbackCounts { return counts(counted.Load()) },
			Now: func() time.Time { return at },
		})
		recorded := func() uint64 {
			t.Helper()
			sums, err := s.CallbackCounts(ctx, at.Add(-time.Hour), at.Add(time.Hour))
			require.NoError(t, err)
			return sums.Callbacks(nil)
		}
		require.NoError(t, service.Flush(ctx))
		require.Zero(t, recorded())
		counted.Store(5)
		require.NoError(t, service.Flush(ctx))
		require.NoError(t, service.Flush(ctx))
		require.EqualValues(t, 5, recorded())

		s.broken.Store(true)
		counted.Store(7)
		require.ErrorIs(t, service.Flush(ctx), errBroken)
		s.broken.Store(false)
		counted.Store(9)
		at = at.Add(time.Minute)
		require.NoError(t, service.Flush(ctx))
		require.EqualValues(t, 9, recorded())
	})
}

// TestForget deletes only old counts.
func TestForget(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		now := time.Now().UTC()
		require.NoError(t, s.AddCallbacks(t.Context(), now, counts(3)))
		require.NoError(t, s.AddCallbacks(t.Context(), now.Add(-36*24*time.Hour), counts(4)))
		require.NoError(t, activity.New(activity.Config{Store: s}).Forget(t.Context()))
		sums, err := s.CallbackCounts(t.Context(), now.Add(-40*24*time.Hour), now.Add(time.Hour))
		require.NoError(t, err)
		require.EqualValues(t, 3, sums.Callbacks(nil))
	})
}
