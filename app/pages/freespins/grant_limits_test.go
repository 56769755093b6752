package freespins_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A game can be granted, opened and imported by its name, if only one game has it.
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

		// The ID of a game that is gone still means that game, even if another game now has this ID as its name.
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

// A second person can approve a campaign beyond the limits once nothing else is wrong with its lines.
func TestCampaignBeyondLimits(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		s.NewPlayer("bert", false)
		bruno, farid := s.SignedIn("bruno", models.Bonus), s.SignedIn("farid", models.Finance)
		sheet := func(lines string) *apptest.Answer {
			return bruno.Post("/campaigns/new", "/campaigns/new",
				url.Values{"paste": {fmt.Sprintf(lines, g.GameID)}, "name": {"Loyalty"}})
		}
		wrong := sheet("anna\t%[1]s\t120\nnobody\t%[1]s\t5\n")
		require.Zero(t, wrong.Find("#over-limit, .pb-confirm").Length())
		page := sheet("anna\t%[1]s\t120\nbert\t%[1]s\t5\n")
		require.Contains(t, page.Find("#over-limit").Text(), "Your limit is 50 spins in one grant.")
		require.Contains(t, page.Find("#over-limit").Text(), "spins to one player a day: 100 allowed")
		require.Contains(t, page.Find(".action").Text(), "Request approval to grant 125 spins to 2 players in 2 grants.")
		done := bruno.SendAgain(page, ".pb-confirm", nil)
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		e, _, err := s.Store.Campaign(t.Context(), 1)
		require.NoError(t, err)
		require.EqualValues(t, []int64{125, 2}, []int64{e.Spins, e.Lines})
		require.Equal(t, models.JobHeld, e.State)
		require.Equal(t, web.PathOf("/campaigns", e.ID), bruno.SendAgain(page, ".pb-confirm",
			url.Values{"csrf": {bruno.Token("/")}}).Location, "it is requested once")
		require.Equal(t, http.StatusSeeOther, farid.Post(done.Location, done.Location+"/approval", nil).Status)
	})
}
