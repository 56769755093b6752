package app

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages/games"
	"pitboss/app/web"
	"pitboss/models"
)

func TestGamesAreSyncedAndSearched(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		sofia := s.signedIn("sofia", models.Support)
		require.Contains(t, sofia.get("/games").Find(".pb-empty").Text(), "No games yet")

		made := sofia.post("/games", "/games/syncs", nil)
		require.Equal(t, http.StatusSeeOther, made.status)
		page := sofia.get(made.location)
		require.Contains(t, page.Find(".pb-flash").Text(), "60 games offered, 60 added.")
		require.Contains(t, page.Find(".lede").Text(), "60 games offered by the platform.")
		require.Contains(t, page.Find(".lede").Text(), "by sofia")
		require.Equal(t, games.GameRows, page.Find("tbody tr").Length())

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
				back := sofia.get(page.Find("a[rel=prev]").AttrOr("href", ""))
				require.Equal(t, games.GameRows, back.Find("tbody tr").Length())
				break
			}
			page = sofia.get(next)
		}
		require.Len(t, seen, 60)
		require.Equal(t, http.StatusBadRequest, sofia.get("/games?after=x").status)

		first := s.sim.Games()[0]
		found := sofia.get("/games?q=" + first.GameID)
		require.Equal(t, 1, found.Find("tbody tr").Length())
		require.Equal(t, first.GameName, found.Find("tbody .c-what a").Text())
		require.Equal(t, first.Provider,
			sofia.get("/games?provider="+url.QueryEscape(first.Provider)+"&q="+first.GameID).Find("td[data-label=Provider]").
				Text())
		require.Contains(t, sofia.get("/games?q=nothing+of+the+sort").Find(".pb-empty").Text(), "No games match these filters")

		// One vanishes, one is renamed; then the platform fails, and nothing changes.
		require.NoError(t, s.sim.RemoveGame(first.GameID))
		require.NoError(t, s.sim.RenameGame(s.sim.Games()[0].GameID, "Lucky Tides"))
		require.Contains(t, sofia.get(sofia.post("/games", "/games/syncs", nil).location).Find(".pb-flash").Text(),
			"59 games offered, 1 renamed, 1 gone.")
		gone := sofia.get("/games?state=gone")
		require.Equal(t, 1, gone.Find("tbody tr").Length())
		require.Contains(t, gone.Find(".badge").Text(), "Gone since")
		require.Zero(t, gone.Find(".pb-act").Length(), "a game that is gone can be neither opened nor granted")
		thing := sofia.get(gone.Find("tbody .c-what a").AttrOr("href", ""))
		require.Contains(t, thing.Find(".pb-note").Text(), "no longer offers this game")
		require.Zero(t, thing.Find(".pb-head .pb-actions .btn").Length())

		require.NoError(t, s.sim.SetMoods("gameList=status(502):9"))
		failed := sofia.get(sofia.post("/games", "/games/syncs", nil).location)
		require.Contains(t, failed.Find(".pb-flash").Text(), "The platform answered with HTTP status 502.")
		require.Contains(t, failed.Find("main > .pb-note, .pb-stack .pb-note").Text(), "The last sync failed")
		require.Contains(t, failed.Find(".lede").Text(), "59 games offered by the platform.")

		history := sofia.get("/games/syncs")
		require.Equal(t, 3, history.Find("tbody tr").Length())
		require.Contains(t, history.Find("tbody tr").First().Text(), "Failed")
	})
}

func TestAGamesPage(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("anna", false)
		grant := s.granted("anna", g, 20)
		s.spin("anna", "r1", 250)
		bruno, chloe := s.signedIn("bruno", models.Bonus), s.signedIn("chloe", models.Compliance)
		page := bruno.get(web.PathOf("/games", g.ID))
		require.Equal(t, "/sessions/new?game-number="+strconv.FormatInt(g.ID, 10), page.Find(".pb-actions .btn-primary").AttrOr("href", ""))
		require.Contains(t, page.Find(".pb-foot").Text(), "20 spins of these grants have won 2.50 EUR so far.")
		require.Equal(t, web.PathOf("/free-spins", grant.ID), page.Find("td[data-label=Grant] a").AttrOr("href", ""))
		require.Zero(t, chloe.get(web.PathOf("/games", g.ID)).Find(".pb-head .pb-actions a").Length(), "compliance reads")
		require.Equal(t, http.StatusNotFound, bruno.get("/games/999999").status)
	})
}

