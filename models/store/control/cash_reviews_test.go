package control_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// waiting returns the number of a cash-out of 4.00 that waits for people.
func waiting(t testing.TB, s *store.Store, id string) int64 {
	t.Helper()
	r := storetest.ReviewedCash(t, s, storetest.Cash("anna", id, 400).CashOut())
	require.Equal(t, []any{models.None, models.CashWaiting}, []any{r.Decline, r.State})
	again := storetest.ApplyCash(t, s, storetest.Cash("anna", id, 400).CashOut())
	require.Equal(t, r.CashTransaction, again.CashTransaction, "the first answer, under other terms too")
	now, _, err := s.Cash(t.Context(), storetest.CashID(id))
	require.NoError(t, err)
	return now.Number
}

// The life of a cash-out that people decide: nobody pays it before they have approved it, and refusing it returns the amount.
func TestCashReviews(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 2000).Deposit())
		fred, fay := storetest.SignerNamed(t, s, "fred", models.Finance), storetest.SignerNamed(t, s, "fay", models.Finance)
		money := func(balance, held models.Amount) {
			t.Helper()
			p, _, err := s.PlayerByID(t.Context(), anna.ID)
			require.NoError(t, err)
			require.Equal(t, [2]models.Amount{balance, held}, [2]models.Amount{p.Wallet.Balance, p.Wallet.Held})
		}
		state := func(id string, want models.CashState) models.CashTransaction {
			t.Helper()
			now, found, err := s.CashNow(t.Context(), storetest.CashID(id))
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, want.String(), now.State.String())
			return now
		}
		pay := func(id string) error {
			_, err := s.EndCashOut(t.Context(), storetest.CashActor, storetest.CashID(id), models.CashPaid)
			return err
		}

		one := waiting(t, s, "one")
		money(1600, 400)
		require.ErrorIs(t, pay("one"), models.ErrCashOutWaiting)
		money(1600, 400)
		for role, why := range map[models.Role]error{models.Support: models.ErrCheckerRole, models.Administrator: models.ErrCheckerRole,
			models.Compliance: models.ErrCheckerRole, models.Bonus: models.ErrCheckerRole} {
			other := storetest.SignerNamed(t, s, "other-"+string(role), role)
			require.ErrorIs(t, storetest.Approve(t.Context(), s, "cash-out", other, one), why)
			require.ErrorIs(t, storetest.Refuse(t.Context(), s, "cash-out", other, one, "no"), why)
		}
		state("one", models.CashWaiting)
		require.NoError(t, storetest.Approve(t.Context(), s, "cash-out", fred, one))
		state("one", models.CashApproved)
		require.ErrorAs(t, storetest.Refuse(t.Context(), s, "cash-out", fay, one, "late"), new(models.DecidedError))
		require.NoError(t, pay("one"))
		require.NoError(t, pay("one"))
		state("one", models.CashPaidOut)
		money(1600, 0)

		// Refused: the amount is back, and the cashier reads why.
		no := waiting(t, s, "no")
		require.ErrorIs(t, storetest.Refuse(t.Context(), s, "cash-out", fay, no, " "), models.ErrDecisionText)
		money(1200, 400)
		require.NoError(t, storetest.Refuse(t.Context(), s, "cash-out", fay, no, "other account"))
		money(1600, 0)
		require.Equal(t, "other account", state("no", models.CashGivenBack).Refusal)
		r := storetest.EndCashOut(t, s, "no", models.CashPaid)
		require.Equal(t, models.CashOutEnded, r.Decline)
		r = storetest.EndCashOut(t, s, "no", models.CashReturned)
		require.Equal(t, []any{models.Duplicate, "other account"}, []any{r.Decline, r.Refusal})
		require.ErrorAs(t, storetest.Refuse(t.Context(), s, "cash-out", fred, no, "again"), new(models.DecidedError))
		require.ErrorAs(t, storetest.Approve(t.Context(), s, "cash-out", fred, no), new(models.DecidedError))

		// The cashier cancels it before and after people have agreed.
		early := waiting(t, s, "early")
		require.Equal(t, models.None, storetest.EndCashOut(t, s, "early", models.CashReturned).Decline)
		require.ErrorAs(t, storetest.Approve(t.Context(), s, "cash-out", fred, early), new(models.DecidedError))
		late := waiting(t, s, "late")
		require.NoError(t, storetest.Approve(t.Context(), s, "cash-out", fred, late))
		require.Equal(t, models.None, storetest.EndCashOut(t, s, "late", models.CashReturned).Decline)
		require.Equal(t, models.Duplicate, storetest.EndCashOut(t, s, "late", models.CashReturned).Decline)
		canceled, err := s.AuditEvents(t.Context(), models.AuditFilter{Action: "cash-out canceled", Span: models.Span{Limit: 5}})
		require.NoError(t, err)
		require.Len(t, canceled.Rows, 2, "each has its own event, once")
		require.Contains(t, canceled.Rows[0].After, `"state":"approved"`)
		require.ErrorIs(t, storetest.Approve(t.Context(), s, "cash-out", fred, 1), models.ErrCashReviewUnknown)
		money(1600, 0)

		require.Equal(t, models.InsufficientFunds,
			storetest.ReviewedCash(t, s, storetest.Cash("anna", "much", 1601).CashOut()).Decline)
		list, err := s.CashReviews(t.Context(), models.CashReviewFilter{PlayerID: anna.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 4, "a declined one does not wait")
		storetest.RequireWhole(t, s)
	})
}

