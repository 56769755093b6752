package imports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/models"
)

// TestASheetInTheBrowser pastes a sheet, corrects it with the keyboard and by a suggestion, grants the valid lines, and uploads
// the rest corrected: with scripts and without. Back never asks to send a form again.
func TestASheetInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			g := s.SyncedGame()
			for _, user := range []string{"anna", "bertold", "kemal.yildirim-ozturk-von-und-zu-und-auf"} {
				s.NewPlayer(models.UserID(user), false)
			}
			s.Hire("bruno", models.Bonus)
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "bruno")
			tab.Go(s.Base.String() + "/free-spins/imports/new")
			tab.Fill("#f-paste", "nothing")
			tab.Fill("#f-reason", "Loyalty, level 4")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("#f-paste-wrong", "The first line has 1 column")
			if scripts {
				tab.RequireFine("import-new-refused")
			}
			tab.Fill("#f-paste", fmt.Sprintf(
				"player;game;spins\nanna;%[1]s;5\nbertodl;%[1]s;5\nkemal.yildrim-ozturk-von-und-zu-und-auf;%[2]s;many\nanna;%[1]s;;\n", g.GameID, g.Name))
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("h1", "3 lines have errors")
			if scripts {
				tab.RequireFine("import-sheet")
			}
			tab.Follow(`[name=use][value="3:player:bertold"]`)
			tab.WaitText("h1", "2 lines have errors")
			tab.Fill("#f-spins-4", "5")
			tab.Press(kb.Enter) // sends the form as “Check again” does
			tab.Gone("#f-spins-4-wrong")
			tab.Follow(`a[href$="/valid"]`)
			tab.WaitText(".action", "leave out 2 lines")
			if scripts {
				tab.RequireFine("import-valid")
			}
			tab.Click("[name=agreed]")
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText(".pb-note", "2 lines were left out")
			imported := tab.Address()
			tab.Back()
			require.Contains(t, tab.Address(), s.Base.String())
			tab.WaitText(".pb-flash", "Nothing was granted a second time")
			require.Equal(t, imported, tab.Address())

			tab.Go(s.Base.String() + "/free-spins/imports/new")
			tab.Fill("#f-reason", "Loyalty, level 4")
			tab.Fill("#f-paste", fmt.Sprintf("nobody;%s;5", g.GameID))
			tab.Follow(".pb-form .btn-primary")
			file := filepath.Join(t.TempDir(), "corrected.csv")
			require.NoError(t, os.WriteFile(file, []byte("line,player,game,spins\n1,anna,"+string(g.GameID)+",6\n"), 0o600))
			tab.Upload("#f-file", file)
			tab.Follow(".pb-split .btn:not(.btn-sm)")
			tab.WaitText(".action", "Grant 6 spins to 1 player in 1 grant.")
			tab.Follow(".pb-confirm .btn-primary")
			tab.WaitText(".pb-flash", "The grants are being sent.")
			require.Empty(t, tab.Errors())
		})
	}
}
