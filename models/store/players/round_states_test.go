package players_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestRoundStates plays a round into every state and finds it in the list of that state, while others play too.
func TestRoundStates(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		begun := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		s, now := x.OpenAt(t, begun)
		anna, bert, cleo := storetest.CreatePlayer(t, s, "anna", 100000), storetest.CreatePlayer(t, s, "bert", 100000),
			storetest.CreatePlayer(t, s, "cleo", 100000)
		in := func(op models.Operation, round models.RoundID) models.Operation {
			op.RoundID = round
			return op
		}
		book := func(after time.Duration, ops ...models.Operation) {
			t.Helper()
			for _, op := range ops {
				*now = now.Add(after)
				require.Equal(t, models.None, storetest.Apply(t, s, op).Decline)
			}
		}
		state := func(p models.Player, id models.RoundID) models.RoundState {
			t.Helper()
			r, found, err := s.Round(t.Context(), p.ID, id)
			require.NoError(t, err)
			require.True(t, found)
			return r.State()
		}
		book(time.Second, storetest.Bet("anna", "a1", 100), in(storetest.Bet("bert", "b1", 200), "r-a1"),
			in(storetest.Bet("cleo", "c1", 50), "void"),
			in(storetest.Bet("cleo", "c2", 50), "void"))
		require.Equal(t, models.RoundInPlay, state(anna, "r-a1"))
		require.Equal(t, models.RoundInPlay, state(bert, "r-a1"), "two players may share a round's ID")
		*now = now.Add(models.RoundPlays)
		require.Equal(t, models.RoundNoWinYet, state(anna, "r-a1"))
		book(time.Second, storetest.FreeSpin("anna", "a2", 100))
		require.Equal(t, models.RoundNoWin, state(anna, "r-a1"), "a later round of the same player")
		require.Equal(t, models.RoundNoWinYet, state(bert, "r-a1"))
		require.Equal(t, models.RoundInPlay, state(anna, "r-a2"))
		book(time.Second, storetest.Rollback("cleo", "c2"), storetest.BetWin("bert", "b2", 10, 0),
			storetest.BetWin("bert", "b3", 10, 20),
			in(storetest.Win("anna", "a3", 7), "r-a2"))
		require.Equal(t, models.RoundLost, state(bert, "r-b2"))
		require.Equal(t, models.RoundWon, state(bert, "r-b3"))
		require.Equal(t, models.RoundWon, state(anna, "r-a2"))
		require.Equal(t, models.RoundNoWinYet, state(cleo, "void"), "the rest of it may be rolled back in a moment")
		*now = now.Add(models.RoundSettles)
		require.Equal(t, models.RoundNoWin, state(cleo, "void"))
		_, err := s.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		require.Equal(t, models.RoundInterrupted, state(cleo, "void"))
		require.Equal(t, models.RoundNoWin, state(bert, "r-a1"), "minutes have passed")

		// A case says that the platform sees the round differently, until somebody has decided it.
		r, _, err := s.Round(t.Context(), bert.ID, "r-a1")
		require.NoError(t, err)
		ids, _, err := s.OpenCases(t.Context(), []models.Finding{
			{Rule: models.CaseStatement, Key: "b1", At: *now, PlayerID: bert.ID, Transaction: r.ID, TransactionID: "b1"},
			{Rule: models.CaseNegativeBalance, Key: "a1", At: *now, PlayerID: anna.ID, Transaction: r.ID - 1},
		})
		require.NoError(t, err)
		require.Equal(t, models.RoundInterrupted, state(bert, "r-a1"))
		require.Equal(t, models.RoundNoWin, state(anna, "r-a1"), "that case is about something else")

		list := func(f models.RoundFilter) (names []string) {
			t.Helper()
			f.Limit = 1
			for _, r := range storetest.Pages(t, 1, f.Place, func(at models.Cursor) models.Page[models.Round] {
				f.Page = at
				page, err := s.Rounds(t.Context(), f)
				require.NoError(t, err)
				return page
			}) {
				names = append(names, string(r.UserID)+" "+string(r.RoundID))
			}
			return names
		}
		interrupted := models.RoundFilter{State: models.RoundInterrupted}
		require.Equal(t, []string{"cleo void", "bert r-a1"}, list(interrupted))
		require.Equal(t, []string{"bert r-a1"}, list(models.RoundFilter{State: models.RoundInterrupted, PlayerID: bert.ID}))
		require.Equal(t, []string{"cleo void"}, list(models.RoundFilter{State: models.RoundInterrupted, PlayerID: cleo.ID}))
		require.Empty(t, list(models.RoundFilter{State: models.RoundInterrupted,
			Span: models.Span{Until: begun.Add(2 * time.Second)}}))
		require.Equal(t, []string{"bert r-b2"}, list(models.RoundFilter{State: models.RoundLost}))
		require.Equal(t, []string{"anna r-a1"}, list(models.RoundFilter{State: models.RoundNoWin}))
		require.Empty(t, list(models.RoundFilter{Pending: true}))
		require.NoError(t, s.DecideCase(t.Context(), storetest.Tester, ids[0], models.CaseExplained, "the player was asked"))
		require.Equal(t, models.RoundNoWin, state(bert, "r-a1"))

		// The platform's statement lists the round as we have it, and no win.
		compare := func(since, until, uploaded time.Time, bad int64, differences ...models.Difference) {
			t.Helper()
			there := *now
			*now = uploaded
			st, err := s.CreateStatement(t.Context(), storetest.Tester,
				models.Statement{FileName: "day.csv", Digest: strings.Repeat("a", 64), Header: []string{"id"}})
			require.NoError(t, err)
			st.Since, st.Until, st.Margin = since, until, time.Minute
			run, err := s.BeginStatementRun(t.Context(), storetest.Tester, st)
			require.NoError(t, err)
			require.NoError(t, s.AddDifferences(t.Context(), run.ID, differences))
			run.BadLines = bad
			_, err = s.FinishRun(t.Context(), run)
			require.NoError(t, err)
			*now = there
		}
		day := begun.Truncate(24 * time.Hour)
		next := day.Add(24 * time.Hour)
		*now = next
		compare(day, next, next, 1)
		compare(begun, next, next, 0)
		compare(day, next, begun.Add(4*time.Minute), 0)
		compare(day, next, next, 0,
			models.Difference{Number: 1, Bucket: models.StateDiffers, OurNumber: r.ID, TransactionID: "b1"})
		compare(day, next, next, 0,
			models.Difference{Number: 1, Bucket: models.OnlyTheirs, PlayerID: bert.ID, TransactionID: "b9"})
		require.Equal(t, models.RoundNoWin, state(bert, "r-a1"),
			"a line that cannot be read, too near the edge, uploaded too early, another state, an unknown win")
		require.Equal(t, models.RoundLost, state(anna, "r-a1"), "those were Bert's")
		compare(day, next, next, 0)
		require.Equal(t, models.RoundLost, state(bert, "r-a1"))
		require.Equal(t, models.RoundInterrupted, state(cleo, "void"), "a person decides")
		open, err := s.Cases(t.Context(), models.CaseFilter{Rule: models.CaseInterruptedRound, Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, open.Rows, 1)
		require.NoError(t, s.DecideCase(t.Context(), storetest.Tester, open.Rows[0].ID, models.CaseExplained,
			"the platform finished it"))
		require.Equal(t, models.RoundLost, state(cleo, "void"), "the statement has the rest of it as applied")
		require.Empty(t, list(interrupted))
		require.Equal(t, []string{"bert r-b2", "cleo void", "bert r-a1", "anna r-a1"},
			list(models.RoundFilter{State: models.RoundLost}))
		require.EqualValues(t, 0, x.Number(t, "SELECT COUNT(*) FROM postings WHERE kind = ?", models.Adjustment),
			"no state moved money")

		book(time.Second, in(storetest.Win("anna", "late", 9), "r-a1"))
		require.Equal(t, models.RoundWon, state(anna, "r-a1"), "a win that comes late is a win")
	})
}

