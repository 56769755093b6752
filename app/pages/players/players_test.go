package players_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestPlayers(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for _, name := range apptest.HostileNames {
			s.PlayerWithBalance(name, 1234567)
		}
		_, err := s.Store.CreatePlayer(t.Context(), models.System,
			models.NewPlayer{UserID: "test-try", Currency: "TRY", Test: true})
		require.NoError(t, err)
		sofia := s.SignedIn("sofia", models.Support)
		page := sofia.Get("/players")
		require.Equal(t, len(apptest.HostileNames)+1, page.Find("tbody tr").Length())
		require.Equal(t, "12,345.67EUR", page.Find("tbody tr").First().Find(".amt").Text())
		require.Equal(t, 1, sofia.Get("/players?q=ann").Find("tbody tr").Length())
		require.Zero(t, sofia.Get("/players?q=Ann").Find("tbody tr").Length())
		require.Equal(t, "test-try", sofia.Get("/players?kind=test").Find("tbody .c-what bdi").Text())
		require.Equal(t, "test-try", sofia.Get("/players?currency=TRY&state=playing").Find("tbody .c-what bdi").Text())
		require.Zero(t, sofia.Get("/players?state=restricted").Find("tbody tr").Length())
		require.Contains(t, sofia.Get("/players?state=restricted").Find(".pb-chip b").Text(), "Restricted from play")

		for _, name := range apptest.HostileNames {
			found := sofia.Get("/search?q=" + url.QueryEscape(string(name)))
			require.Equal(t, http.StatusSeeOther, found.Status, name)
			require.True(t, strings.HasPrefix(found.Location, "/players/"), "the whole ID leads straight there")
		}
	})
}

