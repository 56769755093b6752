package callbacks_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

func TestCallbacks(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithBalance("anna", 10000)
		s.PlayerWithBalance("<b>bob</b>", 10000)
		_, _, _, forged, _ := s.ManyCallbacks("anna", "a")
		s.ManyCallbacks("<b>bob</b>", "b")
		s.LogCallback(models.Callback{Verdict: models.VerdictLeftOut, LeftOut: 12345})
		s.LogCallback(models.Callback{Verdict: models.VerdictNotACallback, Cause: `no such path: "GET /.env"`,
			Answered: models.Answered{Result: 2, Status: 404}})
		sofia := s.SignedIn("sofia", models.Support)
		day := time.Now().UTC().Format("2006-01-02")
		tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format("2006-01-02")
		for query, want := range map[string]int{
			"": 24, "?player=anna": 11, "?player=nobody": 0, "?player=" + url.QueryEscape("<b>bob</b>"): 11,
			"?endpoint=withdraw": 14, "?endpoint=betwin": 2,
			"?endpoint=rollbacktransaction": 4, "?endpoint=getbalance": 0, "?endpoint=nonsense": 0, "?result=0": 10,
			"?result=refused": 14, "?result=refused+": 14, "?result=6": 2, "?result=8": 2,
			"?result=11": 4, "?result=changed": 2, "?result=3": 2, "?result=none": 2, "?result=strange": 1, "?result=1": 0,
			"?id=a-1": 4, "?id=A-1": 0,
			"?address=2001:db8::99": 2, "?address=203.0.113.7": 20, "?address=::ffff:203.0.113.7": 20, "?since=" + day: 24,
			"?until=" + day: 0, "?until=" + tomorrow: 24,
			"?player=anna&result=11": 2, "?player=anna&endpoint=withdraw&id=": 7, "?id=a-1&player=anna&result=refused": 3,
		} {
			page := sofia.Get("/callbacks" + query)
			require.Equal(t, http.StatusOK, page.Status, page.Body)
			apptest.RequireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		for _, query := range []string{"address=nowhere", "since=yesterday", "endpoint=nonsense"} {
			page := sofia.Get("/callbacks?" + query)
			require.Contains(t, page.Find(".pb-empty").Text(), "Invalid filter", query)
		}
		require.Equal(t, http.StatusBadRequest, sofia.Get("/callbacks?after=x").Status)
		row := sofia.Get("/callbacks?player=anna&result=6")
		require.Contains(t, row.Find("tbody [data-label=Answered]").Text(), "6 Insufficient funds")
		require.Contains(t, sofia.Get("/callbacks").Find("tbody").Text(), "12,345 left out")

		// The search box finds a callback by the request ID, which the log and the answer have.
		found := sofia.Get("/search?q=" + forged.Request.String())
		require.Equal(t, http.StatusSeeOther, found.Status)
		require.Equal(t, pages.CallbackPath(forged), found.Location)
	})
}

func TestCallbackPages(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		for i, name := range apptest.HostileNames {
			s.PlayerWithBalance(name, 10000)
			first, changed, poor, forged, lost := s.ManyCallbacks(name, "h"+strconv.Itoa(i))
			sofia := s.SignedIn("sofia"+strconv.Itoa(i), models.Support)
			for _, c := range []models.Callback{first, changed, poor, forged, lost} {
				page := sofia.Get(pages.CallbackPath(c))
				require.Equal(t, http.StatusOK, page.Status, page.Body)
				apptest.RequireNothingInline(t, page)
				require.Zero(t, page.Find("img").Length())
				require.Contains(t, page.Find(".pb-break").Text(), "for "+apptest.DirectionShown(string(name)))
				require.NotContains(t, page.Body, "key of the tests")
			}
			page := sofia.Get(pages.CallbackPath(first))
			require.Contains(t, page.Find(".pb-break").Text(),
				"answered 0, success. The balance went from 100.00 to 75.00.")
			page = sofia.Get(pages.CallbackPath(changed))
			require.Contains(t, page.Find(".pb-note").Text(), "Transaction ID reused with different details")
			require.Equal(t, "25.0025.01", page.Find(".pb-ba tr:not(.same) td bdi").Slice(0, 2).Text())
			page = sofia.Get(pages.CallbackPath(lost))
			require.Contains(t, page.Find(".pb-note").Text(), "Nothing is booked for this transactionID")

			page = sofia.Get(pages.CallbackPath(forged))
			require.Contains(t, page.Find(".pb-note").Text(), "The sender is unknown")

			timeline := sofia.Get(pages.TransactionPath(first.Transaction)).Find(".pb-time").Text()
			require.Contains(t, timeline, "Withdraw received from 203.0.113.7, answered 0, success")
			require.Contains(t, timeline, "Withdraw repeated from 203.0.113.7, answered 11, duplicate transaction")
			require.Contains(t, timeline, "Withdraw resent with different data")
			require.Contains(t, timeline, "The sender is unknown.")
		}
		sofia := s.SignedIn("sofia", models.Support)
		for _, path := range []string{"/callbacks/1", "/callbacks/1.1", "/callbacks/x", "/callbacks/-1.-1"} {
			require.Equal(t, http.StatusNotFound, sofia.Get(path).Status, path)
		}
	})
}

// TestLostAnswerLinksToItsTransaction: a callback was committed, but its answer was lost.
func TestLostAnswerLinksToItsTransaction(t *testing.T) {
	s := apptest.SqliteSite(t)
	s.PlayerWithBalance("anna", 10000)
	s.Book(apptest.Bet("anna", "b-1", "r-1", 100))
	sofia := s.SignedIn("sofia", models.Support)
	lost := func(id models.TransactionID) *goquery.Selection {
		return sofia.Get(pages.CallbackPath(s.LogCallback(models.Callback{Kind: models.Withdraw,
			Verdict: models.VerdictNoAnswer, UserID: "anna", TransactionID: id, Amount: "1.00"}))).Find(".pb-note")
	}
	booked := lost("b-1")
	require.Contains(t, booked.Text(), "The transaction is in the ledger")
	require.Contains(t, booked.Find("a").AttrOr("href", ""), "/transactions/")
	require.Contains(t, lost("b-2").Text(), "Nothing is booked for this transactionID")
	reused := sofia.Get(pages.CallbackPath(s.LogCallback(models.Callback{Kind: models.Withdraw, Verdict: models.VerdictSignReused,
		UserID: "anna", TransactionID: "b 3", Amount: "1.00"}))).Find(".pb-note.risk")
	require.Contains(t, reused.Text(), "The signature was used before, for different values")
	require.Equal(t, "/callbacks?id=b+3", reused.Find("a").AttrOr("href", ""))
}
