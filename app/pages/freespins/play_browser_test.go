package freespins_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/bonus"
	"pitboss/app/browsertest"
	"pitboss/app/web"
	"pitboss/models"
)

// TestPagesOfGamesAndSpinsAreFine checks the pages of games, sessions and free spins, in both themes and at both widths.
func TestPagesOfGamesAndSpinsAreFine(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	for i, name := range hostileGames {
		require.NoError(t, s.Sim.RenameGame(s.Sim.Games()[i+3].GameID, name))
	}
	s.SyncedGame()
	s.Later(25 * time.Hour) // games of yesterday are not new
	gone, renamed := s.Sim.Games()[8], s.Sim.Games()[9]
	require.NoError(t, s.Sim.RemoveGame(gone.GameID))
	require.NoError(t, s.Sim.RenameGame(renamed.GameID, "Lucky Tides"))
	g := s.SyncedGame()
	bruno := s.Hire("bruno", models.Bonus)
	s.Hire("sofia", models.Support)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), bruno.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	s.NewPlayer("anna", false)
	s.NewPlayer("test-eur", true)
	long := s.NewPlayer("luiza-fernandes-de-albuquerque-e-castro-1987", false)

	played := s.Grant("anna", g, 20)
	for i := range 8 {
		s.Later(time.Minute)
		s.PlayFreeSpin("anna", fmt.Sprintf("r%d", i), models.Amount(100*(i%3)))
		if i%3 == 2 {
			s.ObserveGrant(played, models.StatusActive, int64(i+1))
		}
	}
	used := s.Grant("luiza-fernandes-de-albuquerque-e-castro-1987", g, 10)
	s.ObserveGrant(used, models.StatusCompleted, 10)
	lost := s.GrantWithUnknownOutcome(long.UserID, g, 50)
	require.NoError(t, s.Sim.SetMoods("assignFreeSpin=refused(2 no such game):1"))
	refused := s.Grant("test-eur", g, 10)

	browser := browsertest.Start(t)
	tab := browser.Open(t, browsertest.View{})
	s.SignInTab(tab, "bruno")
	for _, page := range []struct{ name, path string }{
		{"games", "/games"}, {"games-filtered", "/games?q=lucky&state=offered"},
		{"games-none", "/games?q=nothing+of+the+sort"}, {"game", web.PathOf("/games", g.ID)}, {"games-syncs", "/games/syncs"},
		{"sessions-none", "/sessions"}, {"sessions-new", "/sessions/new"},
		{"free-spins", "/free-spins"},
		{"free-spins-waiting", "/free-spins?state=waiting&player=" + url.QueryEscape(string(long.UserID))},
		{"free-spins-new", "/free-spins/new?player=anna&game=" + string(g.GameID) + "&spins=20"},
		{"free-spins-new-pending", "/free-spins/new?player=" + string(long.UserID) + "&game=" + string(g.GameID)},
		{"grant", web.PathOf("/free-spins", played.ID)}, {"grant-used", web.PathOf("/free-spins", used.ID)},
		{"grant-unknown", web.PathOf("/free-spins", lost.ID)}, {"grant-refused", web.PathOf("/free-spins", refused.ID)},
		{"imports-none", "/free-spins/imports"}, {"import-new", "/free-spins/imports/new"},
	} {
		tab.Go(s.Base.String() + page.path)
		tab.RequireFine(page.name)
	}

	// Refused, then confirmed.
	tab.Go(s.Base.String() + "/free-spins/new?player=anna&game=" + string(g.GameID) + "&spins=60&reason=Goodwill")
	tab.Follow(".pb-form .btn-primary")
	tab.Wait("#f-spins-wrong")
	tab.RequireFine("free-spins-new-refused")
	tab.Fill("#f-spins", "20")
	tab.Follow(".pb-form .btn-primary")
	tab.Wait(".pb-confirm")
	tab.RequireFine("free-spins-confirm")
	tab.Go(s.Base.String() + web.PathOf("/free-spins", lost.ID))
	tab.Click("#found-3")
	tab.Fill("#f-note", "A call with the platform’s support")
	tab.Follow(".pb-form .btn-primary")
	tab.Wait(".pb-confirm")
	tab.RequireFine("grant-again")

	// A file with two bad lines, then one that is granted.
	lines := "user_id,game_id,spins\n"
	for i := range 40 {
		user := models.UserID(fmt.Sprintf("u-%08d", 418800+i))
		s.NewPlayer(user, false)
		spins := 20
		if i == 30 {
			spins = 200
		}
		if i == 7 {
			user = "kemal.yildirim-ozturk"
		}
		lines += fmt.Sprintf("%s,%s,%d\n", user, g.GameID, spins)
	}
	file := filepath.Join(t.TempDir(), "november-loyalty-level-4.csv")
	require.NoError(t, os.WriteFile(file, []byte(lines), 0o600))
	tab.Go(s.Base.String() + "/free-spins/imports/new")
	tab.Upload("#f-file", file)
	tab.Fill("#f-reason", "Loyalty, level 4")
	tab.Follow(".pb-form .btn-primary")
	tab.WaitText("h1", "2 lines have errors")
	tab.RequireFine("import-errors")
	var good string
	for i := range 30 {
		good += fmt.Sprintf("u-%08d,%s,20\n", 418800+i, g.GameID)
	}
	require.NoError(t, os.WriteFile(file, []byte("user_id,game_id,spins\n"+good), 0o600))
	tab.Go(s.Base.String() + "/free-spins/imports/new")
	tab.Upload("#f-file", file)
	tab.Fill("#f-reason", "Loyalty, level 4")
	tab.Follow(".pb-form .btn-primary")
	tab.Wait(".pb-confirm")
	tab.RequireFine("import-confirm")

	u := bonus.Upload{FileName: "november-loyalty-level-4.csv", Lines: apptest.GrantLines(t, good), Reason: "Loyalty, level 4",
		Role: models.Bonus}
	imp, bad, err := s.Bonus.Create(t.Context(), models.Actor{Name: "bruno"}, u)
	require.NoError(t, err)
	require.Empty(t, bad)
	require.NoError(t, s.Sim.SetMoods("assignFreeSpin=refused(2 no such game):2"))
	left := 20
	_, err = s.Bonus.Run(t.Context(), imp.ID, func(now models.GrantImport) {
		left--
		if left == 10 {
			require.NoError(t, s.Sim.SetMoods("assignFreeSpin=dropped-after:1"))
		}
		if left == 0 {
			require.NoError(t, s.Bonus.Pause(t.Context(), apptest.Tester, imp.ID, ""))
		}
	})
	require.NoError(t, err)
	tab.Go(s.Base.String() + web.PathOf("/free-spins/imports", imp.ID))
	tab.RequireFine("import-paused")
	require.NoError(t, s.Bonus.Resume(t.Context(), apptest.Tester, imp.ID, ""))
	tab.Go(s.Base.String() + web.PathOf("/free-spins/imports", imp.ID))
	tab.RequireFine("import-running")
	tab.Go(s.Base.String() + web.PathOf("/free-spins/imports", imp.ID) + "?outcome=refused")
	tab.RequireFine("import-refused")
	tab.Go(s.Base.String() + web.PathOf("/free-spins/imports", imp.ID) + "/stop")
	tab.RequireFine("import-stop")
	tab.Go(s.Base.String() + "/free-spins/imports")
	tab.RequireFine("imports")

	other := browser.Open(t, browsertest.View{})
	s.SignInTab(other, "sofia")
	s.Later(10 * time.Minute)
	other.Go(s.Base.String() + "/sessions/new?player=anna&game=" + string(g.GameID))
	other.RequireFine("sessions-new-support")
}

