package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/models"
)

// filteredLists are the pages with filters, each with somebody who may read it and, if anybody may, export it.
func (s *site) filteredLists() map[string]*browser {
	s.t.Helper()
	browsers := map[models.Role]*browser{}
	for _, role := range models.Roles {
		browsers[role] = s.signedIn("filters-"+strings.ToLower(string(role)), role)
	}
	lists := map[string]*browser{}
	for _, r := range s.routes() {
		path := strings.ReplaceAll(r.Path, ":day", string(models.DayOf(s.Now(), time.UTC)))
		if r.Method != web.Get || strings.Contains(path, ":") {
			continue
		}
		for _, role := range models.Roles {
			if !web.May(role, r.Needs) || lists[path] != nil && !web.May(role, web.ExportData) {
				continue
			}
			page := browsers[role].get(path)
			if page.status == http.StatusOK && page.header.Get("Content-Type") == "text/html; charset=utf-8" &&
				page.Find("form.pb-filters").Length() > 0 {
				lists[path] = browsers[role]
			}
		}
	}
	return lists
}

// TestUnknownFilters opens each list with each value that its filters do not have: none of them shows rows.
func TestUnknownFilters(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.story("anna")
		lists := s.filteredLists()
		for _, path := range []string{"/transactions", "/rounds", "/callbacks", "/cases", "/corrections/all", "/audit", "/players",
			"/staff", "/games", "/games/changes", "/sessions", "/free-spins", "/free-spins/exceptions", "/free-spins/imports",
			"/settings/notices", "/reports", "/reports/players", "/reports/games", "/reports/liability"} {
			require.Contains(t, lists, path)
		}
		refused := func(path, name, value string, who *browser) {
			t.Run(path+"?"+name, func(t *testing.T) {
				query := url.Values{name: {value}}.Encode()
				page := who.get(path + "?" + query)
				require.Equal(t, http.StatusOK, page.status, page.text)
				empty := page.Find(".pb-empty")
				require.Contains(t, empty.Text(), "A filter cannot be read")
				require.Contains(t, empty.Text(), "The address has "+name+"="+value)
				require.Regexp(t, "It can be|Its filters are", empty.Text())
				require.Zero(t, page.Find("#export, button:contains('Save view')").Length(), "neither kept nor exported")
				if _, listed := s.ExportableAt(path); !listed {
					return
				}
				asked := who.post("/account", "/exports", url.Values{"list": {path}, "query": {query}, "format": {"csv"}})
				require.Equal(t, http.StatusSeeOther, asked.status, asked.text)
				require.NotContains(t, asked.location, "/exports/")
				require.Contains(t, who.get(asked.location).Text(), "Nothing was exported. The address has "+name+"="+value)
			})
		}
		for path, who := range lists {
			refused(path, "colour", "green", who)
			who.get(path).Find("form.pb-filters select").Each(func(_ int, field *goquery.Selection) {
				refused(path, field.AttrOr("name", ""), "opn", who)
			})
		}
	})
}
