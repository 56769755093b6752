package app

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/models"
)

// TestStakesInPlayPages follows one bet from its first second, past midnight, to the page of the day.
func TestStakesInPlayPages(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		day := s.noon()
		anna, bert := s.wallet("anna", 10000), s.wallet("bert", 10000)
		s.later(day.End(time.UTC).Add(-2 * time.Minute).Sub(s.Now()))
		s.book(bet("bert", "b-1", "b", 4000), bet("anna", "a-1", "a", 1250))
		round := s.transaction("a-1").ID
		farid := s.signedIn("farid", models.Finance)
		state := func(who *browser, want, note string) {
			t.Helper()
			page := who.get(pages.RoundPath(round))
			requireNothingInline(t, page)
			require.Equal(t, want, page.Find("h1 .badge").Text())
			require.Contains(t, page.Find(".pb-note").Text(), note)
			require.Contains(t, who.get(pages.TransactionPath(round)).Find(".pb-note").Text(), note)
		}
		stakes := "[aria-label='Stakes in play'] tbody tr"
		state(farid, "In play", "Nothing to do")
		now := farid.get("/reports/liability")
		requireNothingInline(t, now)
		require.Equal(t, []string{"EUR", "2", "52.50"}, cells(now, stakes))
		require.Equal(t, 2, farid.get(now.Find("[aria-label='Stakes in play'] a").AttrOr("href", "")).Find("tbody tr").Length())
		s.later(10 * time.Second)
		_, err := s.Store.FollowMoney(t.Context())
		require.NoError(t, err)
		require.Contains(t, text(farid.get("/"), "[aria-label='By currency']"), "52.50")

		s.later(90 * time.Second)
		farid = s.signedIn("farida", models.Finance)
		state(farid, "No win yet", "one may still come")
		s.book(win("bert", "b-2", "b", 100))
		s.later(time.Hour)
		s.sumUpDays()
		farid = s.signedIn("fatima", models.Finance)
		state(farid, "No win", "12.50 EUR back to anna")
		require.Contains(t, farid.get("/reports/liability").Find("[aria-label='Stakes in play']").Text(),
			"No rounds are in play")
		end := farid.get("/reports/liability?at=" + url.QueryEscape(day.End(time.UTC).Format(time.RFC3339)))
		require.Equal(t, []string{"EUR", "1", "12.50"}, cells(end, stakes))
		page := farid.get(reports.DayPath(day))
		requireNothingInline(t, page)
		require.Equal(t, []string{"EUR", "1", "12.50"},
			cells(page, "[aria-label='The day’s figures'] table:nth-of-type(3) tbody tr"))
		require.Contains(t, text(page, "main"), "Stakes in play")
		header, rows, _ := farid.download(farid.askFor("/reports/liability?at="+
			url.QueryEscape(day.End(time.UTC).Format(time.RFC3339)), models.CSV))
		require.Equal(t, []string{"Owed to players", "Stakes in play"}, column(t, header, rows, "What"))
		require.Equal(t, "12.50", column(t, header, rows, "Amount")[1])

		// Part of a round is rolled back, and nothing follows.
		s.book(bet("bert", "b-3", "c", 700), bet("bert", "b-4", "c", 300), rollback("bert", "b-4"))
		s.later(models.RoundSettles + time.Minute)
		_, err = s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
		require.NoError(t, err)
		farid = s.signedIn("fabio", models.Finance)
		list := farid.get("/rounds?state=interrupted")
		requireNothingInline(t, list)
		require.Equal(t, 1, list.Find("table tbody tr").Length())
		require.Contains(t, list.Find("tbody").Text(), "Interrupted")
		require.Contains(t, list.Text(), "What the states mean")
		round = s.transaction("b-3").ID
		state(farid, "Interrupted", "bert has 7.00 EUR at stake")
		now = farid.get("/reports/liability")
		require.Equal(t, []string{"EUR", "1", "7.00"}, cells(now, "[aria-label='Interrupted rounds'] tbody tr"))
		require.Contains(t, text(farid.get(pages.PlayerPath(bert.ID)), "[aria-label='Latest rounds']"), "Interrupted")
		require.Equal(t, pages.RoundPath(round), farid.get("/search?q=c").location)
		header, rows, _ = farid.download(farid.askFor("/rounds", models.CSV))
		require.ElementsMatch(t, []string{"interrupted", "win paid", "no win"}, column(t, header, rows, "State"))

		// The platform disagrees about the bet, so the page links to the case.
		_, _, err = s.Store.OpenCases(t.Context(),
			[]models.Finding{{Rule: models.CaseStatement, Key: "x", At: s.Now(), PlayerID: anna.ID,
				Transaction: s.transaction("a-1").ID}})
		require.NoError(t, err)
		round = s.transaction("a-1").ID
		state(farid, "Interrupted", "decide the case")
		require.Equal(t, http.StatusOK, farid.get(farid.get(pages.RoundPath(round)).Find(".pb-note a").AttrOr("href", "")).
			status)
	})
}

