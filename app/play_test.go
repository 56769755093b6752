package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	files "pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
)

// What the tests of games, sessions and free spins share: the site with a simulated platform.

var tester = models.Actor{Name: "tester"}

// offer synchronizes the platform's games and returns one with an ordinary name.
func (s *site) offer() models.Game {
	s.t.Helper()
	_, err := s.Catalogue.Sync(s.t.Context(), tester)
	require.NoError(s.t, err)
	g, found, err := s.Store.Game(s.t.Context(), models.GameID(s.sim.Games()[0].GameID))
	require.NoError(s.t, err)
	require.True(s.t, found)
	return g
}

// punter makes a player with 100.00 EUR.
func (s *site) punter(user models.UserID, test bool) models.Player {
	s.t.Helper()
	p, err := s.Store.CreatePlayer(s.t.Context(), tester,
		models.NewPlayer{UserID: user, Currency: "EUR", Balance: 10000, Test: test})
	require.NoError(s.t, err)
	return p
}

// granted grants spins as bruno would.
func (s *site) granted(user models.UserID, g models.Game, spins int64) models.Grant {
	s.t.Helper()
	made, err := s.Bonus.Grant(s.t.Context(), models.Actor{Name: "bruno"},
		models.GrantRequest{UserID: user, GameID: g.GameID, Spins: spins, Reason: "Goodwill", Role: models.Bonus})
	require.NoError(s.t, err)
	return made
}

// unknown grants spins on a platform that does the work and never answers.
func (s *site) unknown(user models.UserID, g models.Game, spins int64) models.Grant {
	s.t.Helper()
	require.NoError(s.t, s.sim.SetMoods("assignFreeSpin=dropped-after:1"))
	made := s.granted(user, g, spins)
	require.Equal(s.t, models.GrantUnknown, made.State)
	return made
}

// spin plays one free spin, which wins the amount win.
func (s *site) spin(user models.UserID, round string, win models.Amount) {
	s.t.Helper()
	for _, op := range []models.Operation{
		{Kind: models.Bet, Bet: 50, FreeSpin: true, TransactionID: models.TransactionID("bet-" + round)},
		{Kind: models.Win, Win: win, TransactionID: models.TransactionID("win-" + round)},
	} {
		op.Source, op.UserID, op.RoundID = models.SourcePlatform, user, models.RoundID(round)
		result, err := s.Store.Apply(s.t.Context(), op)
		require.NoError(s.t, err)
		require.Equal(s.t, models.None, result.Decline)
	}
	_, err := s.Store.FollowSpins(s.t.Context())
	require.NoError(s.t, err)
}

// observe records an answer of the platform about a grant.
func (s *site) observe(g models.Grant, status string, used int64) {
	s.t.Helper()
	require.NoError(s.t, s.Store.ObserveGrants(s.t.Context(), g.PlayerID, []models.Observation{
		{GrantID: g.ID, Status: status, Total: g.Spins, Used: used, Remaining: g.Spins - used},
	}, true))
}

