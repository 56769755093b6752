package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store"
)

// erase erases a player's name.
func erase(t *testing.T, s *store.Store, user models.UserID) {
	t.Helper()
	require.NoError(t, s.SetBlocked(t.Context(), keeper, user, true, "asked to"))
	_, err := s.ErasePlayer(t.Context(), keeper, user, "asked to")
	require.NoError(t, err)
}

// A declined bet cannot become the win of a later player: neither one who gets the name, nor one whose name is another reading
// of the text.
func TestAttackDeclinedBetOfLaterPlayers(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		create(t, a, "anna1", 0)
		declined := inRound(bet("anna1", "t1", 500), "r1")
		require.Equal(t, models.InsufficientFunds, apply(t, a, declined).Decline)
		create(t, a, "anna", 0)
		require.Equal(t, models.SignReused, apply(t, b, inRound(win("anna", "t1", 1500), "r1")).Decline)
		erase(t, a, "anna1")
		create(t, b, "anna1", 0)
		require.Equal(t, models.SignReused, apply(t, b, inRound(win("anna1", "t1", 500), "r1")).Decline)
		require.Equal(t, models.SignReused, apply(t, a, inRound(win("anna1", "t1r", 500), "1")).Decline)
		require.Equal(t, models.InsufficientFunds, apply(t, a, declined).Decline, "a repeat is decided afresh")
		requireWhole(t, a)
	})
}

// A bet of an unknown name cannot become the win of a player who gets the name later.
func TestAttackBetOfNobodyAsDeposit(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		create(t, a, "anna", 0)
		create(t, a, "bert", 0)
		erase(t, a, "bert")
		early := inRound(bet("anna1", "t1", 500), "r1")
		require.Equal(t, models.UnknownPlayer, apply(t, a, early).Decline)
		late := inRound(bet("bert", "t2", 500), "r1")
		require.Equal(t, models.UnknownPlayer, apply(t, a, late).Decline)
		create(t, a, "anna1", 0)
		create(t, a, "bert", 1000)
		for _, op := range []models.Operation{
			inRound(win("anna1", "t1", 500), "r1"), inRound(win("anna1", "t1r", 500), "1"),
			inRound(win("anna", "t1", 1500), "r1"), inRound(win("bert", "t2", 500), "r1"),
		} {
			require.Equal(t, models.SignReused, apply(t, b, op).Decline, "%+v", op)
		}
		require.Equal(t, models.None, apply(t, b, late).Decline, "a repeat is decided afresh")
		requireWhole(t, a)
	})
}

// What was signed for an erased player cannot become a rollback of another player's bet.
func TestAttackRollbackByErasedName(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		create(t, a, "anna", 1000)
		create(t, a, "anna1", 0)
		apply(t, a, inRound(bet("anna", "1", 100), "ra"))
		apply(t, a, inRound(bet("anna", "199", 100), "rb"))
		apply(t, a, inRound(bet("anna", "188", 100), "rb"))
		create(t, a, "bert", 1000)
		apply(t, a, inRound(bet("bert", "88", 100), "rb"))
		require.Equal(t, models.NotFound, apply(t, a, signed(rollback("anna1", "99"))).Decline)
		require.Equal(t, models.NotFound, apply(t, a, signed(rollback("anna1", "88"))).Decline, "bert's")
		require.Equal(t, models.SignReused, apply(t, b, signed(rollback("anna", "188"))).Decline)
		erase(t, a, "anna1")
		for _, id := range []models.TransactionID{"1", "199", "188"} { // the first is the GetBalance of anna1
			require.Equal(t, models.SignReused, apply(t, b, signed(rollback("anna", id))).Decline, id)
		}
		create(t, a, "anna1", 0)
		require.Equal(t, models.NotFound, apply(t, b, signed(rollback("anna1", "99"))).Decline, "a repeat is decided afresh")
		requireWhole(t, a)
	})
}

// Names and IDs with multi-byte letters: other readings split them in the middle, which must not fail on any database.
func TestAttackCutLetters(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		s := x.open(t)
		create(t, s, "žofie", 10000)
		create(t, s, "ž", 10000)
		for i, ids := range [][2]string{
			{"é1", "ü"}, {"é12", "ü"}, {"日本", "語語"}, {"日本語", "語"}, {"x", "日本語"}, {"日é", "本語x"}, {"日本é", "語x"},
			{"\U0001F3B0", "日本"}, {"1日", "日本"},
		} {
			op := inRound(win("žofie", models.TransactionID(ids[0]), models.Amount(100+i)), models.RoundID(ids[1]))
			require.Equal(t, models.None, apply(t, s, op).Decline, "%q", ids)
			require.Equal(t, models.Duplicate, apply(t, s, op).Decline, "%q", ids)
			require.Equal(t, models.None, apply(t, s, signed(rollback("žofie", models.TransactionID(ids[0])))).Decline, "%q",
				ids)
		}
		require.Equal(t, models.NotFound, apply(t, s, signed(rollback("ž", "日"))).Decline)
		requireWhole(t, s)
	})
}

