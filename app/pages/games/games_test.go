package games_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestGamesAreSyncedAndSearched(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.SignedIn("sofia", models.Support)
		require.Contains(t, sofia.Get("/games").Find(".pb-empty").Text(), "No games yet")

		made := sofia.Post("/games", "/games/syncs", nil)
		require.Equal(t, http.StatusSeeOther, made.Status)
		page := sofia.Get(made.Location)
		require.Contains(t, page.Find(".pb-flash").Text(), "60 games offered, 60 added.")
		require.Contains(t, page.Find(".lede").Text(), "60 games offered by the platform.")
		require.Contains(t, page.Find(".lede").Text(), "by sofia")
		require.Equal(t, web.ListRows, page.Find("tbody tr").Length())

		// All of them, forward and back, each once.
		seen := map[string]bool{}
		for page := page; ; {
			for _, link := range page.Find("tbody .c-what a").EachIter() {
				href := link.AttrOr("href", "")
				require.False(t, seen[href], href)
				seen[href] = true
			}
			next, more := page.Find("a[rel=next]").Attr("href")
			if !more {
				back := sofia.Get(page.Find("a[rel=prev]").AttrOr("href", ""))
				require.Equal(t, web.ListRows, back.Find("tbody tr").Length())
				break
			}
			page = sofia.Get(next)
		}
		require.Len(t, seen, 60)
		require.Equal(t, http.StatusBadRequest, sofia.Get("/games?after=x").Status)

		first := s.Sim.Games()[0]
		found := sofia.Get("/games?q=" + first.GameID)
		require.Equal(t, 1, found.Find("tbody tr").Length())
		require.Equal(t, first.GameName, found.Find("tbody .c-what a").Text())
		require.Equal(t, first.Provider,
			sofia.Get("/games?provider="+url.QueryEscape(first.Provider)+"&q="+first.GameID).Find("td[data-label=Provider]").
				Text())
		require.Contains(t, sofia.Get("/games?q=nothing+of+the+sort").Find(".pb-empty").Text(), "No games match these filters")

		// One vanishes, one is renamed; then the platform fails, and nothing changes.
		require.NoError(t, s.Sim.RemoveGame(first.GameID))
		require.NoError(t, s.Sim.RenameGame(s.Sim.Games()[0].GameID, "Lucky Tides"))
		require.Contains(t, sofia.Get(sofia.Post("/games", "/games/syncs", nil).Location).Find(".pb-flash").Text(),
			"59 games offered, 1 renamed, 1 gone.")
		gone := sofia.Get("/games?state=gone")
		require.Equal(t, 1, gone.Find("tbody tr").Length())
		require.Contains(t, gone.Find(".badge").Text(), "Gone since")
		require.Zero(t, gone.Find(".pb-act").Length(), "a game that is gone can be neither opened nor granted")
		thing := sofia.Get(gone.Find("tbody .c-what a").AttrOr("href", ""))
		require.Contains(t, thing.Find(".pb-note").Text(), "no longer offers this game")
		require.Zero(t, thing.Find(".pb-head .pb-actions .btn").Length())

		require.NoError(t, s.Sim.SetMood("gameList=status(502):9"))
		failed := sofia.Get(sofia.Post("/games", "/games/syncs", nil).Location)
		require.Contains(t, failed.Find(".pb-flash").Text(), "The platform answered with HTTP status 502.")
		require.Contains(t, failed.Find("main > .pb-note, .pb-stack .pb-note").Text(), "The last sync failed")
		require.Contains(t, failed.Find(".lede").Text(), "59 games offered by the platform.")
	})
}

func TestAGamesPage(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		bruno, chloe := s.SignedIn("bruno", models.Bonus), s.SignedIn("chloe", models.Compliance)
		page := bruno.Get(web.PathOf("/games", g.ID))
		require.Equal(t, "/sessions/new?game-number="+strconv.FormatInt(g.ID, 10),
			page.Find(".pb-actions .btn-primary").AttrOr("href", ""))
		require.Equal(t, 1, page.Find("[aria-label=Availability] .end a[href='/free-spins?game-number="+strconv.FormatInt(g.ID, 10)+"']").Length())
		require.Zero(t, chloe.Get(web.PathOf("/games", g.ID)).Find(".pb-head .pb-actions a").Length(), "compliance reads")
		require.Equal(t, http.StatusNotFound, bruno.Get("/games/999999").Status)
	})
}

