package control_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// watch is a store with players, and a clock that tests move.
type watch struct {
	*store.Store
	*storetest.Database
	t         *testing.T
	ahead     time.Duration
	openRound time.Duration
}

// watched runs fn on a fresh watch of each engine: anna and bert have 100.00, rich has nearly the largest amount, test-anna is
// a test player.
func watched(t *testing.T, fn func(t *testing.T, w *watch)) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		w := &watch{Database: x, t: t}
		x.Config.Now = func() time.Time { return time.Now().Add(w.ahead) }
		w.Store = x.Open(t)
		storetest.CreatePlayer(t, w.Store, "anna", 10000)
		storetest.CreatePlayer(t, w.Store, "bert", 10000)
		storetest.CreatePlayer(t, w.Store, "rich", models.MaxAmount-100)
		_, err := w.CreatePlayer(t.Context(), storetest.Tester,
			models.NewPlayer{UserID: "test-anna", Currency: "EUR", Balance: 10000, Test: true})
		require.NoError(t, err)
		fn(t, w)
		storetest.RequireWhole(t, w.Store)
	})
}

// later moves the clock forward.
func (w *watch) later(d time.Duration) { w.ahead += d }

// restarted opens the store again, as if the program had ended and another instance continued.
func (w *watch) restarted() { w.Store = w.Database.Open(w.t) }

// play applies operations, all in one round unless they name their own.
func (w *watch) play(round models.RoundID, ops ...models.Operation) {
	w.t.Helper()
	for _, op := range ops {
		if op.Kind != models.Rollback {
			op.RoundID = round
		}
		storetest.Called(w.t, w.Store, op)
	}
}

// look runs the rules, and requires that the rule has one case for each of these transactions, and no others.
func (w *watch) look(rule models.CaseRule, want ...models.TransactionID) []models.Case {
	w.t.Helper()
	_, err := w.FindCases(w.t.Context(), models.CaseRulesConfig{OpenRound: w.openRound})
	require.NoError(w.t, err)
	list, err := w.Cases(w.t.Context(), models.CaseFilter{Rule: rule, Span: models.Span{Limit: 100}})
	require.NoError(w.t, err)
	var got []models.TransactionID
	for _, c := range list.Rows {
		got = append(got, c.TransactionID)
		require.NotEmpty(w.t, c.Facts)
		require.NotEqual(w.t, models.UserID("test-anna"), c.UserID)
	}
	require.ElementsMatch(w.t, want, got)
	return list.Rows
}

// grant grants ten spins on a game, with this outcome.
func (w *watch) grant(user models.UserID, state models.GrantState) models.Grant {
	w.t.Helper()
	ctx := w.t.Context()
	_, err := w.SyncGames(ctx, storetest.Tester, models.GameSync{At: w.Config.Now()},
		[]models.OfferedGame{{GameID: "g1", Name: "Embers"}})
	require.NoError(w.t, err)
	g, err := w.RequestGrant(ctx, storetest.Tester,
		models.GrantRequest{UserID: user, GameID: "g1", Spins: 10, Reason: "goodwill", Role: models.Bonus, Again: true})
	require.NoError(w.t, err)
	_, err = w.SendGrant(ctx, g.ID)
	require.NoError(w.t, err)
	outcome := models.GrantOutcome{State: state, Result: models.NoResult}
	if state == models.GrantActive {
		outcome = models.GrantOutcome{State: state, FreeSpinID: models.FreeSpinID(fmt.Sprint("fs-", g.ID))}
	}
	g, err = w.AnswerGrant(ctx, storetest.Tester, g.ID, outcome)
	require.NoError(w.t, err)
	return g
}

// Play that goes well, lost bets and bets refused for insufficient funds open no cases.
func TestNoCaseWithoutFault(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.grant("bert", models.GrantActive)
		w.play("won", storetest.Bet("anna", "b1", 100), storetest.Win("anna", "w1", 50))
		w.play("void", storetest.Bet("anna", "b2", 100), storetest.Rollback("anna", "b2"), storetest.Rollback("anna", "b2"))
		w.play("lost", storetest.Bet("anna", "b3", 100))
		w.play("both", storetest.BetWin("anna", "bw1", 10, 0), storetest.BetWin("anna", "bw2", 10, 20),
			storetest.Rollback("anna", "bw2"))
		w.play("spun", storetest.FreeSpin("bert", "s1", 20), storetest.Win("bert", "sw1", 500))
		w.play("again", storetest.Bet("anna", "b4", 100), storetest.Bet("anna", "b4", 100))
		w.play("poor", storetest.Bet("anna", "poor", 9_000_000), storetest.Rollback("anna", "poor"))
		w.later(10 * time.Minute)
		opened, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Zero(t, opened)
	})
}

func TestCaseUnknownRollback(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.play("r", storetest.Rollback("anna", "never"), storetest.Rollback("test-anna", "never-test"))
		w.play("r", storetest.Bet("anna", "poor", 9_000_000), storetest.Rollback("anna", "poor"),
			storetest.Rollback("anna", "poor"))
		w.play("r", storetest.Rollback("anna", "came late"))
		w.play("r", storetest.Bet("bert", "of bert", 9_000_000), storetest.Rollback("anna", "of bert"))
		w.play("r", storetest.Bet("bert", "bert's", 100), storetest.Rollback("anna", "bert's"))
		w.look(models.CaseUnknownRollback)
		w.later(30 * time.Second)
		w.play("r", storetest.Bet("anna", "came late", 100)) // refused with 9: its rollback came first
		w.look(models.CaseUnknownRollback)
		w.later(40 * time.Second)
		want := []models.TransactionID{"never", "came late", "of bert", "bert's"}
		for _, c := range w.look(models.CaseUnknownRollback, want...) {
			require.Equal(t, models.UserID("anna"), c.UserID)
		}
		// A repeated rollback is the same finding.
		w.play("r", storetest.Rollback("anna", "never"))
		w.later(10 * time.Minute)
		w.restarted()
		w.look(models.CaseUnknownRollback, want...)
	})
}

