package control_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// found runs the rules and returns what is open, by rule.
func found(t *testing.T, s *store.Store, openRound time.Duration) map[models.CaseRule][]models.Case {
	t.Helper()
	_, err := s.FindCases(t.Context(), models.CaseRulesConfig{OpenRound: openRound})
	require.NoError(t, err)
	list, err := s.Cases(t.Context(), models.CaseFilter{State: models.CaseOpen, Span: models.Span{Limit: 100}})
	require.NoError(t, err)
	by := map[models.CaseRule][]models.Case{}
	for _, c := range list.Rows {
		by[c.Rule] = append(by[c.Rule], c)
	}
	return by
}

// Each rule finds its own kind of problem, once, and nothing else.
func TestCaseRules(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		// The store's clock is moved ahead once everything has arrived, because rules wait for related callbacks.
		var ahead time.Duration
		x.Config.Now = func() time.Time { return time.Now().Add(ahead) }
		s := x.Open(t)
		storetest.CreatePlayer(t, s, "anna", 10000)
		storetest.CreatePlayer(t, s, "rich", models.MaxAmount-100)
		_, err := s.CreatePlayer(t.Context(), storetest.Tester,
			models.NewPlayer{UserID: "test-eur", Currency: "EUR", Balance: 1000, Test: true})
		require.NoError(t, err)
		in := func(round models.RoundID, op models.Operation) models.Operation {
			op.RoundID = round
			return op
		}
		record := func(kind models.CallbackKind, verdict models.Verdict, user models.UserID, id models.TransactionID,
			amount string) {
			p, _, err := s.Player(t.Context(), user)
			require.NoError(t, err)
			require.NoError(t, s.LogCallbacks(t.Context(), []models.Callback{{
				At: x.Config.Now(), Request: models.RequestID{Received: x.Config.Now(), Number: time.Now().UnixNano()},
				Kind:    kind,
				Verdict: verdict, PlayerID: p.ID, UserID: user, TransactionID: id, Amount: amount,
			}}))
		}
		// No cases: a bet and its win, a rollback of a bet, a bet that is lost.
		for _, op := range []models.Operation{
			in("r1", storetest.Bet("anna", "b1", 100)), in("r1", storetest.Win("anna", "w1", 50)),
			in("r2", storetest.Bet("anna", "b2", 100)),
			storetest.Rollback("anna", "b2"), in("r3", storetest.Bet("anna", "lost", 100)),
			in("r9", storetest.BetWin("anna", "bw", 10, 0)),
		} {
			storetest.Apply(t, s, op)
		}
		require.Empty(t, found(t, s, 0))

		storetest.Apply(t, s, in("r4", storetest.Win("anna", "alone", 70)))
		storetest.Apply(t, s, in("r4", storetest.Win("test-eur", "alone-test", 70)))
		storetest.Apply(t, s, in("r5", storetest.FreeSpin("anna", "spin", 20)))
		record(models.RollbackTransaction, models.VerdictNotFound, "anna", "never", "")
		record(models.Withdraw, models.VerdictInsufficientFunds, "anna", "refused", "9999.00")
		record(models.RollbackTransaction, models.VerdictNotFound, "anna", "refused", "")
		record(models.Deposit, models.VerdictBalanceOverflow, "rich", "much", "500.00")
		record(models.Withdraw, models.VerdictOtherContents, "anna", "b1", "2.00")
		storetest.Apply(t, s, in("r6", storetest.Win("anna", "w6", 20000)))
		storetest.Apply(t, s, in("r6", storetest.Bet("anna", "b6", 29600)))
		storetest.Apply(t, s, storetest.Rollback("anna", "w6"))
		require.Less(t, storetest.Balance(t, s, "anna"), models.Amount(0))
		ahead = 10 * time.Minute

		by := found(t, s, 0)
		require.Len(t, by, 7)
		for rule, id := range map[models.CaseRule]models.TransactionID{
			models.CaseWinWithoutBet: "alone", models.CaseUnexplainedSpin: "spin", models.CaseUnknownRollback: "never",
			models.CaseOverflow:      "much",
			models.CaseOtherContents: "b1", models.CaseNegativeBalance: "w6", models.CaseInterruptedRound: "b6",
		} {
			require.Len(t, by[rule], 1, rule)
			require.Equal(t, id, by[rule][0].TransactionID, rule)
			require.NotEmpty(t, by[rule][0].Facts)
		}
		before := x.Number(t, "SELECT COUNT(*) FROM cases")
		for range 3 {
			found(t, s, 0)
		}
		require.Equal(t, before, x.Number(t, "SELECT COUNT(*) FROM cases"), "finding it again opens no case")

		// A lost bet is only a case if such cases are switched on.
		ahead = 3 * time.Hour
		open := found(t, s, 2*time.Hour)[models.CaseOpenRound]
		var ids []models.TransactionID
		for _, c := range open {
			ids = append(ids, c.TransactionID)
		}
		require.ElementsMatch(t, []models.TransactionID{"lost", "b6"}, ids)

		// A case that a person has closed with a reason stays closed.
		c := by[models.CaseWinWithoutBet][0]
		require.ErrorIs(t, s.DecideCase(t.Context(), storetest.Tester, c.ID, models.CaseExplained, "short"),
			models.ErrCaseReason)
		require.NoError(t, s.OwnCase(t.Context(), storetest.Tester, c.ID, "", "farid", ""))
		require.ErrorIs(t, s.OwnCase(t.Context(), storetest.Tester, c.ID, "", "greta", ""), models.ErrCaseTaken)
		require.NoError(t, s.CommentCase(t.Context(), storetest.Tester, c.ID, "The platform looks."))
		require.NoError(t, s.DecideCase(t.Context(), storetest.Tester, c.ID, models.CaseExplained,
			"The bet came a day earlier."))
		require.ErrorIs(t, s.DecideCase(t.Context(), storetest.Tester, c.ID, models.CaseWrittenOff,
			"Changed my mind about it."),
			models.ErrCaseClosed)
		require.ErrorIs(t, s.OwnCase(t.Context(), storetest.Tester, c.ID, "", "farid", ""), models.ErrCaseClosed)
		require.Empty(t, found(t, s, 0)[models.CaseWinWithoutBet])
		closed, notes, there, err := s.Case(t.Context(), c.ID)
		require.NoError(t, err)
		require.True(t, there)
		require.Equal(t, models.CaseExplained, closed.State)
		require.Equal(t, "farid", closed.Owner)
		require.Len(t, notes, 1)
		require.ErrorIs(t, s.OwnCase(t.Context(), storetest.Tester, 9999, "", "farid", ""), models.ErrCaseUnknown)
		storetest.RequireWhole(t, s)
	})
}

