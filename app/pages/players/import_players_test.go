package players_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A file of players is imported without its bad lines if the reader says so, and their number is the one that the reader saw.
func TestPlayersAreImportedWithoutBadLines(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.SignedIn("sofia", models.Support)
		s.NewPlayer("taken", false)
		page := sofia.Upload("new.csv", "user_id\tcurrency\tvip\nu-1\tEUR\tyes\nu-2\t€\tno\ntaken\tEUR\tno\nu-3\tTRY\tno\n")
		require.Equal(t, http.StatusUnprocessableEntity, page.Status)
		require.Contains(t, page.Find(".pb-facts").Text(), "2 correct, 2 with errors")
		require.Equal(t, "Continue without 2 lines", page.Find("button[name=skip]").Text())
		sheet := sofia.SendAgain(page, "#players", url.Values{"download": {"lines"}})
		require.Regexp(t, "^\ufeffuser_id\tcurrency\tvip\tWhat is wrong\nu-2\t€\tno\t.*currency.*\ntaken\tEUR\tno\t.*\n$", sheet.Body)
		confirm := sofia.SendAgain(page, "#players", url.Values{"skip": {"2"}})
		require.Equal(t, http.StatusOK, confirm.Status, confirm.Body)
		require.Equal(t, "Import 2 players", confirm.Find(".pb-foot .btn-primary").Text())
		s.NewPlayer("u-3", false)
		seen := sofia.SendAgain(confirm, "#players", url.Values{"sure": {"yes"}})
		require.Contains(t, seen.Find("button[name=skip]").Text(), "Continue without 3 lines", "one more than the reader has seen")
		confirm = sofia.SendAgain(seen, "#players", url.Values{"skip": {"3"}})
		done := sofia.SendAgain(confirm, "#players", url.Values{"sure": {"yes"}})
		require.Equal(t, http.StatusSeeOther, done.Status, done.Body)
		require.Contains(t, sofia.Get(done.Location).Find(".pb-flash").Text(), "Imported 1 player from new.csv, each with 0.00. 3 lines were left out.")
		events, err := s.Store.AuditEvents(t.Context(), models.AuditFilter{Action: "player created", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		require.Contains(t, events.Rows[0].After, `"skipped_of":"new.csv"`)
	})
}
