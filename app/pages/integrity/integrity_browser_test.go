package integrity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestVerifyInABrowser requests a verification, watches it and reads its report, with scripts and without.
func TestVerifyInABrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t, apptest.Proving(t.TempDir()))
			s.PlayerWithBalance("anna", 1000)
			s.Hire("farid", models.Finance)
			s.Prove()
			tab := browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.SignInTab(tab, "farid")
			tab.Go(s.Base.String() + "/integrity")
			tab.Follow("form[action='/integrity/checkpoints'] button")
			tab.WaitText(".pb-flash", "Checkpoint 1 is written")
			tab.Follow("form[action='/integrity/verifications'] button")
			tab.WaitText("h1", "Verification 1")
			if !scripts {
				require.Eventually(t, func() bool {
					r, _, err := s.Store.VerificationRun(t.Context(), 1)
					return err == nil && !r.State.Open()
				}, time.Minute, 10*time.Millisecond)
				tab.Go(tab.Address())
			}
			tab.WaitText("main", "Nothing up to checkpoint 1 is missing")
			require.Empty(t, tab.Errors())
		})
	}
}
