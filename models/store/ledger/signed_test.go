package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// readings returns all ways of splitting text that reach the ledger, found by trying every one.
func readings(text string) (list []models.Operation) {
	amountAt := func(from, to int) (models.Amount, bool) {
		a, err := models.ParseAmount(text[from:to])
		return a, err == nil
	}
	for u := 1; u < len(text); u++ {
		user := models.UserID(text[:u])
		list = append(list, storetest.Rollback(user, models.TransactionID(text[u:])))
		for e := u + 4; e < len(text); e++ {
			first, ok := amountAt(u, e)
			if !ok {
				continue
			}
			for r := e + 1; r < len(text); r++ {
				id, round := models.TransactionID(text[e:r]), models.RoundID(text[r:])
				b, w := storetest.Bet(user, id, first), storetest.Win(user, id, first)
				b.RoundID, w.RoundID = round, round
				list = append(list, b, w)
			}
			for e2 := e + 4; e2 < len(text); e2++ {
				second, ok := amountAt(e, e2)
				for r := e2 + 1; ok && r < len(text); r++ {
					bw := storetest.BetWin(user, models.TransactionID(text[e2:r]), first, second)
					bw.RoundID = models.RoundID(text[r:])
					list = append(list, bw)
				}
			}
		}
	}
	for i := range list {
		list[i].Signed = text
	}
	return slices.DeleteFunc(list, func(op models.Operation) bool { // refused before the ledger
		return models.CheckSigned(op.TransactionID, op.RoundID) != nil
	})
}

// Of all ways of splitting a random text at most one is ever accepted, on two instances, one after the other and all at once.
// Nothing is refused because of its signature unless another reading came before.
func TestOneReadingOfEachText(t *testing.T) {
	rapidly(t, storetest.Scaled(4, 60))
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		stores := []*store.Store{x.Open(t), x.Open(t)}
		run := 0
		rapid.Check(t, func(r *rapid.T) {
			run++
			base := fmt.Sprintf("u%dx", run) // players of this case alone
			names := []string{base, base + "1", base + "12"}
			for _, name := range names[:rapid.IntRange(1, 3).Draw(r, "players")] {
				storetest.CreatePlayer(t, stores[0], models.UserID(name), 100000)
			}
			tail := rapid.StringMatching(`[1-3]{3,6}`).Draw(r, "tail") + fmt.Sprint(run)
			text := rapid.SampledFrom(names).Draw(r, "user") +
				rapid.SampledFrom([]string{"1.00", "12.00", "2.10", "1.001.00", "3.0012.50"}).Draw(r, "amounts") + tail
			all := readings(text)
			rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			all = all[:min(len(all), rapid.IntRange(2, 40).Draw(r, "tries"))]
			accepted, tried := map[models.Reading]bool{}, map[models.Reading]bool{}
			take := func(op models.Operation, result models.Result) {
				if result.Decline == models.None {
					accepted[op.Reading()] = true
				}
			}
			if rapid.Bool().Draw(r, "together") {
				for _, answer := range storetest.ApplyTogether(t, storetest.Patience, all, stores...) {
					require.NoError(t, answer.Err)
					take(answer.Operation, answer.Result)
				}
			} else {
				for i, op := range all {
					result := storetest.Apply(t, stores[i%2], op)
					if result.Decline == models.SignReused && op.Kind != models.Rollback {
						require.NotEmpty(t, tried, "%+v of %q", op.Reading(), text)
					}
					take(op, result)
					tried[op.Reading()] = true
				}
			}
			require.LessOrEqual(t, len(accepted), 1, "%q was accepted as %v", text, accepted)
			for _, op := range all { // and again, in another order
				take(op, storetest.Apply(t, stores[0], op))
			}
			require.LessOrEqual(t, len(accepted), 1, "%q was accepted as %v", text, accepted)
		})
		storetest.RequireWhole(t, stores[0])
	})
}

func TestAttackResplitOnEveryInstance(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 10000)
		require.Equal(t, models.None, storetest.Apply(t, a,
			storetest.InRound(storetest.Win("anna", "win-7781", 500), "round-55")).Decline)
		resplit := storetest.InRound(storetest.Win("anna", "win-7781r", 500), "ound-55")
		require.Equal(t, models.SignReused, storetest.Apply(t, b, resplit).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, a, resplit).Decline)
		require.Equal(t, models.Duplicate, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna", "win-7781", 500), "round-55")).Decline,
			"an exact repeat")
		require.Equal(t, models.Duplicate, storetest.Apply(t, b,
			storetest.InRound(storetest.Bet("anna", "win-7781", 500), "round-55")).Decline,
			"the same ID under another endpoint")
		require.Equal(t, models.None, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna", "win-7782", 500), "round-55")).Decline)
		require.EqualValues(t, 11000, storetest.Balance(t, a, "anna"))
		storetest.RequireWhole(t, a)
	})
}

