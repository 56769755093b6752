package integrity_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/integrity"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// verify requests a verification as a browser would, waits for its end and returns its page.
func verify(b *apptest.Browser) *apptest.Answer {
	b.T.Helper()
	asked := b.Post("/integrity", "/integrity/verifications", url.Values{})
	require.Equal(b.T, http.StatusSeeOther, asked.Status, asked.Body)
	var page *apptest.Answer
	require.Eventually(b.T, func() bool {
		page = b.Get(asked.Location)
		return page.Find("#progress[hx-get]").Length() == 0
	}, time.Minute, 20*time.Millisecond)
	require.Equal(b.T, http.StatusOK, page.Status, page.Body)
	return page
}

func TestIntegrity(t *testing.T) {
	// Without a folder for checkpoints, the page says that nothing is set up.
	nothing := apptest.SqliteSite(t).SignedIn("farid", models.Finance)
	page := nothing.Get("/integrity")
	require.Equal(t, http.StatusOK, page.Status, page.Body)
	for _, words := range []string{"The chains have no key", "Checkpoints are not written", "Not verified yet",
		"No checkpoints yet", "Refuses changes"} {
		require.Contains(t, page.Find("main").Text(), words)
	}
	require.Equal(t, http.StatusNotFound, nothing.Post("/integrity", "/integrity/verifications", url.Values{}).Status)

	storetest.Each(t, func(t *testing.T, dbURL string) {
		dir := t.TempDir()
		s := apptest.NewSite(t, dbURL, apptest.Proving(dir))
		s.PlayerWithBalance("anna", 1000)
		s.PlayerWithBalance(apptest.HostileName, 1000)
		finance, compliance := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance)
		s.Prove()
		require.Equal(t, 2, compliance.Get("/integrity").Find(".pb-actions form").Length(),
			"compliance verifies and writes checkpoints")
		page := verify(finance)
		require.Contains(t, page.Find("h1").Text(), "No faults")
		require.Contains(t, page.Find(".pb-note").Text(), "No faults")

		for _, list := range []string{"runs", "checkpoints"} {
			require.Equal(t, http.StatusBadRequest, finance.Get("/integrity?"+list+"=x").Status)
		}

		// A checkpoint is written, listed and downloaded, and the download is recorded.
		done := finance.Post("/integrity", "/integrity/checkpoints", url.Values{})
		require.Equal(t, "/integrity", done.Location)
		page = finance.Get("/integrity")
		require.Contains(t, page.Find(".pb-flash").Text(), "Checkpoint 1 is written: 2 wallets, 2 entries.")
		require.NotContains(t, page.Find("main").Text(), "Checkpoints are not written")
		file := compliance.Get("/integrity/checkpoints/1/file")
		require.Equal(t, http.StatusOK, file.Status)
		require.Contains(t, file.Header.Get("Content-Disposition"), "checkpoint-")
		names, err := filepath.Glob(filepath.Join(dir, "*.gz"))
		require.NoError(t, err)
		require.Len(t, names, 1)
		kept, err := os.ReadFile(names[0])
		require.NoError(t, err)
		require.Equal(t, string(kept), file.Body)
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Object: "checkpoint", ObjectID: "1",
			Span: models.Span{Limit: 10}})
		require.NoError(t, err)
		require.Len(t, events.Rows, 2)
		require.Equal(t, "checkpoint viewed", events.Rows[0].Action)
		require.Equal(t, "chloe", events.Rows[0].Actor.Name)
		for _, path := range []string{"/integrity/checkpoints/2/file", "/integrity/checkpoints/x/file",
			"/integrity/verifications/99", "/integrity/verifications/x"} {
			require.Equal(t, http.StatusNotFound, finance.Get(path).Status, path)
		}
		require.NoError(t, os.Remove(names[0]))
		require.Equal(t, http.StatusNotFound, finance.Get("/integrity/checkpoints/1/file").Status)
		require.Zero(t, finance.Get("/integrity").Find("a[href$='/file']").Length())
		require.NoError(t, os.WriteFile(names[0], kept, 0o600))

		// Rows are altered. The page names each with a link to it, and the navigation counts them. All of them are newer than
		// the checkpoint, because this page does not read older ones.
		s.Apply(models.Operation{Kind: models.Bet, UserID: apptest.HostileName, TransactionID: "bet", RoundID: "r", Bet: 100})
		s.PlayerWithBalance("bert", 1000)
		created, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Object: "player", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		event := strconv.FormatInt(created.Rows[0].ID, 10)
		storetest.DropTriggers(t, dbURL)
		apptest.AlterDatabase(t, dbURL, "UPDATE postings SET after_minor = after_minor + 1 WHERE transaction_id = 'bet'")
		apptest.AlterDatabase(t, dbURL, "UPDATE audit_events SET reason = '<b>why</b>' WHERE id = "+event)
		apptest.AlterDatabase(t, dbURL, "DELETE FROM checkpoints")
		page = verify(finance)
		apptest.RequireNothingInline(t, page)
		require.Contains(t, page.Find("h1").Text(), "4 faults")
		hostile, found, err := s.Store.Player(t.Context(), apptest.HostileName)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, apptest.HostileName, page.Find("td a[href='"+pages.PlayerPath(hostile.ID)+"/ledger']").Text())
		require.Contains(t, page.Find("td .pb-faults").Text(), "entry 2: 10.00 and -1.00 do not add up to 9.01")
		require.Equal(t, "/audit/"+event, page.Find(".pb-faults a").AttrOr("href", ""))
		require.Contains(t, page.Find(".pb-faults").Text(),
			"event "+event+" (player created, by tester): its reason is not the original")
		require.Contains(t, page.Find(".pb-faults").Text(), "the database does not know checkpoint 1")
		require.Contains(t, page.Find(".pb-faults").Text(), "checkpoint 1 is gone, although audit event")
		page = compliance.Get("/integrity")
		require.Contains(t, page.Find(".pb-note.risk").Text(), "The last verification found 4 faults")
		require.Contains(t, page.Find(".pb-nav a[href='/integrity']").Text(), "4 faults")
		require.NotContains(t, page.Body, "<b>why</b>")
		apptest.RequireNothingInline(t, page)
	})
}

