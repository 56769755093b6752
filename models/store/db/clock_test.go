package db_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// An instance whose clock is wrong uses the database's time: what it books, sums up and checks has the times that other
// instances expect.
func TestWrongClock(t *testing.T) {
	for name, off := range map[string]time.Duration{"two hours ahead": 2 * time.Hour, "two hours behind": -2 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			x := storetest.NewDatabase(t, storetest.MariaDB)
			right := x.Open(t)
			x.Config.LocalTime = func() time.Time { return time.Now().Add(off) }
			wrong := x.Open(t)
			require.InDelta(t, float64(off), float64(wrong.ClockAhead()), float64(time.Minute))
			require.Less(t, right.ClockAhead().Abs(), time.Minute)

			storetest.CreatePlayer(t, wrong, "anna", 1000)
			for i, s := range []*store.Store{wrong, right, wrong, right} {
				require.Equal(t, models.None, storetest.Apply(t, s,
					storetest.Bet("anna", models.TransactionID(rune('a'+i)), 100)).Decline)
				_, err := s.FollowDays(t.Context())
				require.NoError(t, err)
				_, err = s.FindCases(t.Context(), models.CaseRulesConfig{OpenRound: time.Hour})
				require.NoError(t, err)
				_, err = s.FollowSpins(t.Context())
				require.NoError(t, err)
			}
			now := time.Now()
			for _, times := range []string{"SELECT MIN(at_us) FROM postings", "SELECT MAX(at_us) FROM postings",
				"SELECT MAX(position) FROM leases WHERE name = 'sums of days'",
				"SELECT MAX(position) FROM leases WHERE name LIKE 'case rule %'"} {
				require.InDelta(t, now.UnixMicro(), x.Number(t, times), float64(time.Minute.Microseconds()), times)
			}
			require.EqualValues(t, 4, x.Number(t, "SELECT SUM(bets) FROM money_minutes"))
		})
	}
}

// If the clock is set while the program runs, the next comparison notices it.
func TestClockThatIsSet(t *testing.T) {
	x := storetest.NewDatabase(t, storetest.MariaDB)
	var off atomic.Int64
	x.Config.LocalTime = func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
	s := x.Open(t)
	storetest.CreatePlayer(t, s, "anna", 1000)
	off.Store(int64(-3 * time.Hour))
	_, err := s.FollowDays(t.Context())
	require.NoError(t, err)
	require.InDelta(t, float64(off.Load()), float64(s.ClockAhead()), float64(time.Minute))
	// By this machine's monotonic clock, which has moved too, the database's clock has jumped.
	require.Contains(t, s.ClockFault(), "behind the database's, which Pitboss goes by; the database's clock has jumped: set it")
	storetest.Apply(t, s, storetest.Bet("anna", "b", 100))
	require.InDelta(t, time.Now().UnixMicro(), x.Number(t, "SELECT MAX(at_us) FROM postings"),
		float64(time.Minute.Microseconds()))
	off.Store(0)
	_, err = s.FollowDays(context.Background())
	require.NoError(t, err)
	require.Empty(t, s.ClockFault())
}