// Two wallets, two transactionIDs, one text, at the same moment on two instances.
func TestAttackTwoPlayersAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 0)
		storetest.CreatePlayer(t, a, "anna1", 0)
		for i := range storetest.Scaled(20, 500) {
			id := fmt.Sprintf("%04d7", i)
			n := tally(t, storetest.ApplyTogether(t, storetest.Patience, []models.Operation{
				storetest.InRound(storetest.Win("anna1", models.TransactionID(id[:4]), 200), models.RoundID(id[4:]+"z")),
				storetest.InRound(storetest.Win("anna", models.TransactionID(id), 1200), "z"),
			}, a, b))
			require.Equal(t, 1, n[models.None], "%v", n)
		}
		storetest.RequireWhole(t, a)
	})
}

// A Deposit to anna is also a rollback of ann's transaction, if its ID contains an amount.
func TestAttackDepositAsRollbackAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "ann", 100000)
		storetest.CreatePlayer(t, a, "anna", 0)
		for i := range storetest.Scaled(25, 500) {
			id := models.TransactionID(fmt.Sprintf("w%04d", i))
			require.Equal(t, models.None, storetest.Apply(t, a, storetest.InRound(storetest.Bet("ann", "a5.00"+id+"r", 100), "ra")).Decline)
			both := []models.Operation{storetest.InRound(storetest.Win("anna", id, 500), "r"),
				storetest.Signed(storetest.Rollback("ann", "a5.00"+id+"r"))}
			require.Equal(t, both[0].Signed, both[1].Signed)
			n := tally(t, storetest.ApplyTogether(t, storetest.Patience, both, a, b))
			require.Equal(t, map[models.Decline]int{models.None: 1, models.SignReused: 1}, n)
		}
		storetest.RequireWhole(t, a)
	})
}

// What was accepted can be rolled back, whoever gets a name that spells the rollback.
func TestAttackNameOfARollback(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 0)
		for i, name := range []func(models.UserID){
			func(models.UserID) {},
			func(name models.UserID) { storetest.CreatePlayer(t, b, name, 0) },
			func(name models.UserID) { storetest.CreatePlayer(t, b, name, 0); erase(t, b, name) },
			func(name models.UserID) { // an unknown player's GetBalance
				_, known, err := b.Balance(t.Context(), name)
				require.NoError(t, err)
				require.False(t, known)
			},
		} {
			id := models.TransactionID(fmt.Sprint("WIN-778", i))
			require.Equal(t, models.None, storetest.Apply(t, a, storetest.InRound(storetest.Win("anna", id, 50000), "r")).Decline)
			name("anna" + models.UserID(id))
			require.Equal(t, models.None, storetest.Apply(t, a, storetest.Signed(storetest.Rollback("anna", id))).Decline, i)
		}
		require.Zero(t, storetest.Balance(t, a, "anna"))
		storetest.RequireWhole(t, a)
	})
}

func TestAttackDeclinedBetAsDeposit(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 100)
		storetest.CreatePlayer(t, a, "anna1", 0)
		declined := storetest.InRound(storetest.Bet("anna1", "t1", 500), "r1")
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, a, declined).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna1", "t1", 500), "r1")).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna1", "t1r", 500), "1")).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, b,
			storetest.InRound(storetest.Win("anna", "t1", 1500), "r1")).Decline,
			"digits from the user to the amount")
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, b, declined).Decline, "a repeat is decided afresh")
		storetest.Apply(t, a, storetest.InRound(storetest.Win("anna1", "w1", 500), "r1"))
		require.Equal(t, models.None, storetest.Apply(t, b, declined).Decline)
		require.Equal(t, models.Duplicate, storetest.Apply(t, a, declined).Decline)
		storetest.RequireWhole(t, a)
	})
}

func TestAttackRollbackReadAnew(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 1000)
		storetest.CreatePlayer(t, a, "anna1", 1000)
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna1", "23", 100), "ra"))
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna", "123", 100), "rb"))
		require.Equal(t, models.None, storetest.Apply(t, a, storetest.Signed(storetest.Rollback("anna1", "23"))).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna", "123"))).Decline)
		require.Equal(t, models.RolledBack, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna1", "23"))).Decline,
			"an exact repeat")

		// A rollback that came first leaves a tombstone.
		require.Equal(t, models.NotFound, storetest.Apply(t, a, storetest.Signed(storetest.Rollback("anna1", "99"))).Decline)
		storetest.Apply(t, a, storetest.InRound(storetest.Bet("anna", "199", 100), "rb"))
		require.Equal(t, models.SignReused, storetest.Apply(t, b, storetest.Signed(storetest.Rollback("anna", "199"))).Decline)
		storetest.RequireWhole(t, a)
	})
}

