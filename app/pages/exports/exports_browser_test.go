package exports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/browsertest"
	"pitboss/models"
)

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
			if !view.NoScripts {
				tab.RequireFine("export-asking")
			}
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
			if !view.NoScripts {
				tab.RequireFine("export-ready")
			}
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