// inPlayAt adds up the stakes in play from the transactions before an instant, one player after another.
func inPlayAt(lines []models.TransactionLine, tests map[int64]bool, at time.Time) []models.Stakes {
	newest := map[int64]models.TransactionLine{}
	for _, l := range lines {
		if l.At.Before(at) && l.RoundID != "" && l.Kind != models.Win && (newest[l.PlayerID].ID < l.ID) {
			newest[l.PlayerID] = l
		}
	}
	list := map[string]*models.Stakes{}
	for player, n := range newest {
		if at.Sub(n.At) >= models.RoundSettles {
			continue
		}
		var staked models.Amount
		won := false
		for _, l := range lines {
			if l.PlayerID != player || l.RoundID != n.RoundID || !l.At.Before(at) ||
				!l.ReversedAt.IsZero() && l.ReversedAt.Before(at) {
				continue
			}
			won = won || l.Kind != models.Bet
			if !l.FreeSpin && l.Kind != models.Win {
				staked = staked.Add(l.Bet)
			}
		}
		if won || staked == 0 {
			continue
		}
		key := fmt.Sprint(n.Currency, tests[player])
		if list[key] == nil {
			list[key] = &models.Stakes{Currency: n.Currency, Test: tests[player]}
		}
		list[key].Rounds, list[key].Sum = list[key].Rounds+1, list[key].Sum.Add(staked)
	}
	var all []models.Stakes
	for _, s := range list {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b models.Stakes) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), Bit(a.Test)-Bit(b.Test))
	})
	return all
}

