package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// Each of these tests runs on two stores over one database, like two instances of the program.

// repeat returns a slice with n times op.
func repeat(op models.Operation, n int) []models.Operation {
	return slices.Repeat([]models.Operation{op}, n)
}

func TestOneTransactionFromManyConnections(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 10000)
		for round := range storetest.Scaled(5, 200) {
			id := models.TransactionID(fmt.Sprint("t", round))
			for _, op := range []models.Operation{
				storetest.Bet("anna", "bet-"+id, 10), storetest.Win("anna", "win-"+id, 10),
				storetest.BetWin("anna", "bet-win-"+id, 5, 5),
				storetest.FreeSpin("anna", "spin-"+id, 10),
			} {
				n := tally(t, storetest.ApplyTogether(t, storetest.Patience, repeat(op, 16), a, b))
				require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 15}, n, "%s", op.TransactionID)
			}
			n := tally(t, storetest.ApplyTogether(t, storetest.Patience, repeat(storetest.Rollback("anna", "bet-"+id), 16), a,
				b))
			require.Equal(t, map[models.Decline]int{models.None: 1, models.RolledBack: 15}, n)
			n = tally(t, storetest.ApplyTogether(t, storetest.Patience, repeat(storetest.Rollback("anna", "early-"+id), 16), a,
				b))
			require.Equal(t, map[models.Decline]int{models.NotFound: 16}, n)
			require.EqualValues(t, 1,
				x.Number(t, "SELECT COUNT(*) FROM tombstones WHERE transaction_id = ?", "early-"+string(id)))
		}
		require.EqualValues(t, 10000+10*storetest.Scaled(5, 200), storetest.Balance(t, a, "anna"))
		storetest.RequireWhole(t, b)
	})
}

func TestManyDebitsOfOneBalance(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		const stakes, wanted = 40, 100
		storetest.CreatePlayer(t, a, "anna", stakes*100)
		var ops []models.Operation
		for i := range wanted {
			op := storetest.Bet("anna", models.TransactionID(fmt.Sprint("t", i)), 100)
			if i%2 == 1 {
				op.Kind = models.BetWin // without a win
			}
			ops = append(ops, op)
		}
		n := tally(t, storetest.ApplyTogether(t, storetest.Patience, ops, a, b))
		require.Equal(t, map[models.Decline]int{models.None: stakes, models.InsufficientFunds: wanted - stakes}, n)
		require.EqualValues(t, 0, storetest.Balance(t, a, "anna"))
		require.EqualValues(t, 0, x.Number(t, "SELECT MIN(after_minor) FROM entries"), "the balance was below zero")
		storetest.RequireWhole(t, b)
	})
}

// A bet and its rollback at once: whichever comes first, no money is lost, and the late original is refused.
func TestBetRacesItsRollback(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 100000)
		var ops []models.Operation
		pairs := storetest.Scaled(60, 3000)
		for i := range pairs {
			id := models.TransactionID(fmt.Sprint("t", i))
			pair := []models.Operation{storetest.Bet("anna", id, 100), storetest.Rollback("anna", id)}
			rand.Shuffle(2, func(i, j int) { pair[i], pair[j] = pair[j], pair[i] })
			ops = append(ops, pair...)
		}
		seen := map[[2]models.Decline]int{}
		for chunk := range slices.Chunk(ops, 60) {
			answers := map[models.TransactionID]*[2]models.Decline{}
			for _, o := range storetest.ApplyTogether(t, storetest.Patience, chunk, a, b) {
				require.NoError(t, o.Err)
				if answers[o.TransactionID] == nil {
					answers[o.TransactionID] = &[2]models.Decline{}
				}
				answers[o.TransactionID][min(1, o.Kind/models.Rollback)] = o.Decline
			}
			for _, pair := range answers {
				seen[*pair]++
			}
		}
		inOrder, late := seen[[2]models.Decline{models.None, models.None}],
			seen[[2]models.Decline{models.RolledBack, models.NotFound}]
		require.Equal(t, pairs, inOrder+late, "answers of bet and rollback: %v", seen)
		require.EqualValues(t, 100000, storetest.Balance(t, a, "anna"))
		require.EqualValues(t, late, x.Number(t, "SELECT COUNT(*) FROM tombstones"))
		storetest.RequireWhole(t, b)
	})
}

func TestOneTransactionOverTwoPlayers(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 100000)
		storetest.CreatePlayer(t, a, "bert", 100000)
		rounds := storetest.Scaled(10, 500)
		for round := range rounds {
			id := models.TransactionID(fmt.Sprint("t", round))
			ops := append(repeat(storetest.Bet("anna", id, 100), 6), repeat(storetest.Bet("bert", id, 100), 6)...)
			rand.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
			all := storetest.ApplyTogether(t, storetest.Patience, ops, a, b)
			require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 11}, tally(t, all))
			owner := all[slices.IndexFunc(all, func(o storetest.Answered) bool { return o.Decline == models.None })].UserID
			for _, o := range all {
				require.Equal(t, o.UserID != owner, o.OtherContents, "%s of %s", o.UserID, owner)
			}
		}
		require.EqualValues(t, 200000-100*rounds, storetest.Balance(t, a, "anna")+storetest.Balance(t, a, "bert"))
		storetest.RequireWhole(t, b)
	})
}

