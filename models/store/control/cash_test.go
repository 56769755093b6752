package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A cash-out that nobody ends opens a case, once, and stays held. A cash ID that comes again with other contents opens one too.
func TestCasesOfCash(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		open := func() (list []models.Case) {
			t.Helper()
			_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			page, err := w.Cases(t.Context(), models.CaseFilter{Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			return page.Rows
		}
		for _, id := range []string{"held", "paid", "returned"} {
			storetest.ApplyCash(t, w.Store, storetest.Cash("anna", id, 1000).CashOut())
		}
		storetest.ApplyCash(t, w.Store, storetest.Cash("test-anna", "test", 1000).CashOut())
		storetest.EndCashOut(t, w.Store, "paid", models.CashPaid)
		storetest.EndCashOut(t, w.Store, "returned", models.CashReturned)
		w.later(models.CashOutExpires - time.Minute)
		require.Empty(t, open())
		w.later(2 * time.Minute)
		list := open()
		require.Len(t, list, 1)
		require.Equal(t, models.CaseHeldCash, list[0].Rule)
		require.Equal(t, storetest.CashID("held"), list[0].TransactionID)
		require.Equal(t, models.Amount(1000), list[0].Amount)
		w.later(time.Hour)
		require.Len(t, open(), 1)
		held, _, err := w.Cash(t.Context(), storetest.CashID("held"))
		require.NoError(t, err)
		require.Equal(t, models.CashHeld, held.State, "it is never released by itself")
		require.Equal(t, models.None, storetest.EndCashOut(t, w.Store, "held", models.CashPaid).Decline)

		in := storetest.Cash("anna", "in", 500)
		storetest.ApplyCash(t, w.Store, in.Deposit())
		storetest.ApplyCash(t, w.Store, in.Deposit())
		require.Len(t, open(), 1)
		other := in
		other.Amount = 501
		for range 2 {
			require.True(t, storetest.ApplyCash(t, w.Store, other.Deposit()).OtherContents)
			list = open()
			require.Len(t, list, 2)
		}
		require.Equal(t, models.CaseOtherCash, list[0].Rule)
		other.UserID = "bert"
		require.True(t, storetest.ApplyCash(t, w.Store, other.CashOut()).OtherContents)
		require.Len(t, open(), 2, "a client cannot open a case a call")
		require.EqualValues(t, 10000-1000-1000+500, storetest.Balance(t, w.Store, "anna"))
	})
}

// What each restriction stops of deposits and cash-outs.
func TestRestrictionsOfCash(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		cleo := storetest.SignerNamed(t, s, "cleo", models.Compliance)
		for user, row := range map[models.UserID]struct {
			kind              models.RestrictionKind
			scope             models.RestrictionScope
			deposits, cashOut bool // refused
		}{
			"excluded":  {models.SelfExclusion, models.FromPlay, true, false},
			"cooling":   {models.CoolOff, models.FromPlay, true, false},
			"laundress": {models.MoneyLaundering, models.FromPlay, true, true},
			"payer":     {models.OtherRestriction, models.FromDeposits, true, false},
			"suspect":   {models.MoneyLaundering, models.FromDeposits, true, false},
			"hunter":    {models.Abuse, models.FromBonuses, false, false},
		} {
			p := storetest.CreatePlayer(t, s, user, 1000)
			storetest.ApplyCash(t, s, storetest.Cash(user, "before "+string(user), 100).CashOut())
			storetest.ApplyCash(t, s, storetest.Cash(user, "back "+string(user), 100).CashOut())
			r := ofAnna(p, row.kind, s.Now().Add(time.Hour))
			r.Scope = row.scope
			_, err := s.Restrict(t.Context(), cleo, r)
			require.NoError(t, err)
			answer := func(refused bool) models.Decline {
				if refused {
					return models.PlayerRestricted
				}
				return models.None
			}
			require.Equal(t, answer(row.deposits),
				storetest.ApplyCash(t, s, storetest.Cash(user, "in "+string(user), 1).Deposit()).Decline, user)
			require.Equal(t, answer(row.cashOut),
				storetest.ApplyCash(t, s, storetest.Cash(user, "out "+string(user), 1).CashOut()).Decline, user)
			require.Equal(t, answer(row.scope == models.FromPlay),
				storetest.Apply(t, s, storetest.Bet(user, models.TransactionID(user), 1)).Decline, user)
			require.Equal(t, models.None, storetest.EndCashOut(t, s, "before "+string(user), models.CashPaid).Decline, user)
			require.Equal(t, models.None, storetest.EndCashOut(t, s, "back "+string(user), models.CashReturned).Decline, user)
		}
		storetest.RequireWhole(t, s)
	})
}