// The database's clock is ten minutes ahead for a while, and is then put right. The rules find what is booked afterwards, also
// if they look only after a long pause.
func TestRulesAfterTheClockWasPutBack(t *testing.T) {
	for _, pause := range []time.Duration{0, 20 * time.Minute} {
		watched(t, func(t *testing.T, w *watch) {
			w.look(models.CaseWinWithoutBet)
			w.later(10 * time.Minute)
			w.play("ahead", storetest.Win("anna", "ahead", 100))
			w.later(2 * time.Minute)
			w.look(models.CaseWinWithoutBet, "ahead")
			w.later(-10 * time.Minute)
			w.play("after", storetest.Win("anna", "after", 100))
			if pause == 0 {
				w.look(models.CaseWinWithoutBet, "ahead")
			}
			w.later(2*time.Minute + pause)
			w.look(models.CaseWinWithoutBet, "ahead", "after")
		})
	}
}

// Somebody who cannot sign cannot hide a case: if a request that names a transaction is refused because of its signature, the
// platform's rollback of that transaction still counts as one of an unknown transaction.
func TestUnsignedRequestHidesNoCase(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		at := w.Config.Now().UTC().Truncate(time.Microsecond)
		var came []models.Callback
		for i, verdict := range []models.Verdict{models.VerdictInvalidSign, models.VerdictWrongInput, models.VerdictForbidden,
			models.VerdictOtherAgent, models.VerdictFault, models.VerdictNoAnswer} {
			came = append(came, models.Callback{
				At: at, Request: models.RequestID{Received: at, Number: int64(1000 + i)}, Kind: models.Withdraw,
				Verdict: verdict, UserID: "anna", TransactionID: models.TransactionID("x-" + verdict.String()), RoundID: "r",
				Amount: "1.00",
			})
		}
		require.NoError(t, w.LogCallbacks(t.Context(), came))
		for _, c := range came {
			w.play("", storetest.Rollback("anna", c.TransactionID))
		}
		w.later(2 * time.Minute)
		w.look(models.CaseUnknownRollback, came[0].TransactionID, came[1].TransactionID, came[2].TransactionID)
	})
}

func TestCaseNegativeBalance(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		for _, user := range []models.UserID{"anna", "test-anna"} {
			id := func(s string) models.TransactionID { return models.TransactionID(s + " of " + string(user)) }
			w.play(models.RoundID(id("r")), storetest.Bet(user, id("b0"), 100), storetest.Win(user, id("w1"), 5000),
				storetest.Win(user, id("w2"), 200),
				storetest.Bet(user, id("b1"), 14900))
			require.EqualValues(t, 200, storetest.Balance(t, w.Store, user))
			w.play("", storetest.Rollback(user, id("w2"))) // to 0.00, not below
			require.Zero(t, storetest.Balance(t, w.Store, user))
		}
		w.later(time.Minute)
		w.look(models.CaseNegativeBalance)
		w.play("", storetest.Rollback("anna", "w1 of anna"), storetest.Rollback("test-anna", "w1 of test-anna"))
		w.later(time.Minute)
		found := w.look(models.CaseNegativeBalance, "w1 of anna")
		require.Equal(t, models.Amount(5000), found[0].Amount)
		require.NotZero(t, found[0].Transaction)
		// A balance that sinks further is the same case; one that recovers and sinks again is another.
		w.play("r of anna", storetest.Win("anna", "w3", 100), storetest.Rollback("anna", "w3"))
		w.later(time.Minute)
		w.look(models.CaseNegativeBalance, "w1 of anna")
		w.play("r of anna", storetest.Win("anna", "w4", 6000), storetest.Bet("anna", "b4", 1000),
			storetest.Rollback("anna", "w4"))
		w.later(time.Minute)
		w.look(models.CaseNegativeBalance, "w1 of anna", "w4")
	})
}

func TestCaseOverflow(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.play("r", storetest.Bet("rich", "b", 10), storetest.Win("rich", "fits", 110),
			storetest.Bet("anna", "poor", 9_000_000))
		w.later(time.Minute)
		w.look(models.CaseOverflow)
		w.play("r", storetest.Win("rich", "much", 500), storetest.Win("rich", "much", 500))
		w.later(time.Minute)
		found := w.look(models.CaseOverflow, "much")
		require.Equal(t, models.Amount(500), found[0].Amount)
		require.Contains(t, found[0].Facts[0].Value, "Deposit of 5.00 EUR, round r")
	})
}

func TestCaseOtherContents(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.play("r", storetest.Bet("anna", "b", 100), storetest.Bet("anna", "b", 100), storetest.Bet("test-anna", "tb", 100),
			storetest.Bet("test-anna", "tb", 200))
		w.later(time.Minute)
		w.look(models.CaseOtherContents)
		w.play("r", storetest.Bet("anna", "b", 101), storetest.Bet("anna", "b", 102), storetest.Win("anna", "b", 100))
		w.later(time.Minute)
		found := w.look(models.CaseOtherContents, "b")
		require.Equal(t, []models.CaseFact{
			{Label: "The first", Value: "bet of 1.00 EUR, round r"},
			{Label: "Came again as", Value: "Withdraw of 1.01 EUR, round r"},
			{Label: "Answered", Value: "11, duplicate transaction: the first stands"},
		}, found[0].Facts)
		w.play("r", storetest.Bet("bert", "b", 100)) // another player's
		w.later(time.Minute)
		found = w.look(models.CaseOtherContents, "b", "b")
		require.Equal(t, models.UserID("bert"), found[0].UserID)
		require.Contains(t, found[0].Facts[0].Value, "of another player")
	})
}

