package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// erase erases a player's name.
func erase(t *testing.T, s *store.Store, user models.UserID) {
	t.Helper()
	storetest.Restrict(t, s, user)
	_, err := s.ErasePlayer(t.Context(), storetest.Keeper, user, "asked to")
	require.NoError(t, err)
}

// A declined bet cannot become the win of a later player: neither one who gets the name, nor one whose name is another reading
// of the text.
func TestAttackDeclinedBetOfLaterPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna1", 0)
		declined := storetest.InRound(storetest.Bet("anna1", "t1", 500), "r1")
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, a, declined).Decline)
		storetest.CreatePlayer(t, a, "anna", 0)
		require.Equal(t, models.SignReused, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna", "t1", 1500), "r1")).Decline)
		erase(t, a, "anna1")
		storetest.CreatePlayer(t, b, "anna1", 0)
		require.Equal(t, models.SignReused, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna1", "t1", 500), "r1")).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, a,
			storetest.InRound(storetest.Win("anna1", "t1r", 500), "1")).Decline)
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, a, declined).Decline, "a repeat is decided afresh")
		storetest.RequireWhole(t, a)
	})
}

// A bet of an unknown name cannot become the win of a player who gets the name later.
func TestAttackBetOfNobodyAsDeposit(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 0)
		storetest.CreatePlayer(t, a, "bert", 0)
		erase(t, a, "bert")
		early := storetest.InRound(storetest.Bet("anna1", "t1", 500), "r1")
		require.Equal(t, models.UnknownPlayer, storetest.Apply(t, a, early).Decline)
		late := storetest.InRound(storetest.Bet("bert", "t2", 500), "r1")
		require.Equal(t, models.UnknownPlayer, storetest.Apply(t, a, late).Decline)
		storetest.CreatePlayer(t, a, "anna1", 0)
		storetest.CreatePlayer(t, a, "bert", 1000)
		for _, op := range []models.Operation{
			storetest.InRound(storetest.Win("anna1", "t1", 500), "r1"),
			storetest.InRound(storetest.Win("anna1", "t1r", 500), "1"),
			storetest.InRound(storetest.Win("anna", "t1", 1500), "r1"),
			storetest.InRound(storetest.Win("bert", "t2", 500), "r1"),
		} {
			require.Equal(t, models.SignReused, storetest.Apply(t, b, op).Decline, "%+v", op)
		}
		require.Equal(t, models.None, storetest.Apply(t, b, late).Decline, "a repeat is decided afresh")
		storetest.RequireWhole(t, a)
	})
}

// What was signed for an erased player cannot become a rollback of another player's bet.
func TestAttackRollbackByErasedName(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 1000)
		storetest.CreatePlayer(t, a, "anna1", 0)
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna", "1", 100), "ra"))
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna", "199", 100), "rb"))
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna", "188", 100), "rb"))
		storetest.CreatePlayer(t, a, "bert", 1000)
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("bert", "88", 100), "rb"))
		require.Equal(t, models.NotFound, storetest.Apply(t, a, storetest.Signed(storetest.Rollback("anna1", "99"))).Decline)
		require.Equal(t, models.NotFound, storetest.Apply(t, a, storetest.Signed(storetest.Rollback("anna1", "88"))).Decline,
			"bert's")
		require.Equal(t, models.SignReused, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna", "188"))).Decline)
		erase(t, a, "anna1")
		for _, id := range []models.TransactionID{"199", "188"} {
			require.Equal(t, models.SignReused, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna", id))).Decline,
				id)
		}
		storetest.CreatePlayer(t, a, "anna1", 0)
		require.Equal(t, models.NotFound, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna1", "99"))).Decline,
			"a repeat is decided afresh")
		storetest.RequireWhole(t, a)
	})
}

// Names and IDs with multi-byte letters: other readings split them in the middle, which must not fail on any database.
func TestAttackCutLetters(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "žofie", 10000)
		storetest.CreatePlayer(t, s, "ž", 10000)
		for i, ids := range [][2]string{
			{"é1", "ü"}, {"é12", "ü"}, {"日本", "語語"}, {"日本語", "語"}, {"x", "日本語"}, {"日é", "本語x"}, {"日本é", "語x"},
			{"\U0001F3B0", "日本"}, {"1日", "日本"},
		} {
			op := storetest.InRound(storetest.Win("žofie", models.TransactionID(ids[0]), models.Amount(100+i)),
				models.RoundID(ids[1]))
			require.Equal(t, models.None, storetest.Apply(t, s, op).Decline, "%q", ids)
			require.Equal(t, models.Duplicate, storetest.Apply(t, s, op).Decline, "%q", ids)
			require.Equal(t, models.None, storetest.Apply(t, s,
				storetest.Signed(storetest.Rollback("žofie", models.TransactionID(ids[0])))).Decline, "%q",
				ids)
		}
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Signed(storetest.Rollback("ž", "日"))).Decline)
		storetest.RequireWhole(t, s)
	})
}
