package restrictions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// In a browser, each choice of a freeze is sent with only the fields that it needs, and every page says what is frozen.
func TestFreezeInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	g := s.SyncedGame()
	s.Hire("chloe", models.Compliance)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "chloe")
	for _, choice := range []struct{ radio, field, value, says string }{
		{"#f-what-2", "#f-game", string(g.GameID), "Game " + string(g.GameID)},
		{"#f-what-1", "", "", "Games of " + g.Provider},
		{"#f-what-0", "", "", "All play"},
	} {
		tab.Go(s.Base.String() + "/restrictions/freeze")
		tab.Click(choice.radio)
		if choice.field != "" {
			tab.Fill(choice.field, choice.value)
		}
		if choice.radio == "#f-what-1" {
			tab.Choose("#f-provider", g.Provider)
		}
		tab.Fill("#f-reason", "The platform reports wrong wins.")
		tab.Follow(".pb-form .btn-danger")
		tab.Go(s.Base.String() + "/games")
		require.Contains(t, tab.Text(".pb-note.risk"), choice.says)
	}
	tab.RequireFine("frozen")
}