// The page of a round that paid less than its bets says that. It has a sentence that support can send to the player, and so has
// the page of a lost bet.
func TestRoundsTellThePlayer(t *testing.T) {
	s := sqliteSite(t)
	s.noon()
	s.wallet("anna", 10000)
	s.book(bet("anna", "l-1", "less", 1000), win("anna", "l-2", "less", 400), bet("anna", "m-1", "more", 100),
		win("anna", "m-2", "more", 500), bet("anna", "b-1", "lost", 250), bet("anna", "b-2", "none", 300))
	s.book(win("anna", "b-3", "lost", 0), bet("anna", "c-1", "crashed", 50), rollback("anna", "c-1"))
	s.later(time.Hour)
	sofia := s.signedIn("sofia", models.Support)
	round := func(transaction string) *answer {
		t.Helper()
		page := sofia.get(pages.RoundPath(s.transaction(transaction).ID))
		require.Equal(t, http.StatusOK, page.status, page.text)
		return page
	}
	told := func(page *answer) string {
		return page.Find("[aria-label='For the player'] [data-copy]").AttrOr("data-copy", "")
	}

	less := round("l-1")
	require.Equal(t, "Win paid", less.Find("h1 .badge").Text(), "“Won” would mislead")
	require.Contains(t, text(less, ".pb-facts"), "Net −6.00 EUR lost by the player")
	require.Contains(t, text(less, ".pb-note"), "The round paid 4.00 EUR on bets of 10.00 EUR: anna lost 6.00 EUR in it.")
	require.Regexp(t, `^You bet 10\.00 EUR in the round of \d+ \w+ 20\d\d, 12:00:00 \(UTC\)\. `+
		`It won 4\.00 EUR, which was added to your balance\.$`, told(less))
	more := round("m-1")
	require.Contains(t, text(more, ".pb-facts"), "Net +4.00 EUR won by the player")
	require.Zero(t, more.Find(".pb-note").Length())
	require.NotContains(t, sofia.get("/rounds").Find("tbody").Text(), "Won")

	require.Regexp(t, `^You bet 2\.50 EUR in the round of .* The round did not win\.$`, told(round("b-1")))
	require.Regexp(t, `^You bet 3\.00 EUR in the round of .* No win has been paid for it\.$`, told(round("b-2")))
	require.Regexp(t, `^The round of .* was cancelled\. Whatever you bet in it was given back, and whatever it won was taken back\.$`, told(round("c-1")))
	// A win of 0.00 is how the platform says that the bet is lost: it counts as no win.
	require.Contains(t, text(round("b-1"), ".pb-facts"), "Wins 0.00 EUR 0 wins; the platform sent a win of 0.00")
	for _, path := range []string{"/rounds?state=lost", pages.PlayerPath(s.transaction("b-1").PlayerID)} {
		list := sofia.get(path)
		require.Equal(t, "1 bet, no win", list.Find("tr:contains(Lost) [data-label=What]").Text(), path)
	}
	farid := s.signedIn("farid", models.Finance)
	header, rows, _ := farid.download(farid.askFor("/rounds?state=lost", models.CSV))
	require.Equal(t, []string{"0"}, column(t, header, rows, "Wins"))
	lost := sofia.get(pages.TransactionPath(s.transaction("b-2").ID))
	require.Regexp(t, `^Your bet of 3\.00 EUR on \d+ \w+ 20\d\d at 12:00:00 \(UTC\) was accepted\. No win has been paid for it\.$`,
		told(lost))
	require.Empty(t, told(sofia.get(pages.TransactionPath(s.transaction("m-1").ID))))
}
