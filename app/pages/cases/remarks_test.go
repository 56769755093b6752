package cases_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// From the page of a transaction, round, callback or grant, it takes one step to comment on it, to hand it to a colleague who
// sees it, or to open the filled-in form of a complaint or a correction.
func TestFromTheThingItself(t *testing.T) {
	storetest.Each(t, func(t *testing.T, dbURL string) {
		s := apptest.NewSite(t, dbURL)
		p := s.PlayerWithBalance("anna", 5000)
		s.Book(apptest.Bet("anna", "b-1", "r-1", 1000))
		s.Callback(apptest.Bet("anna", "much", "r-2", 9900), 6)
		s.OpenGameAndGrant("anna")
		sofia, mira, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("mira", models.Finance), s.SignedIn("chloe", models.Compliance)
		refused, err := s.Store.Callbacks(t.Context(), models.CallbackFilter{UserID: "anna", Span: models.Span{Limit: 1}})
		require.NoError(t, err)
		bet := s.Transaction("b-1").ID
		for thing, path := range map[string]string{"transaction": pages.TransactionPath(bet), "round": pages.RoundPath(bet),
			"callback": pages.CallbackPath(refused.Rows[0]), "grant": "/free-spins/1"} {
			page := sofia.Get(path)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			complaint := sofia.Get(page.Find("a[href^='/cases/new?']").AttrOr("href", ""))
			require.Equal(t, "anna", complaint.Find("[name=player]").AttrOr("value", ""), thing)
			correction := mira.Get(mira.Get(path).Find("a[href^='/corrections/new?']").AttrOr("href", ""))
			require.Equal(t, http.StatusOK, correction.Status, thing)
			filled := correction.Find("[name=player]").AttrOr("value", "") + correction.Find("[name=transaction]").AttrOr("value", "")
			require.Contains(t, []string{"anna", "b-1"}, filled, thing)

			form := apptest.FormFields(page, "/remarks")
			require.Contains(t, sofia.Post(path, "/remarks", form).Find("#f-remark-wrong").Text(), "Write 1 to 500 characters.", thing)
			form.Set("remark", "The "+thing+" is fine.")
			require.Equal(t, path, sofia.Post(path, "/remarks", form).Location)
			require.Contains(t, chloe.Get(path).Find("main").Text(), "The "+thing+" is fine.", thing)
			form.Set("remark", "Is the "+thing+" right?")
			form.Set("to", "chloe")
			require.Contains(t, sofia.Post(path, "/remarks", form).Find("#f-to-wrong").Text(), "cannot work on cases")
			form.Set("to", "mira")
			for range 2 { // two clicks open one case
				form.Del("csrf")
				require.Equal(t, path, sofia.Post(path, "/remarks", form).Location)
			}
			mine := mira.Get("/cases?owner=mira&rule=26")
			link := mine.Find("tbody .c-what a").First().AttrOr("href", "")
			opened := mira.Get(link)
			require.Contains(t, apptest.TextOf(opened, "[aria-label='What happened']"), "sofia wrote Is the "+thing+" right?")
			require.Contains(t, mira.Get("/yours").Find("main").Text(), "Is the "+thing+" right?", "she sees who asks, and what")
			require.Equal(t, http.StatusSeeOther, mira.Post(link, strings.Split(link, "?")[0]+"/decision",
				url.Values{"state": {"explained"}, "reason": {"It was right as booked."}}).Status)
		}
		said := apptest.TextOf(sofia.Get(pages.PlayerPath(p.ID)+"/timeline"), "tbody")
		for _, thing := range []string{"transaction", "round", "callback", "grant"} {
			require.Contains(t, said, "The "+thing+" is fine.")
		}
		require.Equal(t, http.StatusNotFound, sofia.Post("/", "/remarks", url.Values{"object": {"staff"}, "id": {"1"}, "remark": {"x"}}).Status)
	})
}
