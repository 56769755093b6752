package transactions_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestTransactions(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.CameAgain(s.PlayerWithHistory("anna"))
		s.CameAgain(s.PlayerWithHistory("<b>bob</b>"))
		sofia := s.SignedIn("sofia", models.Support)
		for query, want := range map[string]int{
			"": 22, "?player=anna": 11, "?kind=bet": 10, "?kind=bet-win": 4, "?kind=opening": 2, "?state=rolled-back": 4,
			"?state=changed": 2, "?with=free-spins": 4,
			"?with=money&kind=bet&state=applied": 4, "?bet-from=25": 2, "?bet-from=25.00&bet-to=25.00": 2,
			"?win-from=5": 4, "?win-from=5&kind=win": 2, "?bet-from=2&win-from=5": 2, "?state=by-rollback": 4, "?id=3-anna": 1,
			"?round=100-anna": 2, "?player=anna&state=rolled-back": 2,
			"?since=2026-01-01": 22, "?until=2026-01-01": 0, "?player=anna&kind=&id=": 11, "?kind=nonsense": 0,
			"?currency=EUR": 22,
		} {
			page := sofia.Get("/transactions" + query)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			apptest.RequireNothingInline(t, page)
			if strings.HasPrefix(query, "?until") || strings.HasPrefix(query, "?since") {
				continue // depends on the machine's clock, and is counted below
			}
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		day := s.Now().UTC().Format("2006-01-02")
		require.Equal(t, 22, sofia.Get("/transactions?since="+day).Find("tbody tr").Length())
		require.Zero(t, sofia.Get("/transactions?until="+day).Find("tbody tr").Length())
		require.Equal(t, 22, sofia.Get("/transactions?until="+s.Now().UTC().AddDate(0, 0, 1).Format("2006-01-02+15:04")).
			Find("tbody tr").Length())

		s.NewPlayer("tess", true)
		for query, want := range map[string]int{"": 23, "?test=without": 22, "?test=only": 1} {
			require.Equal(t, want, sofia.Get("/transactions"+query).Find("tbody tr").Length(), query)
		}

		lost := sofia.Get("/transactions?id=3-anna")
		require.Equal(t, "−25.00EUR", lost.Find("tbody .c-lead").Text())
		require.Equal(t, "82.50", lost.Find("tbody [data-label='Balance after']").Text())
		void := sofia.Get("/transactions?id=4-anna")
		require.Equal(t, "−10.00", void.Find("tbody .c-lead s").Text())
		require.Contains(t, void.Find("tbody .c-state").Text(), "Rolled back")
		spin := sofia.Get("/transactions?id=7-anna")
		require.Equal(t, "0.50EUR", spin.Find("tbody .c-lead").Text())
		require.Empty(t, spin.Find("tbody [data-label='Balance after']").Text())
		rollbacks := sofia.Get("/transactions?state=by-rollback&id=4-anna")
		require.Equal(t, "Rolled back", rollbacks.Find("thead th").First().Text())
		require.Contains(t, rollbacks.Find("tbody .c-state").Text(), "booked ")
		require.Contains(t, sofia.Get("/transactions?id=5-anna").Find("tbody .c-state").Text(), "bet 2.00, win 5.00")
		require.Equal(t, "+3.00EUR", sofia.Get("/transactions?id=5-anna").Find("tbody .c-lead").Text())

		for _, query := range []string{"bet-from=much", "win-to=1.5.1", "bet-to=-1", "since=yesterday", "until=1"} {
			page := sofia.Get("/transactions?" + query)
			require.Equal(t, http.StatusOK, page.Status)
			require.Contains(t, page.Find(".pb-empty").Text(), "Invalid filter", query)
			require.Equal(t, 1, page.Find(".pb-chip").Length(), "what was typed stays")
		}
		require.Contains(t, sofia.Get("/transactions?player=nobody").Find(".pb-empty").Text(),
			"No player has the ID “nobody”")
		require.Equal(t, http.StatusBadRequest, sofia.Get("/transactions?after=x").Status)
	})
}

// TestTransactionPages goes through all pages of a list and back again.
func TestTransactionPages(t *testing.T) {
	s := apptest.SqliteSite(t)
	p := s.PlayerWithBalance("anna", 1_000_000)
	for range 120 {
		s.Book(apptest.Bet(p.UserID, credentials.RandomText(), credentials.RandomText(), 100))
	}
	sofia := s.SignedIn("sofia", models.Support)
	seen := map[string]bool{}
	var first string
	for path, n := "/transactions?player=anna", 0; path != ""; n++ {
		page := sofia.Get(path)
		page.Find("tbody .c-what a").Each(func(_ int, link *apptest.Selection) {
			href := link.AttrOr("href", "")
			require.False(t, seen[href])
			seen[href] = true
		})
		if n == 0 {
			first = page.Find("tbody").Text()
		}
		if n == 2 {
			back := sofia.Get(page.Find("a[rel=prev]").AttrOr("href", ""))
			back = sofia.Get(back.Find("a[rel=prev]").AttrOr("href", ""))
			require.Equal(t, first, back.Find("tbody").Text())
			require.Zero(t, back.Find("a[rel=prev]").Length())
		}
		path = page.Find("a[rel=next]").AttrOr("href", "")
	}
	require.Len(t, seen, 121)
}

