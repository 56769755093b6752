package apptest

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/models"
)

// CaseOfOpenBet opens a case about a bet of anna's that has neither a win nor a rollback.
func (s *Site) CaseOfOpenBet() (c models.Case, transaction int64) {
	s.T.Helper()
	s.PlayerWithHistory("anna")
	t := s.Transaction("3-anna")
	_, _, err := s.Store.OpenCases(s.T.Context(), []models.Finding{{
		Rule: models.CaseStatement, Key: "3-anna", At: t.At, PlayerID: t.PlayerID, Transaction: t.ID,
		TransactionID: t.TransactionID, Amount: t.Bet, Currency: "EUR",
		Facts: []models.CaseFact{{Label: "Difference", Value: `only ours <script>alert(1)</script>`}},
	}})
	require.NoError(s.T, err)
	list, err := s.Store.Cases(s.T.Context(), models.CaseFilter{Span: models.Span{Limit: 1}})
	require.NoError(s.T, err)
	return list.Rows[0], t.ID
}

// CaseOfDifference compares two lines as a statement does, and returns the case that their difference opens, or false if they
// match.
func (s *Site) CaseOfDifference(ours *models.TransactionLine, theirs *models.StatementLine) (c models.Case, differs bool) {
	s.T.Helper()
	ctx, by := s.T.Context(), models.Actor{Name: "farid"}
	comparison := models.Compare(ours, theirs)
	if comparison.Bucket == models.Agrees {
		return c, false
	}
	p, _, err := s.Store.Player(ctx, comparison.UserID)
	require.NoError(s.T, err)
	st, err := s.Store.CreateStatement(ctx, by,
		models.Statement{FileName: "day.csv", Digest: fmt.Sprintf("%064x", comparison.Difference.TransactionID)[:64]})
	require.NoError(s.T, err)
	st.Since, st.Until = s.Now().Add(-time.Hour), s.Now().Add(time.Hour)
	run, err := s.Store.BeginStatementRun(ctx, by, st)
	require.NoError(s.T, err)
	d := comparison.Difference
	d.RunID, d.Number, d.PlayerID, d.At = run.ID, 1, p.ID, s.Now()
	require.NoError(s.T, s.Store.AddDifferences(ctx, run.ID, []models.Difference{d}))
	opened, err := s.Store.OpenDifferenceCases(ctx, st, run)
	require.NoError(s.T, err)
	require.Equal(s.T, 1, opened)
	list, err := s.Store.Cases(ctx, models.CaseFilter{StatementID: st.ID, Span: models.Span{Limit: 1}})
	require.NoError(s.T, err)
	return list.Rows[0], true
}
