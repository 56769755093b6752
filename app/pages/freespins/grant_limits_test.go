package freespins_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// If only one game has a name, a grant, a session and a sheet can name the game by it.
func TestGamesByTheirNames(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		s.NewPlayer("tess", true)
		bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
		name := strings.ToUpper(g.Name)
		form := apptest.GrantForm("anna", g, "5")
		form.Set("game", name)
		asked := bruno.Post("/campaigns/new", "/campaigns/new", form)
		require.Contains(t, asked.Find(".action").Text(), "Grant 5 spins to anna in 1 grant.")
		require.Equal(t, http.StatusSeeOther, bruno.SendAgain(asked, ".pb-confirm", nil).Status)
		s.RunCampaigns()
		require.Equal(t, g.GameID, s.GrantsOf(anna)[0].Game.GameID)
		form.Set("game", g.Name+"x")
		misspelled := bruno.Post("/campaigns/new", "/campaigns/new", form).Find("#f-game-wrong").Text()
		require.Contains(t, misspelled, "No single game has this ID or name")

		opened := sofia.Post("/sessions/new", "/sessions", url.Values{"player": {"tess"}, "game": {name}, "language": {"en"}})
		require.Equal(t, http.StatusSeeOther, opened.Status, opened.Body)
		sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, g.GameID, sessions.Rows[0].Game.GameID)

		sheet := bruno.Post("/campaigns/new", "/campaigns/new",
			url.Values{"paste": {"anna\t" + name + "\t6\n"}, "name": {"Loyalty"}})
		require.Contains(t, sheet.Find(".action").Text(), "Grant 6 spins to anna in 1 grant.")

		// The ID of a removed game still means that game, even if another game now has this ID as its name.
		gone, other := s.Sim.Games()[8].GameID, s.Sim.Games()[9].GameID
		require.NoError(t, s.Sim.RemoveGame(gone))
		require.NoError(t, s.Sim.RenameGame(other, gone))
		s.SyncedGame()
		refused := bruno.Post("/campaigns/new", "/campaigns/new",
			url.Values{"paste": {"anna\t" + gone + "\t5\n"}, "name": {"Loyalty"}})
		require.Zero(t, refused.Find(".action").Length())
		require.Contains(t, refused.Find("h1").Parent().Text(), "1 line has an error")
	})
}
