package freespins_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// A grant beyond a limit is refused at the field that has to change, and its campaign names every limit that it exceeds.
func TestLimitsAreRefusedAtTheirFields(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClockToNoon()
		g := s.SyncedGame()
		s.NewPlayer("anna", false)
		s.NewPlayer("full", false)
		bruno := s.SignedIn("bruno", models.Bonus)
		for range 3 {
			s.Grant("full", g, 5)
		}
		often := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("full", g, "5"))
		require.Equal(t, http.StatusUnprocessableEntity, often.Status)
		require.Contains(t, often.Find("#f-player-wrong").Text(), "Today full has already had 3 of 3 grants.")
		require.Zero(t, often.Find("#f-spins-wrong").Length(), "fewer spins would not help")

		over := bruno.Post("/free-spins/new", "/free-spins/new", apptest.GrantForm("anna", g, "120"))
		require.Contains(t, over.Find("#f-spins-wrong").Text(), "more than your limit of 50 spins in one grant.")
		require.Contains(t, over.Find("#f-spins-wrong").Text(), "Today anna has already had 0 of 100 spins. Enter 1 to 50.")
		require.Zero(t, over.Find("#f-player-wrong").Length())
		require.Equal(t, "This exceeds 2 limits", over.Find("#over-limit h2").Text())
		asked := bruno.Get(bruno.Post("/free-spins/new", pages.BeyondLimitsPath, apptest.GrantForm("anna", g, "120")).Location)
		require.Equal(t, 2, asked.Find("#over-limit li").Length())
		done := bruno.SendAgain(asked, ".pb-confirm", nil)
		campaign := bruno.Get(done.Location).Find(".action").Text()
		require.Contains(t, campaign, "spins in one grant, 50 allowed")
		require.Contains(t, campaign, "spins to one player a day, 100 allowed")
	})
}

// A game can be granted, opened and imported by its name, if only one game has it.
func TestGamesByTheirNames(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g, anna := s.SyncedGame(), s.NewPlayer("anna", false)
		s.NewPlayer("tess", true)
		bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
		name := strings.ToUpper(g.Name)
		form := apptest.GrantForm("anna", g, "5")
		form.Set("game", name)
		asked := bruno.Post("/free-spins/new", "/free-spins/new", form)
		require.Contains(t, asked.Find(".action").Text(), "Grant 5 spins on "+g.Name+" to anna.")
		require.Equal(t, http.StatusSeeOther, bruno.SendAgain(asked, ".pb-confirm", nil).Status)
		require.Equal(t, g.GameID, s.GrantsOf(anna)[0].Game.GameID)
		form.Set("game", g.Name+"x")
		misspelled := bruno.Post("/free-spins/new", "/free-spins/new", form).Find("#f-game-wrong").Text()
		require.Contains(t, misspelled, "No single game has this ID or name")

		opened := sofia.Post("/sessions/new", "/sessions", url.Values{"player": {"tess"}, "game": {name}, "language": {"en"}})
		require.Equal(t, http.StatusSeeOther, opened.Status, opened.Body)
		sessions, err := s.Store.GameSessions(t.Context(), models.GameSessionFilter{Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Equal(t, g.GameID, sessions.Rows[0].Game.GameID)

		sheet := bruno.Post("/campaigns/new", "/campaigns/drafts",
			url.Values{"paste": {"anna\t" + name + "\t6\n"}, "name": {"Loyalty"}})
		require.Contains(t, bruno.Get(sheet.Location).Find(".action").Text(), "Grant 6 spins to 1 player in 1 grant.")

		// The ID of a game that is gone still means that game, even if another game now has this ID as its name.
		gone, other := s.Sim.Games()[8].GameID, s.Sim.Games()[9].GameID
		require.NoError(t, s.Sim.RemoveGame(gone))
		require.NoError(t, s.Sim.RenameGame(other, gone))
		s.SyncedGame()
		sheet = bruno.Post("/campaigns/new", "/campaigns/drafts",
			url.Values{"paste": {"anna\t" + gone + "\t5\n"}, "name": {"Loyalty"}})
		refused := bruno.Get(sheet.Location)
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
		sheet := func(lines string) string {
			return bruno.Post("/campaigns/new", "/campaigns/drafts",
				url.Values{"paste": {fmt.Sprintf(lines, g.GameID)}, "name": {"Loyalty"}}).Location
		}
		wrong := bruno.Get(sheet("anna\t%[1]s\t120\nnobody\t%[1]s\t5\n"))
		require.Zero(t, wrong.Find("#over-limit, .pb-confirm").Length())
		page := bruno.Get(sheet("anna\t%[1]s\t120\nbert\t%[1]s\t5\n"))
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

// The page of a grant says what can be done about a mistaken grant, and by whom.
func TestGrantedByMistake(t *testing.T) {
	s := apptest.SqliteSite(t)
	g := s.SyncedGame()
	s.NewPlayer("anna", false)
	s.Hire("farid", models.Finance)
	grant := s.Grant("anna", g, 20)
	path := web.PathOf("/free-spins", grant.ID)
	bruno, sofia := s.SignedIn("bruno", models.Bonus), s.SignedIn("sofia", models.Support)
	mistake := bruno.Get(path).Find("#mistake")
	require.Contains(t, mistake.Text(), "20 of 20 spins can still be used")
	require.Contains(t, mistake.Text(), "Ask the platform’s support at once to cancel the grant "+string(grant.FreeSpinID))
	require.Contains(t, mistake.Text(), "finance decides otherwise")
	require.Zero(t, mistake.Find("a[href*='/corrections/new'], a[href$='/block']").Length(), "bonus can do neither")
	links := sofia.Get(path).Find("#mistake a")
	for _, link := range links.EachIter() {
		require.Equal(t, http.StatusOK, sofia.Get(link.AttrOr("href", "")).Status)
	}
	require.Equal(t, 2, links.Length())
}
