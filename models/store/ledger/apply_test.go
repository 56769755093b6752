package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestApply(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 10000)
		storetest.CreatePlayer(t, s, "bert", 500)

		first := storetest.Apply(t, s, storetest.Bet("anna", "1", 2500))
		require.Equal(t, models.Balance{Amount: 7500, Currency: "EUR"}, first.Balance)
		require.Equal(t, models.Decided{At: first.Decided.At, PlayerID: anna.ID, Seq: 2}, first.Decided)
		require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.Bet("anna", "1", 2500)).Decline)
		other := storetest.Apply(t, s, storetest.Bet("anna", "1", 2600))
		require.True(t, other.OtherContents)
		require.EqualValues(t, 7500, other.Balance.Amount)
		require.Equal(t, models.Duplicate, storetest.Apply(t, s, storetest.Bet("bert", "1", 2500)).Decline,
			"transaction IDs are unique over all players")
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, s, storetest.Bet("bert", "2", 501)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("bert", "2", 500)).Decline,
			"a refused bet may come again")
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("bert", "1")).Decline, "not bert's")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", "1")).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Rollback("anna", "1")).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Bet("bert", "1", 1)).Decline,
			"even for another player")
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", "3")).Decline)
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", "3")).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Bet("anna", "3", 100)).Decline, "the late original")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("bert", "3", 0)).Decline, "another player's original")
		require.Equal(t, models.UnknownPlayer, storetest.Apply(t, s, storetest.Bet("Anna", "4", 100)).Decline)
		spin := storetest.Apply(t, s, storetest.FreeSpin("bert", "5", 700))
		require.True(t, spin.Unexplained)
		require.Zero(t, spin.Balance.Amount)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("bert", "5")).Decline)

		require.EqualValues(t, 10000, storetest.Balance(t, s, "anna"))
		require.EqualValues(t, 0, storetest.Balance(t, s, "bert"))
		_, ok, err := s.Balance(t.Context(), "Anna")
		require.NoError(t, err)
		require.False(t, ok)
		v := storetest.RequireWhole(t, s)
		require.True(t, v.Keyed)
		require.Equal(t, models.Verification{Keyed: true, Wallets: 2, Entries: 7, SpinEntries: 2, Transactions: 6,
			Tombstones: 1, AuditEvents: 2, CoveredRows: 2}, v)
	})
}

// Names are bytes: names that a text collation would treat as equal are different players and transactions.
func TestNamesAreBytes(t *testing.T) {
	names := []string{"anna", "Anna", "an na", "an  na", "\u00e4nna", "a\u0308nna", "\uff41nna", "'",
		"\\", `"`, "\U0001f3b0", strings.Repeat("x", 255)}
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for _, name := range names {
			storetest.CreatePlayer(t, s, models.UserID(name), 1000)
		}
		named := func(name string) models.Operation {
			op := storetest.Bet(models.UserID(name), models.TransactionID(name), 10)
			op.RoundID = models.RoundID(name)
			return op
		}
		for _, name := range names {
			require.Equal(t, models.NotFound,
				storetest.Apply(t, s, storetest.Rollback(models.UserID(names[0]), models.TransactionID(name[1:]+"?"))).Decline,
				"%q", name)
			require.Equal(t, models.None, storetest.Apply(t, s, named(name)).Decline, "%q", name)
		}
		for _, name := range names {
			r := storetest.Apply(t, s, named(name))
			require.Equal(t, models.Duplicate, r.Decline, "%q", name)
			require.False(t, r.OtherContents, "%q", name)
			require.EqualValues(t, 990, storetest.Balance(t, s, models.UserID(name)), "%q", name)
		}
		storetest.RequireWhole(t, s)
	})
}

// A callback can never name an operation of our own, not even an opening balance.
func TestOwnOperationsCannotBeNamed(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		p := storetest.CreatePlayer(t, s, "anna", 1000)
		opening := models.TransactionID(fmt.Sprintf("opening:%d", p.ID))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM transactions WHERE transaction_id = ?", string(opening)))
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", opening)).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, s, storetest.Bet("anna", opening, 10)).Decline,
			"by the tombstone just left, in the platform's own key space")
		storetest.CreatePlayer(t, s, "bert", 1000)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("bert", opening, 10)).Decline)
		require.EqualValues(t, 1000, storetest.Balance(t, s, "anna"))
		storetest.RequireWhole(t, s)
	})
}