func TestCaseWinWithoutBet(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		anna, _, err := w.Player(t.Context(), "anna")
		require.NoError(t, err)
		d := storetest.ColleaguesFor(t, w.Store, anna)
		d.MustApprove(d.Jonas, d.Request(d.Mira, d.Win("by hand", 500)))
		w.play("before its bet", storetest.Win("anna", "early", 70))
		w.play("taken back", storetest.Win("anna", "gone", 70), storetest.Rollback("anna", "gone"))
		w.play("alone", storetest.Win("anna", "alone", 70), storetest.Win("test-anna", "alone-test", 70))
		w.play("bert's", storetest.Bet("bert", "bert's bet", 10), storetest.Win("anna", "in bert's round", 70))
		w.play("bet taken back", storetest.Bet("anna", "b0", 10), storetest.Win("anna", "left standing", 70),
			storetest.Rollback("anna", "b0"))
		w.play("all taken back", storetest.Bet("anna", "b1", 10), storetest.Win("anna", "w1", 70),
			storetest.Rollback("anna", "b1"))
		w.play("another bet stands", storetest.Bet("anna", "b2", 10), storetest.Bet("anna", "b3", 10),
			storetest.Win("anna", "w3", 70),
			storetest.Rollback("anna", "b2"))
		w.play("a bet and win in one stands", storetest.BetWin("anna", "bw", 10, 20), storetest.Bet("anna", "b5", 10),
			storetest.Win("anna", "w5", 70),
			storetest.Rollback("anna", "b5"))
		w.play("a refused bet of nothing", storetest.Win("anna", "nothing", 0))
		w.play("a bet taken back, won nothing", storetest.Bet("anna", "b6", 10), storetest.Win("anna", "nothing too", 0),
			storetest.Rollback("anna", "b6"))
		w.look(models.CaseWinWithoutBet)
		w.later(30 * time.Second)
		w.play("", storetest.Rollback("anna", "w1"))
		w.look(models.CaseWinWithoutBet)
		w.play("before its bet", storetest.Bet("anna", "its bet", 70))
		w.later(40 * time.Second)
		found := w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing")
		require.Equal(t, models.Amount(70), found[0].Amount)
		w.later(time.Hour)
		w.restarted()
		w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing")
		// A bet is rolled back long after its win.
		w.play("late", storetest.Bet("anna", "b4", 10), storetest.Win("anna", "w4", 70))
		w.later(time.Hour)
		w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing")
		w.play("", storetest.Rollback("anna", "b4"))
		w.later(time.Hour)
		w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing", "w4")
		// A win arrives long after its bet was rolled back.
		w.play("void", storetest.Bet("anna", "b7", 10), storetest.Rollback("anna", "b7"))
		w.later(time.Hour)
		w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing", "w4")
		w.play("void", storetest.Win("anna", "w7", 70))
		w.later(time.Minute)
		w.look(models.CaseWinWithoutBet, "alone", "in bert's round", "left standing", "w4", "w7")
	})
}

func TestCaseUnexplainedSpin(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.grant("bert", models.GrantActive)
		w.play("r", storetest.FreeSpin("bert", "granted", 20), storetest.FreeSpin("test-anna", "tried", 20))
		w.play("r2", storetest.FreeSpin("anna", "not granted", 20))
		w.later(5 * time.Second)
		found := w.look(models.CaseUnexplainedSpin, "not granted") // at once
		require.Equal(t, models.Amount(20), found[0].Amount)
		require.NotZero(t, found[0].Transaction)
		w.play("r2", storetest.Rollback("anna", "not granted"))
		w.later(time.Minute)
		w.look(models.CaseUnexplainedSpin, "not granted")
	})
}

// freeSpin is not signed. Paid bets that were turned into free ones are noticed although the player has a grant: spins beyond
// those of the grant, at once, and stakes that are far from the grant's usual one.
func TestAttackPaidBetTurnedFree(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		g := w.grant("bert", models.GrantActive) // 10 spins
		var spins []models.Operation
		for i := range 12 {
			spins = append(spins, storetest.FreeSpin("bert", models.TransactionID(fmt.Sprintf("spin-%02d", i)), 20))
		}
		w.play("r", spins[:6]...)
		require.NoError(t, w.AttributeSpins(t.Context(), g.PlayerID, false))
		w.play("r", spins[6:]...) // not attributed yet
		w.later(5 * time.Second)
		w.look(models.CaseUnexplainedSpin, "spin-10", "spin-11")
	})
	watched(t, func(t *testing.T, w *watch) {
		g := w.grant("bert", models.GrantActive)
		w.play("r", storetest.FreeSpin("bert", "usual", 20), storetest.FreeSpin("bert", "turned", 10000))
		require.NoError(t, w.AttributeSpins(t.Context(), g.PlayerID, false))
		w.later(5 * time.Second)
		found := w.look(models.CaseUnexplainedSpin, "usual")
		require.Equal(t, g.ID, found[0].GrantID)
		require.Contains(t, fmt.Sprint(found[0].Facts), "0.20 EUR to 100.00 EUR")
	})
}

