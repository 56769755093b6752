package ledger_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
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

// Cash-outs race bets for one balance: it is never below zero, and what was held and not played is exactly what is left.
func TestCashOutsRaceBets(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 1000)
		var ops []models.Operation
		for i := range storetest.Scaled(200, 1000) {
			ops = append(ops, storetest.Bet("anna", models.TransactionID(fmt.Sprint("b", i)), 7))
			if i%10 == 0 {
				ops = append(ops, storetest.Cash("anna", fmt.Sprint("o", i), 90).CashOut())
			}
		}
		var held models.Amount
		left := models.Amount(1000)
		for _, o := range storetest.ApplyTogether(t, storetest.Patience, ops, a, b) {
			require.NoError(t, o.Err)
			if o.Decline != models.None {
				require.Equal(t, models.InsufficientFunds, o.Decline)
				continue
			}
			if left -= o.Bet; o.Kind == models.CashOut {
				held += o.Bet
			}
		}
		require.Equal(t, left, storetest.Balance(t, a, "anna"))
		require.Less(t, left, models.Amount(7))
		require.EqualValues(t, held, x.Number(t, "SELECT held_minor FROM wallets"))
		require.EqualValues(t, 0, x.Number(t, "SELECT COUNT(*) FROM postings WHERE after_minor < 0 OR held_minor < 0"))
		storetest.RequireWhole(t, b)
	})
}

// A cash-out is paid and returned at once, several times each: one of the two applies, once.
func TestCashOutEndsOnceAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 1000)
		for round := range storetest.Scaled(5, 100) {
			id := fmt.Sprint("o", round)
			storetest.ApplyCash(t, a, storetest.Cash("anna", id, 10).CashOut())
			how := []models.OperationKind{models.CashPaid, models.CashReturned}
			results := make([]models.CashResult, 12)
			storetest.Together(len(results), func(i int) {
				results[i] = storetest.EndCashOut(t, []*store.Store{a, b}[i/2%2], id, how[i%2])
			})
			n := map[models.Decline]int{}
			for _, r := range results {
				n[r.Decline]++
				require.Equal(t, results[0].Ended, r.Ended, "all get the same answer")
				require.Equal(t, results[0].State, r.State)
			}
			require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 5, models.CashOutEnded: 6}, n)
		}
		require.EqualValues(t, 0, x.Number(t, "SELECT held_minor FROM wallets"))
		storetest.RequireWhole(t, b)
	})
}

// Two clients send a deposit with the same ID at once, several times each: each client's is booked once.
func TestTwoClientsDepositAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		storetest.CreatePlayer(t, a, "anna", 0)
		results := make([]models.CashResult, 16)
		storetest.Together(len(results), func(i int) {
			r := storetest.Cash("anna", "1", 10)
			r.Client = int64(1 + i%2)
			results[i] = storetest.ApplyCash(t, []*store.Store{a, b}[i/2%2], r.Deposit())
		})
		n := map[string]int{}
		for i, r := range results {
			n[fmt.Sprint(r.Client, " ", r.Decline)]++
			require.Equal(t, results[i%2].CashTransaction, r.CashTransaction)
		}
		require.Equal(t, map[string]int{"1 applied": 1, "1 duplicate transaction": 7, "2 applied": 1, "2 duplicate transaction": 7}, n)
		require.EqualValues(t, 20, storetest.Balance(t, a, "anna"))
		storetest.RequireWhole(t, b)
	})
}