// Two instances that find the same thing open one case.
func TestCasesFoundAtOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		one, two := x.Open(t), x.Open(t)
		findings := make([]models.Finding, 50)
		for i := range findings {
			findings[i] = models.Finding{Rule: models.CaseStatement, Key: string(rune('a' + i)), At: time.Now()}
		}
		storetest.Together(8, func(i int) {
			s := one
			if i%2 == 1 {
				s = two
			}
			numbers, _, err := s.OpenCases(t.Context(), findings)
			require.NoError(t, err)
			require.Len(t, numbers, 50)
		})
		require.EqualValues(t, 50, x.Number(t, "SELECT COUNT(*) FROM cases"))
		require.EqualValues(t, 50, x.Number(t, "SELECT COUNT(*) FROM audit_events WHERE action = 'case opened'"))
		storetest.RequireWhole(t, one)
	})
}

// Two people close the same cases at once: each case is closed once, by one of them, with one event.
func TestManyCasesClosedOnce(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		findings := make([]models.Finding, 1200) // more than are closed in one transaction
		for i := range findings {
			findings[i] = models.Finding{Rule: models.CaseStatement, Key: strconv.Itoa(i), At: time.Now(),
				StatementID: int64(i%2 + 1), Amount: models.MaxAmount, Currency: "EUR"}
		}
		_, opened, err := s.OpenCases(t.Context(), findings)
		require.NoError(t, err)
		require.Equal(t, len(findings), opened)
		groups, newest, more, err := s.OpenCaseGroups(t.Context(), models.CaseFilter{StatementID: 1}, "farid", 10_000)
		require.NoError(t, err)
		require.False(t, more)
		require.Equal(t, []models.CaseGroup{{Rule: models.CaseStatement, Currency: "EUR", N: 600,
			Stake: 600 * models.MaxAmount, Newest: newest}},
			groups)

		names, closed := []string{"farid", "greta"}, [2]int{}
		var both sync.WaitGroup
		for i, name := range names {
			both.Go(func() {
				var err error
				closed[i], err = s.DecideCases(t.Context(), models.Actor{Name: name},
					models.CaseFilter{StatementID: 1, UpTo: newest}, models.CaseExplained, "The file was of another day.",
					10_000)
				assert.NoError(t, err)
			})
		}
		both.Wait()
		require.Equal(t, 600, closed[0]+closed[1])
		by := map[string]int{}
		for _, c := range everyCase(t, s, models.CaseFilter{State: models.CaseExplained}) {
			by[c.DecidedBy]++
			require.EqualValues(t, 1, c.StatementID)
		}
		require.Equal(t, closed, [2]int{by["farid"], by["greta"]})
		require.Len(t, everyCase(t, s, models.CaseFilter{State: models.CaseOpen}), 600)
		events, err := s.AuditEvents(t.Context(), models.AuditFilter{Action: "case closed", Span: models.Span{Limit: 1000}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 600)

		n, err := s.DecideCases(t.Context(), models.Actor{Name: "farid"}, models.CaseFilter{}, models.CaseExplained, "short",
			10)
		require.ErrorIs(t, err, models.ErrCaseReason)
		require.Zero(t, n)
		n, err = s.DecideCases(t.Context(), models.Actor{Name: "farid"}, models.CaseFilter{}, models.CaseWrittenOff,
			"It is wrong and stays so.", 501)
		require.NoError(t, err)
		require.Equal(t, 501, n)
		left := everyCase(t, s, models.CaseFilter{State: models.CaseOpen})
		require.Len(t, left, 99)
		require.Greater(t, left[98].ID, everyCase(t, s, models.CaseFilter{State: models.CaseWrittenOff})[0].ID,
			"the oldest first")
	})
}

func everyCase(t *testing.T, s *store.Store, f models.CaseFilter) []models.Case {
	t.Helper()
	f.Limit = 2000
	list, err := s.Cases(t.Context(), f)
	require.NoError(t, err)
	return list.Rows
}
