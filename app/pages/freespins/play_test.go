package freespins_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// hostileGames are names for games, and for their players, that try to break out of a page.
var hostileGames = []string{`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}",
	"</title></textarea>", "=HYPERLINK(1)", "олександр.ш", strings.Repeat("w", 120)}

// TestPlayPagesOfHostileNames renders the pages of games, sessions and free spins with names that try to break out of them.
func TestPlayPagesOfHostileNames(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for i, name := range hostileGames {
			require.NoError(t, s.Sim.RenameGame(s.Sim.Games()[i].GameID, name))
		}
		s.SyncedGame()
		bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
		for i, name := range hostileGames {
			p := s.NewPlayer(models.UserID(name), true)
			g, _, err := s.Store.Game(t.Context(), models.GameID(s.Sim.Games()[i].GameID))
			require.NoError(t, err)
			require.Equal(t, name, g.Name)
			grant := s.Grant(p.UserID, g, 5)
			lost := s.GrantWithUnknownOutcome(p.UserID, g, 5)
			require.NoError(t, s.Sim.SetMood("userAuth=refused(2 <b>no</b> \"such\" game):1"))
			refused := sofia.Post("/sessions/new", "/sessions",
				url.Values{"player": {name}, "game": {string(g.GameID)}, "language": {"uk"}, "reason": {name}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
			require.Contains(t, refused.Find(".pb-note").Text(), `2, wrong input. It says: “<b>no</b> "such" game”`)
			require.Zero(t, refused.Find(".pb-note b").Length())
			sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{PlayerID: p.ID, Span: models.Span{Limit: 1}})
			require.NoError(t, err)
			query := "?player=" + url.QueryEscape(name) + "&game=" + url.QueryEscape(string(g.GameID)) + "&staff=" +
				url.QueryEscape(name)
			for _, path := range []string{
				"/games?q=" + url.QueryEscape(name), "/games?provider=" + url.QueryEscape(name), web.PathOf("/games", g.ID),
				"/sessions", "/sessions" + query, "/sessions/new" + query,
				web.PathOf("/sessions", sessions.Rows[0].ID), "/free-spins", "/free-spins" + query, "/campaigns/new" + query,
				web.PathOf("/free-spins", grant.ID), web.PathOf("/free-spins", lost.ID),
				"/search/matches?q=" + url.QueryEscape(name),
				"/search/matches?kind=game&q=" + url.QueryEscape(string(g.GameID)), "/campaigns",
				"/campaigns/new",
			} {
				who := bruno
				if strings.HasPrefix(path, "/sessions") {
					who = sofia
				}
				page := who.Get(path)
				require.Equal(t, http.StatusOK, page.Status, path)
				apptest.RequireNothingInline(t, page)
				require.Zero(t, page.Find("img:not(.pb-thumb > img), main script").Length(), path)
			}
			require.Equal(t, name, bruno.Get(web.PathOf("/games", g.ID)).Find("h1 bdi").Text())
			require.Contains(t, bruno.Get(web.PathOf("/free-spins", grant.ID)).Find("h1 bdi").Text(), name)
		}
	})
}
