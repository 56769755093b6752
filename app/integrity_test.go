package app

import (
	"fmt"
	"io"
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
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// verified requests a verification as a browser does, waits for its end and returns its page.
func (b *browser) verified() *answer {
	b.t.Helper()
	asked := b.post("/integrity", "/integrity/verifications", url.Values{})
	require.Equal(b.t, http.StatusSeeOther, asked.status, asked.text)
	var page *answer
	require.Eventually(b.t, func() bool {
		page = b.get(asked.location)
		return page.Find("#progress[hx-get]").Length() == 0
	}, time.Minute, 20*time.Millisecond)
	require.Equal(b.t, http.StatusOK, page.status, page.text)
	return page
}

const hostileName = `"><script>alert(1)</script>`

func TestIntegrity(t *testing.T) {
	// The page says that nothing is set up.
	nothing := sqliteSite(t).signedIn("farid", models.Finance)
	page := nothing.get("/integrity")
	require.Equal(t, http.StatusOK, page.status, page.text)
	for _, words := range []string{"The chains have no key", "Checkpoints are not written", "Not verified yet",
		"No checkpoints yet", "Refuses changes"} {
		require.Contains(t, page.Find("main").Text(), words)
	}
	require.Equal(t, http.StatusNotFound, nothing.post("/integrity", "/integrity/verifications", url.Values{}).status)

	storetest.Each(t, func(t *testing.T, dbURL string) {
		dir := t.TempDir()
		s := newSite(t, dbURL, proving(dir))
		s.wallet("anna", 1000)
		s.wallet(hostileName, 1000)
		finance, compliance := s.signedIn("farid", models.Finance), s.signedIn("chloe", models.Compliance)
		s.prove()
		require.Equal(t, 2, compliance.get("/integrity").Find(".pb-actions form").Length(),
			"compliance verifies and writes checkpoints")
		require.Equal(t, 2, compliance.get("/").Find(".pb-desk form").Length())
		page := finance.verified()
		require.Contains(t, page.Find("h1").Text(), "No faults")
		require.Contains(t, page.Find(".pb-note").Text(), "No faults")

		// A checkpoint is written, listed and downloaded, and the download is recorded.
		done := finance.post("/integrity", "/integrity/checkpoints", url.Values{})
		require.Equal(t, "/integrity", done.location)
		page = finance.get("/integrity")
		require.Contains(t, page.Find(".pb-flash").Text(), "Checkpoint 1 is written: 2 wallets, 2 entries.")
		require.NotContains(t, page.Find("main").Text(), "Checkpoints are not written")
		file := compliance.get("/integrity/checkpoints/1/file")
		require.Equal(t, http.StatusOK, file.status)
		require.Contains(t, file.header.Get("Content-Disposition"), "checkpoint-")
		names, err := filepath.Glob(filepath.Join(dir, "*.gz"))
		require.NoError(t, err)
		require.Len(t, names, 1)
		kept, err := os.ReadFile(names[0])
		require.NoError(t, err)
		require.Equal(t, string(kept), file.text)
		events, _, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Object: "checkpoint", ObjectID: "1", Limit: 10})
		require.NoError(t, err)
		require.Len(t, events, 2)
		require.Equal(t, "checkpoint viewed", events[0].Action)
		require.Equal(t, "chloe", events[0].Actor.Name)
		for _, path := range []string{"/integrity/checkpoints/2/file", "/integrity/checkpoints/x/file",
			"/integrity/verifications/99", "/integrity/verifications/x"} {
			require.Equal(t, http.StatusNotFound, finance.get(path).status, path)
		}
		require.NoError(t, os.Remove(names[0]))
		require.Equal(t, http.StatusNotFound, finance.get("/integrity/checkpoints/1/file").status)
		require.Zero(t, finance.get("/integrity").Find("a[href$='/file']").Length())
		require.NoError(t, os.WriteFile(names[0], kept, 0o600))

		// Somebody changes rows: each is named, with a link to it, and the navigation counts them.
		// They are newer than the checkpoint: this page reads no older ones.
		s.applied(models.Operation{Kind: models.Bet, UserID: hostileName, TransactionID: "bet", RoundID: "r", Bet: 100})
		s.wallet("bert", 1000)
		created, _, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Object: "player", Limit: 1})
		require.NoError(t, err)
		event := strconv.FormatInt(created[0].ID, 10)
		storetest.DropTriggers(t, dbURL)
		alterDB(t, dbURL, "UPDATE postings SET after_minor = after_minor + 1 WHERE transaction_id = 'bet'")
		alterDB(t, dbURL, "UPDATE audit_events SET reason = '<b>why</b>' WHERE id = "+event)
		alterDB(t, dbURL, "DELETE FROM checkpoints")
		page = finance.verified()
		requireNothingInline(t, page)
		require.Contains(t, page.Find("h1").Text(), "4 faults")
		hostile, found, err := s.Store.Player(t.Context(), hostileName)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, hostileName, page.Find("td a[href='"+pages.PlayerPath(hostile.ID)+"/ledger']").Text())
		require.Contains(t, page.Find("td .pb-faults").Text(), "entry 2: 10.00 and -1.00 do not add up to 9.01")
		require.Equal(t, "/audit/"+event, page.Find(".pb-faults a").AttrOr("href", ""))
		require.Contains(t, page.Find(".pb-faults").Text(),
			"event "+event+" (player created, by tester): its reason is not the original")
		require.Contains(t, page.Find(".pb-faults").Text(), "the database does not know checkpoint 1")
		require.Contains(t, page.Find(".pb-faults").Text(), "checkpoint 1 is gone, although audit event")
		page = compliance.get("/integrity")
		require.Contains(t, page.Find(".pb-note.risk").Text(), "The last verification found 4 faults")
		require.Contains(t, page.Find(".pb-nav a[href='/integrity']").Text(), "4 faults")
		require.NotContains(t, page.text, "<b>why</b>")
		requireNothingInline(t, page)
	})
}

