package app

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/models"
)

func TestAGameIsOpened(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("test-eur", true)
		bruno := s.signedIn("bruno", models.Bonus)
		form := bruno.get("/sessions/new?player=test-eur&game=" + string(g.GameID))
		require.Equal(t, "test-eur", form.Find("#f-player").AttrOr("value", ""))
		require.Equal(t, "_blank", form.Find("main form").AttrOr("target", ""))
		require.Equal(t, "noopener", form.Find("main form").AttrOr("rel", ""))
		require.Equal(t, 12, form.Find("#f-language option").Length())
		require.Zero(t, form.Find("#f-reason").Length(), "bonus opens no game for a real player")

		opened := bruno.post("/sessions/new", "/sessions",
			url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"uk"}})
		require.Equal(t, http.StatusSeeOther, opened.status, opened.text)
		outside, err := url.Parse(opened.location)
		require.NoError(t, err)
		require.Contains(t, s.GameHosts, outside.Host)
		require.Contains(t, opened.header.Get("Content-Security-Policy"), "http://"+outside.Host,
			"or the browser stops the form that leads there")

		list := bruno.get("/sessions?player=test-eur&game=" + string(g.GameID) + "&state=opened&staff=bruno")
		require.Equal(t, 1, list.Find("tbody tr").Length())
		thing := bruno.get(list.Find("tbody .c-what a").AttrOr("href", ""))
		require.Contains(t, thing.Find(".pb-dl").Text(), "The part that would open the game again is hidden.")
		require.NotContains(t, thing.text, outside.Path+"?"+outside.RawQuery)
		require.Zero(t, bruno.get("/sessions?player=nobody").Find("tbody tr").Length())
	})
}

var calledBefore atomic.Int64

// called books operations as callbacks do, so that the log has them too.
func (s *site) called(ops ...models.Operation) {
	s.t.Helper()
	for _, op := range ops {
		op.Receipt = &models.Receipt{RequestID: models.RequestID{Received: s.Now(), Number: calledBefore.Add(1)}}
		s.book(op)
	}
}

// TestALaunchedSessionIsFound waits in the form's tab for the session that another tab opens, and watches its callbacks arrive
// there.
func TestALaunchedSessionIsFound(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("test-eur", true)
		bruno, sofia := s.signedIn("bruno", models.Bonus), s.signedIn("sofia", models.Support)
		form := bruno.get("/sessions/new?player=test-eur&game=" + string(g.GameID))
		wait := form.Find("main form").AttrOr("data-launch", "")
		launch := form.Find("main form [name=launch]").AttrOr("value", "")
		require.Equal(t, "/sessions/launched/"+launch, wait)
		require.NotEqual(t, launch, bruno.get("/sessions/new").Find("[name=launch]").AttrOr("value", ""))
		waiting := bruno.get(wait)
		requireNothingInline(t, waiting)
		require.Equal(t, wait, waiting.Find("#waiting").AttrOr("hx-get", ""))
		require.Equal(t, http.StatusNotFound, bruno.get("/sessions/launched/"+strings.ToLower(launch)).status)

		// A refused form keeps its launch ID, so that the next attempt is found.
		values := url.Values{"player": {"nobody"}, "game": {string(g.GameID)}, "language": {"en"}, "launch": {launch}}
		require.Equal(t, launch, bruno.post("/sessions/new", "/sessions", values).Find("[name=launch]").AttrOr("value", ""))
		require.Equal(t, http.StatusOK, bruno.get(wait).status)
		values.Set("player", "test-eur")
		opened := bruno.post("/sessions/new", "/sessions", values)
		require.Equal(t, http.StatusSeeOther, opened.status, opened.text)
		outside, err := url.Parse(opened.location)
		require.NoError(t, err)

		there := bruno.get(wait)
		require.Equal(t, http.StatusSeeOther, there.status)
		poll := bruno.request(http.MethodGet, wait, nil)
		poll.Header.Set("Pitboss-Live", "1")
		polled := bruno.send(poll)
		require.Equal(t, there.location, polled.header.Get("HX-Redirect"))
		require.Equal(t, http.StatusOK, sofia.get(wait).status, "somebody else's form waits for its own session")
		session := bruno.get(there.location)
		requireNothingInline(t, session)
		require.Contains(t, session.Find("#stream").Text(), "No callbacks yet")
		require.Equal(t, there.location, session.Find("#stream").AttrOr("hx-get", ""))
		for _, page := range []*answer{waiting, there, polled, session} {
			require.NotContains(t, page.text, strings.TrimPrefix(outside.Path, "/play/"),
				"the address is a secret of the new tab")
		}

		s.later(time.Second)
		s.called(bet("test-eur", "in-it", "r-1", 250))
		poll = bruno.request(http.MethodGet, there.location, nil)
		poll.Header.Set("Pitboss-Live", "1")
		poll.Header.Set("HX-Request", "true")
		poll.Header.Set("HX-Target", "stream")
		part := bruno.send(poll)
		require.Equal(t, 1, part.Find("tbody tr").Length(), part.text)
		require.Contains(t, part.Find("tbody").Text(), "−2.50")
		require.Zero(t, part.Find("nav").Length(), "only the part")
		s.later(models.GameSessionLasts)
		bruno = s.signedIn("bruna", models.Bonus)
		s.called(bet("test-eur", "after-it", "r-2", 300))
		over := bruno.get(there.location)
		require.Equal(t, 1, over.Find("#stream tbody tr").Length())
		require.Empty(t, over.Find("#stream").AttrOr("hx-get", ""), "nothing more will come")
	})
}

