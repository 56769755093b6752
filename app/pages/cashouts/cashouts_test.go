package cashouts_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// Finance approves a cash-out with everything they need on one page. Nobody else can.
func TestApproveACashOut(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		p := s.PlayerWithHistory("anna")
		s.Cash(models.CashRequest{Client: 1, ID: "pay-1", UserID: "anna", Amount: 7777, Currency: "EUR"}.Deposit())
		s.Book(apptest.Bet("anna", "b1", "r1", 300), apptest.Win("anna", "w1", "r1", 1000), apptest.Bet("anna", "b2", "r2", 200),
			apptest.Rollback("anna", "b2"), apptest.BetWin("anna", "b3", "r3", 100, 50))
		number := s.LargeCashOut("anna", "payout-1", 6543)
		s.Book(apptest.Bet("anna", "b4", "r4", 100))
		path := pages.CashOutPath(number)
		farid, fay := s.SignedIn("farid", models.Finance), s.SignedIn("fay", models.Finance)
		chloe, bruno := s.SignedIn("chloe", models.Compliance), s.SignedIn("bruno", models.Bonus)
		require.Contains(t, farid.Get("/").Text(), "Cash-out to approve")
		require.Contains(t, farid.Get("/cash-outs").Find("tbody").Text(), "65.43")
		page := farid.Get(path).Find("main").Text()
		for _, said := range []string{"77.77 EUR", "4.00 EUR in 3 rounds", "10.50 EUR", "No open case is about this player.", "payout-1",
			"The cashier cannot pay it yet."} {
			require.Contains(t, page, said)
		}
		require.Equal(t, http.StatusForbidden, bruno.Get(path).Status)
		require.Zero(t, chloe.Get(path).Find("form.pb-confirm .ask").Length())
		require.Equal(t, http.StatusForbidden, chloe.Post(path, path+"/approval", nil).Status)

		require.Equal(t, http.StatusSeeOther, fay.Post(path, path+"/approval", nil).Status)
		require.Contains(t, fay.Get(path).Text(), "The cashier has not paid it yet.")
		require.Contains(t, fay.Get("/cash-outs").Text(), "No cash-outs are waiting")
		require.Contains(t, fay.Get("/cash-outs?state=approved&player=anna").Find("tbody").Text(), "65.43")

		require.Contains(t, fay.Get("/cash-outs?state=approved").Find("tbody").Text(), "Approved")
		_, err := s.Store.EndCashOut(t.Context(), models.System, models.CashID(1, "payout-1"), models.CashPaid)
		require.NoError(t, err)
		for _, said := range []string{fay.Get("/cash-outs?state=approved").Find("tbody").Text(), fay.Get(path).Find("h1").Text()} {
			require.Contains(t, said, "Paid")
		}

		// After a refusal, the amount is back in the balance, and the reason is recorded.
		s.LargeCashOut("anna", "payout-2", 100)
		path = pages.CashOutPath(s.LargeCashOut("anna", "payout-3", 200))
		require.Equal(t, 1, fay.Get(path).Find("a[data-hotkey=j]").Length())
		unsaid := fay.Post(path, path+"/refusal", url.Values{"why": {" "}})
		require.Equal(t, http.StatusUnprocessableEntity, unsaid.Status)
		before := s.Balance(p.UserID)
		require.Equal(t, http.StatusSeeOther, fay.Post(path, path+"/refusal", url.Values{"why": {"not <b>their</b> account"}}).Status)
		require.Equal(t, before+200, s.Balance(p.UserID))
		require.Contains(t, chloe.Get(path).Find("main").Text(), "not <b>their</b> account")
		require.Equal(t, http.StatusSeeOther, farid.Post(path, path+"/approval", nil).Status)
		require.Contains(t, farid.Get(path).Find(".pb-flash").Text(), "already refused")
		require.Equal(t, http.StatusNotFound, fay.Get(pages.CashOutPath(1)).Status)
	})
}
