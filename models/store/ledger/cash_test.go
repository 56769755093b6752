package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
)

// The life of deposits and cash-outs: what each answers, the first time and again, and what it leaves in the wallet.
func TestCash(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		holds := func(balance, held models.Amount) {
			t.Helper()
			p, _, err := s.PlayerByID(t.Context(), anna.ID)
			require.NoError(t, err)
			require.Equal(t, [2]models.Amount{balance, held}, [2]models.Amount{p.Wallet.Balance, p.Wallet.Held})
			require.Equal(t, balance, storetest.Balance(t, s, "anna"))
		}
		deposit := storetest.Cash("anna", "in 1", 1000)
		first := storetest.ApplyCash(t, s, deposit.Deposit())
		require.Equal(t, models.None, first.Decline)
		require.Equal(t, models.CashMoment{At: first.Booked.At, Balance: 1000}, first.Booked)
		holds(1000, 0)
		out := storetest.ApplyCash(t, s, storetest.Cash("anna", "out 1", 400).CashOut())
		require.Equal(t, models.None, out.Decline)
		require.Equal(t, models.CashMoment{At: out.Booked.At, Balance: 600, Held: 400}, out.Booked)
		holds(600, 400)
		require.Equal(t, models.InsufficientFunds, storetest.Apply(t, s, storetest.Bet("anna", "b1", 601)).Decline, "held money")
		require.Equal(t, models.InsufficientFunds,
			storetest.ApplyCash(t, s, storetest.Cash("anna", "out 2", 601).CashOut()).Decline)
		storetest.Apply(t, s, storetest.Bet("anna", "b2", 100))
		storetest.ApplyCash(t, s, storetest.Cash("anna", "out 2", 500).CashOut()) // it was declined, so its ID is free
		holds(0, 900)
		storetest.RequireWhole(t, s)

		// Repeats get the first answer, also after the cash-out has ended; a used ID with other contents books nothing.
		repeats := func() {
			t.Helper()
			again := storetest.ApplyCash(t, s, deposit.Deposit())
			require.Equal(t, models.Duplicate, again.Decline)
			require.Equal(t, first.CashTransaction, again.CashTransaction)
			again = storetest.ApplyCash(t, s, storetest.Cash("anna", "out 1", 400).CashOut())
			require.Equal(t, out.CashTransaction, again.CashTransaction)
			for _, other := range []models.Operation{
				storetest.Cash("anna", "in 1", 999).Deposit(), storetest.Cash("anna", "in 1", 1000).CashOut(),
				storetest.Cash("anna", "out 1", 400).Deposit(),
				models.CashRequest{Client: 7, ID: "in 1", UserID: "anna", Amount: 1000, Currency: "USD"}.Deposit(),
			} {
				again = storetest.ApplyCash(t, s, other)
				require.Equal(t, models.CashResult{Decline: models.Duplicate, OtherContents: true}, again)
			}
		}
		repeats()
		holds(0, 900)
		paid := storetest.EndCashOut(t, s, "out 1", models.CashPaid)
		require.Equal(t, models.None, paid.Decline)
		require.Equal(t, models.CashMoment{At: paid.Ended.At, Held: 500}, *paid.Ended)
		holds(0, 500)
		returned := storetest.EndCashOut(t, s, "out 2", models.CashReturned)
		require.Equal(t, models.CashMoment{At: returned.Ended.At, Balance: 500}, *returned.Ended)
		holds(500, 0)
		for _, end := range []struct {
			id    string
			how   models.OperationKind
			want  models.Decline
			first models.CashResult
		}{
			{"out 1", models.CashPaid, models.Duplicate, paid}, {"out 1", models.CashReturned, models.CashOutEnded, paid},
			{"out 2", models.CashReturned, models.Duplicate, returned}, {"out 2", models.CashPaid, models.CashOutEnded, returned},
			{"in 1", models.CashPaid, models.NotFound, models.CashResult{}},
			{"out 3", models.CashReturned, models.NotFound, models.CashResult{}},
		} {
			r := storetest.EndCashOut(t, s, end.id, end.how)
			require.Equal(t, end.want.String(), r.Decline.String(), "%s %s", end.id, end.how)
			r.Number, end.first.Number = 0, 0
			require.Equal(t, end.first.CashTransaction, r.CashTransaction)
		}
		repeats()
		holds(500, 0)
		now, found, err := s.Cash(t.Context(), storetest.CashID("out 2"))
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, models.CashGivenBack, now.State)

		// Another client, the platform and our own operations have key spaces of their own.
		other := deposit
		other.Client = 8
		require.Equal(t, models.None, storetest.ApplyCash(t, s, other.Deposit()).Decline)
		id := storetest.CashID("in 1")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("anna", id, 100)).Decline)
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("anna", id)).Decline)
		require.Equal(t, models.NotFound, storetest.Apply(t, s, storetest.Rollback("anna", storetest.CashID("out 1"))).Decline)
		require.Equal(t, models.UnknownPlayer, storetest.ApplyCash(t, s, storetest.Cash("bert", "in 2", 1).Deposit()).Decline)
		dollars := storetest.Cash("anna", "in 2", 1)
		dollars.Currency = "USD"
		require.Equal(t, models.OtherCurrency, storetest.ApplyCash(t, s, dollars.Deposit()).Decline)
		require.Equal(t, models.OtherCurrency, storetest.ApplyCash(t, s, dollars.CashOut()).Decline)
		holds(1500, 0)
		storetest.RequireWhole(t, s)
	})
}

// A balance and a held amount stay in the range of amounts. A cash-out that does not fit any more stays held.
func TestCashOverflow(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		require.Equal(t, models.None, storetest.ApplyCash(t, s, storetest.Cash("anna", "1", models.MaxAmount).Deposit()).Decline)
		require.Equal(t, models.BalanceOverflow, storetest.ApplyCash(t, s, storetest.Cash("anna", "2", 1).Deposit()).Decline)
		require.Equal(t, models.None, storetest.ApplyCash(t, s, storetest.Cash("anna", "o", models.MaxAmount).CashOut()).Decline)
		require.Equal(t, models.None, storetest.ApplyCash(t, s, storetest.Cash("anna", "2", 1).Deposit()).Decline)
		require.Equal(t, models.BalanceOverflow, storetest.ApplyCash(t, s, storetest.Cash("anna", "p", 1).CashOut()).Decline)
		require.Equal(t, models.BalanceOverflow, storetest.EndCashOut(t, s, "o", models.CashReturned).Decline)
		storetest.Apply(t, s, storetest.Bet("anna", "b", 1))
		require.Equal(t, models.None, storetest.EndCashOut(t, s, "o", models.CashReturned).Decline)
		storetest.RequireWhole(t, s)
	})
}

func TestCashIDs(t *testing.T) {
	for _, id := range []string{"1", "a@b", "@", "12@7", "x@7@8"} {
		client, own, ok := models.ParseCashID(models.CashID(7, id))
		require.True(t, ok)
		require.Equal(t, fmt.Sprint(7, id), fmt.Sprint(client, own))
	}
	for _, id := range []models.TransactionID{"", "7", "a@", "a@x", "a@07", "a@+7"} {
		_, _, ok := models.ParseCashID(id)
		require.False(t, ok, id)
	}
}
