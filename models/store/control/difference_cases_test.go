package control_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// A later reading of the same file withdraws the cases that it settles, unless it reads fewer lines or another file shows the
// difference. A closed case hides no other file.
func TestReadingsWithdrawAndReopenCases(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		anna, ctx := storetest.CreatePlayer(t, s, "anna", 1000), t.Context()
		upload := func(digest string) models.Statement {
			st, err := s.CreateStatement(ctx, storetest.Tester,
				models.Statement{FileName: "day.csv", Digest: strings.Repeat(digest, 64)})
			require.NoError(t, err)
			st.Since, st.Until = time.Now().Add(-time.Hour), time.Now()
			return st
		}
		read := func(st models.Statement, bad int, ids ...models.TransactionID) {
			t.Helper()
			run, err := s.BeginStatementRun(ctx, storetest.Tester, st)
			require.NoError(t, err)
			var list []models.Difference
			for i, id := range ids {
				list = append(list, models.Difference{RunID: run.ID, Number: int64(i + 1), TransactionID: id,
					Bucket: models.OnlyTheirs, PlayerID: anna.ID, UserID: "anna", Currency: "EUR", Kind: models.Win,
					At:     time.Now(),
					Theirs: models.StatementSide{There: true, Win: 10}, Remedy: models.RemedyCredit, RemedyAmount: 10})
			}
			require.NoError(t, s.AddDifferences(ctx, run.ID, list))
			run.BadLines, run.Differences, run.Cases = int64(bad), int64(len(ids)), true
			_, err = s.OpenDifferenceCases(ctx, st, run)
			require.NoError(t, err)
			_, err = s.FinishRun(ctx, run)
			require.NoError(t, err)
		}
		states := func() map[models.TransactionID]models.CaseState {
			list, err := s.Cases(ctx, models.CaseFilter{Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			found := map[models.TransactionID]models.CaseState{}
			for _, c := range list.Rows {
				found[c.TransactionID] = c.State
			}
			return found
		}
		first := upload("a")
		read(first, 0, "one", "two", "three")
		read(first, 1)
		require.Equal(t, models.CaseOpen, states()["one"], "a line that cannot be read settles nothing")
		read(upload("a"), 0, "one", "two")
		require.Equal(t, map[models.TransactionID]models.CaseState{"one": models.CaseOpen, "two": models.CaseOpen,
			"three": models.CaseWithdrawn}, states())
		list, err := s.Cases(ctx, models.CaseFilter{State: models.CaseWithdrawn, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Contains(t, list.Rows[0].Reason, "no longer shows this difference")
		read(first, 0, "one", "three")
		require.Equal(t, map[models.TransactionID]models.CaseState{"one": models.CaseOpen, "two": models.CaseWithdrawn,
			"three": models.CaseOpen}, states(), "what was withdrawn is found again")

		closed, err := s.DecideCases(ctx, storetest.Tester, models.CaseFilter{StatementID: first.ID}, models.CaseExplained,
			"The file was for the wrong day.", 10)
		require.NoError(t, err)
		require.Positive(t, closed)
		read(first, 0, "one", "three")
		require.Equal(t, models.CaseExplained, states()["one"], "the same file shows nothing new")
		other := upload("b")
		read(other, 0, "one")
		require.Equal(t, models.CaseOpen, states()["one"], "another file shows the same difference")
		require.Equal(t, models.CaseExplained, states()["three"])
		list, err = s.Cases(ctx, models.CaseFilter{StatementID: other.ID, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		_, notes, _, err := s.Case(ctx, list.Rows[0].ID)
		require.NoError(t, err)
		require.Contains(t, notes[0].Text, "it was explained by "+storetest.Tester.Name+": The file was for the wrong day.")
		read(first, 0)
		require.Equal(t, models.CaseOpen, states()["one"], "the other file still shows it")
		storetest.RequireWhole(t, s)
	})
}

// A correction that names a case closes it, and the list of differences shows it instead of its advice. A file that shows the
// same difference changes nothing, one that shows another opens the case again, and one without it opens a case about the
// correction.
func TestCorrectionsSettleDifferences(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d, ctx := storetest.NewColleagues(t, s, 10_000), t.Context()
		at := time.Now()
		read := func(digest string, list ...models.Difference) (models.Statement, models.StatementRun) {
			t.Helper()
			st, err := s.CreateStatement(ctx, storetest.Tester,
				models.Statement{FileName: digest + ".csv", Digest: strings.Repeat(digest, 64)})
			require.NoError(t, err)
			st.Since, st.Until = at.Add(-time.Hour), at.Add(time.Hour)
			run, err := s.BeginStatementRun(ctx, storetest.Tester, st)
			require.NoError(t, err)
			for i := range list {
				list[i].Number = int64(i + 1)
			}
			require.NoError(t, s.AddDifferences(ctx, run.ID, list))
			run.Differences, run.Cases = int64(len(list)), true
			_, err = s.OpenDifferenceCases(ctx, st, run)
			require.NoError(t, err)
			_, err = s.FinishRun(ctx, run)
			require.NoError(t, err)
			return st, run
		}
		differs := func(id models.TransactionID, theirs, debit models.Amount) models.Difference {
			return models.Difference{TransactionID: id, Bucket: models.AmountDiffers, PlayerID: d.Anna.ID, UserID: "anna",
				Currency: "EUR", Kind: models.Win, At: at, Ours: models.StatementSide{There: true, Win: theirs + debit},
				Theirs: models.StatementSide{There: true, Win: theirs}, Remedy: models.RemedyDebit, RemedyAmount: debit}
		}
		only := func(rule models.CaseRule, transaction models.TransactionID) (found []models.Case) {
			t.Helper()
			list, err := s.Cases(ctx, models.CaseFilter{Rule: rule, Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			for _, c := range list.Rows {
				if transaction == "" || c.TransactionID == transaction {
					found = append(found, c)
				}
			}
			return found
		}
		settled := func(run models.StatementRun) models.Difference {
			t.Helper()
			list, err := s.Differences(ctx, models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			require.Equal(t, models.TransactionID("w1"), list.Rows[0].TransactionID)
			return list.Rows[0]
		}
		_, first := read("a", differs("w1", 300, 700), differs("w2", 300, 200))
		debit := func(transaction models.TransactionID, amount models.Amount) models.Correction {
			t.Helper()
			r := d.Adjust(models.CorrectDebit, amount, "other")
			r.Reference = "Case" + strings.TrimPrefix(models.CaseReference(only(models.CaseStatement, transaction)[0].ID), "case") + " "
			asked := d.Request(d.Sofia, r)
			require.Equal(t, models.CaseReference(only(models.CaseStatement, transaction)[0].ID), asked.Reference)
			return asked
		}
		asked := debit("w1", 700)
		require.False(t, settled(first).Settled, "it waits")
		require.Equal(t, asked.ID, settled(first).Corrections[0].ID)
		require.Equal(t, models.CaseOpen, only(models.CaseStatement, "w1")[0].State)
		d.MustApprove(d.Mira, asked)
		d.MustApprove(d.Mira, debit("w2", 200))
		closed := only(models.CaseStatement, "w1")[0]
		require.Equal(t, models.CaseAdjusted, closed.State)
		require.Equal(t, "mira", closed.DecidedBy)
		require.True(t, settled(first).Settled)
		require.Equal(t, models.Amount(700), settled(first).Corrections[0].Amount)

		read("b", differs("w1", 300, 700), differs("w2", 300, 200))
		require.Equal(t, models.CaseAdjusted, only(models.CaseStatement, "w1")[0].State, "it is settled in every file")
		require.Empty(t, only(models.CaseBaselessCorrection, ""))

		st, third := read("c", differs("w1", 100, 900))
		reopened := only(models.CaseStatement, "w1")[0]
		require.Equal(t, models.CaseOpen, reopened.State, "this is another difference")
		require.Equal(t, models.Amount(900), reopened.Amount)
		require.False(t, settled(third).Settled)
		require.Len(t, settled(third).Corrections, 1, "but what is booked is shown")
		baseless := only(models.CaseBaselessCorrection, "")
		require.Len(t, baseless, 1, "w2 no longer differs")
		require.Equal(t, models.Amount(200), baseless[0].Amount)
		require.Equal(t, st.ID, baseless[0].StatementID)
		require.NotZero(t, baseless[0].Transaction)
		read("d", differs("w1", 100, 900))
		require.Len(t, only(models.CaseBaselessCorrection, ""), 1)

		r := d.Adjust(models.CorrectCredit, 500, "goodwill")
		complaint, err := s.OpenComplaint(ctx, storetest.Tester, models.NewComplaint{PlayerID: d.Anna.ID, Reference: "C-1",
			Text: "My win is missing.", Due: time.Now().Add(48 * time.Hour)})
		require.NoError(t, err)
		r.Reference = models.CaseReference(complaint)
		d.MustApprove(d.Mira, d.Request(d.Sofia, r))
		require.Equal(t, models.CaseOpen, only(models.CaseComplaint, "")[0].State, "the player still waits for an answer")
		storetest.RequireWhole(t, s)
	})
}

// A bet that only the platform has is booked by two people under its ID: it is turnover, a restriction does not prevent it, and
// the platform's late bet is a duplicate.
func TestMissingBetIsBooked(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		d, ctx := storetest.NewColleagues(t, s, 1000), t.Context()
		storetest.Restrict(t, s, "anna")
		bet := models.CorrectionRequest{Kind: models.CorrectBet, PlayerID: d.Anna.ID, TransactionID: "b1", RoundID: "r1", Amount: 700,
			Reason: "bet-not-debited", Text: "Their file has it."}
		require.NotEmpty(t, models.CorrectionRequest{Kind: models.CorrectBet, TransactionID: "b1", Amount: 700}.Check()["round"])
		asked := d.Request(d.Mira, bet)
		_, err := d.Approve(d.Mira, asked)
		require.Error(t, err, "it needs another person")
		booked := d.MustApprove(d.Jonas, asked)
		require.Equal(t, models.Amount(300), booked.After)
		round, found, err := s.Round(ctx, d.Anna.ID, "r1")
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, models.Amount(700), round.Staked)
		late, err := s.Apply(ctx, models.Operation{Source: models.SourcePlatform, Kind: models.Bet, UserID: "anna", TransactionID: "b1",
			RoundID: "r1", Bet: 700})
		require.NoError(t, err)
		require.Equal(t, models.Duplicate, late.Decline)
		bet.TransactionID = "b2"
		_, err = d.TryRequest(d.Mira, bet)
		require.ErrorAs(t, err, new(models.CorrectionDeclinedError), "the balance does not cover it")
		storetest.RequireWhole(t, s)
	})
}
