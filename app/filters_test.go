package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// filteredLists returns the pages with filters, each with a browser of somebody who may view it and, if any role may, export
// it.
func filteredLists(s *apptest.Site) map[string]*apptest.Browser {
	s.T.Helper()
	browsers := map[models.Role]*apptest.Browser{}
	for _, role := range models.Roles {
		browsers[role] = s.SignedIn("filters-"+strings.ToLower(string(role)), role)
	}
	lists := map[string]*apptest.Browser{}
	for _, r := range s.Routes() {
		path := strings.ReplaceAll(r.Path, ":day", string(models.DayOf(s.Now(), time.UTC)))
		if r.Method != web.Get || strings.Contains(path, ":") {
			continue
		}
		for _, role := range models.Roles {
			if !web.May(role, r.Needs) || lists[path] != nil && !web.May(role, web.ExportData) {
				continue
			}
			page := browsers[role].Get(path)
			if page.Status == http.StatusOK && page.Header.Get("Content-Type") == "text/html; charset=utf-8" &&
				page.Find("form.pb-filters").Length() > 0 {
				lists[path] = browsers[role]
			}
		}
	}
	return lists
}

// A list offers its filters in the order in which its handler reads them, the rarer ones under Add filter.
func TestFiltersAreOffered(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	chloe := s.SignedIn("chloe", models.Compliance)
	for path, want := range map[string][2]string{
		"/transactions":      {"player id kind state from from-time to to-time about", "order round with currency test bet-from bet-to win-from win-to"},
		"/rounds":            {"player state from from-time to to-time about", "order age funds currency"},
		"/audit":             {"who what from from-time to to-time about", "order object id player reason address session casino-day"},
		"/players":           {"q currency state kind from to", "turnover loss deposits spins played-since not-played-since campaign campaign-spins language"},
		"/reports/liability": {"currency test", ""},
	} {
		names := func(fields *goquery.Selection) string {
			return strings.Join(fields.Map(func(_ int, f *goquery.Selection) string { return f.AttrOr("name", "") }), " ")
		}
		form := chloe.Get(path).Find("form.pb-filters")
		more := form.Find("details:contains('Add filter')").Find("[name]").Not("details")
		require.Equal(t, want[1], names(more), path)
		require.Equal(t, want[0], names(form.Find("[name]").Not("details").NotSelection(more)), path)
	}
	wrong := chloe.Get("/callbacks?address=nowhere").Find(".pb-empty").Text()
	require.Contains(t, wrong, "“nowhere” is not an IP address")
}

// TestUnknownFilters opens each list with filters and values that it does not have: it never shows rows.
func TestUnknownFilters(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.PlayerWithHistory("anna")
	lists := filteredLists(s)
	for _, path := range []string{"/transactions", "/rounds", "/callbacks", "/cases", "/corrections", "/audit",
		"/players",
		"/staff", "/games", "/games/changes", "/sessions", "/free-spins", "/campaigns",
		"/settings/notices", "/reports", "/reports/players", "/reports/games", "/reports/liability"} {
		require.Contains(t, lists, path)
	}
	refused := func(path, name, value string, who *apptest.Browser) {
		t.Run(path+"?"+name, func(t *testing.T) {
			query := url.Values{name: {value}}.Encode()
			page := who.Get(path + "?" + query)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			empty := page.Find(".pb-empty")
			require.Contains(t, empty.Text(), "Invalid filter")
			require.Contains(t, empty.Text(), "The address has "+name+"="+value)
			require.Regexp(t, "It can be|Its filters are", empty.Text())
			require.Zero(t, page.Find("#export, button:contains('Save view')").Length(), "neither saved nor exported")
			if _, listed := s.ExportableAt(path); !listed {
				return
			}
			asked := who.Post("/account", "/exports", url.Values{"list": {path}, "query": {query}, "format": {"csv"}})
			require.Equal(t, http.StatusSeeOther, asked.Status, asked.Body)
			require.Contains(t, who.Get(asked.Location).Text(), "Nothing was exported. The address has "+name+"="+value)
		})
	}
	unknown := func(path, name, says string, who *apptest.Browser) {
		t.Run("nobody "+path+"?"+name, func(t *testing.T) {
			query := url.Values{name: {"nobody"}}.Encode()
			require.Contains(t, who.Get(path+"?"+query).Find(".pb-empty").Text(), says)
			if _, listed := s.ExportableAt(path); !listed {
				return
			}
			asked := who.Post("/account", "/exports", url.Values{"list": {path}, "query": {query}, "format": {"csv"}})
			require.Contains(t, who.Get(asked.Location).Text(), "Nothing was exported. "+says)
		})
	}
	for path, who := range lists {
		fields := who.Get(path).Find("form.pb-filters")
		if fields.Find("[name=player]").Length() > 0 && path != "/callbacks" { // a stranger's callback may name anybody
			unknown(path, "player", "No player has the ID “nobody”", who)
		}
		if fields.Find("[name=game]").Length() > 0 {
			unknown(path, "game", "No game has the ID “nobody”", who)
		}
		refused(path, "colour", "green", who)
		who.Get(path).Find("form.pb-filters select").Each(func(_ int, field *goquery.Selection) {
			refused(path, field.AttrOr("name", ""), "opn", who)
		})
	}
}