// While a verification is running, no second one starts: a request redirects to the first.
func TestVerificationUnderWay(t *testing.T) {
	s := sqliteSite(t, proving(t.TempDir())) // but nothing runs the service
	finance := s.signedIn("farid", models.Finance)
	first := finance.post("/integrity", "/integrity/verifications", url.Values{})
	second := finance.post("/account", "/integrity/verifications", url.Values{})
	require.Equal(t, first.location, second.location)
	page := finance.get(first.location)
	require.Contains(t, page.Find(".pb-flash").Text(), "already running")
	require.Contains(t, page.Find("h1").Text(), "Requested")
	poll := func(address, target string) *answer {
		part := finance.request(http.MethodGet, address, nil)
		part.Header.Set("HX-Request", "true")
		part.Header.Set("HX-Target", target)
		return finance.send(part)
	}
	asked := page.Find("#progress").AttrOr("hx-get", "")
	require.Equal(t, first.location+"?state=1", asked)
	require.Contains(t, poll(asked, "progress").Find("#progress").Text(), "Requested")
	list := finance.get("/integrity")
	require.Contains(t, list.Find("#runs").Text(), "queued")
	require.Equal(t, "/integrity", list.Find("#runs").AttrOr("hx-get", ""))
	require.Zero(t, list.Find("form[action='/integrity/verifications']").Length())

	id, found, err := s.Store.BeginVerification(t.Context())
	require.NoError(t, err)
	require.True(t, found)
	require.NoError(t, s.Store.VerificationProgress(t.Context(), id, 7))
	require.Equal(t, "true", poll(asked, "progress").header.Get("HX-Refresh"), "its heading has changed")
	running := finance.get(first.location).Find("#progress").AttrOr("hx-get", "")
	require.Contains(t, poll(running, "progress").Find(".pb-spins").Text(), "7of 0 entries")
	require.Empty(t, poll("/integrity", "runs").header.Get("HX-Refresh"))
	require.NoError(t, s.Store.EndVerification(t.Context(), id, models.Verification{}, fmt.Errorf("the disk is <gone>")))
	require.Equal(t, "true", poll(running, "progress").header.Get("HX-Refresh"), "its heading has changed too")
	require.Equal(t, "true", poll("/integrity", "runs").header.Get("HX-Refresh"), "the last verification is another one")
	require.Contains(t, finance.get(first.location).Find(".pb-note.wait").Text(), "the disk is <gone>")
	require.Contains(t, finance.get("/integrity").Find("#runs").Text(), "not done: the disk is <gone>")
}

