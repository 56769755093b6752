package rounds_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A wrong time zone does not lose the language, and the answer says when a win was credited and what the balance was then.
func TestAnswerOfARound(t *testing.T) {
	s := apptest.SqliteSite(t)
	anna := s.PlayerWithBalance("anna", 5000)
	s.Book(apptest.Bet("anna", "b-1", "r-1", 1000), apptest.Win("anna", "w-1", "r-1", 2050), apptest.Bet("anna", "b-2", "r-2", 500))
	sofia := s.SignedIn("sofia", models.Support)
	path := pages.RoundPath(s.Transaction("b-1").ID)
	for _, page := range []string{path, pages.TransactionPath(s.Transaction("w-1").ID)} {
		answer := sofia.Get(page).Find("#answer textarea").Text()
		require.Contains(t, answer, "It won 20.50 EUR, which was added to your balance on ")
		require.Contains(t, answer, "Your balance after that was 60.50 EUR.")
	}
	sent := sofia.Post(path, pages.PlayerPath(anna.ID)+"/language", url.Values{"language": {"de"}, "zone": {"Mars/Base"}, "back": {path}})
	require.Equal(t, http.StatusSeeOther, sent.Status)
	long := sofia.Post(path, pages.PlayerPath(anna.ID)+"/language", url.Values{"language": {"de"}, "zone": {strings.Repeat("ü", 4000)},
		"back": {path}})
	require.Equal(t, http.StatusSeeOther, long.Status, long.Body)
	page := sofia.Get(path)
	require.Contains(t, apptest.TextOf(page, ".pb-flash"), "The language is saved. “"+strings.Repeat("ü", 60)+"” is not a time zone.")
	require.Contains(t, page.Find("#answer textarea").Text(), "Danach betrug Ihr Guthaben 60,50 EUR.")
}
