package control_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// openCase opens a case about a win of anna's that only the platform has, and returns its number.
func openCase(t testing.TB, s *store.Store, player models.Player, id models.TransactionID, amount models.Amount,
	at time.Time) int64 {
	t.Helper()
	numbers, _, err := s.OpenCases(t.Context(), []models.Finding{{Rule: models.CaseStatement, Key: string(id), At: at,
		PlayerID: player.ID, TransactionID: id, Amount: amount, Currency: "EUR"}})
	require.NoError(t, err)
	return numbers[0]
}

// A win is not paid again under another spelling of its ID, or beside one of the same amount at that time, until somebody says
// why it is another one.
func TestAttackWinUnderAnotherSpelling(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10_000)
		storetest.Apply(t, s, storetest.Win("anna", "Win-Ab7", 1050))
		storetest.Apply(t, s, storetest.Win("anna", "unlike", 310))
		for _, row := range []struct {
			id      models.TransactionID
			amount  models.Amount
			similar int
		}{
			{"win-ab7", 2000, 1}, {"WIN-AB7", 2000, 1}, {"'Win-Ab7", 2000, 1}, {" Win-Ab7", 2000, 1},
			{"Win-Ab7\u00a0", 2000, 1},
			{"\u200b“win-AB7”", 2000, 1}, {"Win-Ab8", 1050, 1}, {"Win-Ab8", 1051, 0},
		} {
			r := d.Win(row.id, row.amount)
			r.Another = " so what "
			_, outlook, err := s.CorrectionOutlook(t.Context(), r)
			require.NoError(t, err)
			require.Len(t, outlook.Again.Transactions, row.similar, "%q", row.id)
			if row.similar == 0 {
				continue
			}
			require.Equal(t, models.TransactionID("Win-Ab7"), outlook.Again.Transactions[0].TransactionID)
			_, err = d.TryRequest(d.Mira, r)
			require.ErrorIs(t, err, models.ErrAnother)
		}
		r := d.Win("win-ab7", 1050)
		r.Another = "The platform shows two wins, tickets 5 and 6."
		require.Equal(t, r.Another, d.Request(d.Mira, r).Another)
	})
}

// A case knows when the money was lost, so that wins of the same amount at other times do not count.
func TestSimilarToACaseByItsTime(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10_000)
		storetest.Apply(t, s, storetest.Win("anna", "ours", 1050))
		line, err := s.Transactions(t.Context(), models.TransactionFilter{TransactionID: "ours", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		at := line.Rows[0].At
		for away, want := range map[time.Duration]int{0: 1, 4 * time.Minute: 1, -4 * time.Minute: 1, 6 * time.Minute: 0,
			-6 * time.Minute: 0} {
			id := openCase(t, s, d.Anna, models.TransactionID("theirs"+away.String()), 1050, at.Add(away))
			c, _, _, err := s.Case(t.Context(), id)
			require.NoError(t, err)
			r := d.Win(c.TransactionID, 1050)
			r.Reference, r.Another = models.CaseReference(id), ""
			_, outlook, err := s.CorrectionOutlook(t.Context(), r)
			require.NoError(t, err)
			require.Len(t, outlook.Again.Transactions, want, away)
			_, err = d.TryRequest(d.Mira, r)
			require.Equal(t, want > 0, err != nil, away)
			if err == nil {
				err = storetest.Withdraw(t.Context(), s, "correction", d.Mira, d.Request(d.Mira, d.Win("x"+c.TransactionID, 1)).ID,
					"Only a test.")
				require.NoError(t, err)
			}
		}
	})
}

// One loss is corrected once: for one case, one transaction, or one amount without either, a second correction in the same
// direction needs a reason, at the request and at the approval.
func TestAttackCorrectOneLossTwice(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 100_000)
		at := time.Now().Add(-time.Hour)
		one, same, other := openCase(t, s, d.Anna, "lost", 1050, at), openCase(t, s, d.Anna, "'LOST", 1050, at),
			openCase(t, s, d.Anna, "another", 1050, at)
		credit := func(amount models.Amount, reference, another string) models.CorrectionRequest {
			r := d.Adjust(models.CorrectCredit, amount, "goodwill")
			r.Reference, r.Another = reference, another
			return r
		}
		first := d.Request(d.Mira, credit(1050, models.CaseReference(one), ""))
		for _, again := range []models.CorrectionRequest{
			credit(1050, models.CaseReference(one), ""), credit(999, "Case "+models.CaseReference(one)[5:], ""),
			credit(1050, models.CaseReference(same), ""), credit(1050, "", "too short"), credit(1050, "ticket 5", ""),
		} {
			var similar models.SimilarError
			_, err := d.TryRequest(d.Jonas, again)
			require.ErrorAs(t, err, &similar, again.Reference)
			require.Equal(t, first.ID, similar.Similar.Corrections[0].ID)
		}
		for _, fine := range []models.CorrectionRequest{
			credit(1050, models.CaseReference(other), ""), credit(1050, models.CaseReference(one), storetest.OtherLoss),
			credit(1051, "", ""),
			d.Adjust(models.CorrectDebit, 1050, "paid-twice"),
		} {
			err := storetest.Withdraw(t.Context(), s, "correction", d.Mira, d.Request(d.Mira, fine).ID, "Only a test.")
			require.NoError(t, err)
		}
		d.MustApprove(d.Jonas, first)
		_, err := d.TryRequest(d.Jonas, credit(1050, models.CaseReference(one), ""))
		require.ErrorIs(t, err, models.ErrAnother, "it is booked")
		win := d.Win("lost", 1050)
		win.Another = ""
		_, err = d.TryRequest(d.Jonas, win)
		require.ErrorIs(t, err, models.ErrAnother, "it was credited for its case")
	})
}

