package app

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/models"
)

var callbackNumbers atomic.Int64

// call applies an operation as the platform's callback, and logs it as the callback listener would.
func (s *site) call(op models.Operation, result int) models.Callback {
	s.t.Helper()
	op.Source = models.SourcePlatform
	op.Receipt = &models.Receipt{
		RequestID: models.RequestID{Received: time.Now().UTC().Truncate(time.Microsecond),
			Number: 9<<32 | callbackNumbers.Add(1)}, Address: netip.MustParseAddr("203.0.113.7"),
	}
	_, err := s.Store.Apply(s.t.Context(), op)
	require.NoError(s.t, err)
	told := models.AnsweredRequest{RequestID: op.Receipt.RequestID,
		Answered: models.Answered{Result: result, Status: 200, Latency: 4 * time.Millisecond}}
	require.NoError(s.t, s.Store.LogCallbacks(s.t.Context(), time.Now().UTC().Truncate(time.Microsecond),
		[]models.AnsweredRequest{told}, nil))
	lines, err := s.Store.CallbacksByRequest(s.t.Context(), op.Receipt.RequestID)
	require.NoError(s.t, err)
	require.Len(s.t, lines, 1)
	return lines[0]
}

// logCallback logs a callback that was not in any batch.
func (s *site) logCallback(c models.Callback) models.Callback {
	s.t.Helper()
	c.At = time.Now().UTC().Truncate(time.Microsecond)
	c.Request = models.RequestID{Received: c.At.Add(-time.Millisecond), Number: 9<<32 | callbackNumbers.Add(1)}
	require.NoError(s.t, s.Store.LogCallbacks(s.t.Context(), c.At, nil, []models.Callback{c}))
	return c
}

// calls makes callbacks: a bet that came three times, one that was too large, a rollback, a free spin, and strangers' requests.
func (s *site) calls(user models.UserID, id string) (bets, changed, poor, forged, lost models.Callback) {
	s.t.Helper()
	first := bet(user, id+"-1", id+"-r1", 2500)
	bets = s.call(first, 0)
	s.call(first, 11)
	other := first
	other.Bet, other.RoundID = 2501, "another"
	changed = s.call(other, 11)
	poor = s.call(bet(user, id+"-2", id+"-r2", 1<<40), 6)
	s.call(betWin(user, id+"-3", id+"-r3", 200, 500), 0)
	s.call(freeSpin(user, id+"-4", id+"-r4", 50), 0)
	s.call(bet(user, id+"-5", id+"-r5", 1000), 0)
	s.call(rollback(user, id+"-5"), 0)
	s.call(rollback(user, id+"-6"), 8)
	answered := &models.Answered{Result: 3, Status: 200, Latency: time.Millisecond}
	forged = s.logCallback(models.Callback{
		Kind: models.Withdraw, Verdict: models.VerdictInvalidSign, Address: netip.MustParseAddr("2001:db8::99"), UserID: user,
		TransactionID: models.TransactionID(id + "-1"),
		RoundID:       "<script>alert(1)</script>", Amount: "much", Cause: "the sign does not match", Answered: answered,
	})
	lost = s.logCallback(models.Callback{
		Kind: models.Deposit, Verdict: models.VerdictNoAnswer, Address: netip.MustParseAddr("203.0.113.7"), UserID: user,
		TransactionID: models.TransactionID(id + "-9"),
		Amount:        "5.00", Cause: "context deadline exceeded",
		Answered: &models.Answered{Result: 1, Status: 503, Latency: 2500 * time.Millisecond},
	})
	return bets, changed, poor, forged, lost
}

func TestCallbacks(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.wallet("anna", 10000)
		s.wallet("<b>bob</b>", 10000)
		_, _, _, forged, _ := s.calls("anna", "a")
		s.calls("<b>bob</b>", "b")
		s.logCallback(models.Callback{Verdict: models.LeftOutRefused, LeftOut: 12345})
		s.logCallback(models.Callback{Verdict: models.VerdictNotACallback, Cause: `no such path: "GET /.env"`,
			Answered: &models.Answered{Result: 2, Status: 404}})
		sofia := s.signedIn("sofia", models.Support)
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
			page := sofia.get("/callbacks" + query)
			require.Equal(t, http.StatusOK, page.status, page.text)
			requireNothingInline(t, page)
			require.Equal(t, want, page.Find("tbody tr").Length(), query)
		}
		for _, query := range []string{"address=nowhere", "since=yesterday", "endpoint=nonsense"} {
			page := sofia.get("/callbacks?" + query)
			require.Contains(t, page.Find(".pb-empty").Text(), "cannot be read", query)
		}
		require.Equal(t, http.StatusBadRequest, sofia.get("/callbacks?after=x").status)
		row := sofia.get("/callbacks?player=anna&result=6")
		require.Equal(t, "6 Insufficient funds", row.Find("tbody [data-label=Answered]").Text())
		require.Equal(t, "4.0 ms", row.Find("tbody [data-label=Took]").Text())
		require.Contains(t, sofia.get("/callbacks").Find("tbody").Text(), "12,345 left out")

		// The search box finds a callback by the request ID that is in the log and in the answer.
		found := sofia.get("/search?q=" + forged.Request.String())
		require.Equal(t, http.StatusSeeOther, found.status)
		require.Equal(t, pages.CallbackPath(forged), found.location)
	})
}

