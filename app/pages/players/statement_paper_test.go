package players_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// TestStatementPaper: the paper for a player has the figures of the statement's page and file, in the player's language.
func TestStatementPaper(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClock(s.Now().AddDate(0, 1, 10-s.Now().Day()))
		anna := s.PlayerWithBalance("олександр.ш", 123_456)
		s.Later(48 * time.Hour)
		s.Book(apptest.Bet(anna.UserID, "b-1", "r-1", 1000), apptest.Win(anna.UserID, "w-1", "r-1", 250))
		require.Zero(t, s.Apply(models.Operation{Source: models.SourceClient, Kind: models.CashOut, UserID: anna.UserID, Currency: "EUR",
			TransactionID: "out", Bet: 2000}).Decline)
		require.NoError(t, s.Store.SetLanguage(t.Context(), models.System, anna.ID, "it", "Asia/Tokyo"))
		farid := s.SignedIn("farid", models.Finance)
		path := pages.PlayerPath(anna.ID) + "/statement"
		staff := farid.Get(path)
		require.Contains(t, apptest.TextOf(staff, "[aria-label=Statement] .card-header"), "times in Tokyo, UTC+9")
		first := staff.Find("a[aria-label='PDF, Italiano']").AttrOr("href", "")
		require.Equal(t, first, staff.Find(".pb-nowrap a[aria-label^=PDF]").First().AttrOr("href", ""), "the player's language comes first")

		sheet := farid.Get(strings.Replace(first, "/pdf?", "/paper?", 1))
		require.Equal(t, "it", sheet.Find("html").AttrOr("lang", ""), sheet.Body)
		text := strings.Join(strings.Fields(sheet.Find("main").Text()), " ")
		for _, want := range []string{"lumen.example", "Estratto conto", "олександр.ш", "Asia/Tokyo", "Saldo iniziale 0,00 EUR",
			"Apertura del conto +1.234,56 EUR", "Puntata −10,00 EUR", "1.207,06 EUR, più 20,00 EUR in attesa di prelievo"} {
			require.Contains(t, text, want)
		}
		header, rows, _ := farid.Download(path, export.CSV)
		var balances, onPaper []string
		for i, amount := range apptest.ColumnOf(t, header, rows, "Amount") {
			if amount != "" {
				balances = append(balances, apptest.ColumnOf(t, header, rows, "Balance")[i])
			}
		}
		for _, cell := range sheet.Find(".pb-sheet-lines tbody td:last-child").EachIter() {
			onPaper = append(onPaper, strings.NewReplacer(".", "", ",", ".").Replace(cell.Text()))
		}
		require.Equal(t, balances, onPaper)

		pdf := farid.Get(first)
		require.Equal(t, http.StatusOK, pdf.Status)
		require.Equal(t, "application/pdf", pdf.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(pdf.Body, "%PDF-"))
		require.Equal(t, http.StatusSeeOther, farid.Get(path+"/pdf?language=xx").Status)
		require.Equal(t, http.StatusSeeOther, farid.Get(path+"/paper?from=soon").Status)
		require.Contains(t, farid.Get(path+"/paper?to=2000-01-01&language=de").Text(), "hat sich der Saldo nicht geändert")
	})
}