// TestAGameAndSpinsInTheBrowser finds a game, opens it in a tab of its own, grants spins on it and watches them being used:
// with scripts, which search while one types and refresh the page, and without.
func TestAGameAndSpinsInTheBrowser(t *testing.T) {
	t.Parallel()
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			s.NewPlayer("anna", false)
			s.NewPlayer("test-eur", true)
			s.Hire("bruno", models.Bonus)
			tab := browsertest.Start(t).Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "bruno")

			pick := func(field, typed, value string) {
				if !scripts {
					tab.Fill(field, value)
					return
				}
				tab.Fill(field, typed)
				tab.Click(field + `-list [data-value="` + value + `"]`)
				require.Equal(t, value, tab.Value(field))
			}
			tab.Go(s.Base.String() + "/games")
			tab.Fill("#f-q", g.Name)
			tab.Follow("#filters .btn")
			tab.Follow("tbody .c-what a")
			tab.WaitText("h1", g.Name)
			tab.Follow(".pb-actions .btn-primary")
			pick("#f-player", "test", "test-eur")
			tab.Choose("#f-language", "de")
			opened := tab.FollowAway(".pb-form .btn-primary")
			opened.WaitText("body", g.Name)
			require.NotContains(t, opened.Address(), s.Base.Host)
			if !scripts {
				require.Contains(t, tab.Address(), "/sessions/new", "the form stays open, and links to the session")
				tab.Follow("main noscript a")
			}
			tab.WaitText("#stream", "No callbacks yet")
			if scripts {
				tab.RequireFine("session-waiting")
			}
			s.BookCallbacks(apptest.Bet("test-eur", "bet-8f31", "round-8f31", 250))
			if !scripts {
				tab.Follow("#stream noscript a")
			}
			tab.WaitText("#stream tbody", "Withdraw")
			tab.WaitText("#stream tbody", "−2.50")
			s.BookCallbacks(apptest.Win("test-eur", "win-8f31", "round-8f31", 700))
			if !scripts {
				tab.Follow("#stream noscript a")
			}
			tab.WaitText("#stream tbody", "+7.00")
			if scripts {
				tab.RequireFine("session-stream")
			}

			tab.Go(s.Base.String() + "/free-spins/new")
			pick("#f-game", g.Name, string(g.GameID))
			pick("#f-player", "ann", "anna")
			if scripts {
				tab.WaitText("#player-says", "EUR, balance 100.00")
				tab.WaitText("#known", "Spins for anna today")
				tab.Click("[data-preset='5']")
				require.Equal(t, "5", tab.Value("#f-spins"))
			} else {
				tab.Follow("button[name=preset][value='5']")
				require.Equal(t, "5", tab.Value("#f-spins"))
				tab.WaitText("#player-says", "EUR, balance 100.00")
			}
			tab.Fill("#f-reason", "Goodwill")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText(".action", "Grant 5 spins on "+g.Name+" to anna.")
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText("h1", "5 spins for anna")
			s.PlayFreeSpin("anna", "r1", 250)
			if !scripts {
				tab.Go(tab.Address())
			}
			tab.WaitText("#story", "Win of 2.50 EUR")
			tab.WaitText("#grant-facts", "2.50 EUR")
			list, _, err := s.Store.Grants(t.Context(), models.GrantFilter{Limit: 1})
			require.NoError(t, err)
			s.ObserveGrant(list[0], models.StatusCompleted, 5)
			if !scripts {
				tab.Go(tab.Address())
			}
			tab.WaitText("h1 .badge", "Used up")
			require.Empty(t, tab.Errors())
		})
	}
}