func TestCallbackPages(t *testing.T) {
	t.Parallel()
	eachSite(t, func(t *testing.T, s *site) {
		for i, name := range hostileNames {
			s.wallet(name, 10000)
			first, changed, poor, forged, lost := s.calls(name, "h"+strconv.Itoa(i))
			sofia := s.signedIn("sofia"+strconv.Itoa(i), models.Support)
			for _, c := range []models.Callback{first, changed, poor, forged, lost} {
				page := sofia.get(pages.CallbackPath(c))
				require.Equal(t, http.StatusOK, page.status, page.text)
				requireNothingInline(t, page)
				require.Zero(t, page.Find("img").Length())
				require.Contains(t, page.Find(".pb-break").Text(), "for "+directionShown(string(name)))
				require.NotContains(t, page.text, "key of the tests")
			}
			page := sofia.get(pages.CallbackPath(first))
			require.Contains(t, page.Find(".pb-break").Text(),
				"answered 0, success, in 4.0 ms. The balance went from 100.00 to 75.00.")
			require.Contains(t, page.Find(".pb-links").Text(), "After")
			page = sofia.get(pages.CallbackPath(changed))
			require.Contains(t, page.Find(".pb-note").Text(), "came before with other contents")
			require.Equal(t, "25.0025.01", page.Find(".pb-ba tr:not(.same) td bdi").Slice(0, 2).Text())
			page = sofia.get(pages.CallbackPath(lost))
			require.Contains(t, page.Find(".pb-note").Text(), "Nothing was booked by this request")
			require.Zero(t, sofia.get(pages.CallbackPath(forged)).Find("pre").Length(), "no command for a forged message")

			timeline := sofia.get(pages.TransactionPath(first.Transaction)).Find(".pb-time").Text()
			require.Contains(t, timeline, "Withdraw received from 203.0.113.7, answered 0, success, in 4.0 ms")
			require.Contains(t, timeline, "Withdraw repeated from 203.0.113.7, answered 11, duplicate transaction, in 4.0 ms")
			require.Contains(t, timeline, "Withdraw came again with other contents")
			require.Contains(t, timeline, "The sender is unknown.")
		}
		sofia := s.signedIn("sofia", models.Support)
		for _, path := range []string{"/callbacks/1", "/callbacks/1.1", "/callbacks/x", "/callbacks/-1.-1"} {
			require.Equal(t, http.StatusNotFound, sofia.get(path).status, path)
		}
	})
}

// TestLostAnswerLinksToItsReceipt: the callback was committed, but its answer was lost.
func TestLostAnswerLinksToItsReceipt(t *testing.T) {
	s := sqliteSite(t)
	s.wallet("anna", 10000)
	booked := s.call(bet("anna", "b-1", "r-1", 100), 1)
	lost := models.Callback{At: booked.At.Add(time.Millisecond), Request: booked.Request, Kind: models.Withdraw,
		Verdict: models.VerdictNoAnswer, UserID: "anna", TransactionID: "b-1", Amount: "1.00"}
	require.NoError(t, s.Store.LogCallbacks(t.Context(), lost.At, nil, []models.Callback{lost}))
	sofia := s.signedIn("sofia", models.Support)
	page := sofia.get(pages.CallbackPath(lost))
	require.Contains(t, page.Find(".pb-note").Text(), "The callback was decided: applied")
	require.Equal(t, pages.CallbackPath(booked), page.Find(".pb-note a").AttrOr("href", ""))
	require.Equal(t, 2, sofia.get("/search?q="+booked.Request.String()).Find(".pb-matches a, main a[href^='/callbacks/']").
		Length())
}

// TestCallbackPagesAreFine checks the pages of the callback log, in both themes and at both widths.
func TestCallbackPagesAreFine(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	s.wallet("anna", 10000)
	s.wallet("luiza-fernandes-de-albuquerque-e-castro-1987", 10000)
	s.calls("luiza-fernandes-de-albuquerque-e-castro-1987", "474e1a293c2f4e7ab122c52d68423fcb")
	first, changed, poor, forged, lost := s.calls("anna", "9c1de2")
	leftOut := s.logCallback(models.Callback{Verdict: models.LeftOutRefused, LeftOut: 12345})
	s.logCallback(models.Callback{Verdict: models.VerdictNotACallback, Cause: `no such path: "GET /.env"`,
		Answered: &models.Answered{Result: 2, Status: 404}})
	s.hire("sofia", models.Support)
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "sofia")
	for _, page := range []struct{ name, path string }{
		{"callbacks", "/callbacks"}, {"callbacks-filtered", "/callbacks?player=anna&result=refused"},
		{"callbacks-none", "/callbacks?player=nobody"},
		{"callback", pages.CallbackPath(first)}, {"callback-changed", pages.CallbackPath(changed)},
		{"callback-poor", pages.CallbackPath(poor)},
		{"callback-forged", pages.CallbackPath(forged)},
		{"callback-lost", pages.CallbackPath(lost)}, {"callback-left-out", pages.CallbackPath(leftOut)},
		{"transaction-called", pages.TransactionPath(first.Transaction)},
	} {
		tab.Go(s.base.String() + page.path)
		tab.RequireFine(page.name)
	}
}