// PITBOSS_FREE_SPINS=granted refuses free spins that no grant with spins left explains, and nothing else.
func TestFreeSpinsOfGrantsOnly(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		g := w.grant("bert", models.GrantActive)
		cfg := w.Config
		cfg.GrantedOnly = true
		s := storetest.Open(t, cfg)
		decline := func(user models.UserID, id string) models.Decline {
			return storetest.Apply(t, s, storetest.FreeSpin(user, models.TransactionID(id), 20)).Decline
		}
		require.Equal(t, models.GrantMissing, decline("anna", "without"))
		for i := range 10 {
			require.Equal(t, models.None, decline("bert", fmt.Sprint("spin", i)))
			if i == 4 {
				require.NoError(t, s.AttributeSpins(t.Context(), g.PlayerID, false))
			}
		}
		require.Equal(t, models.GrantMissing, decline("bert", "one too many"))
		require.Equal(t, models.Duplicate, decline("bert", "spin3"), "a repeat is a duplicate")
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Rollback("bert", "spin3")).Decline)
		require.Equal(t, models.None, decline("bert", "after a rollback"))
		require.Equal(t, models.None, storetest.Apply(t, s, storetest.Bet("bert", "paid", 1)).Decline)
		storetest.RequireWhole(t, s)
	})
}

// What Assurance lists as authorizing nothing decides nothing: whoever changes it in the database gets no free spins beyond a
// grant.
func TestAttackSpinsBeyondAGrant(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		g := w.grant("bert", models.GrantActive)
		cfg := w.Config
		cfg.GrantedOnly = true
		s := storetest.Open(t, cfg)
		for i := range 10 {
			require.Equal(t, models.None, storetest.Apply(t, s, storetest.FreeSpin("bert", models.TransactionID(fmt.Sprint(i)), 20)).Decline)
		}
		require.NoError(t, s.AttributeSpins(t.Context(), g.PlayerID, false))
		for _, change := range []string{
			"UPDATE grants SET ours = ours - 100",
			"UPDATE grants SET used = 0, remaining = 1000, observed_at_us = 1, sent_at_us = 1, next_poll_at_us = 1, polls = 0, apart = 9, " +
				"compared_at_us = 1, disowned_at_us = 1",
			"UPDATE spin_attributions SET seq = seq + 1000",
			"DELETE FROM spin_attributions",
		} {
			w.Exec(t, change)
			require.Equal(t, models.GrantMissing, storetest.Apply(t, s, storetest.FreeSpin("bert", "beyond", 20)).Decline, change)
		}
	})
}

