package books_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// TestCallbackMinutes adds up the counts of several instances.
func TestCallbackMinutes(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		ctx := t.Context()
		s := x.Open(t)
		_, found, err := s.LastCallback(ctx)
		require.NoError(t, err)
		require.False(t, found)
		at := time.Date(2026, 11, 20, 12, 3, 0, 0, time.UTC)
		bet, broken, stranger := models.CallbackAnswer{Endpoint: "Withdraw"},
			models.CallbackAnswer{Endpoint: "Withdraw", Result: models.NoAnswer}, models.CallbackAnswer{Result: 404}
		counts := models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{bet: 3, broken: 1, stranger: 5}}
		instances := []*store.Store{s, storetest.Open(t, x.Config)}
		storetest.Together(20, func(i int) {
			if err := instances[i%2].AddCallbacks(ctx, at.Add(time.Duration(i)*time.Second), counts); err != nil {
				t.Error(err)
			}
		})
		require.NoError(t, s.AddCallbacks(ctx, at.Add(2*time.Minute),
			models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{stranger: 1}}))
		require.NoError(t, s.AddCallbacks(ctx, at.Add(2*time.Minute), models.CallbackCounts{}))

		minutes, err := s.CallbackMinutes(ctx, at.Add(-time.Minute), at.Add(3*time.Minute))
		require.NoError(t, err)
		require.Len(t, minutes, 4)
		require.True(t, minutes[0].Empty())
		require.Equal(t, at, minutes[1].At)
		require.Equal(t, map[models.CallbackAnswer]uint64{bet: 60, broken: 20, stranger: 100}, minutes[1].Answers)
		require.Equal(t, uint64(80), minutes[1].Callbacks(nil))
		require.Equal(t, map[models.CallbackAnswer]uint64{stranger: 1}, minutes[3].Answers)

		whole, err := s.CallbackCounts(ctx, at, at.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, map[models.CallbackAnswer]uint64{bet: 60, broken: 20, stranger: 101}, whole.Answers)
		last, found, err := s.LastCallback(ctx)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, at, last, "a request to an unknown path is not a callback")

		require.NoError(t, s.ForgetCallbacks(ctx, at.Add(time.Minute)))
		whole, err = s.CallbackCounts(ctx, at, at.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, map[models.CallbackAnswer]uint64{stranger: 1}, whole.Answers)
	})
}
