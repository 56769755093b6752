package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// On a single server a callback takes two round trips: one locks and looks up, the other writes and commits.
func TestRoundTripsOfACallback(t *testing.T) {
	storetest.OnFaultyConnections(t, func(t *testing.T, _ *storetest.Database, p *storetest.FaultProxy, s *store.Store) {
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.CreatePlayer(t, s, "bert", 1000)
		// so that connections are open, and IDs of this length are known
		for _, id := range []models.TransactionID{"bet-a", "bet-b", "bet-c"} {
			storetest.Apply(t, s, storetest.Bet("anna", id, 1))
		}
		for _, op := range []models.Operation{
			storetest.Bet("bert", "bet-2", 1), storetest.Bet("bert", "bet-3", 1), storetest.Bet("bert", "bet-3", 1),
			storetest.Win("bert", "win-1", 2),
			storetest.BetWin("bert", "bew-1", 1, 2), storetest.FreeSpin("bert", "spi-1", 1),
			storetest.Rollback("bert", "bet-2"), storetest.Rollback("bert", "bet-9"),
			storetest.Bet("bert", "bet-4", 1000000),
		} {
			before := p.MoneyQueries()
			storetest.Apply(t, s, op)
			require.EqualValues(t, 2, p.MoneyQueries()-before, "%s %s", op.Kind, op.TransactionID)
		}
	})
}