func TestCaseGrants(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		cases := func(rule models.CaseRule) (grants []int64) {
			_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			list, err := w.Cases(t.Context(), models.CaseFilter{Rule: rule, Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			for _, c := range list.Rows {
				grants = append(grants, c.GrantID)
			}
			return grants
		}
		active := w.grant("anna", models.GrantActive)
		w.grant("test-anna", models.GrantUnknown)
		resolved := w.grant("bert", models.GrantUnknown)
		_, err := w.ResolveGrant(t.Context(), storetest.Tester, resolved.ID,
			models.GrantResolution{Kind: models.ResolvedNotGranted, Note: "It is not there."})
		require.NoError(t, err)
		resolved = w.grant("bert", models.GrantUnknown)
		_, err = w.ResolveGrant(t.Context(), storetest.Tester, resolved.ID,
			models.GrantResolution{Kind: models.ResolvedUnclear, Note: "Nobody can tell."})
		require.NoError(t, err)
		require.Empty(t, cases(models.CaseUnknownGrant))
		unknown := w.grant("bert", models.GrantUnknown)
		require.Equal(t, []int64{unknown.ID}, cases(models.CaseUnknownGrant))
		require.Equal(t, []int64{unknown.ID}, cases(models.CaseUnknownGrant))

		observe := func(g models.Grant, used int64) {
			w.later(24 * time.Hour)
			require.NoError(t, w.ObserveGrants(t.Context(), g.PlayerID,
				[]models.Observation{{GrantID: g.ID, Status: "active", Total: 10, Used: used, Remaining: 10 - used}}, true))
		}
		observe(active, 0)
		require.Empty(t, cases(models.CaseSpinsApart))
		observe(active, 2)
		require.Empty(t, cases(models.CaseSpinsApart), "the bets may still arrive")
		w.play("r", storetest.FreeSpin("anna", "s1", 20), storetest.FreeSpin("anna", "s2", 20))
		observe(active, 2)
		require.Empty(t, cases(models.CaseSpinsApart), "the bets have arrived")
		tried := w.grant("test-anna", models.GrantActive)
		for range 3 {
			observe(tried, 2)
			observe(active, 5)
		}
		require.Equal(t, []int64{active.ID}, cases(models.CaseSpinsApart))
		observe(active, 6)
		require.Equal(t, []int64{active.ID}, cases(models.CaseSpinsApart))
		quiet := w.grant("anna", models.GrantActive)
		for range 3 {
			w.later(24 * time.Hour)
			require.NoError(t, w.ObserveGrants(t.Context(), active.PlayerID, []models.Observation{
				{GrantID: active.ID, Status: "active", Total: 10, Used: 6, Remaining: 4},
				{GrantID: quiet.ID, Status: "active", Total: 10, Remaining: 10},
			}, true))
		}
		require.Equal(t, []int64{active.ID}, cases(models.CaseSpinsApart), "the counts of the other grant agree")
		list, err := w.Cases(t.Context(), models.CaseFilter{GrantID: active.ID, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, []models.CaseFact{{Label: "Used, by the platform", Value: "5"},
			{Label: "Used, by our ledger", Value: "2"}},
			list.Rows[0].Facts)

		// A grant that the platform does not know is a case; another refusal to answer is not.
		refuse := func(g models.Grant, result int) {
			w.later(time.Hour)
			none := models.Observation{GrantID: g.ID, Result: result, Total: models.NoCount, Used: models.NoCount,
				Remaining: models.NoCount}
			require.NoError(t, w.ObserveGrants(t.Context(), g.PlayerID, []models.Observation{none}, false))
		}
		refuse(active, 1)
		require.Empty(t, cases(models.CaseDisownedGrant))
		refuse(tried, models.ResultUnknownGrant)
		require.Empty(t, cases(models.CaseDisownedGrant), "a test player's grant")
		refuse(active, models.ResultUnknownGrant)
		disowned, _, err := w.Grant(t.Context(), active.ID)
		require.NoError(t, err)
		require.False(t, disowned.DisownedAt.IsZero())
		refuse(active, models.ResultUnknownGrant)
		require.Equal(t, []int64{active.ID}, cases(models.CaseDisownedGrant))
		require.Equal(t, []int64{active.ID}, cases(models.CaseDisownedGrant))
		list, err = w.Cases(t.Context(), models.CaseFilter{Rule: models.CaseDisownedGrant, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, disowned.DisownedAt, list.Rows[0].At, "since the first such answer")
		observe(active, 6)
		known, _, err := w.Grant(t.Context(), active.ID)
		require.NoError(t, err)
		require.True(t, known.DisownedAt.IsZero())
	})
}

func TestCaseInterruptedRound(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.grant("bert", models.GrantActive)
		w.play("part", storetest.Bet("anna", "p1", 100), storetest.Bet("anna", "p2", 70), storetest.Rollback("anna", "p2"))
		w.play("of a test player", storetest.Bet("test-anna", "t1", 100), storetest.Bet("test-anna", "t2", 70),
			storetest.Rollback("test-anna", "t2"))
		w.play("whole", storetest.Bet("anna", "v1", 100), storetest.Rollback("anna", "v1"))
		w.play("played on", storetest.Bet("anna", "o1", 100), storetest.Rollback("anna", "o1"),
			storetest.Bet("anna", "o2", 100))
		w.play("won", storetest.Bet("anna", "w1", 100), storetest.Bet("anna", "w2", 100), storetest.Win("anna", "w3", 50),
			storetest.Rollback("anna", "w2"))
		w.play("win taken back", storetest.Bet("anna", "b4", 100), storetest.Win("anna", "w4", 50),
			storetest.Rollback("anna", "w4"))
		w.play("free", storetest.FreeSpin("bert", "s1", 100), storetest.FreeSpin("bert", "s2", 100),
			storetest.Rollback("bert", "s2"))
		w.play("lost", storetest.Bet("anna", "lost", 100))
		w.later(time.Minute)
		w.look(models.CaseInterruptedRound) // the rest may follow
		w.later(models.RoundSettles)
		found := w.look(models.CaseInterruptedRound, "p1", "b4", "s1")
		for _, c := range found {
			require.Equal(t, map[models.TransactionID]models.Amount{"p1": 100, "b4": 100, "s1": 0}[c.TransactionID], c.Amount,
				"a free spin stakes no money")
		}
		w.restarted()
		w.look(models.CaseInterruptedRound, "p1", "b4", "s1")
	})
}

func TestCaseOpenRound(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.grant("bert", models.GrantActive)
		w.play("lost", storetest.Bet("anna", "lost", 100), storetest.Bet("test-anna", "lost-test", 100))
		w.play("won", storetest.Bet("anna", "b1", 100), storetest.Win("anna", "w1", 50))
		w.play("nothing won", storetest.Bet("anna", "b2", 100), storetest.Win("anna", "w2", 0))
		w.play("void", storetest.Bet("anna", "b3", 100), storetest.Rollback("anna", "b3"))
		w.play("both", storetest.BetWin("anna", "bw", 100, 0))
		w.play("free", storetest.FreeSpin("bert", "spin", 100))
		w.play("of nothing", storetest.Bet("anna", "nothing", 0))
		w.play("win taken back", storetest.Bet("anna", "b4", 100), storetest.Win("anna", "w4", 50),
			storetest.Rollback("anna", "w4"))
		w.later(3 * time.Hour)
		w.look(models.CaseOpenRound) // such cases are switched off
		w.play("young", storetest.Bet("anna", "young", 100))
		w.openRound = 2 * time.Hour
		found := w.look(models.CaseOpenRound, "lost", "b4")
		require.Equal(t, models.Amount(100), found[0].Amount)
		w.openRound = 24 * time.Hour // after a change, nothing is found twice
		w.look(models.CaseOpenRound, "lost", "b4")
		w.restarted()
		w.openRound = time.Hour
		w.look(models.CaseOpenRound, "lost", "b4")
		w.later(90 * time.Minute)
		w.look(models.CaseOpenRound, "lost", "b4", "young")
	})
}