// TestDaysFilter plays on one day and views lists on the next: the choices of days follow the reader's calendar.
func TestDaysFilter(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClock(time.Date(s.Now().Year()+1, 11, 12, 12, 0, 0, 0, time.UTC))
		year := s.Now().Format("2006")
		s.PlayerWithHistory("anna")
		s.Later(24 * time.Hour) // the 13th
		who, today := s.SignedIn("sofia", models.Compliance), models.DayOf(s.Now(), time.UTC)
		for _, path := range []string{"/transactions", "/rounds", "/callbacks", "/audit"} {
			for query, want := range map[string]struct {
				rows bool
				chip string
			}{
				"?days=today":              {false, "Today, 13 Nov " + year},
				"?days=yesterday":          {true, "Yesterday, 12 Nov " + year},
				"?days=this-week":          {today.Week() < today, "This week, " + web.DaysWords(today.Week(), today)},
				"?days=last-7-days":        {true, "Last 7 days, 7–13 Nov " + year},
				"?from=" + year + "-11-12": {true, "from 12 Nov " + year},
				"?to=" + year + "-11-11":   {false, "up to 11 Nov " + year},
				"?from=" + year + "-11-12&to=" + year + "-11-12": {true, "12 Nov " + year},
				"?from=" + year + "-10-30&to=" + year + "-11-11": {false, "30 Oct – 11 Nov " + year},
				// What the form sends if its dates were left as they were, or changed.
				"?days=yesterday&from=" + year + "-11-12&to=" + year + "-11-12": {true, "Yesterday, 12 Nov " + year},
				"?days=yesterday&from=" + year + "-11-10&to=" + year + "-11-11": {false, "10–11 Nov " + year},
			} {
				page := who.Get(path + query)
				require.Equal(t, http.StatusOK, page.Status, page.Body)
				if path != "/audit" && path != "/callbacks" { // which have other rows
					require.Equal(t, want.rows, page.Find("tbody tr").Length() > 0, path+query)
				}
				require.Equal(t, "Days"+want.chip, page.Find(".pb-chip").Text(), path+query)
			}
			page := who.Get(path + "?days=yesterday&player=anna")
			require.Equal(t, "Yesterday", page.Find(".pb-quick [aria-current=true]").Text())
			require.Equal(t, year+"-11-12", page.Find("#f-from").AttrOr("value", ""), "the dates behind a choice")
			require.Regexp(t, `^`+path+`\?days=today&player(=anna|-number=1)$`,
				page.Find(".pb-quick a").Eq(1).AttrOr("href", ""))
			require.Regexp(t, `^`+path+`\?player(=anna|-number=1)$`,
				page.Find(".pb-chip a[aria-label^='Remove the filter Days']").AttrOr("href", ""))
		}
		for query, want := range map[string]string{
			"?days=tomorrow": "today, yesterday, last-7-days, last-30-days, this-week, last-week, this-month or last-month.", "?from=soon": "enter a day such as 2026-11-20",
			"?from=2026-02-02&to=2026-02-01": "the first day is after the last",
		} {
			require.Contains(t, who.Get("/rounds"+query).Find(".pb-empty").Text(), want)
			require.Contains(t, who.Get("/reports"+query).Find(".pb-empty").Text(), want)
		}
		require.Contains(t, who.Get("/reports?days=yesterday").Find("main").Text(),
			"from 12 Nov "+year+", 00:00 +00:00 to 13 Nov")
		// Times of day, in the reader's zone: of the days beside them, or of today.
		require.NotZero(t, who.Get("/transactions?days=yesterday&from-time=12:00&to-time=12:00").Find("tbody tr").Length())
		for _, query := range []string{"?days=yesterday&from-time=12:01", "?days=yesterday&to-time=11:59", "?from-time=00:00",
			"?to=" + year + "-11-12&from-time=12:00:30", "?from=" + year + "-11-12&to-time=11:59"} {
			page := who.Get("/transactions" + query)
			require.Zero(t, page.Find("tbody tr").Length(), query)
			require.NotContains(t, page.Text(), "Invalid filter", query)
		}
		lastHour := who.Get("/transactions").Find(".pb-quick a").First()
		require.Equal(t, "Last hour", lastHour.Text())
		require.Equal(t, "/transactions?days=last-hour", lastHour.AttrOr("href", ""))
		hour := who.Get("/transactions?days=last-hour")
		require.Zero(t, hour.Find("tbody tr").Length())
		require.Equal(t, "DaysLast hour", hour.Find(".pb-chip").Text())
		require.Equal(t, "last-hour", hour.Find("form [type=hidden][name=days]").AttrOr("value", ""), "the form keeps it")
		s.Apply(apptest.Bet("anna", "of-this-hour", "hour-r1", 500))
		require.Equal(t, 1, who.Get("/transactions?days=last-hour").Find("tbody tr").Length())
		require.Equal(t, 1, who.Get("/transactions?days=last-hour&about=12:04").Find("tbody tr").Length(), "of today")
		require.Zero(t, who.Get("/transactions?about=12:11").Find("tbody tr").Length())
		// A day with its time, and about a time of a day.
		for query, some := range map[string]bool{
			"?from=" + year + "-11-12+12:00&to=" + year + "-11-12T12:00": true, "?from=" + year + "-11-12+12:01&to=" + year + "-11-12": false,
			"?from=" + year + "-11-12&about=11:55": true, "?days=yesterday&about=12:11": false, "?to=" + year + "-11-12&about=12:10": true,
		} {
			page := who.Get("/transactions" + query)
			require.NotContains(t, page.Text(), "Invalid filter", query)
			require.Equal(t, some, page.Find("tbody tr").Length() > 0, query)
		}
		for query, want := range map[string]string{
			"?from-time=ten": "enter a time such as 14:05", "?from-time=25:00": "enter a time such as 14:05",
			"?from-time=14:20&to-time=14:00": "the first time is after the last", "?about=noon": "enter a time such as 14:05",
			"?about=14:00&to-time=15:00": "Leave one of them out", "?days=last-7-days&about=14:00": "Choose one day",
			"?from=" + year + "-11-12+noon": "“noon” is not a time of day",
		} {
			require.Contains(t, who.Get("/rounds"+query).Find(".pb-empty").Text(), want)
		}
		require.Contains(t, who.Get("/reports?from-time=14:00").Find(".pb-empty").Text(), "no filter “from-time”")
		// Times in the address, as in links from other pages, still work, and the form keeps them.
		page := who.Get("/transactions?since=" + year + "-11-12&until=" + year + "-11-12T13:00:00Z&days=yesterday")
		require.NotZero(t, page.Find("tbody tr").Length())
		require.Equal(t, year+"-11-12", page.Find("form [type=hidden][name=since]").AttrOr("value", ""))
		require.Zero(t, who.Get("/transactions?until="+year+"-11-12T11:00:00Z&days=yesterday").Find("tbody tr").Length())
	})
}

