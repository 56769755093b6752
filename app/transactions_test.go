package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/models"
)

type selection = goquery.Selection

func TestTransactions(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.cameAgain(s.story("anna"))
		s.cameAgain(s.story("<b>bob</b>"))
		sofia := s.signedIn("sofia", models.Support)
		for query, want := range map[string]int{
			"": 22, "?player=anna": 11, "?kind=bet": 10, "?kind=bet-win": 4, "?kind=opening": 2, "?state=rolled-back": 4,
			"?state=changed": 2, "?with=free-spins": 4,
			"?with=money&kind=bet&state=applied": 4, "?bet-from=25": 2, "?bet-from=25.00&bet-to=25.00": 2,
			"?win-from=5": 4, "?win-from=5&kind=win": 2, "?bet-from=2&win-from=5": 2, "?state=by-rollback": 4, "?id=3-anna": 1,
			"?round=100-anna": 2, "?player=anna&state=rolled-back": 2,
			"?since=2026-01-01": 22, "?until=2026-01-01": 0, "?player=anna&kind=&id=": 11, "?kind=nonsense": 0,
			"?currency=EUR": 22,
		} {
			page := sofia.get("/transactions" + query)
			require.Equal(t, http.StatusOK, page.status, page.text)
			requireNothingInline(t, page)
			if strings.HasPrefix(query, "?until") || strings.HasPrefix(query, "?since") {
				continue // the tests' clock is the machine's: counted below
			}
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		day := s.Now().UTC().Format("2006-01-02")
		require.Equal(t, 22, sofia.get("/transactions?since="+day).Find("tbody tr").Length())
		require.Zero(t, sofia.get("/transactions?until="+day).Find("tbody tr").Length())
		require.Equal(t, 22, sofia.get("/transactions?until="+s.Now().UTC().AddDate(0, 0, 1).Format("2006-01-02+15:04")).
			Find("tbody tr").Length())

		lost := sofia.get("/transactions?id=3-anna")
		require.Equal(t, "−25.00EUR", lost.Find("tbody .c-lead").Text())
		require.Equal(t, "82.50", lost.Find("tbody [data-label='Balance after']").Text())
		void := sofia.get("/transactions?id=4-anna")
		require.Equal(t, "−10.00", void.Find("tbody .c-lead s").Text())
		require.Contains(t, void.Find("tbody .c-state").Text(), "Rolled back")
		spin := sofia.get("/transactions?id=7-anna")
		require.Equal(t, "0.50EUR", spin.Find("tbody .c-lead").Text())
		require.Empty(t, spin.Find("tbody [data-label='Balance after']").Text())
		rollbacks := sofia.get("/transactions?state=by-rollback&id=4-anna")
		require.Equal(t, "Rolled back", rollbacks.Find("thead th").First().Text())
		require.Contains(t, rollbacks.Find("tbody .c-state").Text(), "booked ")
		require.Contains(t, sofia.get("/transactions?id=5-anna").Find("tbody .c-state").Text(), "bet 2.00, win 5.00")
		require.Equal(t, "+3.00EUR", sofia.get("/transactions?id=5-anna").Find("tbody .c-lead").Text())

		for _, query := range []string{"bet-from=much", "win-to=1.5.1", "bet-to=-1", "since=yesterday", "until=1"} {
			page := sofia.get("/transactions?" + query)
			require.Equal(t, http.StatusOK, page.status)
			require.Contains(t, page.Find(".pb-empty").Text(), "cannot be read", query)
			require.Equal(t, 1, page.Find(".pb-chip").Length(), "what was typed stays")
		}
		require.Contains(t, sofia.get("/transactions?player=nobody").Find(".pb-empty").Text(),
			"No player has the ID “nobody”")
		require.Equal(t, http.StatusBadRequest, sofia.get("/transactions?after=x").status)
	})
}

// TestTransactionPages goes through all pages of a list and back.
func TestTransactionPages(t *testing.T) {
	s := sqliteSite(t)
	p := s.wallet("anna", 1_000_000)
	for range 120 {
		s.book(bet(p.UserID, credentials.RandomText(), credentials.RandomText(), 100))
	}
	sofia := s.signedIn("sofia", models.Support)
	seen := map[string]bool{}
	var first string
	for path, n := "/transactions?player=anna", 0; path != ""; n++ {
		page := sofia.get(path)
		page.Find("tbody .c-what a").Each(func(_ int, link *selection) {
			href := link.AttrOr("href", "")
			require.False(t, seen[href])
			seen[href] = true
		})
		if n == 0 {
			first = page.Find("tbody").Text()
		}
		if n == 2 {
			back := sofia.get(page.Find("a[rel=prev]").AttrOr("href", ""))
			back = sofia.get(back.Find("a[rel=prev]").AttrOr("href", ""))
			require.Equal(t, first, back.Find("tbody").Text())
			require.Zero(t, back.Find("a[rel=prev]").Length())
		}
		path = page.Find("a[rel=next]").AttrOr("href", "")
	}
	require.Len(t, seen, 121)
}

func (s *site) transaction(id string) models.TransactionLine {
	s.t.Helper()
	page, err := s.Store.Transactions(s.t.Context(),
		models.TransactionFilter{TransactionID: models.TransactionID(id), Limit: 1})
	require.NoError(s.t, err)
	require.Len(s.t, page.Rows, 1)
	return page.Rows[0]
}