func TestCaseLedgerFault(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		anna, _, err := w.Player(t.Context(), "anna")
		require.NoError(t, err)
		bert, _, err := w.Player(t.Context(), "bert")
		require.NoError(t, err)
		verified := func(v models.Verification) []models.Case {
			t.Helper()
			require.NoError(t, w.RecordVerification(t.Context(), storetest.Tester, w.Config.Now(), v))
			w.later(time.Minute)
			_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			list, err := w.Cases(t.Context(), models.CaseFilter{Rule: models.CaseLedgerFault, Span: models.Span{Limit: 100}})
			require.NoError(t, err)
			return list.Rows
		}
		of := func(p models.Player, faults ...string) models.WalletFaults {
			return models.WalletFaults{PlayerID: p.ID, UserID: p.UserID, Faults: faults, Total: len(faults)}
		}
		require.Empty(t, verified(models.Verification{Entries: 7}))

		// This one is requested before the others, and ends after them.
		asked, err := w.RequestVerification(t.Context(), storetest.Tester)
		require.NoError(t, err)
		_, err = w.BeginJob(t.Context(), models.VerificationJobs, asked)
		require.NoError(t, err)

		one := verified(models.Verification{
			Faulty: []models.WalletFaults{
				of(anna, "entry 2: 1.00 and 1.00 do not add up to 3.00", "the balance is 3.00, but its entries add up to 2.00"),
			},
		})
		require.Len(t, one, 1)
		require.Equal(t, anna.ID, one[0].PlayerID)
		require.Equal(t, models.CaseFact{Label: "Does not hold", Value: "entry 2: 1.00 and 1.00 do not add up to 3.00"},
			one[0].Facts[1])
		again := verified(models.Verification{
			Faulty: []models.WalletFaults{
				of(anna, "entry 2: 1.00 and 1.00 do not add up to 3.00",
					"the balance is 53.00, but its entries add up to 52.00"),
			},
		})
		require.Len(t, again, 1, "the same fault after further play")
		more := verified(models.Verification{Faulty: []models.WalletFaults{
			of(anna, "entry 2: 1.00 and 1.00 do not add up to 3.00", "the balance is 53.00, but its entries add up to 52.00"),
			of(bert, "entries 2 to 3 are missing: the head is entry 3"),
		}, Audit: models.ChainFaults{Faults: []string{"event 4: its reason is not the original"}, Total: 1}})
		require.Len(t, more, 3)
		require.Len(t, verified(models.Verification{Faulty: []models.WalletFaults{
			of(anna, "entry 9: a second tombstone of transaction \"x\""),
			of(bert, "entries 2 to 3 are missing: the head is entry 7"),
		}}), 4, "another fault of anna's")

		require.NoError(t, w.EndVerification(t.Context(), asked,
			models.Verification{Written: models.ChainFaults{
				Faults: []string{"checkpoint 2: its row is not the one that was signed"}, Total: 1,
			}}, nil))
		w.later(time.Minute)
		list := verified(models.Verification{Entries: 9})
		require.Len(t, list, 5)
		i := slices.IndexFunc(list, func(c models.Case) bool { return c.Verification == asked })
		require.Contains(t, list[i].Facts[1].Value, "checkpoint 2")
	})
}

func TestCaseStatement(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		anna, _, err := w.Player(t.Context(), "anna")
		require.NoError(t, err)
		ctx, at := t.Context(), w.Config.Now().UTC().Truncate(time.Second)
		st, err := w.CreateStatement(ctx, storetest.Tester,
			models.Statement{FileName: "day.csv", Digest: strings.Repeat("a", 64)})
		require.NoError(t, err)
		st.Since, st.Until = at.Add(-time.Hour), at
		difference := func(number int64, id models.TransactionID, bucket models.Bucket, edge bool) models.Difference {
			return models.Difference{
				Number: number, TransactionID: id, Bucket: bucket, Edge: edge, PlayerID: anna.ID, UserID: "anna",
				Currency: "EUR", Kind: models.Win, At: at, Remedy: models.RemedyCredit, RemedyAmount: 120,
				Line: 4, Theirs: models.StatementSide{There: true, Currency: "EUR", Win: 120, Standing: models.StandingFailed},
			}
		}
		compared := func(differences ...models.Difference) (opened int) {
			t.Helper()
			run, err := w.BeginStatementRun(ctx, storetest.Tester, st)
			require.NoError(t, err)
			for i := range differences {
				differences[i].RunID = run.ID
			}
			require.NoError(t, w.AddDifferences(ctx, run.ID, differences))
			opened, err = w.OpenDifferenceCases(ctx, st, run)
			require.NoError(t, err)
			run.State = models.JobFinished
			_, err = w.FinishRun(ctx, run)
			require.NoError(t, err)
			for _, d := range differences {
				kept, err := w.Differences(ctx, models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: 100}})
				require.NoError(t, err)
				require.Equal(t, d.Edge, kept.Rows[d.Number-1].CaseID == 0, "each has its case, except those at an edge")
			}
			return opened
		}
		require.Equal(t, 1, compared(difference(1, "lost", models.OnlyTheirs, false),
			difference(2, "edge", models.OnlyOurs, true)))
		found := w.look(models.CaseStatement, "lost")
		require.Equal(t, models.Amount(120), found[0].Amount)
		require.Equal(t, st.ID, found[0].StatementID)
		require.Equal(t, []models.CaseFact{
			{Label: "Difference", Value: "missing here"}, {Label: "Here", Value: "nothing"},
			{Label: "Platform", Value: "win of 1.20 EUR, failed"}, {Label: "If the platform is right", Value: "credit 1.20 EUR"},
			{Label: "Statement", Value: "day.csv, line 4"},
		}, found[0].Facts)
		require.Zero(t, compared(difference(1, "lost", models.OnlyTheirs, false)), "the next run finds the same")
		require.NoError(t, w.DecideCase(ctx, storetest.Tester, found[0].ID, models.CaseWrittenOff, "They cannot say any more."))
		require.Zero(t, compared(difference(1, "lost", models.OnlyTheirs, false)), "even though its case is closed")
		require.Equal(t, 1, compared(difference(1, "lost", models.StateDiffers, false)), "it differs in another way now")
	})
}

