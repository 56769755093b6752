package rounds_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestRounds(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.CameAgain(s.PlayerWithHistory("anna"))
		s.CameAgain(s.PlayerWithHistory("<b>bob</b>"))
		sofia := s.SignedIn("sofia", models.Support)
		for query, want := range map[string]int{
			"": 16, "?player=anna": 8, "?state=open": 2, "?state=no-win": 2, "?state=won": 6, "?state=rolled-back": 4,
			"?state=no-bet": 2, "?funds=25": 2, "?funds=25.01": 0, "?age=5m": 0,
			"?state=pending": 0, "?state=in-play": 0, "?state=no-win-yet": 0, "?state=interrupted": 0, "?state=lost": 2,
		} {
			page := sofia.Get("/rounds" + query)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			apptest.RequireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		require.Contains(t, sofia.Get("/rounds").Find(".pb-foot").Text(), "without a result: 50.00 EUR")
		s.Later(2 * 3600 * 1e9)
		sofia = s.SignedIn("sofie", models.Support)
		require.Equal(t, 2, sofia.Get("/rounds?age=2h&state=open").Find("tbody tr").Length())

		won := s.Transaction("2-anna")
		there := sofia.Get(pages.RoundPath(won.ID))
		require.Equal(t, http.StatusSeeOther, there.Status, "each of its transactions leads to the round")
		page := sofia.Get(there.Location)
		require.Equal(t, "100-anna", page.Find(".idline .id").Text())
		require.Equal(t, 2, page.Find("tbody tr:not(.gap)").Length())
		require.Contains(t, page.Find(".pb-facts").Text(), "+7.50 EUR")
		open := sofia.Get(pages.RoundPath(s.Transaction("3-anna").ID))
		require.Contains(t, open.Find(".pb-note").Text(), "refunds 25.00 EUR to anna")
		require.Contains(t, sofia.Get(pages.RoundPath(s.Transaction("10-anna").ID)).Find(".pb-note").Text(),
			"A win without a bet")
		require.Equal(t, http.StatusNotFound, sofia.Get("/rounds/1").Status, "the opening of a wallet is not a round")
		require.Equal(t, http.StatusNotFound, sofia.Get("/rounds/99999").Status)
	})
}
