package exports_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// A row of an export that was changed in the database is shown as such: not under another's name, and without its filters. The
// others stay.
func TestAttackExportsListed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		mira, chloe := s.SignedIn("mira", models.Finance), s.SignedIn("chloe", models.Compliance)
		first := mira.RequestExport("/games?q=first", models.CSV)
		mira.RequestExport("/games?q=second", models.CSV)
		require.Equal(t, 2, mira.Get("/exports").Find("#exports tbody tr").Length())
		apptest.AlterDatabase(t, dbURL, "UPDATE exports SET staff_id = ?, actor = 'chloe', title = 'Staff' WHERE id = ?",
			apptest.StaffNamed(t, s, "chloe").ID, first.ID)
		shown := chloe.Get("/exports").Find("#exports tbody")
		require.Equal(t, 2, shown.Find("tr").Length())
		row := shown.Find("tr").Last().Text()
		for _, want := range []string{fmt.Sprint("Export ", first.ID), "Altered", "changed in the database, not by Pitboss"} {
			require.Contains(t, row, want)
		}
		for _, altered := range []string{"Staff", "chloe", "first", "Download"} {
			require.NotContains(t, row, altered)
		}
		require.Contains(t, shown.Find("tr").First().Text(), "second")
		require.Equal(t, http.StatusConflict, chloe.Get(fmt.Sprint("/exports/", first.ID)).Status)
	})
}
