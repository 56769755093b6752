package rounds_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestStakesInPlayPages follows a bet from its first second, past midnight, to the day's page.
func TestStakesInPlayPages(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		anna, bert := s.PlayerWithBalance("anna", 10000), s.PlayerWithBalance("bert", 10000)
		s.Later(day.End(time.UTC).Add(-2 * time.Minute).Sub(s.Now()))
		s.Book(apptest.Bet("bert", "b-1", "b", 4000), apptest.Bet("anna", "a-1", "a", 1250))
		round := s.Transaction("a-1").ID
		farid := s.SignedIn("farid", models.Finance)
		state := func(who *apptest.Browser, want, note string) {
			t.Helper()
			page := who.Get(pages.RoundPath(round))
			apptest.RequireNothingInline(t, page)
			require.Equal(t, want, page.Find("h1 .badge").Text())
			require.Contains(t, page.Find(".pb-note").Text(), note)
			require.Contains(t, who.Get(pages.TransactionPath(round)).Find(".pb-note").Text(), note)
		}
		stakes := func(page *apptest.Answer, what string) []string {
			return apptest.CellsOf(page, "[aria-label=Liability] tbody tr:contains('"+what+"')")
		}
		state(farid, "In play", "Nothing to do")
		now := farid.Get("/reports/liability")
		apptest.RequireNothingInline(t, now)
		require.Equal(t, []string{"Stakes in play", "", "EUR", "52.50", "2"}, stakes(now, "Stakes in play"))
		require.Equal(t, 2, farid.Get(now.Find("a:contains('Stakes in play')").AttrOr("href", "")).Find("tbody tr").Length())
		s.Later(10 * time.Second)
		_, err := s.Store.FollowDays(t.Context())
		require.NoError(t, err)
		require.Contains(t, apptest.TextOf(farid.Get("/"), "[aria-label='By currency']"), "52.50")

		s.Later(90 * time.Second)
		farid = s.SignedIn("farida", models.Finance)
		state(farid, "No win yet", "one may still come")
		s.Book(apptest.Win("bert", "b-2", "b", 100))
		s.Later(time.Hour)
		s.SumUpDays()
		farid = s.SignedIn("fatima", models.Finance)
		state(farid, "No win", "12.50 EUR to anna")
		require.Empty(t, stakes(farid.Get("/reports/liability"), "Stakes in play"))
		page := farid.Get(reports.DayPath(day))
		apptest.RequireNothingInline(t, page)
		require.Equal(t, []string{"Stakes in play at the end", "12.50"},
			apptest.CellsOf(page, "[aria-label='The day’s figures'] tbody tr:contains('Stakes in play')"))
		require.Equal(t, []string{"Rounds in play at the end", "1"},
			apptest.CellsOf(page, "[aria-label='The day’s figures'] tbody tr:contains('Rounds in play')"))

		// A part of a round is rolled back, and nothing follows.
		s.Book(apptest.Bet("bert", "b-3", "c", 700), apptest.Bet("bert", "b-4", "c", 300), apptest.Rollback("bert", "b-4"))
		s.Later(models.RoundSettles + time.Minute)
		_, err = s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		farid = s.SignedIn("fabio", models.Finance)
		list := farid.Get("/rounds?state=interrupted")
		apptest.RequireNothingInline(t, list)
		require.Equal(t, 1, list.Find("table tbody tr").Length())
		require.Contains(t, list.Find("tbody").Text(), "Interrupted")
		require.Contains(t, list.Text(), "What the states mean")
		round = s.Transaction("b-3").ID
		state(farid, "Interrupted", "bert has 7.00 EUR at stake")
		now = farid.Get("/reports/liability")
		require.Equal(t, []string{"Stakes in interrupted rounds", "", "EUR", "7.00", "1"}, stakes(now, "interrupted"))
		require.Contains(t, apptest.TextOf(farid.Get(pages.PlayerPath(bert.ID)), "[aria-label='Latest rounds']"), "Interrupted")
		require.Equal(t, pages.RoundPath(round), farid.Get("/search?q=c").Location)
		header, rows, _ := farid.Download("/rounds", export.CSV)
		require.ElementsMatch(t, []string{"interrupted", "win paid", "no win"}, apptest.ColumnOf(t, header, rows, "State"))

		// The platform's statement contradicts the bet, so the page links to the case.
		_, _, err = s.Store.OpenCases(t.Context(),
			[]models.Finding{{Rule: models.CaseStatement, Key: "x", At: s.Now(), PlayerID: anna.ID,
				Transaction: s.Transaction("a-1").ID}})
		require.NoError(t, err)
		round = s.Transaction("a-1").ID
		state(farid, "Interrupted", "decide the case")
		require.Equal(t, http.StatusOK, farid.Get(farid.Get(pages.RoundPath(round)).Find(".pb-note a").AttrOr("href", "")).
			Status)
	})
}

