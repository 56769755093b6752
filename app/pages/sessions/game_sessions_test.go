package sessions_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

func TestAGameIsOpened(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("test-eur", true)
		bruno := s.SignedIn("bruno", models.Bonus)
		form := bruno.Get("/sessions/new?player=test-eur&game=" + string(g.GameID))
		require.Equal(t, "test-eur", form.Find("#f-player").AttrOr("value", ""))
		require.Equal(t, "_blank", form.Find("main form").AttrOr("target", ""))
		require.Equal(t, "noopener", form.Find("main form").AttrOr("rel", ""))
		require.Equal(t, 12, form.Find("#f-language option").Length())

		opened := bruno.Post("/sessions/new", "/sessions",
			url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"uk"}})
		require.Equal(t, http.StatusSeeOther, opened.Status, opened.Body)
		outside, err := url.Parse(opened.Location)
		require.NoError(t, err)
		require.Contains(t, s.GameHosts, outside.Host)
		require.Contains(t, opened.Header.Get("Content-Security-Policy"), "http://"+outside.Host,
			"or the browser stops the form that leads there")

		list := bruno.Get("/sessions?player=test-eur&game=" + string(g.GameID) + "&state=opened&staff=bruno")
		require.Equal(t, 1, list.Find("tbody tr").Length())
		thing := bruno.Get(list.Find("tbody .c-what a").AttrOr("href", ""))
		require.Contains(t, thing.Find(".pb-dl").Text(), "The part that would open the game again is hidden.")
		require.NotContains(t, thing.Body, outside.Path+"?"+outside.RawQuery)
		require.Zero(t, bruno.Get("/sessions?player=nobody").Find("tbody tr").Length())
	})
}

// TestALaunchedSessionIsFound waits in the form's tab for the session that another tab opens, and watches its callbacks arrive.
func TestALaunchedSessionIsFound(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("test-eur", true)
		bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
		form := bruno.Get("/sessions/new?player=test-eur&game=" + string(g.GameID))
		wait := form.Find("main form").AttrOr("data-launch", "")
		launch := form.Find("main form [name=launch]").AttrOr("value", "")
		require.Equal(t, "/sessions/launched/"+launch, wait)
		require.NotEqual(t, launch, bruno.Get("/sessions/new").Find("[name=launch]").AttrOr("value", ""))
		waiting := bruno.Get(wait)
		apptest.RequireNothingInline(t, waiting)
		require.Equal(t, wait, waiting.Find("#waiting").AttrOr("hx-get", ""))
		require.Equal(t, http.StatusNotFound, bruno.Get("/sessions/launched/"+strings.ToLower(launch)).Status)

		// A refused form keeps its launch ID, so that the tab finds the next attempt.
		values := url.Values{"player": {"nobody"}, "game": {string(g.GameID)}, "language": {"en"}, "launch": {launch}}
		require.Equal(t, launch, bruno.Post("/sessions/new", "/sessions", values).Find("[name=launch]").AttrOr("value", ""))
		require.Equal(t, http.StatusOK, bruno.Get(wait).Status)
		values.Set("player", "test-eur")
		opened := bruno.Post("/sessions/new", "/sessions", values)
		require.Equal(t, http.StatusSeeOther, opened.Status, opened.Body)
		outside, err := url.Parse(opened.Location)
		require.NoError(t, err)

		there := bruno.Get(wait)
		require.Equal(t, http.StatusSeeOther, there.Status)
		poll := bruno.Request(http.MethodGet, wait, nil)
		poll.Header.Set("Pitboss-Live", "1")
		polled := bruno.Send(poll)
		require.Equal(t, there.Location, polled.Header.Get("HX-Redirect"))
		require.Equal(t, http.StatusOK, sofia.Get(wait).Status, "somebody else's form waits for its own session")
		session := bruno.Get(there.Location)
		apptest.RequireNothingInline(t, session)
		require.Contains(t, session.Find("#stream").Text(), "No callbacks yet")
		require.Equal(t, there.Location, session.Find("#stream").AttrOr("hx-get", ""))
		for _, page := range []*apptest.Answer{waiting, there, polled, session} {
			require.NotContains(t, page.Body, strings.TrimPrefix(outside.Path, "/play/"),
				"the address is a secret of the new tab")
		}

		s.Later(time.Second)
		s.BookCallbacks(apptest.Bet("test-eur", "in-it", "r-1", 250))
		poll = bruno.Request(http.MethodGet, there.Location, nil)
		poll.Header.Set("Pitboss-Live", "1")
		poll.Header.Set("HX-Request", "true")
		poll.Header.Set("HX-Target", "stream")
		part := bruno.Send(poll)
		require.Equal(t, 1, part.Find("tbody tr").Length(), part.Body)
		require.Contains(t, part.Find("tbody").Text(), "−2.50")
		require.Zero(t, part.Find("nav").Length(), "only the part")
		s.Later(models.GameSessionLasts)
		bruno = s.SignedIn("bruna", models.Bonus)
		s.BookCallbacks(apptest.Bet("test-eur", "after-it", "r-2", 300))
		over := bruno.Get(there.Location)
		require.Equal(t, 1, over.Find("#stream tbody tr").Length())
		require.Empty(t, over.Find("#stream").AttrOr("hx-get", ""), "nothing more will come")
	})
}