func TestPlayerPages(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		sofia := s.SignedIn("sofia", models.Support)
		for _, name := range apptest.HostileNames {
			p := s.PlayerWithHistory(name)
			for _, path := range []string{"", "/timeline", "/transactions", "/rounds", "/callbacks", "/ledger", "/statement", "/free-spins", "/sessions", "/history"} {
				page := sofia.Get(pages.PlayerPath(p.ID) + path)
				require.Equal(t, http.StatusOK, page.Status, page.Body)
				apptest.RequireNothingInline(t, page)
				require.Zero(t, page.Find("img").Length())
				require.Equal(t, apptest.DirectionShown(string(name)), page.Find("h1 bdi").Text(), path)
				require.Contains(t, page.Find(".pb-facts").Text(), "87.70 EUR", path)
				require.Equal(t, pages.PlayerPath(p.ID)+path, page.Find(".pb-tabs [aria-current]").AttrOr("href", ""))
				require.Zero(t, page.Find("a[href^='/sessions/new']").Length(), "the player's own money")
			}
			page := sofia.Get(pages.PlayerPath(p.ID))
			require.Equal(t, apptest.DirectionShown(string(name)), page.Find("h1 bdi").Text())
			require.Equal(t, "87.70 EUR", strings.TrimSpace(page.Find(".pb-facts dd.big").Contents().First().Text()))
			for _, path := range []string{"/transactions?player=", "/rounds?player="} {
				list := sofia.Get(path + url.QueryEscape(string(name)))
				require.NotZero(t, list.Find("tbody tr").Length(), list.Body)
				apptest.RequireNothingInline(t, list)
			}
			ledger := sofia.Get(pages.PlayerPath(p.ID) + "/ledger")
			require.Equal(t, "Wallet opened", ledger.Find("tbody tr").Last().Find(".c-what").Text())
			spins := sofia.Get(pages.PlayerPath(p.ID) + "/free-spins")
			require.Equal(t, 3, spins.Find("section").Last().Find("tbody tr").Length())
			require.Contains(t, spins.Find("tbody").Text(), "no grant explains it")
		}
		p := s.PlayerWithBalance("dora", 1000)
		grant := s.OpenGameAndGrant(p.UserID)
		s.Book(apptest.FreeSpin(p.UserID, "spun", "spun", 50), apptest.Win(p.UserID, "spun-won", "spun", 120))
		require.NoError(t, s.Store.AttributeSpins(t.Context(), p.ID, false))
		page := sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, page.Find("[aria-label='Free spins']").Text(), "left of 20")
		require.Contains(t, page.Find(".pb-facts").Text(), "19 of 20 left")
		more, err := s.Store.RequestGrant(t.Context(), models.Actor{Name: "bruno"},
			models.GrantRequest{UserID: p.UserID, GameID: "vs20ember", Spins: 5, Role: models.Bonus})
		require.NoError(t, err)
		_, err = s.Store.SendGrant(t.Context(), more.ID)
		require.NoError(t, err)
		_, err = s.Store.AnswerGrant(t.Context(), models.Actor{Name: "bruno"}, more.ID,
			models.GrantOutcome{State: models.GrantActive, FreeSpinID: "fs-more"})
		require.NoError(t, err)
		both := sofia.Get(pages.PlayerPath(p.ID))
		require.Contains(t, both.Find(".pb-facts").Text(), "24 left", "of both grants")
		require.Equal(t, 2, both.Find("[aria-label='Free spins'] .pb-spins").Length(), "both are shown")
		require.NotContains(t, both.Find("[aria-label='Free spins']").Text(), "open grants")
		require.Contains(t, page.Find("[aria-label='Games opened here']").Text(), "Book of <b>Ember</b>")
		require.Equal(t, "/sessions/new?game-number=1", page.Find("[aria-label='Test the last game'] a").AttrOr("href", ""))
		require.Contains(t, sofia.Get(pages.PlayerPath(p.ID)+"/sessions").Find("tbody").Text(), "the reels froze")
		spins := sofia.Get(pages.PlayerPath(p.ID) + "/free-spins")
		require.Equal(t, web.PathOf("/free-spins", grant.ID),
			spins.Find("[aria-label='Free-spin ledger'] [data-label=Grant] a").AttrOr("href", ""))
		require.Contains(t, spins.Find("[aria-label=Grants] tbody").Text(), "1.20EUR")
		spin := sofia.Get(pages.TransactionPath(s.Transaction("spun").ID))
		require.Contains(t, spin.Find(".pb-time").Text(), "attributed to grant")
		require.Contains(t, spin.Find(".pb-time").Text(), "Game opened: Book of <b>Ember</b>, in German")
		require.Contains(t, spin.Find("[aria-label=Related]").Text(), "inferred")
		require.Equal(t, http.StatusNotFound, sofia.Get("/players/99999").Status)
		require.Equal(t, http.StatusBadRequest, sofia.Get("/players/1/ledger?after=x").Status)
	})
}

// TestPlayerTabs: a list that is a tab of a player shows and exports only that player's rows.
func TestPlayerTabs(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		anna := s.PlayerWithHistory("anna")
		s.PlayerWithHistory("bert")
		test, err := s.Store.CreatePlayer(t.Context(), models.System, models.NewPlayer{UserID: "test-eur", Currency: "EUR", Test: true})
		require.NoError(t, err)
		farid, sofia := s.SignedIn("farid", models.Finance), s.SignedIn("sofia", models.Support)
		require.Equal(t, 1, sofia.Get(pages.PlayerPath(test.ID)+"/rounds").Find("a.btn-primary[href^='/sessions/new']").Length())
		for _, list := range []string{"/transactions", "/rounds", "/callbacks"} {
			all, tab := farid.Get(list+"?"+pages.PlayerOf(anna.ID)), farid.Get(pages.PlayerPath(anna.ID)+list)
			require.Equal(t, all.Find("tbody tr").Length(), tab.Find("tbody tr").Length(), list)
			require.Zero(t, tab.Find("tbody [data-label=Player], #f-player").Length(), list)
			require.Equal(t, list, tab.Find("#export [name=list]").AttrOr("value", ""))
			require.Equal(t, pages.PlayerOf(anna.ID), tab.Find("#export [name=query]").AttrOr("value", ""))
			require.Equal(t, http.StatusNotFound, farid.Get("/players/999"+list).Status)
			require.Equal(t, pages.PlayerPath(anna.ID)+list, tab.Find("#filters").AttrOr("action", ""))
		}
		refused := farid.Get(pages.PlayerPath(anna.ID) + "/callbacks?result=bets")
		require.Equal(t, "result=bets", strings.TrimPrefix(refused.Find("#export [name=query]").AttrOr("value", ""), pages.PlayerOf(anna.ID)+"&"))
		counts := func(tab string) string {
			return farid.Get(pages.PlayerPath(anna.ID)).Find(".pb-tabs a[href*='/" + tab + "'] .n").Text()
		}
		n := farid.Get(pages.PlayerPath(anna.ID) + "/transactions").Find("tbody tr").Length()
		require.Equal(t, strconv.Itoa(n), counts("transactions"))
	})
}

