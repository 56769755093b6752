package control_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
	"pitboss/models/store/storetest"
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
