package players_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestSegment filters the list of players by what they did, saves the filters, and grants spins to the players who then match.
func TestSegment(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for _, user := range []models.UserID{"anna", "bert"} {
			s.PlayerWithBalance(user, 100_000)
		}
		s.Book(apptest.Bet("anna", "a-1", "a", 60_000), apptest.Bet("bert", "b-1", "b", 60_000), apptest.Win("bert", "b-2", "b", 50_000))
		grant := s.OpenGameAndGrant("bert")
		s.SumUpDays()
		lost := "/players?loss=500&not-played-since="
		s.Later(50 * time.Hour)
		bea := s.SignedIn("bea", models.Bonus)
		page := bea.Get(lost + "1")
		require.Equal(t, "anna", page.Find("tbody .c-what bdi").Text(), page.Body)
		require.Contains(t, page.Find("[role=status]").Text(), "1 player matches")
		require.Contains(t, page.Find(".pb-chips").Text(), "Last 30 days", "amounts are of some days")
		require.Equal(t, 2, bea.Get("/players?turnover=600").Find("tbody tr").Length())
		require.Equal(t, "bert", bea.Get("/players?spins=unused").Find("tbody .c-what bdi").Text())
		require.Zero(t, bea.Get("/players?loss=500&not-played-since=5").Find("tbody tr").Length())

		for address, wrong := range map[string]string{
			"/players?days=last-month":             "choose one of these filters too",
			"/players?played-since=soon":           "a number of days ago",
			"/players?campaign-spins=used":         "Enter the number of the campaign",
			"/players?campaign=9":                  "No campaign has the number 9",
			"/players?language=xx":                 "has no value “xx”",
			"/players?loss=500&from=2026-13-01":    "is not a day",
			"/players?deposits=500&spins=whatever": "has no value “whatever”",
		} {
			require.Contains(t, bea.Get(address).Find("main").Text(), wrong, address)
		}
		_, err := s.Store.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "test-try", Currency: "TRY", Test: true})
		require.NoError(t, err)
		require.Contains(t, bea.Get("/players?loss=500").Find("main").Text(), "their amounts are not compared")

		bea.Post("/players", "/views", url.Values{"page": {"/players"}, "query": {"currency=EUR&loss=100&not-played-since=0"}, "name": {"Lost"}})
		form := url.Values{"name": {"Come back"}, "game": {string(grant.Game.GameID)}, "spins": {"10"}}
		form.Set("view", "1")
		preview := func() string { return bea.Post("/campaigns/new", "/campaigns/new", form).Find("main").Text() }
		require.Contains(t, preview(), "2 players")
		s.Book(apptest.Bet("bert", "b-3", "c", 100))
		s.SumUpDays()
		require.Contains(t, preview(), "10 spins to anna in 1 grant", "who played meanwhile has left the view")
	})
}