// TestCurrencyFilter filters lists that have players of two currencies.
func TestCurrencyFilter(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithHistory("anna")
		_, err := s.Store.CreatePlayer(t.Context(), models.Actor{Name: "tester"},
			models.NewPlayer{UserID: "ines", Currency: "USD", Balance: 10_000})
		require.NoError(t, err)
		s.Apply(apptest.Bet("ines", "usd-1", "usd-r1", 500))
		who := s.SignedIn("farid", models.Finance)
		for path, want := range map[string]int{"/transactions": 2, "/rounds": 1, "/players": 1, "/corrections": 0,
			"/cases": 0} {
			page := who.Get(path + "?currency=USD")
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			require.Equal(t, want, page.Find("tbody tr").Length(), path)
			require.Equal(t, "AllEURUSD", page.Find("#f-currency").Text(), path)
			require.NotContains(t, page.Find("tbody").Text(), "anna")
			require.Contains(t, who.Get(path+"?currency=XYZ").Find(".pb-empty").Text(), "It can be EUR or USD.", path)
		}
	})
}

// TestTimesWhenClocksChange looks for bets at half past two of days on which clocks in Vienna are put back, and forward.
func TestTimesWhenClocksChange(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		at := time.Date(2027, 10, 31, 0, 30, 0, 0, time.UTC) // half past two in summer time
		s.SetClock(at)
		s.PlayerWithHistory("anna")
		s.Later(time.Hour) // half past two again
		s.Apply(apptest.Bet("anna", "second", "clock-r1", 500))
		who := s.SignedIn("sofia", models.Compliance)
		staff, _, err := s.Store.StaffNamed(t.Context(), "sofia")
		require.NoError(t, err)
		require.NoError(t, s.Store.SetStaffProfile(t.Context(), staff.ID,
			models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
		all := who.Get("/transactions?days=today").Find("tbody tr").Length()
		require.Greater(t, all, 1)
		for query, rows := range map[string]int{"from-time=02:30": all, "to-time=02:30": all, "from-time=02:30&to-time=02:30": all,
			"about=02:30": all, "from-time=02:31": 1, "to-time=02:29": all - 1, "from-time=03:00": 0, "to-time=01:59": 0} {
			require.Equal(t, rows, who.Get("/transactions?"+query).Find("tbody tr").Length(), query)
		}
		for _, query := range []string{"from=2027-03-28&from-time=02:30", "to=2027-03-28&to-time=02:00", "from=2027-03-28+02:59"} {
			require.Contains(t, who.Get("/rounds?"+query).Find(".pb-empty").Text(),
				"on 28 Mar 2027 clocks in Europe/Vienna skip", query)
		}
		require.NotContains(t, who.Get("/rounds?from=2027-03-28+01:59&to=2027-03-28+03:00").Text(), "Invalid filter")
	})
}