func TestTransactionPage(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.cameAgain(s.story("anna"))
		chloe := s.signedIn("chloe", models.Compliance)
		open := func(id string) *answer {
			page := chloe.get(pages.TransactionPath(s.transaction(id).ID))
			require.Equal(t, http.StatusOK, page.status, page.text)
			requireNothingInline(t, page)
			return page
		}
		lost := open("3-anna")
		require.Equal(t, "Bet of 25.00 EUR", lost.Find("h1 bdi").Text())
		require.Equal(t, "3-anna", lost.Find(".idline .id").Text())
		require.Contains(t, lost.Find("h1").Text(), "Round: no win")
		require.Contains(t, lost.Find(".pb-note").Text(), "25.00 EUR back to anna")
		require.Contains(t, lost.Find(".pb-facts").Text(), "107.50 → 82.50")
		require.Contains(t, lost.Find(".pb-time").Text(), "Bet taken")
		require.Contains(t, lost.Find(".pb-time").Text(), "Its hash follows from the line before it.")
		require.Contains(t, lost.Find("[aria-label=Related]").Text(), "Win of 12.50")
		require.Contains(t, lost.Find("[aria-label='Staff actions'] tbody").Text(), "chloe")

		void := open("4-anna")
		require.Equal(t, 2, void.Find(".pb-time li").Length())
		require.Contains(t, void.Find(".pb-time li").First().Text(), "Bet given back by a rollback")
		require.Contains(t, void.Find(".pb-facts").Text(), "Rolled back")
		require.Zero(t, void.Find(".pb-note").Length())

		changed := open("1-anna")
		require.Contains(t, changed.Find(".pb-note").Text(), "other contents")
		require.Contains(t, changed.Find(".pb-time").Text(), "came again with other contents")

		both := open("5-anna")
		require.Contains(t, both.Find(".pb-facts").Text(), "bet 2.00, win 5.00")
		require.Equal(t, 2, both.Find(".pb-time li").Length())

		spin := open("9-anna")
		require.Contains(t, spin.Find(".pb-time").Text(), "Free spin given back")
		require.Contains(t, spin.Find(".pb-time").Text(), "No grant explains it")
		require.Contains(t, spin.Find(".pb-facts").Text(), "unchanged")

		ledger := chloe.get(lost.Find(".pb-time a").First().AttrOr("href", ""))
		require.Contains(t, ledger.Find("tbody tr").First().Text(), "Bet taken")
		require.Equal(t, http.StatusNotFound, chloe.get("/transactions/99999").status)
		require.Equal(t, "Opening of 100.00 EUR", chloe.get("/transactions/1").Find("h1 bdi").Text())
	})
}

func TestSearchFindsPlay(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		p := s.story("anna")
		s.wallet("anna-2", 0)
		s.book(bet("anna-2", "3-anna-x", "100-anna", 0))
		sofia := s.signedIn("sofia", models.Support)
		search := func(text string) *answer { return sofia.get("/search?q=" + url.QueryEscape(text)) }
		require.Equal(t, pages.PlayerPath(p.ID), search("anna").location, "a whole ID comes before IDs that begin with it")
		require.Equal(t, pages.TransactionPath(s.transaction("3-anna").ID), search("3-anna").location)
		require.Equal(t, pages.RoundPath(s.transaction("3-anna").ID), search("101-anna").location)
		two := search("100-anna")
		require.Equal(t, http.StatusOK, two.status, "two players have a round of this ID")
		require.Contains(t, two.text, "Round of anna-2")
		require.Equal(t, pages.TransactionPath(s.transaction("10-anna").ID), search("10-an").location,
			"the only ID that begins like this")
	})
}

func TestRounds(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.cameAgain(s.story("anna"))
		s.cameAgain(s.story("<b>bob</b>"))
		sofia := s.signedIn("sofia", models.Support)
		for query, want := range map[string]int{
			"": 16, "?player=anna": 8, "?state=open": 2, "?state=no-win": 2, "?state=won": 6, "?state=rolled-back": 4,
			"?state=no-bet": 2, "?funds=25": 2, "?funds=25.01": 0, "?age=5m": 0,
			"?state=pending": 0, "?state=in-play": 0, "?state=no-win-yet": 0, "?state=interrupted": 0, "?state=lost": 2,
		} {
			page := sofia.get("/rounds" + query)
			require.Equal(t, http.StatusOK, page.status, page.text)
			requireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		require.Contains(t, sofia.get("/rounds").Find(".pb-foot").Text(), "without a result: 50.00 EUR")
		s.later(2 * 3600 * 1e9)
		sofia = s.signedIn("sofie", models.Support)
		require.Equal(t, 2, sofia.get("/rounds?age=2h&state=open").Find("tbody tr").Length())

		won := s.transaction("2-anna")
		there := sofia.get(pages.RoundPath(won.ID))
		require.Equal(t, http.StatusSeeOther, there.status, "each of its transactions leads to the round")
		page := sofia.get(there.location)
		require.Equal(t, "100-anna", page.Find(".idline .id").Text())
		require.Equal(t, 2, page.Find("tbody tr:not(.gap)").Length())
		require.Contains(t, page.Find(".pb-facts").Text(), "+7.50 EUR")
		open := sofia.get(pages.RoundPath(s.transaction("3-anna").ID))
		require.Contains(t, open.Find(".pb-note").Text(), "25.00 EUR back to anna")
		require.Contains(t, sofia.get(pages.RoundPath(s.transaction("10-anna").ID)).Find(".pb-note").Text(),
			"A win without a bet")
		require.Equal(t, http.StatusNotFound, sofia.get("/rounds/1").status, "the opening of a wallet is not a round")
		require.Equal(t, http.StatusNotFound, sofia.get("/rounds/99999").status)
	})
}
