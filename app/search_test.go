package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestSearchFindsEverything(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithRefusedBet()
		s.PlayerWithBalance("gabriela", 0)
		s.PlayerWithBalance("Annika", 0)
		s.OpenGameAndGrant("anna")
		sofia := s.SignedIn("sofia", models.Support)
		search := func(text string) *apptest.Answer { return sofia.Get("/search?q=" + url.QueryEscape(text)) }
		player := func(user models.UserID) string {
			p, found, err := s.Store.Player(t.Context(), user)
			require.NoError(t, err)
			require.True(t, found)
			return pages.PlayerPath(p.ID)
		}
		require.Equal(t, player("gabriela"), search("ABRI").Location)
		two := search("ann")
		require.Equal(t, 2, two.Find("section[aria-label=Players] tbody tr").Length())
		for _, text := range []string{apptest.RefusedID, apptest.RefusedID[:8], "ada7af…a32c", "ada7af...a32c", "ADA7AF…A32C"} {
			found := search(text)
			require.True(t, strings.HasPrefix(found.Location, "/callbacks/"), "%s: %s", text, found.Body)
		}
		for _, text := range []string{"b-1", "B-1"} {
			require.Equal(t, pages.TransactionPath(s.Transaction("b-1").ID), search(text).Location, text)
		}
		sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.NotEmpty(t, sessions.Rows)
		require.Equal(t, pages.NewGameSessionRow(sessions.Rows[0]).Href, search("session 1").Location)

		require.Equal(t, "/corrections/new", search("request corr").Location)
		require.Equal(t, "/players", search("Players").Location)
		require.NotContains(t, search("new account").Body, "/staff/new", "support may not create accounts")
		require.Equal(t, "Pages and actions", strings.TrimSpace(sofia.Get("/search/matches?q=free").Find("h2").First().Text()))

		none := search("ancint bels")
		require.Equal(t, http.StatusOK, none.Status)
		require.Contains(t, none.Find(".pb-empty").Text(), "No results for")

		s.SignedIn("ann", models.Administrator)
		require.NotContains(t, search("ann").Body, "administrator", "support may not read staff")
		require.Zero(t, sofia.Get("/search/matches?kind=staff&q=ann").Find("[role=option]").Length())
	})
}

func TestSearchSaysThatThereAreMore(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		file := models.PlayerFile{}
		for i := range 30 {
			file.Players, file.Lines = append(file.Players,
				models.NewPlayer{UserID: models.UserID("p-" + strings.Repeat("x", i)), Currency: "EUR"}), append(file.Lines, i)
		}
		_, err := s.Store.ImportPlayers(t.Context(), models.System, file, nil)
		require.NoError(t, err)
		sofia := s.SignedIn("sofia", models.Support)
		require.Contains(t, sofia.Get("/search?q=P-").Find(".card-header").Text(), "more; type more")
		list := sofia.Get("/search/matches?q=p-x")
		require.Contains(t, list.Find("h2").Text(), "more")
		require.Equal(t, "/search?q=p-x", list.Find("#m-all").AttrOr("href", ""))
	})
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	admin, support := s.SignedIn("ann", models.Administrator), s.SignedIn("hannah", models.Support)
	require.Equal(t, "/staff/1", admin.Get("/search?q=ANN").Location, "the exact name wins over those that contain it")
	page := admin.Get("/search?q=nn")
	require.Equal(t, 2, page.Find("tbody tr").Length())
	require.Equal(t, "Search for “nn”", page.Find("h1").Text())
	require.Equal(t, "nn", page.Find("[data-jump]").AttrOr("value", ""), "so that more can be typed")
	require.Empty(t, admin.Get("/staff?q=nn").Find("[data-jump]").AttrOr("value", ""))
	require.Contains(t, support.Get("/search?q=ann").Text(), "No results for", "only what the reader may read is found")
	matches := admin.Get("/search/matches?kind=staff&q=han")
	require.Equal(t, "hannah", matches.Find("[role=option]").AttrOr("data-value", ""))
	require.Zero(t, matches.Find("nav").Length())
}

func TestSearchFindsPlay(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		s.PlayerWithBalance("anna-2", 0)
		s.Book(apptest.Bet("anna-2", "3-anna-x", "100-anna", 0))
		sofia := s.SignedIn("sofia", models.Support)
		search := func(text string) *apptest.Answer { return sofia.Get("/search?q=" + url.QueryEscape(text)) }
		require.Equal(t, pages.PlayerPath(p.ID), search("anna").Location, "a whole ID comes before IDs that begin with it")
		require.Equal(t, pages.TransactionPath(s.Transaction("3-anna").ID), search("3-anna").Location)
		require.Equal(t, pages.RoundPath(s.Transaction("3-anna").ID), search("101-anna").Location)
		two := search("100-anna")
		require.Equal(t, http.StatusOK, two.Status, "two players have a round of this ID")
		require.Contains(t, two.Body, "Round of anna-2")
		require.Equal(t, pages.TransactionPath(s.Transaction("10-anna").ID), search("10-an").Location,
			"the only ID that begins like this")
	})
}

// Each key that follows "g" opens one page.
func TestKeysOfTheMenuDiffer(t *testing.T) {
	s := apptest.SqliteSite(t)
	keys := map[string]string{}
	s.SignedIn("ann", models.Administrator).Get("/").Find("#nav a[data-key]").Each(func(_ int, link *goquery.Selection) {
		key := link.AttrOr("data-key", "")
		require.NotContains(t, keys, key, link.Text())
		keys[key] = link.AttrOr("href", "")
	})
	require.Greater(t, len(keys), 15)
}
