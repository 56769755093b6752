package restrictions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
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

// TestConfirmRestrictionsInTheBrowser looks at what is shown before a self-exclusion and a register of players are set.
func TestConfirmRestrictionsInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	anna := s.PlayerWithHistory("anna")
	s.Hire("sofia", models.Support)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "sofia")
	form := func(path string) {
		tab.Go(s.Base.String() + path)
		tab.Choose("#f-kind", "self-exclusion")
		tab.Choose("#f-term", "6 months")
		tab.Fill("#f-reason", "asked to")
	}
	form("/restrictions/new?" + pages.PlayerOf(anna.ID))
	tab.RequireFine("restriction-form")
	tab.Follow(".btn-danger")
	tab.WaitText("h1", "Exclude anna")
	require.Contains(t, tab.Text(".action"), "Nobody can end it earlier, unless compliance agrees")
	tab.RequireFine("restriction-confirm")
	form("/restrictions/several")
	tab.Fill("#f-players", "anna\nnobody\nsomebody")
	tab.RequireFine("restriction-several")
	tab.Follow(".btn-danger")
	tab.WaitText("h1", "Restrict 1 player")
	tab.RequireFine("restriction-several-confirm")
	tab.Follow("button[value=yes]")
	require.Contains(t, tab.Text(".pb-flash"), "1 player is restricted. 2 lines were left out.")
	require.Empty(t, tab.Errors())
}
