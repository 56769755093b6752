package app_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/pages/audit"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// openTogether opens n cases, like a statement with as many differences.
func openTogether(s *apptest.Site, n int) {
	s.T.Helper()
	anna := s.NewPlayer("anna", false)
	for from := 0; from < n; from += 500 { // as many as are opened in one transaction
		var findings []models.Finding
		for i := range min(500, n-from) {
			findings = append(findings,
				models.Finding{Rule: models.CaseStatement, Key: strconv.Itoa(from + i), At: s.Now(), PlayerID: anna.ID,
					StatementID: 7, Currency: "EUR"})
		}
		_, opened, err := s.Store.OpenCases(s.T.Context(), findings)
		require.NoError(s.T, err)
		require.Equal(s.T, len(findings), opened)
	}
}

func TestHistoryIsInSentences(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		g := s.SyncedGame()
		anna := s.NewPlayer("anna", false)
		s.PlayerWithOpenBet("bert", "bet", 10000, 2500)
		mira, chloe, ada := s.SignedIn("mira", models.Finance), s.SignedIn("chloe", models.Compliance),
			s.SignedIn("ada", models.Administrator)
		bruno := apptest.StaffNamed(t, s, "mira")
		granted := s.Grant("anna", g, 20)
		mira.RequestCorrection(apptest.RollbackForm("bet"))
		storetest.Restrict(t, s.Store, "anna")

		said := func(a *apptest.Answer) string {
			return strings.Join(strings.Fields(a.Find("[aria-label=History], main").Last().Text()), " ")
		}
		grant := chloe.Get(web.PathOf("/free-spins", granted.ID))
		require.Contains(t, said(grant), "Requested 20 spins on "+g.Name+" for anna")
		require.Contains(t, said(grant), "The platform granted the spins")
		require.Contains(t, grant.Find("[aria-label=History] details").Text(), "user id: anna",
			"the fields are there, but folded")
		require.Contains(t, said(chloe.Get(pages.CorrectionPath(1))),
			"Requested the rollback of transaction bet for bert, 25.00 EUR")
		require.Contains(t, said(chloe.Get(pages.PlayerPath(anna.ID)+"/history")), "Restricted the player: asked us to")
		require.Contains(t, said(ada.Get(staff.StaffPath(bruno.ID))), "Created the account mira (Mira) with the role finance")
		audit := chloe.Get("/audit")
		require.Contains(t, said(audit), "Requested 20 spins on "+g.Name+" for anna")
		require.Contains(t, said(audit), "Restricted player anna")
		require.Contains(t, said(audit), "Created player anna with")
	})
}

func TestCasesOpenedTogetherAreOneLine(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		openTogether(s, 1168)
		s.Later(time.Hour)
		s.Hire("later", models.Support)
		chloe := s.SignedIn("chloe", models.Compliance)
		page := chloe.Get("/audit")
		row := page.Find(".pb-audit tbody tr:has(details:contains('Show cases'))")
		require.Equal(t, 1, row.Length())
		require.Contains(t, strings.Join(strings.Fields(row.Text()), " "), "Opened 1,168 cases: difference from a statement")
		require.Equal(t, audit.FoldedShown, row.Find(".pb-each a").Length())
		require.Contains(t, row.Text(), "and 1,068 more.")
		require.Contains(t, page.Text(), "Created player anna with", "what was there before is on the same page")
		each := chloe.Get(row.Find("a:contains('List every event')").AttrOr("href", ""))
		require.Equal(t, audit.AuditRows, each.Find(".pb-audit tbody tr").Length())
		require.Contains(t, each.Find(".pb-audit tbody tr").First().Text(), "Opened the case: difference from a statement")
		require.Equal(t, audit.AuditRows,
			chloe.Get(each.Find("a[rel=next]").AttrOr("href", "")).Find(".pb-audit tbody tr").Length())
	})
}

// TestHistoryInTheBrowser unfolds cases that were opened together, and the fields of an event, with scripts and without.
func TestHistoryInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	openTogether(s, 1168)
	g := s.SyncedGame()
	granted := s.Grant("anna", g, 20)
	s.Hire("chloe", models.Compliance)
	browser := browsertest.Start(t)
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			tab := browser.Open(t, view)
			s.SignInTab(tab, "chloe")
			tab.Go(s.Base.String() + "/audit")
			tab.WaitText(".pb-audit", "Opened 1,168 cases: difference from a statement")
			tab.Click("summary:has(+ .pb-each)")
			tab.Wait(".pb-each a")
			if !view.NoScripts {
				tab.RequireFine("audit-unfolded")
			}
			tab.Follow(".pb-each a")
			tab.WaitText("h1", "Difference from a statement")
			tab.Go(s.Base.String() + web.PathOf("/free-spins", granted.ID))
			tab.WaitText(".pb-trail", "Requested 20 spins on "+g.Name+" for anna")
			tab.Click(".pb-trail tbody tr:last-child summary")
			tab.WaitText(".pb-trail", "user id: anna")
			if !view.NoScripts {
				tab.RequireFine("grant-history")
			}
			require.Empty(t, tab.Errors())
		})
	}
}