// TestAttackCasesOfOneFile forges a statement whose differences would bury every other case.
func TestAttackCasesOfOneFile(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		ctx, at := t.Context(), w.Config.Now().UTC().Truncate(time.Second)
		st, err := w.CreateStatement(ctx, storetest.Tester,
			models.Statement{FileName: "forged.csv", Digest: strings.Repeat("f", 64)})
		require.NoError(t, err)
		st.Since, st.Until = at.Add(-time.Hour), at
		run, err := w.BeginStatementRun(ctx, storetest.Tester, st)
		require.NoError(t, err)
		var list []models.Difference
		for n := range int64(models.MaxStatementCases + 700) {
			list = append(list, models.Difference{RunID: run.ID, Number: n + 1, At: at, Bucket: models.OnlyTheirs,
				Kind:          models.Win,
				TransactionID: models.TransactionID(fmt.Sprint("forged-", n)), Currency: "EUR"})
		}
		require.NoError(t, w.AddDifferences(ctx, run.ID, list))
		opened, err := w.OpenDifferenceCases(ctx, st, run)
		require.NoError(t, err)
		require.Equal(t, models.MaxStatementCases+1, opened)
		kept, err := w.Differences(ctx, models.DifferenceFilter{RunID: run.ID, Span: models.Span{Limit: len(list)}})
		require.NoError(t, err)
		shared := kept.Rows[len(kept.Rows)-1].CaseID
		require.NotZero(t, shared)
		require.Equal(t, shared, kept.Rows[models.MaxStatementCases].CaseID)
		c, _, _, err := w.Case(ctx, shared)
		require.NoError(t, err)
		require.Contains(t, c.Facts[0].Value, "more than 500")
		again, err := w.OpenDifferenceCases(ctx, st, run)
		require.NoError(t, err)
		require.Zero(t, again)
	})
}

// Rules also find a line that appears with an earlier time than those that they have already checked, here from an instance
// whose clock is slow.
func TestCasesOfLateLines(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.later(10 * time.Minute)
		w.look(models.CaseUnexplainedSpin)
		cfg := w.Config
		cfg.Now = func() time.Time { return w.Config.Now().Add(-150 * time.Second) }
		behind := storetest.Open(t, cfg)
		for _, op := range []models.Operation{storetest.FreeSpin("anna", "spin", 10), storetest.Rollback("anna", "never"),
			storetest.Win("anna", "alone", 70), storetest.Win("rich", "much", 500)} {
			storetest.Called(t, behind, op)
		}
		for range 8 {
			w.later(20 * time.Second)
			w.restarted()
			_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
		}
		w.look(models.CaseUnexplainedSpin, "spin")
		w.look(models.CaseUnknownRollback, "never")
		w.look(models.CaseWinWithoutBet, "alone")
		w.look(models.CaseOverflow, "much")
	})
}

// The next instance finds what arrived while none was running. It leaves nothing out, even if there is more than it reads at
// once, all with the same time.
func TestCasesOfManyAtOnce(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		w.look(models.CaseUnknownRollback)
		anna, _, err := w.Player(t.Context(), "anna")
		require.NoError(t, err)
		const n = 2500
		at := w.Config.Now().UTC().Truncate(time.Microsecond)
		for from := 0; from < n; from += 500 {
			var came []models.Callback
			for i := range 500 {
				came = append(came, models.Callback{
					At: at, Request: models.RequestID{Received: at, Number: int64(from + i + 1)},
					Kind: models.RollbackTransaction, Verdict: models.VerdictNotFound,
					PlayerID: anna.ID, UserID: "anna", TransactionID: models.TransactionID(fmt.Sprint("never-", from+i)),
				})
			}
			require.NoError(t, w.LogCallbacks(t.Context(), came))
		}
		w.later(20 * time.Hour)
		w.restarted()
		opened, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Equal(t, n, opened)
		open, err := w.CaseBacklogs(t.Context())
		require.NoError(t, err)
		require.Len(t, open, 1)
		require.EqualValues(t, n, open[0].N)
	})
}

// The counts of a grant that has ended are compared twice, and the second comparison may come late.
func TestCountsOfAnEndedGrantDiffer(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		g := w.grant("anna", models.GrantActive)
		for range 2 {
			_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
			require.NoError(t, err)
			list, err := w.Cases(t.Context(), models.CaseFilter{Rule: models.CaseSpinsApart, Span: models.Span{Limit: 1}})
			require.NoError(t, err)
			require.Empty(t, list.Rows, "after one comparison the bets may still arrive")
			w.later(models.GrantLingers + time.Minute)
			require.NoError(t, w.ObserveGrants(t.Context(), g.PlayerID,
				[]models.Observation{{GrantID: g.ID, Status: models.StatusCompleted, Total: 10, Used: 10}}, true))
		}
		_, err := w.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		list, err := w.Cases(t.Context(), models.CaseFilter{Rule: models.CaseSpinsApart, Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Len(t, list.Rows, 1)
		require.Equal(t, g.ID, list.Rows[0].GrantID)
	})
}