// What happens at the same time as a decision: each cash-out ends once, and is never paid without its approvals.
func TestCashReviewsAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna := storetest.CreatePlayer(t, s, "anna", 0)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 10_000).Deposit())
		fred, fay := storetest.SignerNamed(t, s, "fred", models.Finance), storetest.SignerNamed(t, s, "fay", models.Finance)
		flo := storetest.SignerNamed(t, s, "flo", models.Finance)
		ctx := context.WithoutCancel(t.Context())
		approve := func(by models.Signer, id int64) func() bool {
			return func() bool { return storetest.Approve(ctx, s, "cash-out", by, id) == nil }
		}
		end := func(id string, how models.OperationKind) func() bool {
			return func() bool {
				r, err := s.EndCashOut(ctx, storetest.CashActor, storetest.CashID(id), how)
				return err == nil && r.Decline == models.None
			}
		}
		refuse := func(by models.Signer, id int64) func() bool {
			return func() bool { return storetest.Refuse(ctx, s, "cash-out", by, id, "no") == nil }
		}
		together := func(list ...func() bool) (done []bool) {
			done = make([]bool, len(list))
			var all sync.WaitGroup
			for i, fn := range list {
				all.Go(func() { done[i] = fn() })
			}
			all.Wait()
			return done
		}
		for _, round := range "abcdef" {
			id := string(round)
			number := waiting(t, s, id)
			done := together(approve(fred, number), approve(fay, number), approve(flo, number), end(id, models.CashPaid))
			require.False(t, done[0] && done[1] || done[1] && done[2] || done[0] && done[2], "it is approved once")
			require.True(t, done[0] || done[1] || done[2], "one of three is enough")
			together(end(id, models.CashPaid), end(id, models.CashReturned), refuse(fay, number))
			now, _, err := s.CashNow(ctx, storetest.CashID(id))
			require.NoError(t, err)
			require.NotNil(t, now.Ended)

			id += "2"
			number = waiting(t, s, id)
			done = together(approve(fred, number), end(id, models.CashReturned), refuse(fay, number), end(id, models.CashPaid))
			now, _, err = s.CashNow(ctx, storetest.CashID(id))
			require.NoError(t, err)
			review, _, err := s.CashReview(ctx, number)
			require.NoError(t, err)
			require.Equal(t, done[2], review.State == models.ApprovalRefused)
			require.Equal(t, done[3], now.State == models.CashPaidOut)
			require.False(t, done[3] && !done[0], "paid without an approval")
			require.False(t, done[2] && (done[1] || done[3] || done[0]))
			if now.Ended == nil {
				require.True(t, end(id, models.CashReturned)())
			}
		}
		p, _, err := s.PlayerByID(ctx, anna.ID)
		require.NoError(t, err)
		require.Zero(t, p.Wallet.Held)
		storetest.RequireWhole(t, s)
	})
}

// Somebody who can write to the database cannot have a cash-out paid that people have not approved.
func TestAttackCashReviews(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 0)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 10_000).Deposit())
		for i, sql := range []string{
			"UPDATE cash_reviews SET state = 2", "UPDATE cash_reviews SET amount_minor = 1, state = 2", "DELETE FROM cash_reviews",
			"UPDATE cash_reviews SET transaction_id = 'x@7', state = 2",
			"UPDATE cash_reviews SET maker_id = 99, maker = 'fred'",
		} {
			id := string(rune('a' + i))
			waiting(t, s, id)
			x.Exec(t, sql)
			_, err := s.EndCashOut(t.Context(), storetest.CashActor, storetest.CashID(id), models.CashPaid)
			require.ErrorAs(t, err, new(models.TamperedError), sql)
		}
	})
}