// What was requested before another instance knew of the other one is found at the approval: of two credits for one case, only
// one is booked, and what the second approver has not seen is not booked either.
func TestAttackApproveOneLossTwice(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 100_000)
		lost := openCase(t, s, d.Anna, "lost", 1050, time.Now().Add(-time.Hour))
		r := d.Adjust(models.CorrectCredit, 1050, "goodwill")
		r.Reference, r.Another = models.CaseReference(lost), ""
		first := d.Request(d.Mira, r)
		seen := d.Basis(first)
		r.Another = "The player lost two wins in this round."
		second := d.Request(d.Jonas, r)
		_, err := d.ApproveWith(d.Jonas, first, seen)
		require.ErrorIs(t, err, models.ErrAnother, "when it was requested, nothing was like it")
		require.True(t, models.CorrectionNotBooked(err))
		var changed models.CorrectionChangedError
		seen = d.Basis(second)
		seen.Similar--
		_, err = d.ApproveWith(d.Mira, second, seen)
		require.ErrorAs(t, err, &changed)
		require.Equal(t, models.Amount(100_000), storetest.Balance(t, s, "anna"))
		d.MustApprove(d.Mira, second)
		storetest.RequireWhole(t, s)
	})
}

// Of many requests for one case at once, one is stored.
func TestRequestsForOneCaseAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		a, b := x.Open(t), x.Open(t)
		d := storetest.NewColleagues(t, a, 100_000)
		lost := openCase(t, a, d.Anna, "lost", 1050, time.Now().Add(-time.Hour))
		r := d.Adjust(models.CorrectCredit, 1050, "goodwill")
		r.Reference, r.Another = models.CaseReference(lost), ""
		errs := make([]error, 8)
		storetest.Together(len(errs), func(i int) {
			_, errs[i] = []*store.Store{a, b}[i%2].RequestCorrection(t.Context(), []models.Signer{d.Mira, d.Jonas}[i%2], r)
		})
		asked := 0
		for _, err := range errs {
			if err == nil {
				asked++
			} else {
				require.ErrorIs(t, err, models.ErrAnother)
			}
		}
		require.Equal(t, 1, asked, "%v", errs)
	})
}

func TestSpellings(t *testing.T) {
	for _, id := range []models.TransactionID{"Ab", " Ab", "'ab", "AB ", `"aB"`, "“Ab”", "ab\u00a0", "\ufeffAb\u200b"} {
		require.Equal(t, "ab", models.FoldID(id))
	}
	require.Subset(t, models.Spellings("'Ab"), []models.TransactionID{"Ab", "ab", "AB", "'AB", "'ab", "Ab ", " Ab"})
	require.NotContains(t, models.Spellings("Ab"), models.TransactionID("Ab"))
	long := models.TransactionID(strings.Repeat("x", models.MaxIDBytes))
	for _, id := range models.Spellings(long) {
		require.NoError(t, models.CheckID(string(id)))
	}
	for reference, id := range map[string]int64{"case 12": 12, " Case 12 ": 12, "case 0": 0, "case 12b": 0, "": 0} {
		require.Equal(t, id, models.CaseOf(reference), reference)
	}
}

// What the cashier has booked is not booked again by hand, in the same direction, until somebody says why it is another one.
func TestSimilarCash(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d := storetest.NewColleagues(t, s, 10_000)
		storetest.ApplyCash(t, s, storetest.Cash("anna", "in", 2500).Deposit())
		storetest.ApplyCash(t, s, storetest.Cash("anna", "out", 2500).CashOut())
		storetest.ApplyCash(t, s, storetest.Cash("anna", "back", 700).CashOut())
		storetest.EndCashOut(t, s, "out", models.CashPaid)
		storetest.EndCashOut(t, s, "back", models.CashReturned)
		for _, row := range []struct {
			kind    models.CorrectionKind
			amount  models.Amount
			reason  models.ReasonCode
			similar models.TransactionID
		}{
			{models.CorrectCredit, 2500, "paid-in", "in@7"}, {models.CorrectDebit, 2500, "paid-out", "out@7"},
			{models.CorrectCredit, 2501, "paid-in", ""}, {models.CorrectDebit, 700, "paid-out", ""},
		} {
			_, outlook, err := s.CorrectionOutlook(t.Context(), d.Adjust(row.kind, row.amount, row.reason))
			require.NoError(t, err)
			if row.similar == "" {
				require.Zero(t, outlook.Again.Count())
				continue
			}
			require.Len(t, outlook.Again.Transactions, 1)
			require.Equal(t, row.similar, outlook.Again.Transactions[0].TransactionID)
			r := d.Adjust(row.kind, row.amount, row.reason)
			r.Another = "none"
			_, err = d.TryRequest(d.Mira, r)
			require.ErrorIs(t, err, models.ErrAnother)
		}
	})
}
