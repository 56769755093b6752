package rounds_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A wrong time zone does not lose the language. The answer says when a win was credited and what the balance was then.
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

	// The player keeps this language. Another language for a single answer is not remembered.
	other := sofia.Post(path, pages.PlayerPath(anna.ID)+"/language",
		url.Values{"language": {"it"}, "zone": {"Asia/Tokyo"}, "back": {path}, "once": {"yes"}})
	require.Regexp(t, `20:50|\(UTC\+09:00\)`, sofia.Get(strings.TrimSuffix(other.Location, "#answer")).Find("#answer textarea[lang=it]").Text())
	require.Equal(t, 1, sofia.Get(path).Find("#answer textarea[lang=de]").Length())
	require.Contains(t, apptest.TextOf(sofia.Get(pages.PlayerPath(anna.ID)), "[aria-label=Facts]"), "Answers in Deutsch, times in UTC")
}

// What a player was told is recorded word for word: with the complaint that it answers, and in the player's timeline.
func TestPlayerWasTold(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.Support = "help@lumen.example"
		anna := s.PlayerWithBalance("anna", 5000)
		s.Book(apptest.Bet("anna", "b-1", "r-1", 1000), apptest.Win("anna", "w-1", "r-1", 2050))
		sofia, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance)
		path, timeline := pages.RoundPath(s.Transaction("b-1").ID), pages.PlayerPath(anna.ID)+"/timeline?kind=answers-and-comments"
		tell := pages.PlayerPath(anna.ID) + "/answers"
		fields := func(page *apptest.Answer) url.Values {
			form := apptest.FormFields(page, tell)
			form.Set("told", page.Find("#f-told").Text())
			if chosen := page.Find("#f-case option[selected]"); chosen.Length() > 0 {
				form.Set("case", chosen.AttrOr("value", ""))
			}
			return form
		}
		form := fields(chloe.Get(path))
		require.True(t, strings.HasSuffix(form.Get("told"), "\n\nlumen.example\nQuestions: help@lumen.example"), form.Get("told"))
		form.Set("told", " ")
		require.Contains(t, chloe.Post(path, tell, form).Find("#f-told-wrong").Text(), "1 to 4,000 characters")
		form.Set("told", "Your win was paid.")
		require.Equal(t, path, chloe.Post(path, tell, form).Location)
		require.Equal(t, http.StatusForbidden, chloe.Post(path, tell, url.Values{"told": {"Yes."}, "case": {"1"}}).Status)

		made := sofia.Post("/cases/new?"+pages.PlayerOf(anna.ID), "/cases", url.Values{"player": {"anna"}, "about": {"r-1"}, "reference": {"ADR-7"},
			"due": {s.Now().AddDate(0, 0, 9).Format(time.DateOnly)}, "text": {"My win is missing."}})
		require.Equal(t, http.StatusSeeOther, made.Status, made.Body)
		form = fields(sofia.Get(path))
		require.Equal(t, strings.TrimPrefix(made.Location, "/cases/"), form.Get("case"), "the complaint about this round is chosen")
		form = fields(sofia.Get(made.Location))
		require.Contains(t, form.Get("told"), "It won 20.50 EUR")
		form.Set("told", "It won 20.50 EUR.\nThank you for asking.")
		require.Equal(t, made.Location, sofia.Post(made.Location, tell, form).Location)
		require.Contains(t, apptest.TextOf(sofia.Get(made.Location), "[aria-label='What happened']"),
			"sofia wrote Told the player: It won 20.50 EUR. Thank you for asking.")
		rows := sofia.Get(timeline).Find("tbody tr")
		require.Equal(t, 2, rows.Length())
		require.Contains(t, apptest.TextOf(sofia.Get(timeline), "tbody tr:first-child"), "It won 20.50 EUR. Thank you for asking. sofia")
		require.Contains(t, rows.Last().Text(), "Your win was paid.")
		bert := s.PlayerWithBalance("bert", 0)
		require.Equal(t, http.StatusNotFound, sofia.Post(path, pages.PlayerPath(bert.ID)+"/answers",
			url.Values{"told": {"Not mine."}, "case": {form.Get("case")}}).Status, "nor is it kept with a case of another player")
	})
}