func TestAttackAmountsReadAnew(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.CreatePlayer(t, s, "anna1", 1000)
		for _, name := range []models.UserID{"anna1.00", "anna1.", "anna1.0"} {
			_, err := s.CreatePlayer(t.Context(), storetest.Tester, models.NewPlayer{UserID: name, Currency: "EUR"})
			require.ErrorIs(t, err, models.ErrUserAmount)
			bad, err := s.ImportPlayers(t.Context(), storetest.Tester, models.PlayerFile{
				Players: []models.NewPlayer{{UserID: "bert", Currency: "EUR"}, {UserID: name, Currency: "EUR"}},
				Lines:   []int{2, 3},
			}, nil)
			require.NoError(t, err)
			require.Len(t, bad, 1)
			require.Equal(t, 3, bad[0].Line)
			require.ErrorIs(t, bad[0], models.ErrUserAmount)
		}
		// Digits moved from the player to the amount: the transaction ID is the same.
		require.Equal(t, models.None, storetest.Apply(t, s,
			storetest.InRound(storetest.Win("anna1", "tx-2", 200), "rd-1")).Decline)
		require.Equal(t, models.Duplicate, storetest.Apply(t, s,
			storetest.InRound(storetest.Win("anna", "tx-2", 1200), "rd-1")).Decline)
		// And with another split of the IDs.
		storetest.Apply(t, s, storetest.InRound(storetest.Win("anna", "tx-99", 1), "rd-1"))
		require.Equal(t, models.SignReused, storetest.Apply(t, s,
			storetest.InRound(storetest.Win("anna", "tx-2r", 1200), "d-1")).Decline)
		storetest.RequireWhole(t, s)
	})
}

// A lock on one wallet stops only its own player, even if texts of others could name that player.
func TestAttackHeldWalletStopsNobodyElse(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		if x.Engine != "mariadb" {
			return // SQLite has one writer
		}
		s := x.Open(t)
		users := []models.UserID{"u1", "u12", "u124", "u125"}
		for _, user := range users {
			storetest.CreatePlayer(t, s, user, 100000)
			storetest.Apply(t, s, storetest.InRound(storetest.Win(user, models.TransactionID("seed-"+user), 1),
				"rr")) // IDs of several lengths
		}
		held, err := x.DB.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		defer held.Rollback()
		_, err = held.ExecContext(t.Context(), "SELECT player_id FROM wallets WHERE player_id = "+
			"(SELECT id FROM players WHERE user_id = 'u12') FOR UPDATE")
		require.NoError(t, err)
		for _, user := range []models.UserID{"u1", "u124", "u125"} {
			for i, amount := range []models.Amount{200, 1200, 2400, 45600} {
				op := storetest.InRound(storetest.Bet(user, models.TransactionID(fmt.Sprintf("%s-%06d", user, i)), amount),
					"round-1")
				require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
			}
		}
		require.NoError(t, held.Rollback())
		require.Equal(t, models.None, storetest.Apply(t, s,
			storetest.InRound(storetest.Bet("u12", "u12-000000", 200), "round-1")).Decline)
		storetest.RequireWhole(t, s)
	})
}

// Years later, a player with the same name may be somebody else.
func TestAttackResplitAfterErasure(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		now := time.Now().AddDate(-12, 0, 0)
		x.Config.Now = func() time.Time { return now }
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		storetest.Apply(t, s, storetest.InRound(storetest.Win("anna", "win-7781", 500), "round-55"))
		storetest.Apply(t, s, storetest.InRound(storetest.Bet("anna", "bet-7781", 500), "round-55"))
		now = time.Now()
		resplit := storetest.InRound(storetest.Win("anna", "win-7781r", 500), "ound-55")
		require.Equal(t, models.SignReused, storetest.Apply(t, s, resplit).Decline)
		storetest.Restrict(t, s, "anna")
		_, err := s.ErasePlayer(t.Context(), storetest.Tester, "anna", "asked for it")
		require.NoError(t, err)
		again := x.Open(t) // names are remembered by a running instance
		storetest.CreatePlayer(t, again, "anna", 0)
		require.Equal(t, models.SignReused, storetest.Apply(t, again, resplit).Decline)
		require.Equal(t, models.SignReused, storetest.Apply(t, again,
			storetest.InRound(storetest.Bet("anna", "win-7781r", 500), "ound-55")).Decline)
		storetest.RequireWhole(t, again)
	})
}