// Browsers load pictures of games only from the hosts that the operator has named.
func TestAttackThumbnailAddresses(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		bruno := s.SignedIn("bruno", models.Bonus)
		list := bruno.Get("/games?q=" + string(g.GameID))
		require.Contains(t, list.Header.Get("Content-Security-Policy"), "img-src 'self' https://"+s.Thumbnails[0]+
			" http://"+s.Thumbnails[0]+";")
		shown := list.Find("tbody img")
		require.Equal(t, g.Thumbnail, shown.AttrOr("src", ""), list.Body)
		require.Equal(t, "no-referrer", shown.AttrOr("referrerpolicy", ""))
		require.Equal(t, []string{"40", "30"}, []string{shown.AttrOr("width", ""), shown.AttrOr("height", "")})
		require.Equal(t, g.Thumbnail, bruno.Get(web.PathOf("/games", g.ID)).Find(".pb-game-head img").AttrOr("src", ""))

		for _, address := range []string{"https://evil.example/a.png", "https://" + s.Thumbnails[0] + "@evil.example/a.png",
			"https://user@" + s.Thumbnails[0] + "/a.png", "https://" + s.Thumbnails[0] + ".evil.example/a.png",
			"http://169.254.169.254/"} {
			_, err := s.Store.SyncGames(t.Context(), apptest.Tester, models.GameSync{At: s.Now()},
				[]models.OfferedGame{{GameID: g.GameID, Name: g.Name, Thumbnail: address}})
			require.NoError(t, err)
			page := bruno.Get("/games?q=" + string(g.GameID))
			require.Zero(t, page.Find("tbody img").Length(), address)
			require.Equal(t, 1, page.Find("tbody .pb-thumb svg").Length())
			require.Zero(t, bruno.Get(web.PathOf("/games", g.ID)).Find("main img").Length())
		}
	})
}

// The log of when each game was available is on the game's page, in a list and in its export.
func TestAvailabilityOfGames(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		bruno := s.SignedIn("bruno", models.Bonus)
		require.NoError(t, s.Sim.RenameGame(string(g.GameID), "Lucky <b>Tides</b>"))
		s.Later(time.Minute)
		s.SyncedGame()
		s.Later(time.Minute)
		require.NoError(t, s.Sim.RemoveGame(string(g.GameID)))
		_, err := s.Catalogue.Sync(t.Context(), apptest.Tester)
		require.NoError(t, err)

		var lines []string
		for _, cell := range bruno.Get(web.PathOf("/games", g.ID)).Find("[aria-label=Availability] td[data-label=Change]").
			EachIter() {
			lines = append(lines, cell.Text())
		}
		require.Equal(t, []string{"Disappeared from the platform’s list", "Renamed from " + g.Name + " to Lucky <b>Tides</b>",
			"Appeared in the platform’s list"}, lines)

		for query, want := range map[string]int{
			"": web.ListRows, "?game=" + string(g.GameID): 3, "?change=renamed": 1,
			"?change=disappeared&game=" + string(g.GameID): 1, "?change=nonsense": 0, "?game=nobody": 0,
			"?game=" + string(g.GameID) + "&until=2020-01-01": 0, "?since=yesterday": 0,
		} {
			page := bruno.Get("/games/changes" + query)
			require.Equal(t, http.StatusOK, page.Status)
			apptest.RequireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
			if want == 0 {
				require.NotEmpty(t, page.Find(".pb-empty h2").Text(), query)
			}
		}
		require.Contains(t, bruno.Get("/games/changes?change=nonsense").Find(".pb-empty").Text(), "“nonsense”")
		header, rows, _ := bruno.Download("/games/changes?game="+string(g.GameID), export.CSV)
		require.Equal(t, []string{"disappeared", "renamed", "appeared"}, apptest.ColumnOf(t, header, rows, "Change"))
		require.Equal(t, []string{"", g.Name, ""}, apptest.ColumnOf(t, header, rows, "Former name"))
	})
}

func TestFindersOfGamesAndGrants(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		grant := s.Grant("anna", g, 20)
		bruno := s.SignedIn("bruno", models.Bonus)
		require.Equal(t, web.PathOf("/games", g.ID), bruno.Get("/search?q="+string(g.GameID)).Location)
		require.Equal(t, web.PathOf("/free-spins", grant.ID), bruno.Get("/search?q="+string(grant.FreeSpinID)).Location)
		require.Equal(t, web.PathOf("/free-spins", grant.ID), bruno.Get("/search?q="+string(grant.FreeSpinID[:9])).Location,
			"the beginning of an ID, if no other begins like this")
		picker := bruno.Get("/search/matches?kind=game&q=" + url.QueryEscape(g.Name))
		require.Equal(t, g.Name, picker.Find("[role=option]").First().AttrOr("data-value", ""))
		require.Zero(t, bruno.Get("/search/matches?kind=game&q="+string(grant.FreeSpinID)).Find("[role=option]").Length())
	})
}