// A paid cash-out bounces once: the amount is in the balance again, whatever restrictions there are, and every repeat gets its
// first answer.
func TestCashOutBounces(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 1000)
		requested := storetest.ApplyCash(t, s, storetest.Cash("anna", "o", 400).CashOut())
		end := func(id string, how models.OperationKind) models.CashResult {
			t.Helper()
			r := storetest.EndCashOut(t, s, id, how)
			r.Number = 0
			return r
		}
		bounce := func(id string) error {
			_, err := s.EndCashOut(t.Context(), storetest.CashActor, storetest.CashID(id), models.CashBounced)
			return err
		}
		require.ErrorIs(t, bounce("o"), models.ErrCashOutNotPaid)
		paid := end("o", models.CashPaid)
		storetest.Restrict(t, s, "anna")
		first := end("o", models.CashBounced)
		require.Equal(t, []any{models.None, models.CashCameBack}, []any{first.Decline, first.State})
		require.Equal(t, models.CashMoment{At: first.Bounced.At, Balance: 1000}, *first.Bounced)
		for range 2 {
			again := end("o", models.CashBounced)
			require.Equal(t, []any{models.Duplicate, first.CashTransaction}, []any{again.Decline, again.CashTransaction})
		}
		require.Equal(t, paid.CashTransaction, end("o", models.CashPaid).CashTransaction)
		require.Equal(t, models.CashOutEnded, end("o", models.CashReturned).Decline)
		require.Equal(t, requested.CashTransaction, storetest.ApplyCash(t, s, storetest.Cash("anna", "o", 400).CashOut()).CashTransaction)
		require.EqualValues(t, 1000, storetest.Balance(t, s, "anna"))
		storetest.Release(t, s, "anna")

		for id, how := range map[string]models.OperationKind{"r": models.CashReturned, "h": 0} {
			storetest.ApplyCash(t, s, storetest.Cash("anna", id, 1).CashOut())
			if how != 0 {
				end(id, how)
			}
			require.ErrorIs(t, bounce(id), models.ErrCashOutNotPaid)
		}
		require.Equal(t, models.NotFound, end("none", models.CashBounced).Decline)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 5).Deposit())
		require.Equal(t, models.NotFound, end("in", models.CashBounced).Decline)

		// Its figures: what was paid is paid no more, and the liability is that of the wallet.
		_, err := s.FollowDays(t.Context())
		require.NoError(t, err)
		p, _, err := s.PlayerByID(t.Context(), anna.ID)
		require.NoError(t, err)
		require.Equal(t, [2]models.Amount{1004, 1}, [2]models.Amount{p.Wallet.Balance, p.Wallet.Held})
		require.EqualValues(t, 0, x.Number(t, "SELECT SUM(paid_minor) FROM daily_sums"))
		require.EqualValues(t, 401, x.Number(t, "SELECT SUM(returned_minor) FROM daily_sums"))
		require.EqualValues(t, 1, x.Number(t, "SELECT SUM(requested_minor - returned_minor - paid_minor) FROM daily_sums"))
		storetest.RequireWhole(t, s)

		// A bounce of what was never paid is a fault, even with hashes that are right.
		storetest.ApplyCash(t, s, storetest.Cash("anna", "q", 3).CashOut())
		op := models.Operation{Source: models.SourceClient, Kind: models.CashBounced, UserID: "anna", Currency: "EUR", Win: 3,
			TransactionID: models.BouncedID(storetest.CashID("q"))}
		require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
		v, err := s.Verify(t.Context(), nil)
		require.NoError(t, err)
		require.NotEmpty(t, v.Faulty)
		require.Contains(t, fmt.Sprint(v.Faulty[0].Faults), "was not paid")
	})
}

// A cash-out bounces at once, several times, on two instances: the amount comes back once.
func TestCashOutBouncesOnceAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		stores := []*store.Store{x.Open(t), x.Open(t)}
		storetest.CreatePlayer(t, stores[0], "anna", 1000)
		storetest.ApplyCash(t, stores[0], storetest.Cash("anna", "o", 10).CashOut())
		storetest.EndCashOut(t, stores[0], "o", models.CashPaid)
		results := make([]models.CashResult, 12)
		storetest.Together(len(results), func(i int) { results[i] = storetest.EndCashOut(t, stores[i%2], "o", models.CashBounced) })
		n := map[models.Decline]int{}
		for _, r := range results {
			n[r.Decline]++
			require.Equal(t, results[0].Bounced, r.Bounced)
		}
		require.Equal(t, map[models.Decline]int{models.None: 1, models.Duplicate: 11}, n)
		require.EqualValues(t, 1000, storetest.Balance(t, stores[0], "anna"))
		storetest.RequireWhole(t, stores[0])
	})
}