// TestAttackBlindedRules moves the positions of jobs, takes their leases for ever and deletes them, so that nobody would notice
// free spins without a grant and negative balances.
func TestAttackBlindedRules(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s := x.Open(t)
		ctx := t.Context()
		clock := &storetest.Clock{}
		clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		x.Config.Now = clock.Now
		s = x.Open(t)
		find := func() {
			t.Helper()
			_, err := s.FindCases(ctx, models.CaseRulesConfig{})
			require.NoError(t, err)
		}
		storetest.CreatePlayer(t, s, "anna", 1000)
		find()
		require.NotZero(t, x.Number(t, "SELECT COUNT(*) FROM leases WHERE name LIKE 'case rule %'"))
		for i, blind := range []string{
			"UPDATE leases SET position = position + 3600000000",
			"UPDATE leases SET position = position + 600000000",
			"UPDATE leases SET position = 9000000000000000",
			"UPDATE leases SET position = (SELECT p FROM (SELECT MAX(position) AS p FROM leases) l), " +
				"mac = (SELECT m FROM (SELECT MAX(mac) AS m FROM leases) l)",
			"DELETE FROM leases",
		} {
			clock.Set(clock.Now().Add(10 * time.Minute))
			for n := range 3 {
				storetest.Apply(t, s, storetest.FreeSpin("anna", models.TransactionID(fmt.Sprint("spin", i, n)), 100))
			}
			spent := models.TransactionID(fmt.Sprint("spent", i))
			storetest.Apply(t, s, storetest.Win("anna", spent, 1_000_000))
			storetest.Apply(t, s, storetest.Bet("anna", spent+"b", storetest.Balance(t, s, "anna")))
			storetest.Apply(t, s, storetest.Rollback("anna", spent))
			storetest.Apply(t, s, storetest.Win("anna", spent+"w", 1_000_000))
			x.Exec(t, blind)
			clock.Set(clock.Now().Add(time.Minute))
			if !strings.HasPrefix(blind, "DELETE") {
				v, err := s.Verify(ctx, nil)
				require.NoError(t, err)
				require.Contains(t, storetest.WordsOf(v), "the position of the job case rule", blind)
			}
			find()
			require.EqualValues(t, 3*(i+1), x.Number(t, "SELECT COUNT(*) FROM cases WHERE rule = ?",
				models.CaseUnexplainedSpin),
				blind)
			require.EqualValues(t, i+1, x.Number(t, "SELECT COUNT(*) FROM cases WHERE rule = ?", models.CaseNegativeBalance),
				blind)
		}
		require.Empty(t, storetest.RequireWhole(t, s).Rows.Faults)

		// A lease that is taken for ever does not count.
		x.Exec(t, "INSERT INTO leases (name, holder, until_us, position) VALUES ('cases', 'eve', 9000000000000000, 0)")
		v, err := s.Verify(ctx, nil)
		require.NoError(t, err)
		require.Contains(t, storetest.WordsOf(v), "the lease cases is taken until")
		faults, err := s.WatcherFaults(ctx)
		require.NoError(t, err)
		require.Len(t, faults, 1)
		held, err := s.Lease(ctx, "cases", "instance", 30*time.Second)
		require.NoError(t, err)
		require.True(t, held)
		held, err = s.Lease(ctx, "cases", "another", 30*time.Second)
		require.NoError(t, err)
		require.False(t, held)
		require.Empty(t, storetest.RequireWhole(t, s).Rows.Faults)
	})
}

// TestAttackRulesKeptFromLooking keeps the rules from running, as somebody can who takes their lease again and again and moves
// their places. Verification names the places, and a rule whose place was moved starts again from the beginning.
func TestAttackRulesKeptFromLooking(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		words := func() string {
			v, err := w.Verify(t.Context(), nil)
			require.NoError(t, err)
			return storetest.WordsOf(v)
		}
		w.look(models.CaseUnexplainedSpin)
		w.later(time.Minute)
		w.play("r", storetest.FreeSpin("anna", "spin-1", 20), storetest.FreeSpin("anna", "spin-2", 20),
			storetest.FreeSpin("anna", "spin-3", 20))
		w.play("r2", storetest.Win("bert", "spent", 1_000_000),
			storetest.Bet("bert", "all", storetest.Balance(t, w.Store, "bert")+1_000_000),
			storetest.Rollback("bert", "spent"), storetest.Win("bert", "back", 2_000_000))
		storetest.Called(t, w.Store, storetest.InRound(storetest.Bet("rich", "bet-1", 50), "round-1"))
		storetest.Called(t, w.Store, storetest.InRound(storetest.Bet("rich", "bet-1r", 50), "ound-1"))
		require.Empty(t, words(), "the rules need not have looked yet")
		w.Exec(t, "UPDATE leases SET position = position + 3600000000 WHERE name LIKE 'case rule %'")
		w.later(10 * time.Minute)
		w.play("r3", storetest.Bet("anna", "later", 1))
		said := words()
		require.Contains(t, said, "the position of the job case rule")

		w.look(models.CaseUnexplainedSpin, "spin-1", "spin-2", "spin-3")
		require.Empty(t, words())
	})
}

func TestCaseSignReused(t *testing.T) {
	watched(t, func(t *testing.T, w *watch) {
		storetest.Called(t, w.Store, storetest.InRound(storetest.Win("anna", "win-1", 500), "round-1"))
		storetest.Called(t, w.Store, storetest.InRound(storetest.Win("anna", "win-1r", 500), "ound-1"))
		w.later(time.Minute)
		found := w.look(models.CaseSignReused, "win-1r")
		require.Contains(t, fmt.Sprint(found[0].Facts), "the signature was used before, for transaction win-1")
		require.EqualValues(t, 500, found[0].Amount)
		require.True(t, slices.Contains(models.CaseRules, models.CaseSignReused))
	})
}