// TestASessionWaitsForItsAnswer shows a session before the platform has answered, and one whose answer never came.
func TestASessionWaitsForItsAnswer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g, ctx, by := s.offer(), t.Context(), models.Actor{Name: "bruno"}
		p := s.punter("test-eur", true)
		session := models.GameSession{PlayerID: p.ID, UserID: p.UserID, Game: g.Ref(), Language: "en"}
		var err error
		session.ID, err = s.Store.BeginGameSession(ctx, by, session)
		require.NoError(t, err)
		bruno := s.signedIn("bruno", models.Bonus)
		address := web.PathOf("/sessions", session.ID)
		page := bruno.get(address)
		requireNothingInline(t, page)
		require.Contains(t, page.Find("#awaited").Text(), "Waiting for the platform’s answer")
		require.NotContains(t, page.text, "ecorded")
		poll := func() *answer {
			r := bruno.request(http.MethodGet, page.Find("#awaited").AttrOr("hx-get", ""), nil)
			for name, value := range map[string]string{"Pitboss-Live": "1", "HX-Request": "true", "HX-Target": "awaited"} {
				r.Header.Set(name, value)
			}
			return bruno.send(r)
		}
		part := poll()
		require.Equal(t, 1, part.Find("#awaited").Length(), part.text)
		require.Zero(t, part.Find("nav").Length(), "only the part")

		s.later(time.Minute)
		require.Equal(t, "true", poll().header.Get("HX-Refresh"), "nobody waits any longer")
		late := bruno.get(address)
		require.Zero(t, late.Find("#awaited").Length())
		require.Contains(t, late.Find("main").Text(), "No answer was recorded")

		session.State = models.GameSessionOpened
		require.NoError(t, s.Store.EndGameSession(ctx, by, session))
		require.Equal(t, "true", poll().header.Get("HX-Refresh"), "its callbacks appear on the page")
		require.Equal(t, 1, bruno.get(address).Find("#stream").Length())
	})
}

