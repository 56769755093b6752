package restrictions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestRestrictAPlayerInTheBrowser finds a player, restricts them and sees it, as support does, with scripts and without.
func TestRestrictAPlayerInTheBrowser(t *testing.T) {
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
			tab.Choose("#f-kind", "cool-off")
			tab.Choose("#f-term", "7 days")
			tab.Fill("#f-reason", "asked to")
			tab.Follow(".btn-danger")
			tab.WaitText("h1", "In effect")
			require.Contains(t, tab.Text(".pb-flash"), "The restriction is in effect")
			tab.Follow(".pb-head a[href^='/players/'], main a[href^='/players/']")
			tab.WaitText("h1", "Restricted")
			require.Empty(t, tab.Errors())
		})
	}
}
