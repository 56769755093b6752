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
		allowed := int64(time.Hour/s.LongestRoundTrip(time.Hour)-1)/2 + 1 // an attempt, and the query for the player
		require.EqualValues(t, 3, allowed)
		for _, op := range []models.Operation{
			bet("bert", "bet-2", 1), bet("bert", "bet-3", 1), bet("bert", "bet-3", 1), win("bert", "win-1", 2),
			betWin("bert", "bew-1", 1, 2), freeSpin("bert", "spi-1", 1), rollback("bert", "bet-2"), rollback("bert", "bet-9"),
			bet("bert", "bet-4", 1000000),
		} {
			before := p.Queries()
			apply(t, s, received(op))
			trips := p.Queries() - before
			require.LessOrEqual(t, trips, allowed, "%s %s", op.Kind, op.TransactionID)
			allowed = 2 // the player is known now
		}
		took, err := s.RoundTrip(t.Context())
		require.NoError(t, err)
		require.Positive(t, took)
	})
}