// TestPicturesAndOutcomesInTheBrowser opens games with their pictures, which arrive without moving anything, and resolves a
// grant of unknown outcome: with scripts and without.
func TestPicturesAndOutcomesInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			s.NewPlayer("anna", false)
			s.Hire("bruno", models.Bonus)
			lost := s.GrantWithUnknownOutcome("anna", g, 20)
			tab := browser.Open(t, view)
			s.SignInTab(tab, "bruno")

			tab.Go(s.Base.String() + "/games")
			tab.WaitPicture("tbody .pb-thumb img")
			box := tab.Box("tbody .pb-thumb img")
			require.Equal(t, []float64{40, 30}, box[2:])
			last := tab.Box("tbody tr:last-child")
			tab.Screenshot("games-pictures-" + name)
			kept := s.Thumbnails
			s.Thumbnails = nil
			tab.Go(s.Base.String() + "/games")
			require.Equal(t, last, tab.Box("tbody tr:last-child"), "pictures do not move the rows")
			tab.Screenshot("games-no-pictures-" + name)
			s.Thumbnails = kept
			tab.Go(s.Base.String() + web.PathOf("/games", g.ID))
			tab.WaitPicture(".pb-game-head img")
			require.Equal(t, []float64{160, 120}, tab.Box(".pb-game-head img")[2:])
			tab.Screenshot("game-picture-" + name)
			tab.Follow("[aria-label=Availability] .end a")
			tab.WaitText("h1", "Availability of games")
			tab.WaitText("tbody", "Appeared in the platform’s list")

			path := s.Base.String() + web.PathOf("/free-spins", lost.ID)
			tab.Go(path)
			tab.WaitText(".pb-note", "The connection dropped before the platform answered")
			require.Empty(t, tab.Attribute("input[name=found]:checked", "value"))
			tab.Screenshot("grant-undecided-" + name)
			tab.Fill("#f-note", "Ticket 88213")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("#found-wrong", "Choose what you found.")
			tab.Click("#found-2")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText(".pb-note", "It was not granted")
			require.NotContains(t, tab.Text(".pb-stack .pb-note"), "may or may not")
			tab.Screenshot("grant-not-granted-" + name)
			require.Empty(t, tab.Errors())
		})
	}
}