// hostileGames are names of games, and of their players, that try to be more than names.
var hostileGames = []string{`"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "{{.Reader.PasswordHash}}",
	"</title></textarea>", "=HYPERLINK(1)", "олександр.ш", strings.Repeat("w", 120)}

// file sends a file as the upload form does.
func (b *browser) file(contents, reason string) *answer {
	b.t.Helper()
	body := &strings.Builder{}
	boundary := "----form"
	part := func(head, text string) { fmt.Fprintf(body, "--%s\r\n%s\r\n\r\n%s\r\n", boundary, head, text) }
	part(`Content-Disposition: form-data; name="csrf"`, b.token("/free-spins/imports/new"))
	part(`Content-Disposition: form-data; name="reason"`, reason)
	part("Content-Disposition: form-data; name=\"file\"; filename=\"november.csv\"\r\nContent-Type: text/csv", contents)
	fmt.Fprintf(body, "--%s--\r\n", boundary)
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost,
		b.site.base.String()+"/free-spins/imports/drafts", strings.NewReader(body.String()))
	require.NoError(b.t, err)
	request.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	request.Header.Set("Origin", b.site.base.String())
	kept := b.send(request)
	if strings.HasPrefix(kept.location, "/free-spins/imports/drafts/") {
		return b.get(kept.location)
	}
	return kept
}

// sendAgain sends a form of a page, with its hidden fields and what is typed.
func (b *browser) sendAgain(page *answer, selector string, typed url.Values) *answer {
	b.t.Helper()
	form := page.Find(selector)
	require.Equal(b.t, 1, form.Length(), page.text)
	values := url.Values{}
	for _, field := range form.Find("input[type=hidden]").EachIter() {
		values.Add(field.AttrOr("name", ""), field.AttrOr("value", ""))
	}
	for name, v := range typed {
		values[name] = v
	}
	return b.send(b.request(http.MethodPost, form.AttrOr("action", ""), values))
}

// TestPlayPagesOfHostileNames renders the pages of games, sessions and free spins with names that try to be more than names.
func TestPlayPagesOfHostileNames(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		for i, name := range hostileGames {
			require.NoError(t, s.sim.RenameGame(s.sim.Games()[i].GameID, name))
		}
		s.offer()
		bruno, sofia := s.signedIn("bruno", models.Bonus), s.signedIn("sofia", models.Support)
		for i, name := range hostileGames {
			p := s.punter(models.UserID(name), true)
			g, _, err := s.Store.Game(t.Context(), models.GameID(s.sim.Games()[i].GameID))
			require.NoError(t, err)
			require.Equal(t, name, g.Name)
			grant := s.granted(p.UserID, g, 5)
			lost := s.unknown(p.UserID, g, 5)
			require.NoError(t, s.sim.SetMoods("userAuth=refused(2 <b>no</b> \"such\" game):1"))
			refused := sofia.post("/sessions/new", "/sessions",
				url.Values{"player": {name}, "game": {string(g.GameID)}, "language": {"uk"}, "reason": {name}})
			require.Equal(t, http.StatusUnprocessableEntity, refused.status)
			require.Contains(t, refused.Find(".pb-note").Text(), `2, wrong input. It says: “<b>no</b> "such" game”`)
			require.Zero(t, refused.Find(".pb-note b").Length())
			sessions, _, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{PlayerID: p.ID, Limit: 1})
			require.NoError(t, err)
			query := "?player=" + url.QueryEscape(name) + "&game=" + url.QueryEscape(string(g.GameID)) + "&staff=" +
				url.QueryEscape(name)
			for _, path := range []string{
				"/games?q=" + url.QueryEscape(name), "/games?provider=" + url.QueryEscape(name), web.PathOf("/games", g.ID),
				"/games/syncs", "/sessions", "/sessions" + query, "/sessions/new" + query,
				web.PathOf("/sessions", sessions[0].ID), "/free-spins", "/free-spins" + query, "/free-spins/new" + query,
				web.PathOf("/free-spins", grant.ID), web.PathOf("/free-spins", lost.ID),
				"/search/matches?q=" + url.QueryEscape(name),
				"/search/matches?kind=game&q=" + url.QueryEscape(string(g.GameID)), "/free-spins/imports",
				"/free-spins/imports/new",
			} {
				who := bruno
				if strings.HasPrefix(path, "/sessions") {
					who = sofia
				}
				page := who.get(path)
				require.Equal(t, http.StatusOK, page.status, path)
				requireNothingInline(t, page)
				require.Zero(t, page.Find("img:not(.pb-thumb > img), main script").Length(), path)
			}
			require.Equal(t, name, bruno.get(web.PathOf("/games", g.ID)).Find("h1 bdi").Text())
			require.Contains(t, bruno.get(web.PathOf("/free-spins", grant.ID)).Find("h1 bdi").Text(), name)
		}
	})
}

// sheet returns the lines of a sheet without errors.
func sheet(t testing.TB, text string) []models.GrantLine {
	t.Helper()
	grants, err := files.ReadGrants(strings.NewReader(text))
	require.NoError(t, err)
	var lines []models.GrantLine
	for _, row := range grants.Rows {
		line, wrong := row.Grant()
		require.Empty(t, wrong)
		lines = append(lines, line)
	}
	return lines
}