// While a verification is running, a second request redirects to it instead of starting another one.
func TestVerificationUnderWay(t *testing.T) {
	s := apptest.SqliteSite(t, apptest.Proving(t.TempDir())) // but nothing calls Prove
	finance := s.SignedIn("farid", models.Finance)
	first := finance.Post("/integrity", "/integrity/verifications", url.Values{})
	second := finance.Post("/account", "/integrity/verifications", url.Values{})
	require.Equal(t, first.Location, second.Location)
	page := finance.Get(first.Location)
	require.Contains(t, page.Find(".pb-flash").Text(), "already running")
	require.Contains(t, page.Find("h1").Text(), "Requested")
	poll := func(address, target string) *apptest.Answer {
		part := finance.Request(http.MethodGet, address, nil)
		part.Header.Set("HX-Request", "true")
		part.Header.Set("HX-Target", target)
		return finance.Send(part)
	}
	asked := page.Find("#progress").AttrOr("hx-get", "")
	require.Equal(t, first.Location+"?state=1", asked)
	require.Contains(t, poll(asked, "progress").Find("#progress").Text(), "Requested")
	list := finance.Get("/integrity")
	require.Contains(t, list.Find("#runs").Text(), "queued")
	require.Equal(t, "/integrity", list.Find("#runs").AttrOr("hx-get", ""))
	require.Zero(t, list.Find("form[action='/integrity/verifications']").Length())

	const id = 1
	begun, err := s.Store.BeginJob(t.Context(), models.VerificationJobs, id)
	require.NoError(t, err)
	require.True(t, begun)
	require.NoError(t, s.Store.NoteVerification(t.Context(), id, 7, 0))
	require.Equal(t, "true", poll(asked, "progress").Header.Get("HX-Refresh"), "its heading has changed")
	running := finance.Get(first.Location).Find("#progress").AttrOr("hx-get", "")
	require.Contains(t, poll(running, "progress").Find(".pb-spins").Text(), "7of 0 entries")
	require.Empty(t, poll("/integrity", "runs").Header.Get("HX-Refresh"))
	require.NoError(t, s.Store.EndVerification(t.Context(), id, models.Verification{}, fmt.Errorf("the disk is <gone>")))
	require.Equal(t, "true", poll(running, "progress").Header.Get("HX-Refresh"), "its heading has changed too")
	require.Equal(t, "true", poll("/integrity", "runs").Header.Get("HX-Refresh"), "the last verification is another one")
	require.Contains(t, finance.Get(first.Location).Find(".pb-note.wait").Text(), "the disk is <gone>")
	require.Contains(t, finance.Get("/integrity").Find("#runs").Text(), "not done: the disk is <gone>")
}