// TestStakesInPlay compares the stakes in play at many instants with inPlayAt, during play and long afterwards.
func TestStakesInPlay(t *testing.T) {
	storetest.OnEngines(t, func(t *testing.T, x *storetest.Database) {
		s, now := x.OpenAt(t, time.Date(2026, 11, 20, 23, 40, 0, 0, time.UTC))
		tests := map[int64]bool{}
		var users []models.UserID
		for i, currency := range []models.Currency{"EUR", "EUR", "EUR", "USD", "EUR", "JPY"} {
			p, err := s.CreatePlayer(t.Context(), storetest.Tester,
				models.NewPlayer{UserID: models.UserID(fmt.Sprint("p", i)), Currency: currency, Balance: 100000, Test: i == 4})
			require.NoError(t, err)
			users, tests[p.ID] = append(users, p.UserID), i == 4
		}
		random := rand.New(rand.NewPCG(3, 4))
		asked := map[time.Time][]models.Stakes{}
		var placed []models.Operation
		for i := range 150 {
			*now = now.Add(time.Duration(random.IntN(40_000)) * time.Millisecond)
			user := users[random.IntN(len(users))]
			op := storetest.Bet(user, models.TransactionID(fmt.Sprint("t", i)), models.Amount(random.IntN(500)))
			op.RoundID = models.RoundID(fmt.Sprint("r", i/6))
			switch random.IntN(7) {
			case 0, 1:
				op.Kind, op.Win, op.Bet = models.Win, models.Amount(random.IntN(100)), 0
			case 2:
				op.Kind, op.Win = models.BetWin, models.Amount(random.IntN(100))
			case 3:
				op.FreeSpin = true
			case 4:
				if len(placed) > 0 {
					old := placed[max(0, len(placed)-1-random.IntN(6))]
					op = storetest.Rollback(old.UserID, old.TransactionID)
				}
			}
			storetest.Apply(t, s, op)
			if op.Kind != models.Rollback {
				placed = append(placed, op)
			}
			at := now.Add(time.Duration(random.IntN(3)) * time.Microsecond)
			list, err := s.StakesInPlay(t.Context(), at)
			require.NoError(t, err)
			asked[at] = list
		}
		page, err := s.Transactions(t.Context(), models.TransactionFilter{Span: models.Span{Limit: 1000}})
		require.NoError(t, err)
		some := 0
		for at, then := range asked {
			later, err := s.StakesInPlay(t.Context(), at)
			require.NoError(t, err)
			require.Equal(t, inPlayAt(page.Rows, tests, at), later, at)
			if len(later) > 0 {
				some++
			}
			if at.Before(*now) { // lines with the time of the query were booked after it
				require.Equal(t, then, later, "what happened since changes nothing")
			}
		}
		require.Greater(t, some, 50)

		// A closed day keeps the stakes in play at its end, and they are part of what is signed.
		day := models.Day("2026-11-20")
		end := day.End(time.UTC)
		require.True(t, now.After(end.Add(models.DayRest)), now)
		want, err := s.StakesInPlay(t.Context(), end)
		require.NoError(t, err)
		require.NotEmpty(t, want)
		_, err = s.FollowDays(t.Context())
		require.NoError(t, err)
		requireStakes := func() []models.DayGroup {
			t.Helper()
			groups, err := s.DayGroups(t.Context(), day)
			require.NoError(t, err)
			var got []models.Stakes
			for _, g := range groups {
				if g.RoundsInPlay > 0 {
					got = append(got, models.Stakes{Currency: g.Currency, Test: g.Test, Rounds: g.RoundsInPlay, Sum: g.InPlay})
				}
			}
			require.Equal(t, want, got)
			return groups
		}
		groups := requireStakes()
		c, err := s.DayInterval(t.Context(), day)
		require.NoError(t, err)
		digest, seen := models.ReportDigest(c, groups), storetest.SeenDay(t, s, c, groups)
		groups[0].InPlay = groups[0].InPlay.Add(1)
		require.NotEqual(t, digest, models.ReportDigest(c, groups))
		_, err = s.SignDay(t.Context(), storetest.SignerNamed(t, s, "fred", models.Finance), day, seen, "all is well so far")
		require.NoError(t, err)
		requireStakes()
		check, err := s.CheckDays(t.Context())
		require.NoError(t, err)
		require.Empty(t, check.Faults)
		x.Exec(t, `UPDATE closed_days SET stakes = REPLACE(stakes, '"Rounds":', '"Rounds":1')`)
		check, err = s.CheckDays(t.Context())
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(check.Faults),
			string(day)+" is closed, but its figures are not those that were signed")
	})
}
