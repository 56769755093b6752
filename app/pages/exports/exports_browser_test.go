package exports_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/models"
)

// TestAuditAndExportsAreFine checks the audit log's pages and those of exports in every state, in both themes and at both
// widths.
func TestAuditAndExportsAreFine(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	bookMany(s, 120)
	chloe := s.Hire("chloe", models.Compliance)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), chloe.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	by := models.Actor{Name: "sofia", Address: "203.0.113.5", Session: "abcd1234"}
	require.NoError(t, s.Store.SetBlocked(t.Context(), by, "-bob", true,
		`Asked to be kept out until spring, in writing: "please <b>block</b> me". The letter lies with compliance.`))
	require.NoError(t, s.Store.SetSetting(t.Context(), models.Actor{Name: "ann", Address: "2001:db8::5", Session: "ffee0011"},
		"season", "winter", "for the winter"))
	far := models.Actor{Name: "luiza-fernandes-de-albuquerque-e", Address: "2001:db8:1234:5678:9abc:def0:1234:5678",
		Session: "12345678"}
	require.NoError(t, s.Store.NoteView(t.Context(), far, "callback", "1795246138572092.4341623504261611708"))
	rules := models.DefaultSignInRules
	require.NoError(t, s.Store.SetSignInRules(t.Context(), models.Actor{Name: "ann"}, rules))
	rules.IdleMinutes, rules.TOTPRoles = 20, []models.Role{models.Finance}
	require.NoError(t, s.Store.SetSignInRules(t.Context(), models.Actor{Name: "ann"}, rules))
	stranger := s.Browser("203.0.113.77")
	for range 11 {
		stranger.SignIn("chloe", "a guess")
	}

	browser := browsertest.Start(t)
	tab := browser.Open(t, browsertest.View{})
	s.SignInTab(tab, "chloe")
	tab.Go(s.Base.String() + "/exports")
	tab.RequireFine("exports-none")
	http := s.Browser("198.51.100.1")
	http.SignIn("chloe", apptest.Password)
	ready := http.RequestExport("/transactions?player=%3D1%2B1&kind=bet&since=2026-01-01", models.XLSX)
	gone := http.RequestExport("/audit", models.CSV)
	_, err := s.Store.DeleteExport(t.Context(), by, gone.ID)
	require.NoError(t, err)
	ask := func(list export.List) models.Export {
		e, err := s.Exports.Ask(t.Context(), models.Actor{Name: "farid"},
			models.Export{StaffID: chloe.ID + 100, List: "/rounds", Title: "Rounds", Zone: "UTC", Format: models.CSV}, list)
		require.NoError(t, err)
		return e
	}
	failed := ask(export.List{Read: func(context.Context, func(export.Page) error) error { panic("of a list") }})
	held := make(chan struct{})
	running := ask(export.List{Read: func(ctx context.Context, page func(export.Page) error) error {
		select {
		case <-held:
		case <-ctx.Done():
		}
		return nil
	}})
	require.Eventually(t, func() bool {
		begun, err := s.Store.NoteExport(t.Context(), running.ID,
			models.ExportProgress{Rows: 180_000, Reached: time.Now().Add(-50 * time.Hour), Permille: 400})
		require.NoError(t, err)
		return begun
	}, time.Minute, time.Millisecond)

	blocked, _, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Actor: "sofia", Action: "player blocked", Limit: 1})
	require.NoError(t, err)
	changed, _, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "setting changed", Limit: 1})
	require.NoError(t, err)
	for _, page := range []struct{ name, path string }{
		{"audit", "/audit"}, {"audit-filtered", "/audit?who=sofia&reason=letter"}, {"audit-none", "/audit?who=nobody"},
		{"audit-event", pages.AuditPath(blocked[0].ID)}, {"audit-setting", pages.AuditPath(changed[0].ID)},
		{"exports", "/exports"}, {"export-ready", pages.ExportPath(ready.ID)},
		{"export-running", pages.ExportPath(running.ID)},
		{"export-failed", pages.ExportPath(failed.ID)}, {"export-deleted", pages.ExportPath(gone.ID)},
		{"settings-history", "/settings"}, {"staff-history", staff.StaffPath(chloe.ID)},
	} {
		tab.Go(s.Base.String() + page.path)
		tab.RequireFine(page.name)
	}
	tab.Go(s.Base.String() + "/transactions?kind=bet&with=money")
	tab.Click("[popovertarget=export]")
	tab.Wait("#export")
	tab.RequireFine("export-asking")

	// The page notices without a reload that the file is ready.
	tab.Go(s.Base.String() + pages.ExportPath(running.ID))
	tab.Wait(".pb-live")
	close(held)
	tab.WaitText("h1", "Ready")
	require.Empty(t, tab.Errors())
}

// TestExportJourney requests an export, waits for it and looks for it in the audit log, with and without scripts.
func TestExportJourney(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			s := apptest.SqliteSite(t)
			bookMany(s, 40)
			s.Hire("chloe", models.Compliance)
			tab := browsertest.Start(t).Open(t, view)
			s.SignInTab(tab, "chloe")
			tab.Go(s.Base.String() + "/transactions?player=-bob")
			tab.Click("[popovertarget=export]")
			tab.Wait("#export")
			tab.Follow("#export button[value=xlsx]")
			require.Contains(t, tab.Address(), "/exports/")
			if view.NoScripts { // the reader reloads by hand
				require.Eventually(t, func() bool {
					tab.Go(tab.Address())
					return strings.Contains(tab.Text("main"),
						"Download")
				}, time.Minute, 50*time.Millisecond)
			}
			tab.Wait("a[href$='/file']")
			require.Contains(t, tab.Text(".pb-dl"), "-bob")
			tab.Go(s.Base.String() + "/audit?object=export")
			require.Contains(t, tab.Text(".pb-audit"), "Export ready")
			tab.Follow(".pb-audit tbody tr:last-child .c-what a")
			require.Contains(t, tab.Text(".pb-diff"), "-bob")
			tab.Go(s.Base.String() + "/exports")
			tab.Follow("form[action$='/removal'] button")
			require.Contains(t, tab.Text(".pb-flash"), "is deleted")
			require.Empty(t, tab.Errors())
		})
	}
}
