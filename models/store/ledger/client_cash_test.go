package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// A client's limits per day are exact: what was moved before they were set counts, refused and repeated requests do not, and
// the next day begins at 0.00.
func TestClientLimits(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC))
		x.Config.Now = clock.Now
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		storetest.CreatePlayer(t, s, "bert", 0)
		caps := models.CashCaps{PerDay: 1000, PerPlayer: 600}
		request := func(user models.UserID, id string, amount models.Amount) models.CashRequest {
			r := storetest.Cash(user, id, amount)
			r.Caps = caps
			return r
		}
		storetest.ApplyCash(t, s, storetest.Cash("anna", "before", 500).Deposit()) // without limits
		ask := func(op models.Operation) *models.CashCap {
			t.Helper()
			r := storetest.ApplyCash(t, s, op)
			require.Equal(t, map[bool]models.Decline{true: models.None, false: models.ClientLimit}[r.Cap == nil], r.Decline)
			return r.Cap
		}
		require.Equal(t, &models.CashCap{PerPlayer: true, Most: 600, Left: 100}, ask(request("anna", "1", 101).Deposit()))
		require.Nil(t, ask(request("anna", "1", 100).Deposit()))
		require.Equal(t, models.Duplicate, storetest.ApplyCash(t, s, request("anna", "1", 100).Deposit()).Decline)
		require.Equal(t, &models.CashCap{Most: 1000, Left: 400}, ask(request("bert", "2", 401).Deposit()))
		require.Nil(t, ask(request("bert", "2", 400).Deposit()))
		require.NotNil(t, ask(request("bert", "3", 1).Deposit()))
		require.Nil(t, ask(request("anna", "4", 600).CashOut()), "cash-outs count for themselves")
		require.Equal(t, models.None, storetest.EndCashOut(t, s, "4", models.CashReturned).Decline)
		require.Equal(t, models.Duplicate, storetest.EndCashOut(t, s, "4", models.CashReturned).Decline)
		require.Nil(t, ask(request("anna", "5", 500).CashOut()), "a returned one counts no more, once")
		require.NotNil(t, ask(request("anna", "5b", 101).CashOut()))
		x.Exec(t, "DELETE FROM client_cash")
		require.NotNil(t, ask(request("anna", "5b", 101).CashOut()), "added up again, without what was returned")
		other := request("anna", "6", 600)
		other.Client = 77
		require.Nil(t, ask(other.Deposit()), "each client has its own")
		x.Exec(t, "DELETE FROM client_cash")
		require.NotNil(t, ask(request("bert", "3", 1).Deposit()), "added up again")
		clock.Set(clock.Now().Add(time.Second))
		require.Nil(t, ask(request("anna", "5c", 100).CashOut()))
		require.Equal(t, models.None, storetest.EndCashOut(t, s, "5", models.CashReturned).Decline)
		require.NotNil(t, ask(request("anna", "5d", 501).CashOut()), "what yesterday moved gives no room today")
		require.Nil(t, ask(request("bert", "3", 600).Deposit()))
		require.NotNil(t, ask(request("bert", "7", 1).Deposit()))
		require.EqualValues(t, 1, x.Number(t, "SELECT COUNT(DISTINCT day_us) FROM client_cash WHERE client_id = 7"), "of one day only")
		storetest.RequireWhole(t, s)
	})
}

// A hundred deposits of many players race for what is left of a client's day, on two instances, as the day's first requests.
func TestClientLimitRace(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		a, b := x.Open(t), x.Open(t)
		var ops []models.Operation
		for i := range 100 {
			user := models.UserID(fmt.Sprint("player-", i%10))
			if i < 10 {
				storetest.CreatePlayer(t, a, user, 0)
			}
			r := storetest.Cash(user, fmt.Sprint(i), 10)
			r.Caps = models.CashCaps{PerDay: 255, PerPlayer: 40}
			ops = append(ops, r.Deposit())
		}
		var sum models.Amount
		for _, r := range storetest.ApplyTogether(t, storetest.Patience, ops, a, b) {
			require.NoError(t, r.Err)
			if r.Decline == models.None {
				sum += r.Operation.Win
			} else {
				require.Equal(t, models.ClientLimit, r.Decline)
			}
		}
		require.EqualValues(t, 250, sum)
		require.EqualValues(t, 250, x.Number(t, "SELECT amount_minor FROM client_cash WHERE player_id = 0 AND kind > 0"))
		require.LessOrEqual(t, x.Number(t, "SELECT MAX(amount_minor) FROM client_cash WHERE player_id > 0"), int64(40))
		storetest.RequireWhole(t, b)
	})
}

// Cash-outs are requested and returned on two instances at once, while the sums of the day are deleted: they always are those
// of the ledger, and what is returned may be requested again.
func TestReturnedCashOutsRaceClientLimits(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		stores := []*store.Store{x.Open(t), x.Open(t)}
		storetest.CreatePlayer(t, stores[0], "anna", 1000)
		storetest.CreatePlayer(t, stores[0], "bert", 1000)
		storetest.Together(8, func(worker int) {
			s := stores[worker%2]
			for i := range storetest.Scaled(10, 200) {
				id := fmt.Sprint(worker, "-", i)
				r := storetest.Cash([]models.UserID{"anna", "bert"}[worker/2%2], id, 10)
				r.Caps = models.CashCaps{PerDay: 60, PerPlayer: 40}
				if storetest.ApplyCash(t, s, r.CashOut()).Decline != models.None {
					continue
				}
				if i == 5 {
					_, err := x.DB.ExecContext(t.Context(), "DELETE FROM client_cash")
					require.NoError(t, err)
				}
				require.Equal(t, models.None, storetest.EndCashOut(t, s, id, models.CashReturned).Decline)
			}
		})
		last := storetest.Cash("anna", "last", 40)
		last.Caps = models.CashCaps{PerDay: 60, PerPlayer: 40}
		require.Equal(t, models.None, storetest.ApplyCash(t, stores[0], last.CashOut()).Decline, "all of it is left")
		require.EqualValues(t, 40, x.Number(t, "SELECT amount_minor FROM client_cash WHERE player_id = 0 AND kind > 0"))
		storetest.RequireWhole(t, stores[0])
	})
}
