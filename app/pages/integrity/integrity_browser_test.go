package integrity_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/models"
)

// TestIntegrityPagesAreFine checks the pages of verifications and checkpoints, in both themes and at both widths: with none
// yet, without faults, running, failed, and with faults of players with hostile and long names.
func TestIntegrityPagesAreFine(t *testing.T) {
	t.Parallel()
	chrome := browsertest.Start(t)
	empty := apptest.SqliteSite(t)
	empty.Hire("farid", models.Finance)
	tab := chrome.Open(t, browsertest.View{})
	empty.SignInTab(tab, "farid")
	tab.Go(empty.Base.String() + "/integrity")
	tab.RequireFine("integrity-nothing")

	s := apptest.SqliteSite(t, apptest.Proving(t.TempDir())) // nothing runs the service, so that what is shown does not change
	farid := s.Hire("farid", models.Finance)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), farid.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	tab = chrome.Open(t, browsertest.View{})
	s.SignInTab(tab, "farid")
	long := "luiza-fernandes-de-albuquerque-e-castro-1987"
	for i := range 4 {
		v := models.Verification{Wallets: 1204 + int64(i), Entries: 128406, SpinEntries: 311, Transactions: 127002,
			Tombstones: 4, AuditEvents: 7311, Keyed: true, Held: int64(i)}
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.Actor{Name: []string{"farid", "system", long}[i%3]},
			time.Now().Add(-time.Duration(i)*time.Second), v))
		_, err := s.Evidence.Write(t.Context(), models.System)
		require.NoError(t, err)
	}
	tab.Go(s.Base.String() + "/integrity")
	tab.RequireFine("integrity")
	tab.Go(s.Base.String() + pages.VerificationPath(1))
	tab.RequireFine("verification-holds")

	for i := range 5 {
		s.PlayerWithBalance(models.UserID(fmt.Sprint("player-", i)), 1000)
	}
	id, err := s.Store.AskVerification(t.Context(), models.Actor{Name: "farid"})
	require.NoError(t, err)
	_, _, err = s.Store.BeginVerification(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.Store.VerificationProgress(t.Context(), id, 3))
	tab.Go(s.Base.String() + pages.VerificationPath(id))
	tab.RequireFine("verification-running")
	require.NoError(t, s.Store.EndVerification(t.Context(), id, models.Verification{},
		fmt.Errorf("the newest checkpoint, checkpoint-20261121T013743.000000Z-000007.jsonl.gz: this file is no whole "+
			"checkpoint")))
	tab.Go(s.Base.String() + pages.VerificationPath(id))
	tab.RequireFine("verification-failed")

	faults := []string{"entry 4 is missing", "entry 5: its hash does not match its contents and the line before it",
		`transaction "474e1a293c2f4e7ab122c52d68423fcb" has no entry`}
	require.NoError(t, s.Store.RecordVerification(t.Context(), models.Actor{Name: "farid"}, time.Now(), models.Verification{
		Wallets: 1204, Entries: 128406, SpinEntries: 311, Transactions: 127002, Tombstones: 4, AuditEvents: 7311,
		ErasedTexts: 3, Held: 4, Checkpoints: 4,
		Faulty: []models.WalletFaults{
			{PlayerID: 1, UserID: "anna", Faults: faults, Total: 3},
			{PlayerID: 2, UserID: apptest.HostileName, Faults: faults[:1], Total: 14},
			{PlayerID: 3, UserID: models.UserID(long), Faults: faults[1:], Total: 2},
			{PlayerID: 77777, Faults: []string{"the wallet's row is gone"}, Total: 1},
		},
		Audit: models.ChainFaults{
			Faults: []string{"event 12 (player blocked, by sofia): its reason is not the original",
				"event 14 is missing"}, Total: 2,
		},
		Written: models.ChainFaults{
			Faults: []string{"the database does not know checkpoint 4 of 2026-11-21 01:37:43 UTC: an older state was " +
				"restored, or the row was deleted"}, Total: 1,
		},
	}))
	tab.Go(s.Base.String() + pages.VerificationPath(id+1))
	tab.RequireFine("verification-faults")
	tab.Go(s.Base.String() + "/integrity")
	tab.RequireFine("integrity-faults")
}

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
					return err == nil && r.State == models.VerificationEnded
				}, time.Minute, 10*time.Millisecond)
				tab.Go(tab.Address())
			}
			tab.WaitText("#progress", "No faults")
			require.Contains(t, tab.Text("#progress"), "Checkpoint 1")
			require.Empty(t, tab.Errors())
		})
	}
}