// TestASessionWithoutAnAnswer shows a session for which the platform never answered.
func TestASessionWithoutAnAnswer(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, ctx, by := s.SyncedGame(), t.Context(), models.Actor{Name: "bruno"}
		p := s.NewPlayer("test-eur", true)
		session := models.GameSession{PlayerID: p.ID, UserID: p.UserID, Game: g.Ref(), Language: "en"}
		var err error
		session.ID, err = s.Store.BeginGameSession(ctx, by, session)
		require.NoError(t, err)
		bruno := s.SignedIn("bruno", models.Bonus)
		address := web.PathOf("/sessions", session.ID)
		require.Contains(t, bruno.Get(address).Find("main").Text(), "No answer was recorded")
		session.State = models.GameSessionOpened
		require.NoError(t, s.Store.EndGameSession(ctx, by, session))
		require.Equal(t, 1, bruno.Get(address).Find("#stream").Length())
	})
}

func TestAGameThatIsNotOpened(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("test-eur", true)
		s.NewPlayer("anna", false)
		blocked := s.NewPlayer("blocked", true)
		storetest.Restrict(t, s.Store, blocked.UserID)
		bruno := s.SignedIn("bruno", models.Bonus)
		for name, row := range map[string]struct {
			player, game, language, field, words string
		}{
			"nobody":        {"nobody", string(g.GameID), "en", "player", "no player with this ID"},
			"blocked":       {"blocked", string(g.GameID), "en", "player", "is restricted"},
			"a real player": {"anna", string(g.GameID), "en", "player", "with their own money"},
			"no such game":  {"test-eur", "x", "en", "game", "No single game has this ID or name"},
			"no language":   {"test-eur", string(g.GameID), "xx", "language", "Choose a language"},
		} {
			t.Run(name, func(t *testing.T) {
				page := bruno.Post("/sessions/new", "/sessions",
					url.Values{"player": {row.player}, "game": {row.game}, "language": {row.language}})
				require.Equal(t, http.StatusUnprocessableEntity, page.Status)
				require.Contains(t, page.Find("#f-"+row.field+"-wrong").Text(), row.words)
				require.Equal(t, row.player, page.Find("#f-player").AttrOr("value", ""), "what was typed stays")
			})
		}
		for mood, words := range map[string]string{
			"userAuth=refused(7):3":  "The platform refused with 7, invalid API token.",
			"userAuth=status(503):9": "HTTP status 503", "userAuth=not-json:9": "could not be read",
			"userAuth=dropped-before:9": "no connection to the platform, or it broke",
		} {
			t.Run(mood, func(t *testing.T) {
				require.NoError(t, s.Sim.SetMood(mood))
				page := bruno.Post("/sessions/new", "/sessions",
					url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}})
				require.Equal(t, http.StatusUnprocessableEntity, page.Status)
				require.Contains(t, page.Find(".pb-note").Text(), words)
				require.NoError(t, s.Sim.SetMood("userAuth=normal"))
				// A failure may have opened the circuit; a successful call closes it again.
				require.Eventually(t, func() bool {
					return bruno.Post("/sessions/new", "/sessions",
						url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}}).
						Status == http.StatusSeeOther
				}, time.Minute, 10*time.Millisecond)
			})
		}
		require.NotZero(t, bruno.Get("/sessions?state=failed").Find("tbody tr").Length())
	})
}

// TestAGameElsewhere: a compromised platform cannot send staff to any host it likes.
func TestAGameElsewhere(t *testing.T) {
	s := apptest.SqliteSite(t)
	g := s.SyncedGame()
	s.NewPlayer("test-eur", true)
	s.GameHosts = []string{"games.example"}
	bruno := s.SignedIn("bruno", models.Bonus)
	page := bruno.Post("/sessions/new", "/sessions",
		url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}})
	require.Equal(t, http.StatusBadGateway, page.Status)
	require.Empty(t, page.Location)
	require.Contains(t, page.Body, "not in the list of game hosts")
}
