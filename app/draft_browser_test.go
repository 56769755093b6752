package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestBackNeverAsksToSendAFormAgain grants spins and requests a correction, each with a refused form and a wrong password on
// the way, and then goes back through every page: with scripts and without.
func TestBackNeverAsksToSendAFormAgain(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			s.NewPlayer("anna", false)
			s.PlayerWithOpenBet("bert", "bet", 10000, 2500)
			s.Hire("bruno", models.Bonus)
			s.Hire("mira", models.Finance)
			back := func(tab *browsertest.Tab, headings ...string) {
				t.Helper()
				for _, heading := range headings {
					tab.Back()
					require.Contains(t, tab.Address(), s.Base.String())
					tab.WaitText("h1", heading)
				}
			}

			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "bruno")
			tab.Go(s.Base.String() + "/campaigns/new?player=anna&game=" + string(g.GameID))
			s.Later(10 * time.Minute)
			tab.Fill("#f-spins", "20")
			tab.Fill("#f-name", " ")
			tab.Follow(".pb-form .btn-primary")
			tab.Wait("#f-name-wrong")
			tab.Fill("#f-name", "Goodwill")
			tab.Follow(".pb-form .btn-primary")
			tab.Fill("#confirm-password", "not it")
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText(".pb-confirm", "This is not your password.")
			tab.Fill("#confirm-password", apptest.Password)
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText("h1", "Goodwill")
			back(tab, "Confirm: Goodwill")
			require.Contains(t, tab.Text(".pb-note"), "Exactly these lines were granted before")
			require.Empty(t, tab.Text(".pb-confirm"))
			tab.RequireFine("free-spins-confirm-overtaken")
			back(tab, "Confirm: Goodwill", "Grant free spins", "Grant free spins")
			list, err := s.Store.Campaigns(t.Context(), models.CampaignFilter{Span: models.Span{Limit: 9}})
			require.NoError(t, err)
			require.Len(t, list.Rows, 1)

			tab = browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "mira")
			tab.Go(s.Base.String() + "/corrections/new?transaction=bet")
			tab.Choose("#f-reason", "round-voided")
			tab.Follow(".pb-form .btn-primary")
			tab.Wait("#f-text-wrong")
			tab.Fill("#f-text", "The platform voided the round.")
			tab.Follow(".pb-form .btn-primary")
			tab.Wait(".pb-confirm")
			tab.Follow(".pb-confirm .btn-primary")
			tab.Wait(".pb-flash")
			back(tab, "New correction") // in place of the page that sent the request
			require.Contains(t, tab.Text("#similar"), "Correction 1")
			tab.RequireFine("corrections-new-similar")
			back(tab, "New correction")
			require.Equal(t, "bet", tab.Value("#f-transaction"))
		})
	}
}