// TestPlayerStatement: on the page and in the file, the lines of a statement lead from the opening balance to the closing
// balance.
func TestPlayerStatement(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClock(s.Now().AddDate(0, 1, 10-s.Now().Day())) // in the middle of a month
		anna := s.PlayerWithBalance("anna", 10000)
		s.Later(48 * time.Hour)
		s.Book(apptest.Bet("anna", "b-1", "r-1", 1000), apptest.Win("anna", "w-1", "r-1", 250), apptest.Win("anna", "lost", "r-2", 0))
		require.Zero(t, s.Apply(models.Operation{Source: models.SourceClient, Kind: models.CashOut, UserID: "anna", Currency: "EUR",
			TransactionID: "out", Bet: 2000}).Decline)
		farid := s.SignedIn("farid", models.Finance)
		path := pages.PlayerPath(anna.ID) + "/statement"
		page := farid.Get(path + "?days=today")
		facts := page.Find("[aria-label=Statement] dl").Text()
		for _, want := range []string{"100.00 EUR", "−10.00 EUR", "+2.50 EUR", "−20.00 EUR", "72.50 EUR, and 20.00 held by cash-outs"} {
			require.Contains(t, facts, want)
		}
		require.Equal(t, 3, page.Find("tbody tr").Length(), "the win of 0.00 is left out")
		require.Contains(t, apptest.TextOf(page, "[aria-label=Statement] .card-header"), "lumen.example, made "+s.Now().UTC().Format("2 Jan 2006"))
		require.Contains(t, apptest.TextOf(page, "[aria-label=Statement] .card-header"), "times in UTC")
		require.Contains(t, page.Find("tbody tr td").First().Text(), s.Now().UTC().Format("2 Jan 2006"), "paper has no today")
		require.Equal(t, 4, farid.Get(path).Find("tbody tr").Length(), "this month")
		require.Contains(t, farid.Get(path+"?to=2000-01-01").Text(), "Nothing changed the balance")
		header, rows, _ := farid.Download(path+"?days=today", export.CSV)
		require.Equal(t, []string{"Opening balance", "Bet taken", "Win paid", "Cash-out requested", "Sum: Bet taken", "Sum: Win paid",
			"Sum: Cash-out requested", "Closing balance"}, apptest.ColumnOf(t, header, rows, "What"))
		require.Equal(t, []string{"100.00", "90.00", "92.50", "72.50", "", "", "", "72.50"},
			apptest.ColumnOf(t, header, rows, "Balance"))
		require.Equal(t, []string{"0.00", "0.00", "0.00", "20.00", "", "", "", "20.00"},
			apptest.ColumnOf(t, header, rows, "Held by cash-outs"))
	})
}

