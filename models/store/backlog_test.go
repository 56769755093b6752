package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// TestBacklogOfUnsignedDays: a day with play that has ended waits for both signatures.
func TestBacklogOfUnsignedDays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		s := storetest.Open(t, store.Config{URL: url, Now: func() time.Time { return now }})
		storetest.CreatePlayer(t, s, "anna", 10000)
		storetest.Apply(t, s, storetest.Bet("anna", "a", 100))
		now = now.Add(24 * time.Hour)
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		b, err := s.Backlog(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, map[models.Role]int{models.Finance: 1, models.Compliance: 1}, b.UnsignedDays)
	})
}

// TestBacklogIsBounded: however long a backlog is, reading it costs a thousand index entries.
func TestBacklogIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, store.Config{URL: url})
		empty, err := s.Backlog(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, store.Backlog{UnsignedDays: map[models.Role]int{models.Finance: 0, models.Compliance: 0}}, empty)
		for range 1002 {
			require.NoError(t, s.RequestTestNotice(t.Context(), storetest.Tester))
		}
		full, err := s.Backlog(t.Context(), []string{"notices"})
		require.NoError(t, err)
		require.EqualValues(t, 1000, full.Notices)
		held, err := s.Lease(t.Context(), "notices", "host/7/random", time.Minute)
		require.NoError(t, err)
		require.True(t, held)
		full, err = s.Backlog(t.Context(), []string{"notices", "days"})
		require.NoError(t, err)
		require.Equal(t, []store.HeldLease{{Name: "notices", Holder: "host/7", Held: true}}, full.Leases)
		require.NoError(t, s.EndLease(t.Context(), "notices", "host/7/random"))
		full, err = s.Backlog(t.Context(), []string{"notices"})
		require.NoError(t, err)
		require.Equal(t, []store.HeldLease{{Name: "notices", Holder: "host/7"}}, full.Leases)
	})
}
