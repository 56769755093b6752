package campaigns_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestASheetInTheBrowser pastes a sheet with errors, and grants the corrected file: with scripts and without.
func TestASheetInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			s.NewPlayer("anna", false)
			s.Hire("bruno", models.Bonus)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "bruno")
			tab.Go(s.Base.String() + "/campaigns/new")
			tab.Fill("#f-paste", "nothing")
			tab.Fill("#f-name", "Loyalty, level 4")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("#f-paste-wrong", "The first line has 1 column")
			if scripts {
				tab.RequireFine("campaign-new-refused")
			}
			tab.Fill("#f-paste", fmt.Sprintf(
				"player;game;spins\nanna;%[1]s;5\nkemal.yildrim-ozturk-von-und-zu-und-auf;%[2]s;many\n", g.GameID, g.Name))
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("h1", "1 line has an error")
			if scripts {
				tab.RequireFine("campaign-sheet")
			}
			tab.Follow(".card-header button[name=change]")
			file := filepath.Join(t.TempDir(), "corrected.csv")
			require.NoError(t, os.WriteFile(file, []byte("line,player,game,spins\n1,anna,"+string(g.GameID)+",6\n"), 0o600))
			tab.Upload("#f-file", file)
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText(".action", "Grant 6 spins to anna in 1 grant.")
			if scripts {
				tab.RequireFine("campaign-confirmed")
			}
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText(".pb-flash", "The grants are being sent.")
			tab.Back()
			tab.WaitText("main", "Exactly these lines were granted before")
			require.Empty(t, tab.Errors())
		})
	}
}