// The page of a round that paid less than its bets says so. Like the page of a lost bet, it has a sentence that support can
// send to the player.
func TestRoundsTellThePlayer(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.SetClockToNoon()
	s.PlayerWithBalance("anna", 10000)
	s.Book(apptest.Bet("anna", "l-1", "less", 1000), apptest.Win("anna", "l-2", "less", 400),
		apptest.Bet("anna", "m-1", "more", 100),
		apptest.Win("anna", "m-2", "more", 500), apptest.Bet("anna", "b-1", "lost", 250),
		apptest.Bet("anna", "b-2", "none", 300))
	s.Book(apptest.Win("anna", "b-3", "lost", 0), apptest.Bet("anna", "c-1", "crashed", 50), apptest.Rollback("anna", "c-1"))
	s.Later(time.Hour)
	sofia := s.SignedIn("sofia", models.Support)
	round := func(transaction string) *apptest.Answer {
		t.Helper()
		page := sofia.Get(pages.RoundPath(s.Transaction(transaction).ID))
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		return page
	}
	told := func(page *apptest.Answer) string {
		return strings.TrimSuffix(page.Find("[aria-label='For the player'] [data-copy]").AttrOr("data-copy", ""), "\n\nlumen.example")
	}

	less := round("l-1")
	require.Equal(t, "Win paid", less.Find("h1 .badge").Text(), "“Won” would mislead")
	require.Contains(t, apptest.TextOf(less, ".pb-facts"), "Net −6.00 EUR lost by the player")
	require.Contains(t, apptest.TextOf(less, ".pb-note"),
		"The round paid 4.00 EUR on bets of 10.00 EUR: anna lost 6.00 EUR in it.")
	require.Regexp(t, `^You bet 10\.00 EUR in the round of \d+ \w+ 20\d\d, 12:00:00 \(UTC\)\. `+
		`It won 4\.00 EUR, which was added to your balance on \d+ \w+ 20\d\d, 12:00:00 \(UTC\)\. Your balance after that was 94\.00 EUR\.$`,
		told(less))
	more := round("m-1")
	require.Contains(t, apptest.TextOf(more, ".pb-facts"), "Net +4.00 EUR won by the player")
	require.Zero(t, more.Find(".pb-note").Length())
	require.NotContains(t, sofia.Get("/rounds").Find("tbody").Text(), "Won")

	require.Regexp(t, `^You bet 2\.50 EUR in the round of .* The round did not win\.$`, told(round("b-1")))
	require.Regexp(t, `^You bet 3\.00 EUR in the round of .* No win has been paid for it\.$`, told(round("b-2")))
	require.Regexp(t,
		`^The round of .* was canceled\. Your bets in it were refunded, and its wins were reversed\.$`,
		told(round("c-1")))
	// With a win of 0.00, the platform says that the bet is lost. It does not count as a win.
	require.Contains(t, apptest.TextOf(round("b-1"), ".pb-facts"), "Wins 0.00 EUR 0 wins; the platform sent a win of 0.00")
	for _, path := range []string{"/rounds?state=lost", pages.PlayerPath(s.Transaction("b-1").PlayerID)} {
		list := sofia.Get(path)
		require.Equal(t, "1 bet, no win", list.Find("tr:contains(Lost) [data-label=What]").Text(), path)
	}
	farid := s.SignedIn("farid", models.Finance)
	header, rows, _ := farid.Download("/rounds?state=lost", export.CSV)
	require.Equal(t, []string{"0"}, apptest.ColumnOf(t, header, rows, "Wins"))
	lost := sofia.Get(pages.TransactionPath(s.Transaction("b-2").ID))
	require.Regexp(t,
		`^You bet 3\.00 EUR in the round of \d+ \w+ 20\d\d, 12:00:00 \(UTC\)\. No win has been paid for it\.$`,
		told(lost))
	require.Contains(t, told(sofia.Get(pages.TransactionPath(s.Transaction("m-1").ID))), "It won 5.00 EUR")
	require.Regexp(t, `^Your bet of 0\.50 EUR on .* was canceled, and the amount was returned to your balance\.$`,
		told(sofia.Get(pages.TransactionPath(s.Transaction("c-1").ID))))
}