// Long lists continue on a second page.
func TestIntegrityPaging(t *testing.T) {
	s := sqliteSite(t, proving(t.TempDir()))
	finance := s.signedIn("farid", models.Finance)
	s.prove()
	for range integrity.IntegrityRows + 2 {
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, time.Now(), models.Verification{}))
		_, err := s.Evidence.Write(t.Context(), models.System)
		require.NoError(t, err)
	}
	page := finance.get("/integrity")
	require.Equal(t, integrity.IntegrityRows, page.Find("#runs tbody tr").Length())
	older := page.Find("#runs a[rel=next]").AttrOr("href", "")
	require.Equal(t, 2, finance.get(older).Find("#runs tbody tr").Length())
	older = page.Find("[aria-label=Checkpoints] a[rel=next]").AttrOr("href", "")
	require.Equal(t, 2, finance.get(older).Find("[aria-label=Checkpoints] tbody tr").Length())
}

// The page lists purges, with their archives.
func TestPurgesAreShown(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		chloe := s.signedIn("chloe", models.Compliance)
		require.Contains(t, chloe.get("/integrity").Text(), "Nothing has been purged yet")
		s.story("anna")
		require.NotContains(t, chloe.get("/audit?player=anna").Find(".lede").Text(), "were purged")
		p, err := s.Store.BeginPurge(t.Context(), models.PurgeScope{LedgerBefore: s.Now().Add(time.Hour)}, io.Discard)
		require.NoError(t, err)
		require.NoError(t, s.Store.FinishPurge(t.Context(), models.Actor{Name: "ada"}, p, "pitboss-archive-1.jsonl.gz"))
		row := chloe.get("/integrity").Find("[aria-label=Retention] tbody tr").First()
		require.Contains(t, row.Text(), "Purge finished")
		require.Contains(t, row.Text(), "ada")
		require.Contains(t, row.Text(), "pitboss-archive-1.jsonl.gz")
		require.Equal(t, strconv.FormatInt(p.Entries+p.SpinEntries, 10), row.Find("[data-label='Entries']").Text())
		require.Contains(t, chloe.get(pages.PlayerPath(1)+"/ledger").Text(), "were archived by a purge")
		// Views of purged transactions are no longer found by player; the page says how.
		lede := chloe.get("/audit?player=anna").Find(".lede")
		require.Contains(t, lede.Text(), "were purged")
		require.Equal(t, "/integrity", lede.Find("a").AttrOr("href", ""))
		require.NotContains(t, chloe.get("/audit").Find(".lede").Text(), "were purged")
	})
}

// TestEntriesAreCountedAlike reads the number of entries on every page that shows it: all count both ledgers.
func TestEntriesAreCountedAlike(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := newKeyedSite(t, dbURL, []byte("the key of the chains, of 32 bytes"), proving(t.TempDir()))
		s.wallet("anna", 1000)
		spin := bet("anna", "f-1", "f", 50)
		spin.FreeSpin = true
		s.book(spin, bet("anna", "b-1", "b", 100))
		s.prove()
		chloe := s.signedIn("chloe", models.Compliance)
		require.Contains(t, text(chloe.verified(), ".pb-facts"), "Entries 3 2 of money, 1 of free spins")
		require.Equal(t, "/integrity", chloe.post("/integrity", "/integrity/checkpoints", url.Values{}).location)
		page := chloe.get("/integrity")
		require.Contains(t, text(page, ".pb-flash"), "1 wallet, 3 entries.")
		require.Contains(t, text(page, "#runs [data-label='What was read']"), "1 wallet, 3 entries, ")
		require.Equal(t, "3", text(page, "[aria-label=Checkpoints] [data-label=Entries]"))
		page = chloe.get("/")
		require.Contains(t, text(page, ".pb-health"), "3 entries, all chains intact")
		require.Contains(t, text(page, "[aria-label=Proof]"), ", 3 entries")
	})
}