// Long lists continue on another page.
func TestIntegrityPaging(t *testing.T) {
	s := apptest.SqliteSite(t, apptest.Proving(t.TempDir()))
	finance := s.SignedIn("farid", models.Finance)
	s.Prove()
	for range integrity.IntegrityRows + 2 {
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, time.Now(), models.Verification{}))
		_, err := s.Evidence.Write(t.Context(), models.System)
		require.NoError(t, err)
	}
	page := finance.Get("/integrity")
	require.Equal(t, integrity.IntegrityRows, page.Find("#runs tbody tr").Length())
	older := page.Find("#runs a[rel=next]").AttrOr("href", "")
	require.Equal(t, 2, finance.Get(older).Find("#runs tbody tr").Length())
	older = page.Find("[aria-label=Checkpoints] a[rel=next]").AttrOr("href", "")
	require.Equal(t, 2, finance.Get(older).Find("[aria-label=Checkpoints] tbody tr").Length())
}

// If a checkpoint is newer than the state of the database, the pages say so.
func TestARestoredBackupIsShown(t *testing.T) {
	dir := t.TempDir()
	s := apptest.NewSite(t, storetest.URL(t, storetest.SQLite), apptest.Proving(dir))
	chloe := s.SignedIn("chloe", models.Compliance)
	name := "checkpoint-20990101T000000.000000Z-000007.jsonl.gz"
	file, err := os.Create(filepath.Join(dir, name))
	require.NoError(t, err)
	w, err := models.NewCheckpointWriter(file, models.NewChain(nil), models.Checkpoint{Number: 7, At: time.Now().UTC()})
	require.NoError(t, err)
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, s.Evidence.Look(t.Context()))
	require.Equal(t, http.StatusSeeOther, chloe.Get("/integrity").Status, "everybody has to sign in again")
	chloe.SignIn("chloe", apptest.Password)
	note := apptest.TextOf(chloe.Get("/integrity"), ".pb-note:contains('older state')")
	require.Contains(t, note, "older state than checkpoint 7")
	require.Contains(t, note, "pitboss verify --checkpoint "+name)
	require.Contains(t, apptest.TextOf(chloe.Get("/"), ".pb-health"), "a backup was restored")
	require.Contains(t, apptest.TextOf(chloe.Get("/audit?object=database"), "main"), name)
}

// TestEntriesAreCountedAlike reads the number of entries on every page that shows it. All of them count both ledgers.
func TestEntriesAreCountedAlike(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewKeyedSite(t, dbURL, []byte("the key of the chains, of 32 bytes"), apptest.Proving(t.TempDir()))
		s.PlayerWithBalance("anna", 1000)
		spin := apptest.Bet("anna", "f-1", "f", 50)
		spin.FreeSpin = true
		s.Book(spin, apptest.Bet("anna", "b-1", "b", 100))
		s.Prove()
		chloe := s.SignedIn("chloe", models.Compliance)
		require.Contains(t, apptest.TextOf(verify(chloe), ".pb-facts"), "Entries 3 2 of money, 1 of free spins")
		require.Equal(t, "/integrity", chloe.Post("/integrity", "/integrity/checkpoints", url.Values{}).Location)
		page := chloe.Get("/integrity")
		require.Contains(t, apptest.TextOf(page, ".pb-flash"), "1 wallet, 3 entries.")
		require.Contains(t, apptest.TextOf(page, "#runs [data-label='What was read']"), "1 wallet, 3 entries, ")
		require.Equal(t, "3", apptest.TextOf(page, "[aria-label=Checkpoints] [data-label=Entries]"))
		page = chloe.Get("/")
		require.Contains(t, apptest.TextOf(page, ".pb-health"), "3 entries in the whole ledger, all chains intact")
	})
}
