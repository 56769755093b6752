package freespins_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestAGameAndSpinsInTheBrowser finds a game, opens it in a new tab, grants spins on it and watches them being used. It does so
// with scripts, which search while somebody types and refresh the page, and without.
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

			tab.Go(s.Base.String() + "/campaigns/new")
			pick("#f-game", string(g.GameID), g.Name)
			pick("#f-player", "ann", "anna")
			tab.Fill("#f-spins", "5")
			tab.Fill("#f-name", "Goodwill")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText(".action", "Grant 5 spins to anna in 1 grant.")
			if scripts {
				tab.RequireFine("free-spins-confirm")
			}
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText("h1", "Goodwill")
			s.RunCampaigns()
			tab.Go(s.Base.String() + "/free-spins/1")
			tab.WaitText("h1", "5 spins for anna")
			s.PlayFreeSpin("anna", "r1", 250)
			if !scripts {
				tab.Go(tab.Address())
			}
			tab.WaitText("#story", "Win of 2.50 EUR")
			tab.WaitText("#grant-facts", "2.50 EUR")
			list, err := s.Store.Grants(t.Context(), models.GrantFilter{Span: models.Span{Limit: 1}})
			require.NoError(t, err)
			s.ObserveGrant(list.Rows[0], models.StatusCompleted, 5)
			if !scripts {
				tab.Go(tab.Address())
			}
			tab.WaitText("h1 .badge", "Used up")
			require.Empty(t, tab.Errors())
		})
	}
}

// TestPicturesInTheBrowser opens games with their pictures, which arrive without moving anything: with scripts and without.
func TestPicturesInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			s.Hire("bruno", models.Bonus)
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
			require.Empty(t, tab.Errors())
		})
	}
}
