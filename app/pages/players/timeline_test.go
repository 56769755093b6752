package players_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestTimeline reads everything about a player in one order, by kind, and as a file, as far as each role may.
func TestTimeline(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		next := func() { s.Later(time.Minute) }
		p := s.PlayerWithBalance("anna", 1000)
		path := pages.PlayerPath(p.ID) + "/timeline"
		farid, sofia, bruno := s.SignedIn("farid", models.Finance), s.SignedIn("sofia", models.Support), s.SignedIn("bruno", models.Bonus)
		next()
		s.Book(apptest.BetWin("anna", "bw", "r1", 200, 50))
		next()
		s.Callback(apptest.Bet("anna", "much", "r2", 9900), 6)
		next()
		s.Book(apptest.Bet("anna", "void", "r3", 100))
		next()
		s.Book(apptest.Rollback("anna", "void"))
		next()
		s.OpenGameAndGrant("anna")
		next()
		s.Book(apptest.FreeSpin("anna", "spin", "r4", 50))
		next()
		s.Cash(storetest.Cash("anna", "in", 2500).Deposit())
		next()
		sofia.Post(pages.PlayerPath(p.ID)+"/limits", pages.PlayerPath(p.ID)+"/limits",
			url.Values{"stake-day": {"80"}, "reason": {"asked by e-mail"}, "password": {apptest.Password}})
		next()
		storetest.Restrict(t, s.Store, "anna")

		rows := func(b *apptest.Browser, query string) (list []string) {
			page := b.Get(path + query)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			page.Find("tbody tr").Each(func(_ int, row *goquery.Selection) {
				list = append(list, strings.Join(strings.Fields(row.Find(".c-what").Text()), " "))
			})
			return list
		}
		begins := func(want []string, got []string) {
			t.Helper()
			require.Len(t, got, len(want), strings.Join(got, "\n"))
			for i := range want {
				require.True(t, strings.HasPrefix(got[i], want[i]), "%s: %s", want[i], got[i])
			}
		}
		everything := []string{"Player restriction set", "Restriction set", "Player limits set", "Cash deposit", "Free spin used", "Grant confirmed", "Grant requested",
			"Game session opened", "Game session requested", "Bet refunded", "Bet taken", "Bet refused needed 99.00, had 8.50",
			"Bet taken and win paid bet 2.00, win 0.50", "Player created", "Wallet opened"}
		begins(everything, rows(farid, ""))
		begins(everything[:3], rows(sofia, "?kind=limits-and-restrictions"))
		require.Contains(t, rows(sofia, "?kind=limits-and-restrictions")[2], "80.00")
		for _, row := range rows(bruno, "") {
			require.NotContains(t, row, "limits")
			require.NotContains(t, row, "estriction")
			require.NotContains(t, row, "asked by e-mail")
		}
		require.Contains(t, bruno.Get(path+"?kind=limits-and-restrictions").Text(), "has no value “limits-and-restrictions”")
		begins([]string{"Bet refunded", "Bet taken", "Bet taken and"}, rows(farid, "?kind=bets-wins-and-rollbacks"))
		begins([]string{"Bet refused"}, rows(farid, "?kind=refused-bets"))
		begins([]string{"Cash deposit"}, rows(farid, "?kind=deposits-and-cash-outs"))
		begins([]string{"Player viewed", "Player viewed", "Player viewed"}, rows(farid, "?kind=views-of-player-data"))
		oldest := slices.Clone(everything)
		slices.Reverse(oldest)
		begins(oldest, farid.Get(path+"?order=oldest").Find("tbody tr .c-what").Map(func(_ int, c *goquery.Selection) string {
			return strings.Join(strings.Fields(c.Text()), " ")
		}))
		_, file, _ := farid.Download(path, export.CSV)
		require.Len(t, file, len(everything))
		require.Contains(t, file[12], "8.50")

		for i := range 60 {
			s.Later(time.Second)
			s.Book(apptest.Win("anna", fmt.Sprint("w", i), "more", 1))
		}
		first := farid.Get(path)
		require.Equal(t, 50, first.Find("tbody tr").Length())
		older := farid.Get(first.Find("[rel=next]").AttrOr("href", ""))
		require.Equal(t, 60+len(everything)-50, older.Find("tbody tr").Length())
		require.Equal(t, first.Find("tbody").Text(), farid.Get(older.Find("[rel=prev]").AttrOr("href", "")).Find("tbody").Text())
	})
}
