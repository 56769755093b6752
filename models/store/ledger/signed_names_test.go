package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
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
		for _, id := range []models.TransactionID{"1", "199", "188"} { // the first is the GetBalance of anna1
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

// A platform whose IDs have all lengths up to the longest: nothing genuine is refused, and one query covers everything to look
// for.
func TestIDsOfAllLengths(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		for i := range 40 {
			storetest.CreatePlayer(t, s, models.UserID(fmt.Sprint(i+1)), 1000000)
		}
		var ops []models.Operation
		for i := range storetest.Scaled(300, 3000) {
			id := models.TransactionID(fmt.Sprintf("%s0%d", strings.Repeat("7", i*31%250), i)) // none comes twice
			round := models.RoundID(fmt.Sprintf("%s%d", strings.Repeat("5", i*17%250), i))
			ops = append(ops, storetest.InRound(storetest.Bet(models.UserID(fmt.Sprint(i%40+1)), id[:min(255, len(id))], 100),
				round[:min(255, len(round))]))
		}
		n := tally(t, storetest.ApplyTogether(t, storetest.Patience, ops, s))
		require.Equal(t, map[models.Decline]int{models.None: len(ops)}, n)
		storetest.RequireWhole(t, s)
	})
}

// Two readings of one text at the same moment on two instances, with IDs of new lengths, or of one known and one new length.
func TestAttackNewLengthsRaced(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		for _, user := range []models.UserID{"anna", "anna1", "anna12"} {
			storetest.CreatePlayer(t, a, user, 0)
		}
		for i := range storetest.Scaled(25, 100) {
			n := 8 + 4*i // no two rounds have the same length of both IDs together
			tail := strings.Repeat("x", n-4) + fmt.Sprintf("%04d", i)
			tail = tail[n-4:] + tail[:n-4]
			first, second := n/2, n/2+1
			if i%3 == 1 { // the lengths of one reading are known
				storetest.Apply(t, a, storetest.InRound(storetest.Win("anna", models.TransactionID("k"+tail[:first-1]), 1),
					models.RoundID(tail[first:])))
			}
			answers := tally(t, storetest.ApplyTogether(t, storetest.Patience, []models.Operation{
				storetest.InRound(storetest.Win("anna12", models.TransactionID(tail[:first]), 200),
					models.RoundID(tail[first:])),
				storetest.InRound(storetest.Win("anna1", models.TransactionID(tail[:second]), 2200),
					models.RoundID(tail[second:])),
				storetest.InRound(storetest.Win("anna", models.TransactionID(tail[:second+1]), 12200),
					models.RoundID(tail[second+1:])),
				storetest.InRound(storetest.Bet("anna12", models.TransactionID(tail[:second+1]), 200),
					models.RoundID(tail[second+1:])),
			}, a, b))
			require.LessOrEqual(t, answers[models.None], 1, "%v", answers)
		}
		storetest.RequireWhole(t, a)
	})
}

// The same with known lengths of transaction and round IDs, for players whose names have new lengths. Sometimes the length of
// one of the names is known.
func TestAttackNewNamesRaced(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "seed", 0)
		for i := range 2 {
			storetest.Apply(t, a, storetest.InRound(storetest.Win("seed", models.TransactionID(fmt.Sprintf("s%04d", i)), 1),
				"r"))
			storetest.Apply(t, a, storetest.InRound(storetest.Win("seed", models.TransactionID(fmt.Sprintf("s%03d", i)), 1),
				"rr"))
		}
		for i := range storetest.Scaled(25, 100) {
			short := models.UserID(strings.Repeat("n", 2*i+5))
			storetest.CreatePlayer(t, a, short, 0)
			storetest.CreatePlayer(t, a, short+"1", 0)
			if i%3 == 1 { // the length of one name is known
				storetest.Apply(t, b, storetest.InRound(storetest.Win(short, models.TransactionID(fmt.Sprintf("k%04d", i)), 1),
					"r"))
			}
			id := fmt.Sprintf("%04d7", i)
			n := tally(t, storetest.ApplyTogether(t, storetest.Patience, []models.Operation{
				storetest.InRound(storetest.Win(short+"1", models.TransactionID(id[:4]), 200), models.RoundID(id[4:]+"z")),
				storetest.InRound(storetest.Win(short, models.TransactionID(id), 1200), "z"),
			}, a, b))
			require.Equal(t, 1, n[models.None], "%v", n)
		}
		storetest.RequireWhole(t, a)
	})
}
