package proof_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store/proof"
)

// Verify finds whatever somebody does to cash with SQL.
func TestVerifyFindsTamperedCash(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 1000)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 500).Deposit())
		storetest.Apply(t, s, storetest.Bet("anna", "b", 100))
		for _, id := range []string{"paid", "returned", "held"} {
			storetest.ApplyCash(t, s, storetest.Cash("anna", id, 200).CashOut())
		}
		storetest.EndCashOut(t, s, "paid", models.CashPaid)
		storetest.EndCashOut(t, s, "returned", models.CashReturned)
		storetest.RequireWhole(t, s)
		storetest.DropTriggers(t, x.Config.URL)
		restore := keepTables(x, t)
		for _, row := range []struct{ what, statements string }{
			{"what is held", "UPDATE wallets SET held_minor = held_minor + 1"},
			{"held money made playable", "UPDATE wallets SET balance_minor = balance_minor + held_minor, held_minor = 0"},
			{"what was held after a deposit", "UPDATE postings SET held_minor = 1 WHERE kind = 7"},
			{"what was held after a cash-out", "UPDATE postings SET held_minor = held_minor - 1 WHERE kind = 8 AND claim = 1"},
			{"what was held after a payment", "UPDATE postings SET held_minor = NULL WHERE kind = 9"},
			{"a bet that holds", "UPDATE postings SET held_minor = 0 WHERE kind = 1"},
			{"a payment made a return", "UPDATE postings SET kind = 8 WHERE kind = 9"},
			{"a return made a payment", "UPDATE postings SET kind = 9 WHERE kind = 8 AND claim = 2"},
			{"a payment's amount", "UPDATE postings SET bet_minor = 100 WHERE kind = 9"},
			{"a deposit's amount", "UPDATE postings SET win_minor = win_minor + 1 WHERE kind = 7"},
			{"a deposit's client", "UPDATE postings SET transaction_id = 'in@8' WHERE kind = 7"},
			{"a deposit made an adjustment", "UPDATE postings SET kind = 6, held_minor = NULL WHERE kind = 7"},
			{"a deposit of the platform's", "UPDATE postings SET source = 1 WHERE kind = 7"},
			{"no payment", "DELETE FROM postings WHERE kind = 9"},
		} {
			for statement := range strings.SplitSeq(row.statements, ";") {
				x.Exec(t, statement)
			}
			require.Contains(t, faults(t, s), models.UserID("anna"), row.what)
			restore(t)
		}
		storetest.RequireWhole(t, s)
		forgetTables(x, t)
	})
}

// A cash-out that is held is still known after a checkpoint, and ends as usual. A player with held money cannot be erased.
func TestHeldCashAfterACheckpoint(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		in := storetest.Cash("anna", "in", 500)
		storetest.ApplyCash(t, s, in.Deposit())
		for _, id := range []string{"1", "2", "3"} {
			storetest.ApplyCash(t, s, storetest.Cash("anna", id, 100).CashOut())
		}
		storetest.EndCashOut(t, s, "3", models.CashPaid)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "rest", 200).CashOut())
		storetest.Restrict(t, s, "anna")
		_, err := s.ErasePlayer(t.Context(), storetest.Keeper, "anna", "asked us to")
		require.ErrorIs(t, err, proof.ErrNotErasable)
		storetest.Release(t, s, "anna")
		file := storetest.WriteCheckpoint(t, s)
		whole := func() {
			t.Helper()
			storetest.RequireWhole(t, s)
			require.True(t, storetest.VerifyAgainst(t, s, file).OK())
			c, err := s.OpenCheckpoint(bytes.NewReader(file))
			require.NoError(t, err)
			v, err := s.VerifySince(t.Context(), c, nil)
			require.NoError(t, err)
			require.Empty(t, storetest.WordsOf(v))
			_, err = s.FollowDays(t.Context())
			require.NoError(t, err)
			check, err := s.CheckDays(t.Context())
			require.NoError(t, err)
			require.Empty(t, check.Faults)
		}
		whole()
		require.Equal(t, models.Duplicate, storetest.ApplyCash(t, s, in.Deposit()).Decline)
		require.Equal(t, models.Duplicate, storetest.EndCashOut(t, s, "3", models.CashPaid).Decline)
		require.Equal(t, models.CashOutEnded, storetest.EndCashOut(t, s, "3", models.CashReturned).Decline)
		paid := storetest.EndCashOut(t, s, "1", models.CashPaid)
		require.Equal(t, models.None, paid.Decline)
		require.EqualValues(t, 300, paid.Ended.Held)
		returned := storetest.EndCashOut(t, s, "2", models.CashReturned)
		require.Equal(t, [2]models.Amount{100, 200}, [2]models.Amount{returned.Ended.Balance, returned.Ended.Held})
		require.Equal(t, models.Duplicate, storetest.EndCashOut(t, s, "2", models.CashReturned).Decline)
		whole()
		require.NoError(t, s.RebuildDays(t.Context()))
		whole()
		owed, err := s.LiabilityNow(t.Context(), models.WithTest)
		require.NoError(t, err)
		require.Equal(t, [2]models.Amount{300, 200}, [2]models.Amount{owed[0].Sum, owed[0].Held})
	})
}