// TestEveryListInOtherOrders opens each list with times oldest first.
func TestEveryListInOtherOrders(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithHistory("anna")
		s.Later(time.Minute)
		s.Apply(apptest.Bet("anna", "large", "order-r1", 7_000))
		inPlay := regexp.MustCompile(`In play \d+ s`) // which grows between the two pages
		rows := func(page *apptest.Answer) []string {
			return page.Find("tbody tr").Map(func(_ int, row *goquery.Selection) string {
				return inPlay.ReplaceAllString(strings.Join(strings.Fields(row.Text()), " "), "In play")
			})
		}
		lists := filteredLists(s)
		for _, tab := range []string{"transactions", "rounds", "callbacks", "sessions", "ledger"} {
			lists["/players/1/"+tab] = lists["/transactions"]
		}
		for path, who := range lists {
			if who.Get(path).Find("form.pb-filters [name=order] [value=oldest]").Length() == 0 {
				continue
			}
			newest, oldest := rows(who.Get(path)), who.Get(path+"?order=oldest")
			require.NotContains(t, oldest.Text(), "Invalid filter", path)
			require.Equal(t, len(newest) > 0, oldest.Find("thead [aria-sort=ascending] a").Length() == 1, path)
			got := rows(oldest)
			if len(newest) == 0 {
				continue
			}
			if path == "/audit" || path == "/callbacks" { // the visits are views, too
				require.NotEqual(t, newest[0], got[0], path)
				continue
			}
			slices.Reverse(got)
			require.Equal(t, newest, got, path)
		}
		who := lists["/transactions"]
		for _, path := range []string{"/transactions", "/players/1/ledger"} {
			page := who.Get(path + "?order=amount")
			require.Equal(t, "descending", page.Find("thead th:contains('Amount')").AttrOr("aria-sort", ""), path)
			require.Contains(t, rows(page)[0], "100.00", path)
		}
		footer := who.Get("/transactions?kind=bet").Find(".pb-foot").Text()
		require.Regexp(t, `All that match: bets after rollbacks [0-9.,]+ EUR`, strings.Join(strings.Fields(footer), " "))
		require.NotContains(t, who.Get("/transactions").Find(".pb-foot").Text(), "All that match")
	})
}
