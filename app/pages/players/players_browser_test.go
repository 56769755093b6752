package players_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/models"
)

// TestBlockAPlayer finds a player, blocks them and sees it, as support does, with scripts and without.
func TestBlockAPlayer(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			s.PlayerWithHistory("anna")
			s.Hire("sofia", models.Support)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "sofia")
			tab.Fill("[data-jump]", "anna")
			tab.Press("\r")
			tab.WaitText("h1", "anna")
			tab.Follow("a.pb-destroy")
			tab.Fill("#f-reason", "asked to")
			tab.Follow(".btn-danger")
			tab.WaitText("h1", "Blocked")
			require.Contains(t, tab.Text(".pb-flash"), "Bets are refused from now on")
			require.Empty(t, tab.Errors())
		})
	}
}