// Browsers load pictures of games only from the hosts that the operator has named.
func TestAttackThumbnailAddresses(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		bruno := s.signedIn("bruno", models.Bonus)
		list := bruno.get("/games?q=" + string(g.GameID))
		require.Contains(t, list.header.Get("Content-Security-Policy"), "img-src 'self' https://"+s.Thumbnails[0]+
			" http://"+s.Thumbnails[0]+";")
		shown := list.Find("tbody img")
		require.Equal(t, g.Thumbnail, shown.AttrOr("src", ""), list.text)
		require.Equal(t, "no-referrer", shown.AttrOr("referrerpolicy", ""))
		require.Equal(t, []string{"40", "30"}, []string{shown.AttrOr("width", ""), shown.AttrOr("height", "")})
		require.Equal(t, g.Thumbnail, bruno.get(web.PathOf("/games", g.ID)).Find(".pb-game-head img").AttrOr("src", ""))

		for _, address := range []string{"https://evil.example/a.png", "https://" + s.Thumbnails[0] + "@evil.example/a.png",
			"https://user@" + s.Thumbnails[0] + "/a.png", "https://" + s.Thumbnails[0] + ".evil.example/a.png", "http://169.254.169.254/"} {
			_, err := s.Store.SyncGames(t.Context(), tester, models.GameSync{At: s.Now()},
				[]models.OfferedGame{{GameID: g.GameID, Name: g.Name, Thumbnail: address}})
			require.NoError(t, err)
			page := bruno.get("/games?q=" + string(g.GameID))
			require.Zero(t, page.Find("tbody img").Length(), address)
			require.Equal(t, 1, page.Find("tbody .pb-thumb svg").Length())
			require.Zero(t, bruno.get(web.PathOf("/games", g.ID)).Find("main img").Length())
		}
	})
}

// The log of when each game was available is on the game's page, in a list and in its export.
func TestAvailabilityOfGames(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		bruno := s.signedIn("bruno", models.Bonus)
		require.Zero(t, bruno.get("/games").Find("tbody .badge:contains('New')").Length(), "the first sync brings all games")
		require.NoError(t, s.sim.RenameGame(string(g.GameID), "Lucky <b>Tides</b>"))
		s.later(time.Minute)
		s.offer()
		s.later(time.Minute)
		require.NoError(t, s.sim.RemoveGame(string(g.GameID)))
		_, err := s.Catalogue.Sync(t.Context(), tester)
		require.NoError(t, err)

		var lines []string
		for _, cell := range bruno.get(web.PathOf("/games", g.ID)).Find("[aria-label=Availability] td[data-label=Change]").
			EachIter() {
			lines = append(lines, cell.Text())
		}
		require.Equal(t, []string{"Disappeared from the platform’s list", "Renamed from " + g.Name + " to Lucky <b>Tides</b>",
			"Appeared in the platform’s list"}, lines)

		for query, want := range map[string]int{
			"": games.GameRows, "?game=" + string(g.GameID): 3, "?change=renamed": 1,
			"?change=disappeared&game=" + string(g.GameID): 1, "?change=nonsense": 0, "?game=nobody": 0,
			"?game=" + string(g.GameID) + "&until=2020-01-01": 0, "?since=yesterday": 0,
		} {
			page := bruno.get("/games/changes" + query)
			require.Equal(t, http.StatusOK, page.status)
			requireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
			if want == 0 {
				require.NotEmpty(t, page.Find(".pb-empty h2").Text(), query)
			}
		}
		require.Contains(t, bruno.get("/games/changes?change=nonsense").Find(".pb-empty").Text(), "“nonsense”")
		header, rows, _ := bruno.download(bruno.askFor("/games/changes?game="+string(g.GameID), models.CSV))
		require.Equal(t, []string{"disappeared", "renamed", "appeared"}, column(t, header, rows, "Change"))
		require.Equal(t, []string{"", g.Name, ""}, column(t, header, rows, "Former name"))
	})
}

func TestFindersOfGamesAndGrants(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("anna", false)
		grant := s.granted("anna", g, 20)
		bruno := s.signedIn("bruno", models.Bonus)
		require.Equal(t, web.PathOf("/games", g.ID), bruno.get("/search?q="+string(g.GameID)).location)
		require.Equal(t, web.PathOf("/free-spins", grant.ID), bruno.get("/search?q="+string(grant.FreeSpinID)).location)
		require.Equal(t, web.PathOf("/free-spins", grant.ID), bruno.get("/search?q="+string(grant.FreeSpinID[:9])).location,
			"the beginning of an ID, if no other begins like this")
		picker := bruno.get("/search/matches?kind=game&q=" + url.QueryEscape(g.Name))
		require.Equal(t, string(g.GameID), picker.Find("[role=option]").First().AttrOr("data-value", ""))
		require.Zero(t, bruno.get("/search/matches?kind=game&q="+string(grant.FreeSpinID)).Find("[role=option]").Length())
	})
}