// A platform whose IDs have all lengths up to the longest: nothing genuine is refused, and one query covers everything to look
// for.
func TestIDsOfAllLengths(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		s := x.open(t)
		for i := range 40 {
			create(t, s, models.UserID(fmt.Sprint(i+1)), 1000000)
		}
		var ops []models.Operation
		for i := range scaled(300, 3000) {
			id := models.TransactionID(fmt.Sprintf("%s0%d", strings.Repeat("7", i*31%250), i)) // none comes twice
			round := models.RoundID(fmt.Sprintf("%s%d", strings.Repeat("5", i*17%250), i))
			ops = append(ops, inRound(bet(models.UserID(fmt.Sprint(i%40+1)), id[:min(255, len(id))], 100),
				round[:min(255, len(round))]))
		}
		n := tally(t, applyTogether(t, patience, ops, s))
		require.Equal(t, map[models.Decline]int{models.None: len(ops)}, n)
		requireWhole(t, s)
	})
}

// Two readings of one text at the same moment on two instances, with IDs of new lengths, or of one known and one new length.
func TestAttackNewLengthsRaced(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		for _, user := range []models.UserID{"anna", "anna1", "anna12"} {
			create(t, a, user, 0)
		}
		for i := range scaled(25, 100) {
			n := 8 + 4*i // no two rounds have the same length of both IDs together
			tail := strings.Repeat("x", n-4) + fmt.Sprintf("%04d", i)
			tail = tail[n-4:] + tail[:n-4]
			first, second := n/2, n/2+1
			if i%3 == 1 { // the lengths of one reading are known
				apply(t, a, inRound(win("anna", models.TransactionID("k"+tail[:first-1]), 1), models.RoundID(tail[first:])))
			}
			answers := tally(t, applyTogether(t, patience, []models.Operation{
				inRound(win("anna12", models.TransactionID(tail[:first]), 200), models.RoundID(tail[first:])),
				inRound(win("anna1", models.TransactionID(tail[:second]), 2200), models.RoundID(tail[second:])),
				inRound(win("anna", models.TransactionID(tail[:second+1]), 12200), models.RoundID(tail[second+1:])),
				inRound(bet("anna12", models.TransactionID(tail[:second+1]), 200), models.RoundID(tail[second+1:])),
			}, a, b))
			require.LessOrEqual(t, answers[models.None], 1, "%v", answers)
		}
		requireWhole(t, a)
	})
}

// The same with known lengths of transaction and round IDs, for players whose names have new lengths. Sometimes the length of
// one of the names is known.
func TestAttackNewNamesRaced(t *testing.T) {
	onBoth(t, func(t *testing.T, x *site) {
		a, b := x.open(t), x.open(t)
		create(t, a, "seed", 0)
		for i := range 2 {
			apply(t, a, inRound(win("seed", models.TransactionID(fmt.Sprintf("s%04d", i)), 1), "r"))
			apply(t, a, inRound(win("seed", models.TransactionID(fmt.Sprintf("s%03d", i)), 1), "rr"))
		}
		for i := range scaled(25, 100) {
			short := models.UserID(strings.Repeat("n", 2*i+5))
			create(t, a, short, 0)
			create(t, a, short+"1", 0)
			if i%3 == 1 { // the length of one name is known
				apply(t, b, inRound(win(short, models.TransactionID(fmt.Sprintf("k%04d", i)), 1), "r"))
			}
			id := fmt.Sprintf("%04d7", i)
			n := tally(t, applyTogether(t, patience, []models.Operation{
				inRound(win(short+"1", models.TransactionID(id[:4]), 200), models.RoundID(id[4:]+"z")),
				inRound(win(short, models.TransactionID(id), 1200), "z"),
			}, a, b))
			require.Equal(t, 1, n[models.None], "%v", n)
		}
		requireWhole(t, a)
	})
}

// fiveBytes is the format of a setting such as PITBOSS_USER_ID_FORMAT=5.
type fiveBytes struct{}

func (fiveBytes) Match(id string) bool { return len(id) == 5 }
func (fiveBytes) String() string       { return "5" }

// Wherever players are created, their IDs have the format that callbacks must have.
func TestNewPlayersHaveTheFormat(t *testing.T) {
	onEngines(t, func(t *testing.T, x *site) {
		x.cfg.UserIDFormat = fiveBytes{}
		s := x.open(t)
		create(t, s, "anna1", 0)
		_, err := s.CreatePlayer(t.Context(), tester, models.NewPlayer{UserID: "anna", Currency: "EUR"})
		require.ErrorContains(t, err, "PITBOSS_USER_ID_FORMAT, 5")
		require.ErrorContains(t, s.CheckUserID("anna12"), "PITBOSS_USER_ID_FORMAT, 5")
		bad, err := s.ImportPlayers(t.Context(), tester, models.PlayerFile{
			Players: []models.NewPlayer{{UserID: "bert1", Currency: "EUR"}, {UserID: "bert", Currency: "EUR"}}, Lines: []int{2, 3},
		}, nil)
		require.NoError(t, err)
		require.Len(t, bad, 1)
		require.Equal(t, 3, bad[0].Line)
		_, found, err := s.Player(t.Context(), "bert1")
		require.NoError(t, err)
		require.False(t, found, "all or nothing")
	})
}
