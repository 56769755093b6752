package exports_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pack"
	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// If a player's ledger was altered in the database, no pack about the player is signed. Like the transaction's page, the
// attempt opens a case.
func TestAForgedEntryIsNotSigned(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		p := s.PlayerWithBalance("anna", 1000)
		s.Book(apptest.Win("anna", "w", "r", 150))
		chloe := s.SignedIn("chloe", models.Compliance)
		storetest.DropTriggers(t, dbURL)
		driver, dsn, _ := strings.Cut(dbURL, "://")
		db, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		defer db.Close()
		_, err = db.ExecContext(t.Context(), "UPDATE postings SET win_minor = 5150 WHERE transaction_id = 'w'")
		require.NoError(t, err)
		cases := func() []models.Case {
			list, err := s.Store.Cases(t.Context(), models.CaseFilter{Rule: models.CaseLedgerFault, Span: models.Span{Limit: 10}})
			require.NoError(t, err)
			return list.Rows
		}
		require.Empty(t, cases())
		for range 2 {
			require.Contains(t, chloe.Get(pages.TransactionPath(s.Transaction("w").ID)).Text(), "does not follow from the line before it")
		}
		require.Len(t, cases(), 1, "once")
		require.Equal(t, p.ID, cases()[0].PlayerID)
		faults, err := s.Store.VerifyPlayer(t.Context(), p.ID)
		require.NoError(t, err)
		require.Contains(t, faults[0], "its hash does not match its contents")
		made := chloe.Post("/packs/new", "/packs", url.Values{"player": {"anna"}, "since": {"2020-01-01"},
			"until": {s.Now().UTC().Format(time.DateOnly)}, "purpose": {"dispute"}, "why": {"ADR-7"}})
		require.Equal(t, http.StatusUnprocessableEntity, made.Status)
		require.Contains(t, made.Find(".invalid-feedback").Text(), "does not sign a pack: entry 2: its hash does not match")
	})
}

// Finance and compliance make packs with a form that shows what is wrong. Everybody else is told who can make packs. The list
// of packs shows the reason for each, and only its maker and compliance can download it.
func TestPacksAreMadeAndDownloaded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		p := s.PlayerWithHistory("anna")
		farid, chloe, sofia := s.SignedIn("farid", models.Finance), s.SignedIn("chloe", models.Compliance), s.SignedIn("sofia", models.Support)
		require.Equal(t, 1, farid.Get(pages.PlayerPath(p.ID)).Find("a[href='/packs/new?"+pages.PlayerOf(p.ID)+"']").Length())
		require.Zero(t, sofia.Get(pages.PlayerPath(p.ID)).Find("a[href^='/packs/new']").Length())
		refused := sofia.Get("/packs/new")
		require.Equal(t, http.StatusForbidden, refused.Status)
		require.Contains(t, refused.Text(), "Ask a colleague with the finance or compliance role.")

		wrong := farid.Post("/packs/new", "/packs",
			url.Values{"player": {"Anna"}, "since": {"2020-11-30"}, "until": {"2020-11-01"},
				"reference": {strings.Repeat("x", 101)}})
		require.Equal(t, http.StatusUnprocessableEntity, wrong.Status)
		for _, words := range []string{"There is no player with this ID.", "The last day is before the first.",
			"Enter the reason.",
			"Choose what the pack is for.", "at most 100 characters"} {
			require.Contains(t, wrong.Find(".invalid-feedback").Text(), words)
		}

		made := farid.Post("/packs/new", "/packs", url.Values{"player": {"anna"}, "since": {"2020-01-01"},
			"until": {s.Now().UTC().Format(time.DateOnly)}, "purpose": {"data access"}, "reference": {"DSAR-3"},
			"why": {"anna asked"}})
		require.Equal(t, http.StatusOK, made.Status, made.Body)
		require.Equal(t, "application/zip", made.Header.Get("Content-Type"))
		report := pack.Check(strings.NewReader(made.Body), int64(len(made.Body)), "")
		require.True(t, report.OK(), report.Problems)
		require.Equal(t, pack.DataAccess, report.Manifest.Purpose)
		require.NotContains(t, made.Body, "farid", "names of staff are not for the player")
		history := chloe.Get(pages.PlayerPath(p.ID) + "/history").Text()
		for _, words := range []string{"Data-access pack started", "Data-access pack finished", "anna asked"} {
			require.Contains(t, history, words)
		}
		list := farid.Post("/account", "/exports", url.Values{"list": {pages.PlayerPath(p.ID) + "/pack"}, "format": {"csv"}})
		require.Equal(t, http.StatusBadRequest, list.Status, "a pack is not a list")
	})
}