// Rollbacks of both players race the bet of one: only the owner's may roll it back or leave a tombstone that counts.
func TestRollbackUnderAnotherPlayerRacesTheBet(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 100000)
		storetest.CreatePlayer(t, a, "bert", 100000)
		for round := range storetest.Scaled(20, 500) {
			id := models.TransactionID(fmt.Sprint("t", round))
			all := storetest.ApplyTogether(t, storetest.Patience,
				[]models.Operation{storetest.Bet("anna", id, 100), storetest.Rollback("bert", id),
					storetest.Rollback("bert", id)}, a, b)
			require.Equal(t, map[models.Decline]int{models.None: 1, models.NotFound: 2}, tally(t, all))
			require.Equal(t, models.None, all[0].Decline)
		}
		require.EqualValues(t, 100000-100*storetest.Scaled(20, 500), storetest.Balance(t, a, "anna"))
		require.EqualValues(t, 100000, storetest.Balance(t, a, "bert"))
		storetest.RequireWhole(t, b)
	})
}

// Two instances under load, whose operations name the same few transactions of the same few players.
func TestTwoInstancesCollide(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		players := []models.UserID{"anna", "bert", "carl", "dora", "emil", "fred"}
		const opening = models.Amount(1000000)
		for _, p := range players {
			storetest.CreatePlayer(t, a, p, opening)
		}
		ids := storetest.Scaled(50, 1000)
		var ops []models.Operation
		for range 4 * ids {
			p, id := players[rand.IntN(len(players))], models.TransactionID(fmt.Sprint("t", rand.IntN(ids)))
			switch rand.IntN(5) {
			case 0, 1:
				ops = append(ops, storetest.Bet(p, id, models.Amount(rand.IntN(500))))
			case 2:
				ops = append(ops, storetest.Win(p, id, models.Amount(rand.IntN(500))))
			case 3:
				ops = append(ops, storetest.BetWin(p, id, models.Amount(rand.IntN(500)), models.Amount(rand.IntN(500))))
			case 4:
				ops = append(ops, storetest.Rollback(p, id))
			}
		}
		want := map[models.UserID]models.Amount{}
		for _, p := range players {
			want[p] = opening
		}
		applied := map[models.TransactionID]models.Operation{}
		var undone []models.Operation
		for chunk := range slices.Chunk(ops, 100) {
			for _, o := range storetest.ApplyTogether(t, storetest.Patience, chunk, a, b) {
				require.NoError(t, o.Err)
				switch {
				case o.Decline != models.None:
				case o.Kind == models.Rollback:
					undone = append(undone, o.Operation)
				default:
					require.NotContains(t, applied, o.TransactionID, "applied twice")
					applied[o.TransactionID] = o.Operation
					want[o.UserID] += o.Win - o.Bet
				}
			}
		}
		for _, o := range undone {
			first := applied[o.TransactionID]
			require.Equal(t, first.UserID, o.UserID)
			want[o.UserID] -= first.Win - first.Bet
			delete(applied, o.TransactionID) // a second rollback of it would be found
		}
		for _, p := range players {
			require.Equal(t, want[p], storetest.Balance(t, a, p), p)
		}
		storetest.RequireWhole(t, b)
	})
}

// Once a player is blocked no bet is applied, and no batch under way overwrites the block.
func TestBlockRacesBets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 10000000)
		for round := range storetest.Scaled(2, 100) {
			flowing, stop := make(chan struct{}, 8*1000), make(chan struct{})
			var bets sync.WaitGroup
			for worker := range 8 {
				bets.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-stop:
							return
						default:
						}
						id := models.TransactionID(fmt.Sprint(round, "-", worker, "-", i))
						s := a
						if worker%2 == 1 {
							s = b
						}
						r, err := s.Apply(t.Context(), storetest.Bet("anna", id, 1))
						if err != nil {
							t.Error(err)
							return
						}
						if r.Decline == models.None && i < 1000 {
							flowing <- struct{}{}
						}
					}
				})
			}
			for range 20 {
				<-flowing
			}
			storetest.Restrict(t, b, "anna")
			before := x.Number(t, "SELECT seq FROM wallets")
			require.Equal(t, models.PlayerRestricted,
				storetest.Apply(t, a, storetest.Bet("anna", models.TransactionID(fmt.Sprint("after-", round)), 1)).Decline)
			require.Equal(t, models.None, storetest.Apply(t, b,
				storetest.Win("anna", models.TransactionID(fmt.Sprint("win-", round)), 1)).Decline)
			close(stop)
			bets.Wait()
			require.Equal(t, before+1, x.Number(t, "SELECT seq FROM wallets"), "only the win was booked after the restriction")
			require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(*) FROM wallets WHERE play_from_us > 0"))
			storetest.Release(t, a, "anna")
		}
		require.EqualValues(t, 2*storetest.Scaled(2, 100),
			x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action IN ('player restriction set', 'player restriction ended')"))
		storetest.RequireWhole(t, b)
	})
}
