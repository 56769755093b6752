package exports_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestExportJourney exports a list and looks for it in the audit log, with and without scripts.
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
			content, name := tab.Download("#export button[value=xlsx]")
			require.Regexp(t, `^pitboss-transactions-[0-9-]+\.xlsx$`, name)
			book, err := excelize.OpenReader(bytes.NewReader(content))
			require.NoError(t, err)
			require.NoError(t, book.Close())
			tab.Go(s.Base.String() + "/audit?what=export+started")
			tab.Follow(".pb-audit tbody .c-what a")
			require.Contains(t, tab.Text(".pb-diff"), "-bob")
			require.Empty(t, tab.Errors())
		})
	}
}
