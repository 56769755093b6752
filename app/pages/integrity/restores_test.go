package integrity_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/pages"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// Until a restore is declared, pages report that the database does not know a checkpoint. Until the restore is confirmed, they
// report that it was declared.
func TestRestoredBackupIsReported(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		dir := t.TempDir()
		s := apptest.NewSite(t, dbURL, apptest.Proving(dir))
		anna := s.PlayerWithBalance("anna", 1000)
		finance, compliance, support := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("sofia", models.Support)
		admin := s.SignedIn("ann", models.Administrator)
		name := filepath.Join(dir, "checkpoint-20990101T000000.000000Z-000001.jsonl.gz")
		file, err := os.Create(name)
		require.NoError(t, err)
		w, err := models.NewCheckpointWriter(file, models.NewChain(nil),
			models.Checkpoint{Number: 1, At: time.Now().UTC(), AuditSeq: 900})
		require.NoError(t, err)
		require.NoError(t, w.Wallet(&models.Wallet{PlayerID: anna.ID, Seq: 4, Balance: 7000, Currency: "EUR"}))
		_, err = w.Close()
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "checkpoint-of-another-ledger.jsonl.gz"), []byte("none"), 0o600))

		s.Prove()
		require.NoError(t, s.Evidence.Look(t.Context()))
		for _, path := range []string{"/integrity", "/"} {
			require.Regexp(t, "(?i)older state", finance.Get(path).Find("main").Text(), path)
		}
		require.Contains(t, verify(finance).Find("main").Text(), "the database does not know checkpoint 1")

		lost, err := s.Evidence.Lost(t.Context())
		require.NoError(t, err)
		require.Len(t, lost, 1, "but no checkpoint of another ledger")
		require.NoError(t, os.Remove(filepath.Join(dir, "checkpoint-of-another-ledger.jsonl.gz")))
		plan, err := s.Store.PlanRestore(t.Context(), lost, nil, nil)
		require.NoError(t, err)
		lost.Close()
		otto := models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"}
		d, err := s.Store.DeclareRestore(t.Context(), otto, plan,
			models.RestoreWords{Source: apptest.HostileName, Reason: "the disk failed"})
		require.NoError(t, err)
		require.NoError(t, s.Evidence.Look(t.Context()))
		require.Equal(t, http.StatusSeeOther, finance.Get("/integrity").Status, "everybody has to sign in again")
		for name, b := range map[string]*apptest.Browser{"farid": finance, "chloe": compliance, "sofia": support,
			"ann": admin} {
			b.SignIn(name, apptest.Password)
		}
		page := finance.Get("/integrity")
		require.NotContains(t, page.Find("main").Text(), "older state than checkpoint")
		require.Contains(t, page.Find("main").Text(), "A restored backup is waiting for confirmation")
		path := pages.RestorePath(d.ID)
		require.Contains(t, page.Find("table").Text(), "Not confirmed")
		require.Contains(t, compliance.Get("/").Find("main").Text(), "Restored backup to confirm")
		require.Contains(t, admin.Get("/").Find("main").Text(), "and not confirmed")

		require.Equal(t, http.StatusForbidden, support.Get(path).Status)
		require.Equal(t, http.StatusForbidden, admin.Post(path, path+"/confirmation",
			url.Values{"password": {apptest.Password}}).
			Status)
		page = compliance.Get(path)
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		for _, words := range []string{apptest.HostileName, "declared", "otto", "root", "the disk failed", "70.00", "10.00",
			"-60.00",
			"Not confirmed yet"} {
			require.Contains(t, page.Find("main").Text(), words)
		}
		apptest.RequireNothingInline(t, page)
		done := compliance.Post(path, path+"/confirmation", url.Values{"password": {apptest.Password}})
		require.Equal(t, path, done.Location, done.Body)
		require.Contains(t, compliance.Get(path).Find("main").Text(), "Confirmed")
		require.Equal(t, path, finance.Post(path, path+"/confirmation", url.Values{"password": {apptest.Password}}).Location)
		require.Contains(t, finance.Get(path).Find(".pb-flash").Text(), "already approved")

		verified := verify(finance)
		require.Contains(t, verified.Find("main").Text(), "confirmed by chloe")
		require.Contains(t, admin.Get("/").Find("main").Text(), "A backup was restored")
		require.Equal(t, http.StatusNotFound, finance.Get("/integrity/restores/99").Status)
		require.Equal(t, http.StatusNotFound, finance.Get("/integrity/restores/x").Status)
	})
}

// In a new installation, whoever declares a restore at the command line could have made every account. Pages name only
// colleagues who can confirm it.
func TestRestoreThatNobodyCanConfirmYet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		otto := models.Actor{Name: "otto", Channel: models.ChannelCommandLine, OSUser: "root"}
		ann := models.Actor{Name: "ann", Channel: models.ChannelBrowser}
		for _, account := range []struct {
			by   models.Actor
			name string
			role models.Role
		}{{otto, "ann", models.Administrator}, {ann, "farid", models.Finance}, {ann, "chloe", models.Compliance}} {
			_, err := s.Store.CreateStaff(t.Context(), account.by, models.Staff{Username: account.name, Name: account.name,
				Role: account.role, PasswordHash: apptest.PasswordHash(), Profile: models.DefaultProfile})
			require.NoError(t, err)
		}
		d, err := s.Store.DeclareRestore(t.Context(), otto, models.RestorePlan{Restore: models.Restore{
			Checkpoints: []models.LostCheckpoint{{Number: 1, Digest: "00"}}}},
			models.RestoreWords{Source: "dump", Reason: "fire"})
		require.NoError(t, err)
		path := pages.RestorePath(d.ID)
		shown := func(name string) string {
			b := s.Browser("198.51.100.1")
			require.Equal(t, http.StatusSeeOther, b.SignIn(name, apptest.Password).Status)
			page := b.Get(path)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			return apptest.TextOf(page, "main")
		}
		for _, name := range []string{"ann", "farid", "chloe"} {
			require.Regexp(t, "No colleague can approve it at present. An administrator can create an account .* Play can go on",
				shown(name), name) // nobody has confirmed these accounts
			require.NotRegexp(t, "farid|chloe", strings.ReplaceAll(shown(name), "account of "+name, ""))
		}
		s.Hire("otto", models.Finance)
		require.Contains(t, shown("otto"), "No colleague can approve it at present")
		s.Hire("sofie", models.Compliance)
		require.Contains(t, shown("chloe"), "These colleagues can approve it: Sofie .")
		require.Contains(t, shown("sofie"), "Confirm only if you know")
		storetest.Confirm(t, s.Store, "chloe")
		require.Contains(t, shown("chloe"), "Confirm only if you know")
		require.Contains(t, shown("otto"), "These colleagues can approve it")
		require.NotContains(t, shown("otto"), "Confirm only if you know", "it was declared under this name")
	})
}
