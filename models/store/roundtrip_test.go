package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// A callback takes no more round trips than LongestRoundTrip assumes.
func TestRoundTripsOfACallback(t *testing.T) {
	onFaultyWay(t, func(t *testing.T, _ *site, p *storetest.FaultProxy, s *store.Store) {
		create(t, s, "anna", 1000)
		create(t, s, "bert", 1000)
		// so that connections are open, and IDs of this length are known
		for _, id := range []models.TransactionID{"bet-a", "bet-b", "bet-c"} {
			apply(t, s, received(bet("anna", id, 1)))
		}
		require.Equal(t, 12*time.Minute, s.LongestRoundTrip(time.Hour), "one for the player, and two for each of two attempts")
		for _, op := range []models.Operation{
			bet("bert", "bet-2", 1), bet("bert", "bet-3", 1), bet("bert", "bet-3", 1), win("bert", "win-1", 2),
			betWin("bert", "bew-1", 1, 2), freeSpin("bert", "spi-1", 1), rollback("bert", "bet-2"), rollback("bert", "bet-9"),
			bet("bert", "bet-4", 1000000),
		} {
			before := p.MoneyQueries()
			apply(t, s, received(op))
			require.EqualValues(t, 2, p.MoneyQueries()-before, "%s %s", op.Kind, op.TransactionID)
		}
		took, err := s.RoundTrip(t.Context())
		require.NoError(t, err)
		require.Positive(t, took)
	})
}
