package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestSavedViews(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann, eve := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator)
		page := ann.Get("/staff?role=finance&q=&state=")
		require.Equal(t, 1, page.Find(".pb-chip").Length(), "empty fields are not filters")
		require.Equal(t, "role=finance", page.Find("#views input[name=query]").AttrOr("value", ""))

		for _, view := range []url.Values{
			{"page": {"/staff"}, "query": {"role=finance"}, "name": {"Money <b>people</b>"}, "shared": {"yes"}},
			{"page": {"/staff"}, "query": {"state=disabled"}, "name": {"Gone"}},
		} {
			saved := ann.Post("/staff?role=finance", "/views", view)
			require.Equal(t, "/staff?"+view.Get("query"), saved.Location)
		}
		require.Equal(t, 2, ann.Get("/staff").Find("a.pb-view").Length())
		shared := eve.Get("/staff").Find("a.pb-view")
		require.Equal(t, 1, shared.Length(), "colleagues do not see views that are not shared")
		require.Equal(t, "Money <b>people</b>", shared.Text())
		require.Equal(t, "/staff?role=finance", shared.AttrOr("href", ""))
		own := ann.Get("/staff").Find("#views form[action$=removal]")
		require.Equal(t, http.StatusNotFound, eve.Post("/staff", own.First().AttrOr("action", ""), nil).Status, "not shared")
		cleo := s.SignedIn("cleo", models.Compliance)
		require.Equal(t, "Money <b>people</b>", cleo.Get("/staff").Find("a.pb-view").Text())
		require.Zero(t, cleo.Get("/staff").Find("#views form[action$=removal]").Length())
		remove := own.Last().AttrOr("action", "")
		require.Equal(t, http.StatusNotFound, cleo.Post("/staff", remove, nil).Status,
			"only administrators delete others' views")
		require.Equal(t, "/staff", ann.Post("/staff", remove, url.Values{"back": {"/staff"}}).Location)
		require.Equal(t, "/", ann.Post("/staff", "/views",
			url.Values{"page": {"https://evil.example"}, "query": {"a=b"}, "name": {"x"}}).Location[:1])
		require.Equal(t, "/staff",
			ann.Post("/staff", "/views",
				url.Values{"page": {"/staff"}, "query": {"q=" + strings.Repeat("x", models.MaxViewQuery)}, "name": {"x"}}).
				Location)

		// Filters that the list refuses are not saved either.
		for query, why := range map[string]string{
			"page=/staff&query=role=pope":           "The address has role=pope, but the filter Role has no value “pope”",
			"page=/staff&query=colour=green":        "The address has colour=green, but this list has no filter “colour”",
			"page=/transactions&query=bet-from=abc": "The address has bet-from=abc, but “abc” is not an amount",
			"page=/settings&query=a=b":              "There is no such list",
			"page=/nowhere&query=a=b":               "There is no such list",
			"page=/staff/1/role&query=a=b":          "There is no such list",
		} {
			list, query, _ := strings.Cut(strings.TrimPrefix(query, "page="), "&query=")
			refused := ann.Post("/staff", "/views", url.Values{"page": {list}, "query": {query}, "name": {"kept anyway"}})
			require.Equal(t, http.StatusSeeOther, refused.Status, list+query)
			require.Contains(t, ann.Get("/staff").Find(".pb-flash").Text(), "The view was not saved. "+why)
		}
		require.NotContains(t, ann.Get("/staff").Text(), "kept anyway")
		require.NotContains(t, ann.Get("/transactions").Text(), "kept anyway")
	})
}

// One member of staff shares so many views that nobody finds their own.
func TestAttackSharedViewsHideOthers(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		ann, eve, cleo := s.SignedIn("ann", models.Administrator), s.SignedIn("eve", models.Administrator),
			s.SignedIn("cleo", models.Compliance)
		view := func(name string, shared ...string) url.Values {
			return url.Values{"page": {"/staff"}, "query": {"role=finance"}, "name": {name}, "shared": shared}
		}
		cleo.Post("/staff", "/views", view("zz mine"))
		for i := range models.MaxViews {
			eve.Post("/staff", "/views", view(fmt.Sprint("a", i), "yes"))
		}
		require.Equal(t, http.StatusSeeOther, eve.Post("/staff", "/views", view("one more", "yes")).Status)
		require.Contains(t, eve.Get("/staff").Find(".pb-flash").Text(),
			"The view was not saved. You already have 20 views of this list; delete one first.")
		shown := cleo.Get("/staff").Find("a.pb-view")
		require.Equal(t, models.MaxViews+1, shown.Length())
		require.Equal(t, "zz mine", shown.First().Text(), "their own come first")

		remove := ann.Get("/staff").Find("#views form[action$=removal]").First().AttrOr("action", "")
		require.Equal(t, "/staff", ann.Post("/staff", remove, url.Values{"back": {"/staff"}}).Location)
		require.Equal(t, models.MaxViews, cleo.Get("/staff").Find("a.pb-view").Length())
		require.Contains(t, ann.Get("/audit").Text(), "Shared view deleted")
	})
}
