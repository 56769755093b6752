package games_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
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

		// All pages of the list, forward and back, show each game once.
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

		// One game vanishes and one is renamed. Then the platform fails, and nothing changes.
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

// Browsers load pictures of games only from hosts that the operator has named.
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

// The log of when a game was available is on the game's page, in a list and in that list's export.
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

// Games that the platform has added since the first sync count as new for a week. Two links lead to one provider's new games.
func TestNewGames(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		late := s.Sim.Games()[30]
		require.NoError(t, s.Sim.RemoveGame(late.GameID))
		old := s.SyncedGame()
		bruno := s.SignedIn("bruno", models.Bonus)
		names := func(address string) (names []string) {
			for _, link := range bruno.Get(address).Find("tbody .c-what a").EachIter() {
				names = append(names, link.Text())
			}
			return names
		}
		require.Empty(t, names("/games?new=7"), "nobody knows when the first games appeared")
		require.NotContains(t, bruno.Get("/games").Find(".lede").Text(), "new in the last")

		s.Later(48 * time.Hour)
		require.NoError(t, s.Sim.RestoreGame(late.GameID))
		s.SyncedGame()
		bruno = s.SignedIn("bea", models.Bonus)
		link := bruno.Get("/games").Find(".lede a")
		require.Equal(t, "1 new in the last 7 days", link.Text())
		list := bruno.Get(link.AttrOr("href", ""))
		require.Equal(t, "Offered New", strings.Join(strings.Fields(list.Find("td.c-state").Text()), " "))
		provider := list.Find("td[data-label=Provider] a")
		require.Equal(t, late.Provider, provider.Text())
		require.Equal(t, []string{late.GameName}, names(provider.AttrOr("href", "")))
		require.Equal(t, []string{late.GameName}, names("/games?new=2&type="+late.GameType))
		require.Empty(t, names("/games?new=7&provider=nobody"))
		require.Equal(t, late.GameName, names("/games?order=new")[0])
		require.Equal(t, 2, strings.Count(bruno.Get("/games?new=7&order=new").Find(".pb-foot, caption").Text(), "first seen, newest first"))
		seen := map[string]bool{}
		for address := "/games?order=new"; address != ""; address = bruno.Get(address).Find("a[rel=next]").AttrOr("href", "") {
			for _, name := range names(address) {
				seen[name] = true
			}
		}
		require.Len(t, seen, 60)
		header, rows, _ := bruno.Download("/games?new=7", export.CSV)
		require.Equal(t, []string{late.GameName}, apptest.ColumnOf(t, header, rows, "Name"))
		require.NotContains(t, bruno.Get(web.PathOf("/games", old.ID)).Find("h1").Text(), "New")
		s.Later(8 * 24 * time.Hour)
		bruno = s.SignedIn("ben", models.Bonus)
		require.Empty(t, names("/games?new=7"))
		require.Equal(t, []string{late.GameName}, names("/games?new=30"))
	})
}

// A game's page shows what was played in its sessions, what that leaves out, and who has the game open now.
func TestEarningsOfAGame(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		day := s.SetClockToNoon()
		g := s.SyncedGame()
		other, _, err := s.Store.Game(t.Context(), models.GameID(s.Sim.Games()[1].GameID))
		require.NoError(t, err)
		bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
		open := func(p models.Player, g models.Game) {
			session := models.GameSession{PlayerID: p.ID, UserID: p.UserID, Game: g.Ref(), Language: "en", Reason: "a complaint"}
			session.ID, err = s.Store.BeginGameSession(t.Context(), apptest.Tester, session)
			require.NoError(t, err)
			session.State = models.GameSessionOpened
			require.NoError(t, s.Store.EndGameSession(t.Context(), apptest.Tester, session))
			s.Later(time.Minute)
		}
		anna, boris := s.NewPlayer("anna", false), s.NewPlayer("boris", false)
		s.Book(apptest.Bet("anna", "before", "r0", 500))
		open(anna, g)
		open(boris, g)
		s.Book(apptest.Bet("anna", "a1", "r1", 1000), apptest.Win("anna", "a2", "r1", 250), apptest.BetWin("boris", "b1", "r2", 200, 50))
		open(boris, other)
		s.Book(apptest.Bet("boris", "b2", "r3", 5000))

		path := web.PathOf("/games", g.ID)
		page := bruno.Get(path)
		apptest.RequireNothingInline(t, page)
		require.Equal(t, "EUR 2 2 12.00 3.00 9.00 0.00", strings.Join(strings.Fields(page.Find("#earned tbody").Text()), " "))
		require.Contains(t, page.Find("#earned .pb-card-note").Text(), "Bets in games that players opened elsewhere")
		playing := page.Find("[aria-label='Playing now'] tbody tr")
		require.Equal(t, 1, playing.Length(), "boris plays another game")
		require.Equal(t, "anna", playing.Find("a").First().Text())
		all := page.Find("[aria-label='Playing now'] .end a").AttrOr("href", "")
		require.Equal(t, 1, sofia.Get(all).Find("tbody tr").Length())
		require.Zero(t, sofia.Get(path).Find("#earned").Length(), "support reads no reports")
		require.Contains(t, bruno.Get(path+"?days=yesterday").Find("#earned").Text(), "No session of this game was open on these days.")
		require.Equal(t, 1, bruno.Get(path+"?from="+string(day)+"&to="+string(day)).Find("#earned tbody tr").Length())
		s.Later(models.GameSessionLasts)
		require.Zero(t, s.SignedIn("stan", models.Support).Get(all).Find("tbody tr").Length())
	})
}