func TestTransactionPage(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.CameAgain(s.PlayerWithHistory("anna"))
		chloe := s.SignedIn("chloe", models.Compliance)
		open := func(id string) *apptest.Answer {
			page := chloe.Get(pages.TransactionPath(s.Transaction(id).ID))
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			apptest.RequireNothingInline(t, page)
			return page
		}
		lost := open("3-anna")
		require.Equal(t, "Bet of 25.00 EUR", lost.Find("h1 bdi").Text())
		require.Equal(t, "3-anna", lost.Find(".idline .id").Text())
		require.Contains(t, lost.Find("h1").Text(), "Round: no win")
		require.Contains(t, lost.Find(".pb-note").Text(), "refunds 25.00 EUR to anna")
		require.Contains(t, lost.Find(".pb-facts").Text(), "107.50 → 82.50")
		require.Contains(t, lost.Find(".pb-time").Text(), "Bet taken")
		require.Contains(t, lost.Find(".pb-time").Text(), "The line follows from the line before it.")
		require.Contains(t, lost.Find("[aria-label='Staff actions'] tbody").Text(), "chloe")

		void := open("4-anna")
		require.Equal(t, 2, void.Find(".pb-time li").Length())
		require.Contains(t, void.Find(".pb-time li").First().Text(), "Bet refunded by a rollback")
		require.Contains(t, void.Find(".pb-facts").Text(), "Rolled back")
		require.Zero(t, void.Find(".pb-note").Length())

		changed := open("1-anna")
		require.Contains(t, changed.Find(".pb-note").Text(), "different data")
		require.Contains(t, changed.Find(".pb-time").Text(), "resent with different data")

		both := open("5-anna")
		require.Contains(t, both.Find(".pb-facts").Text(), "bet 2.00, win 5.00")
		require.Equal(t, 2, both.Find(".pb-time li").Length())

		spin := open("9-anna")
		require.Contains(t, spin.Find(".pb-time").Text(), "Free spin returned")
		require.Contains(t, spin.Find(".pb-time").Text(), "No grant explains it")
		require.Contains(t, spin.Find(".pb-facts").Text(), "unchanged")

		ledger := chloe.Get(lost.Find(".pb-time a").First().AttrOr("href", ""))
		require.Contains(t, ledger.Find("tbody tr").First().Text(), "Bet taken")
		require.Equal(t, http.StatusNotFound, chloe.Get("/transactions/99999").Status)
		require.Equal(t, "Opening of 100.00 EUR", chloe.Get("/transactions/1").Find("h1 bdi").Text())
	})
}

// Cash on the pages that support uses: the player, the list in each state, a single cash-out, and the search.
func TestCashOnPages(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		anna := s.PlayerWithBalance("anna", 0)
		cash := func(id string, amount models.Amount) models.CashRequest {
			return models.CashRequest{Client: 3, ID: id, UserID: "anna", Amount: amount, Currency: "EUR"}
		}
		for _, op := range []models.Operation{cash("pay-1", 10000).Deposit(), cash("out-1", 2000).CashOut(),
			cash("out-2", 3000).CashOut(), cash("out-3", 500).CashOut()} {
			r, err := s.Store.ApplyCash(t.Context(), models.Actor{Name: "api:cashier", Channel: models.ChannelAPI}, op, models.APITerms{})
			require.NoError(t, err)
			require.Equal(t, models.None, r.Decline)
		}
		for id, how := range map[string]models.OperationKind{"out-1": models.CashPaid, "out-2": models.CashReturned} {
			_, err := s.Store.EndCashOut(t.Context(), models.Actor{Name: "api:cashier", Channel: models.ChannelAPI}, models.CashID(3, id), how)
			require.NoError(t, err)
		}
		sofia := s.SignedIn("sofia", models.Support)
		for query, want := range map[string]int{"": 5, "?kind=cash-deposit": 1, "?kind=cash-out": 3, "?state=applied": 4,
			"?state=rolled-back": 1, "?state=by-rollback": 0, "?state=by-rollback&kind=cash-out": 1, "?id=out-1@3": 1, "?kind=bet": 0} {
			page := sofia.Get("/transactions" + query)
			apptest.RequireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		for id, want := range map[string][3]string{"out-1@3": {"−20.00EUR", "Paid", "Cash-out paid"},
			"out-2@3": {"−30.00EUR", "Returned", "Cash-out returned"}, "out-3@3": {"−5.00EUR", "Requested", "Cash-out requested"},
			"pay-1@3": {"+100.00EUR", "Applied", "Cash deposit"}} {
			list := sofia.Get("/transactions?id=" + id)
			require.Contains(t, list.Find("tbody .c-lead").Text(), want[0])
			require.Contains(t, list.Find("tbody .c-state").Text(), want[1])
			page := sofia.Get(list.Find("tbody .c-what a").AttrOr("href", ""))
			apptest.RequireNothingInline(t, page)
			require.Contains(t, page.Find("main").Text(), want[2])
			require.Contains(t, page.Find("main").Text(), "none: sent by an API client")
		}
		page := sofia.Get(pages.PlayerPath(anna.ID))
		require.Contains(t, apptest.TextOf(page, ".pb-facts"), "75.00 EUR")
		require.Contains(t, apptest.TextOf(page, ".pb-facts"), "5.00 held by cash-outs")
		require.Contains(t, apptest.TextOf(page, ".pb-facts"), "not counted: cash +75.00")
		require.Contains(t, sofia.Get("/search?q=out-").Find("main").Text(), "Cash-out of 20.00 EUR")
		farid := s.SignedIn("farid", models.Finance)
		header, rows, _ := farid.Download("/transactions", export.CSV)
		require.Len(t, apptest.ColumnOf(t, header, rows, "Kind"), 5)
	})
}