func TestAGameThatIsNotOpened(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("test-eur", true)
		s.punter("anna", false)
		blocked := s.punter("blocked", true)
		require.NoError(t, s.Store.SetBlocked(t.Context(), tester, blocked.UserID, true, "test"))
		bruno := s.signedIn("bruno", models.Bonus)
		for name, row := range map[string]struct {
			player, game, language, field, words string
		}{
			"nobody":        {"nobody", string(g.GameID), "en", "player", "no player with this ID"},
			"blocked":       {"blocked", string(g.GameID), "en", "player", "is blocked"},
			"a real player": {"anna", string(g.GameID), "en", "player", "which your role may not do"},
			"no such game":  {"test-eur", "x", "en", "game", "No game has this ID or name"},
			"no language":   {"test-eur", string(g.GameID), "xx", "language", "Choose a language"},
		} {
			t.Run(name, func(t *testing.T) {
				page := bruno.post("/sessions/new", "/sessions",
					url.Values{"player": {row.player}, "game": {row.game}, "language": {row.language}})
				require.Equal(t, http.StatusUnprocessableEntity, page.status)
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
				require.NoError(t, s.sim.SetMoods(mood))
				page := bruno.post("/sessions/new", "/sessions",
					url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}})
				require.Equal(t, http.StatusUnprocessableEntity, page.status)
				require.Contains(t, page.Find(".pb-note").Text(), words)
				require.NoError(t, s.sim.SetMoods("userAuth=normal"))
				// The circuit that such a failure may have opened closes again with a call that succeeds.
				require.Eventually(t, func() bool {
					return bruno.post("/sessions/new", "/sessions",
						url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}}).
						status == http.StatusSeeOther
				}, 10*time.Second, 10*time.Millisecond)
			})
		}
		require.NotZero(t, bruno.get("/sessions?state=failed").Find("tbody tr").Length())
	})
}

func TestAGameOpenedAsARealPlayer(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		g := s.offer()
		s.punter("anna", false)
		sofia := s.signedIn("sofia", models.Support)
		form := url.Values{"player": {"anna"}, "game": {string(g.GameID)}, "language": {"en"}}
		refused := sofia.post("/sessions/new", "/sessions", form)
		require.Contains(t, refused.Find("#f-reason-wrong").Text(), "Enter a reason")

		s.later(10 * time.Minute) // the password given at sign-in counts for five minutes
		form.Set("reason", "Ticket 4711: the game shows an error")
		asked := sofia.post("/sessions/new", "/sessions", form)
		require.Equal(t, http.StatusOK, asked.status)
		require.Contains(t, asked.Find(".action").Text(), "with the money of anna.")
		require.Contains(t, asked.Find(".action").Text(), "now 100.00 EUR")
		wrong := sofia.sendAgain(asked, ".pb-confirm", url.Values{"password": {"not it"}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
		require.Contains(t, wrong.Find(".invalid-feedback").Text(), "This is not your password.")
		sessions, _, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Limit: 9})
		require.NoError(t, err)
		require.Empty(t, sessions)
		opened := sofia.sendAgain(wrong, ".pb-confirm", url.Values{"password": {password}})
		require.Equal(t, http.StatusSeeOther, opened.status, opened.text)
		require.True(t, strings.HasPrefix(opened.location, "http://127.0.0.1"))
		sessions, _, err = s.Store.GameSessions(t.Context(), models.GameSessionFilter{Limit: 9})
		require.NoError(t, err)
		require.Equal(t, "Ticket 4711: the game shows an error", sessions[0].Reason)

		ada := s.signedIn("ada", models.Administrator)
		form.Del("csrf")
		require.Contains(t, ada.post("/sessions/new", "/sessions", form).Find("#f-player-wrong").Text(), "your role may not do")
	})
}

// TestAGameElsewhere: a compromised platform cannot send staff to any host it likes.
func TestAGameElsewhere(t *testing.T) {
	s := sqliteSite(t)
	g := s.offer()
	s.punter("test-eur", true)
	s.GameHosts = []string{"games.example"}
	bruno := s.signedIn("bruno", models.Bonus)
	page := bruno.post("/sessions/new", "/sessions",
		url.Values{"player": {"test-eur"}, "game": {string(g.GameID)}, "language": {"en"}})
	require.Equal(t, http.StatusBadGateway, page.status)
	require.Empty(t, page.location)
	require.Contains(t, page.text, "not in the list of game hosts")
}
