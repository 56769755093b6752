package ledger_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// TestAttackErasedNameReused erases a player whom two instances remember, and creates another with the same name. From the
// erasure's commit on, both instances answer that the player is unknown, and then book to the new wallet only.
func TestAttackErasedNameReused(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		first := storetest.CreatePlayer(t, a, "anna", 0)
		for i, s := range []*store.Store{a, b} { // both remember the name
			id := models.TransactionID(fmt.Sprint("t", i))
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.Win("anna", id, 100)).Decline)
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", id)).Decline)
			require.EqualValues(t, 0, storetest.Balance(t, s, "anna"))
		}
		storetest.Restrict(t, a, "anna")
		e, err := a.ErasePlayer(t.Context(), storetest.Keeper, "anna", "asked to")
		require.NoError(t, err)
		for _, s := range []*store.Store{a, b} {
			for _, name := range []models.UserID{"anna", e.Player.UserID} {
				for i, op := range []models.Operation{storetest.Win(name, "w", 5), storetest.Bet(name, "b", 0),
					storetest.BetWin(name, "bw", 0, 5),
					storetest.FreeSpin(name, "f", 5), storetest.Rollback(name, "t0"), storetest.Rollback(name, "new")} {
					require.Equal(t, models.UnknownPlayer, storetest.Apply(t, s, op).Decline, "%s %d", name, i)
				}
				_, found, err := s.Balance(t.Context(), name)
				require.NoError(t, err)
				require.False(t, found)
			}
		}
		_, err = b.ErasePlayer(t.Context(), storetest.Keeper, e.Player.UserID, "again")
		require.ErrorIs(t, err, models.ErrPlayerUnknown)

		second := storetest.CreatePlayer(t, a, "anna", 1000)
		for i, s := range []*store.Store{a, b} {
			require.Equal(t, models.None, storetest.Apply(t, s,
				storetest.Win("anna", models.TransactionID(fmt.Sprint("n", i)), 50)).Decline)
			require.EqualValues(t, 1000+50*(i+1), storetest.Balance(t, s, "anna"))
			r := storetest.Apply(t, s, storetest.Win("anna", "t0", 100))
			require.Equal(t, models.RolledBack, r.Decline, "the first player's transaction stays known")
			require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", "t1")).Decline,
				"and the second player cannot roll it back")
		}
		require.Zero(t, x.Number(t, "SELECT balance_minor FROM wallets WHERE player_id = ?", first.ID))
		require.EqualValues(t, 1100, x.Number(t, "SELECT balance_minor FROM wallets WHERE player_id = ?", second.ID))
		storetest.RequireWhole(t, b)
	})
}

// TestAttackErasedNameRaced sends callbacks to two instances while players with the same name are erased and created again. An
// operation that begins after an erasure has been committed never reaches the erased wallet, and each wallet's balance follows
// from the answers.
func TestAttackErasedNameRaced(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		ctx, cancel := context.WithTimeout(t.Context(), storetest.Patience)
		defer cancel()
		var generation atomic.Int64 // erasures that have been committed
		var lives sync.Map          // erasures before it -> player
		lives.Store(int64(0), storetest.CreatePlayer(t, a, "anna", 0).ID)
		stop := make(chan struct{})
		var callbacks sync.WaitGroup
		type booked struct {
			id     models.TransactionID
			before int64 // erasures committed when it was sent
		}
		var all [4][]booked
		var unknown atomic.Int64
		for worker := range all {
			callbacks.Go(func() {
				s := []*store.Store{a, b}[worker%2]
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					known := generation.Load()
					id := models.TransactionID(fmt.Sprintf("w%d-%d", worker, i))
					r, err := s.Apply(ctx, storetest.Bet("anna", id, 0))
					if err != nil {
						t.Errorf("%s: %v", id, err)
						return
					}
					switch r.Decline {
					case models.None:
						all[worker] = append(all[worker], booked{id, known})
					case models.UnknownPlayer:
						unknown.Add(1)
					case models.PlayerRestricted:
					default:
						t.Errorf("%s: %s", id, r.Decline)
					}
					if _, _, err := s.Balance(ctx, "anna"); err != nil {
						t.Errorf("balance: %v", err)
					}
				}
			})
		}
		for life := range int64(storetest.Scaled(4, 60)) {
			player, _ := lives.Load(life)
			require.Eventually(t, func() bool {
				var n int
				err := x.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM entries WHERE player_id = ?", player).Scan(&n)
				return err == nil && n > 3
			}, storetest.Patience, time.Millisecond, "nothing was booked to the new player")
			storetest.Restrict(t, a, "anna")
			eraser := []*store.Store{a, b}[life%2]
			_, err := eraser.ErasePlayer(ctx, storetest.Keeper, "anna", "asked to")
			require.NoError(t, err)
			generation.Add(1)
			seen := unknown.Load()
			require.Eventually(t, func() bool { return unknown.Load() > seen }, storetest.Patience, time.Millisecond,
				"no callback was answered that the player is unknown")
			lives.Store(life+1, storetest.CreatePlayer(t, eraser, "anna", 0).ID)
		}
		close(stop)
		callbacks.Wait()
		of := map[int64]int64{} // player -> erasures before
		lives.Range(func(k, v any) bool { of[v.(int64)] = k.(int64); return true })
		for _, list := range all {
			for _, l := range list {
				player := x.Number(t, "SELECT player_id FROM transactions WHERE transaction_id = ?", string(l.id))
				require.GreaterOrEqual(t, of[player], l.before, "%s was booked to a player erased before it was sent", l.id)
			}
		}
		storetest.RequireWhole(t, a)
	})
}