// TestViewsOfPlayers views a player's pages. A view is recorded once per hour and session; polling records none.
func TestViewsOfPlayers(t *testing.T) {
	s := apptest.SqliteSite(t)
	p := s.PlayerWithHistory("anna")
	sofia, chloe := s.SignedIn("sofia", models.Support), s.SignedIn("chloe", models.Compliance)
	viewed := func() (n int) {
		events, err := s.Store.AuditEvents(t.Context(),
			models.AuditFilter{Object: "player", ObjectID: strconv.FormatInt(p.ID, 10), Span: models.Span{Limit: 100}})
		require.NoError(t, err)
		for _, e := range events.Rows {
			if e.Action == "player viewed" {
				n++
			}
		}
		return n
	}
	polling := sofia.Request(http.MethodGet, pages.PlayerPath(p.ID), nil)
	polling.Header.Set("Pitboss-Live", "true")
	require.Equal(t, http.StatusOK, sofia.Send(polling).Status)
	require.Zero(t, viewed())
	sofia.Get(pages.PlayerPath(p.ID))
	sofia.Get(pages.PlayerPath(p.ID) + "/ledger")
	sofia.Get("/transactions?player=anna")
	require.Equal(t, 1, viewed())
	chloe.Get("/rounds?player=anna")
	require.Equal(t, 2, viewed())
	s.Later(10 * time.Minute)
	sofia.Get(pages.PlayerPath(p.ID))
	require.Equal(t, 2, viewed())
	history := chloe.Get(pages.PlayerPath(p.ID) + "/history")
	require.Equal(t, "Player viewed", strings.TrimSpace(history.Find("tbody tr").First().Find("[data-label=What]").Text()))
	require.Equal(t, "198.51.100.1", history.Find("tbody tr").First().Find("[data-label='IP address']").Text())
}

// TestLedgerOfAnHour follows the balance over the last hour and over twenty minutes.
func TestLedgerOfAnHour(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.SetClock(time.Date(s.Now().Year()+1, 11, 20, 12, 0, 0, 0, time.UTC))
		anna := s.PlayerWithHistory("anna")
		s.Later(130 * time.Minute) // 14:10
		s.Apply(apptest.Bet("anna", "ten-past", "hour-r1", 500))
		s.Apply(apptest.Win("anna", "ten-past-won", "hour-r1", 200))
		s.Later(20 * time.Minute)
		s.Apply(apptest.Bet("anna", "later", "hour-r2", 700))
		farid := s.SignedIn("farid", models.Finance)
		path := pages.PlayerPath(anna.ID)
		require.Equal(t, path+"/timeline?days=last-hour", farid.Get(path).Find(".pb-facts a:contains('Last hour')").AttrOr("href", ""))
		for query, rows := range map[string]int{"days=last-hour": 3, "from-time=14:00&to-time=14:20": 2, "about=14:12": 2, "about=14:31": 1,
			"to-time=13:59&order=oldest": 12, "from-time=14:00&order=amount": 3, "to-time=11:00": 0} {
			ledger := farid.Get(path + "/ledger?" + query)
			require.Equal(t, rows, ledger.Find("tbody tr").Length(), query)
			_, cells, _ := farid.Download(path+"/ledger?"+query, export.CSV)
			require.Len(t, cells, rows, query)
		}
		footer := farid.Get(path + "/ledger?from-time=14:00&to-time=14:20").Find(".pb-foot").Text()
		require.Contains(t, strings.Join(strings.Fields(footer), " "), "All that match: net −3.00 EUR")
		largest := farid.Get(path + "/ledger?from-time=14:00&order=amount").Find("tbody [data-label=Amount]").Map(
			func(_ int, cell *goquery.Selection) string { return strings.TrimSpace(cell.Text()) })
		require.Equal(t, []string{"−7.00EUR", "−5.00EUR", "+2.00EUR"}, largest)
		statement := farid.Get(path + "/statement?from-time=14:00&to-time=14:20").Text()
		require.Contains(t, statement, ", 14:00 to 14:20")
		require.Contains(t, farid.Get(path+"/statement?days=last-hour").Text(), "the hour before 20 Nov")
		require.Contains(t, farid.Get(path+"/ledger?from=soon").Find(".pb-empty").Text(), "Invalid filter")
	})
}
