package app

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/models"
	"pitboss/models/store"
)

// strandedBet is a case about a bet of anna's that nothing followed.
func (s *site) strandedBet() (c models.Case, transaction int64) {
	s.t.Helper()
	s.story("anna")
	t := s.transaction("3-anna")
	_, _, err := s.Store.OpenCases(s.t.Context(), []models.Finding{{
		Rule: models.CaseStatement, Key: "3-anna", At: t.At, PlayerID: t.PlayerID, Transaction: t.ID, TransactionID: t.TransactionID, Amount: t.Bet, Currency: "EUR",
		Facts: []models.CaseFact{{Label: "Difference", Value: `only ours <script>alert(1)</script>`}},
	}})
	require.NoError(s.t, err)
	list, _, err := s.Store.Cases(s.t.Context(), models.CaseFilter{Limit: 1})
	require.NoError(s.t, err)
	return list[0], t.ID
}

// A case is taken, commented and closed; the second of two is told; who may only read may not work on it.
func TestCases(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		found, transaction := s.strandedBet()
		farid, chloe := s.signedIn("farid", models.Finance), s.signedIn("chloe", models.Compliance)
		page := farid.get("/cases")
		require.Equal(t, 1, page.Find("tbody tr").Length())
		require.Contains(t, page.Find("nav").Text(), "1")
		require.Zero(t, farid.get("/cases?rule=2").Find("tbody tr").Length())
		require.Equal(t, 1, farid.get("/cases?player=anna&state=open&rule=11").Find("tbody tr").Length())
		path := casePath(found.ID)
		one := farid.get(path)
		require.Contains(t, one.Find("[aria-label=Evidence]").Text(), "<script>")
		require.Contains(t, one.Text(), "25.00 EUR")
		require.NotContains(t, chloe.get(path).Text(), "Close the case")
		require.Equal(t, http.StatusForbidden, chloe.post("/cases", path+"/decision", url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}}).status)

		require.Equal(t, path, farid.post(path, path+"/owner", nil).location)
		require.Equal(t, 1, farid.get("/cases?owner=farid").Find("tbody tr").Length())
		require.Equal(t, http.StatusUnprocessableEntity, farid.post(path, path+"/comments", url.Values{"text": {" "}}).status)
		require.Equal(t, path, farid.post(path, path+"/comments", url.Values{"text": {"Asked the platform."}}).location)
		require.Contains(t, farid.get(path).Text(), "Asked the platform.")
		short := farid.post(path, path+"/decision", url.Values{"state": {"explained"}, "reason": {"ok"}})
		require.Equal(t, http.StatusUnprocessableEntity, short.status)
		require.Contains(t, short.Text(), "at least ten characters")
		require.Equal(t, http.StatusUnprocessableEntity, farid.post(path, path+"/decision", url.Values{"reason": {"It was lost, they say."}}).status)
		require.Equal(t, path, farid.post(path, path+"/decision", url.Values{"state": {"explained"}, "reason": {"It was lost, they say."}}).location)
		sofia := s.signedIn("sofia", models.Support)
		require.Equal(t, path, sofia.post("/cases", path+"/decision", url.Values{"state": {"written-off"}, "reason": {"Nobody can say any more."}}).location)
		require.Contains(t, sofia.get(path).Text(), "closed already")
		require.Contains(t, sofia.get(transactionPath(transaction)).Text(), "It was lost, they say.")
		require.Zero(t, farid.get("/cases").Find("tbody tr").Length())
		require.Equal(t, path, farid.get("/search?q=case+1").location)
		require.Equal(t, http.StatusNotFound, farid.get("/cases/99").status)
	})
}

// Each thing's page leads to its cases, for who may read them, and its list of cases holds no others.
func TestThingsLeadToTheirCases(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		anna := s.story("anna")
		s.wallet("bert", 5000)
		s.book(win("bert", "bert-1", "bert-r", 100))
		s.unknownGrant("anna", 50)
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, s.Now(), store.Verification{Faulty: []store.WalletFaults{{PlayerID: anna.ID, Faults: []string{"entry 3 is missing"}, Total: 1}}}))
		s.later(time.Second)
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, s.Now(), store.Verification{Faulty: []store.WalletFaults{{PlayerID: anna.ID, Faults: []string{"entry 3 is missing"}, Total: 1}}}))
		s.later(10 * time.Minute)
		opened, err := s.Store.FindCases(t.Context(), store.CaseRulesConfig{})
		require.NoError(t, err)
		require.Equal(t, 6, opened, "two wins without a bet, two free spins without a grant, a grant of unknown outcome, a faulty ledger")

		farid := s.signedIn("farid", models.Finance)
		unpaid, spin := s.transaction("10-anna"), s.transaction("7-anna")
		grants, _, err := s.Store.Grants(t.Context(), models.GrantFilter{PlayerID: anna.ID, Limit: 1})
		require.NoError(t, err)
		const card = "[aria-label=Cases]"
		for _, row := range []struct {
			path  string
			cases []string
			all   string
			rows  int
		}{
			{playerPath(anna.ID), []string{"Win without a bet", "Free spin without a grant", "Free spin without a grant", "Grant of unknown outcome"}, "/cases?player=anna&state=all", 4},
			{roundPath(unpaid.ID), []string{"Win without a bet"}, "/cases?player=anna&state=all", 4},
			{roundPath(spin.ID), []string{"Free spin without a grant"}, "/cases?player=anna&state=all", 4},
			{pathOf("/free-spins", grants[0].ID), []string{"Grant of unknown outcome"}, "/cases?grant=" + strconv.FormatInt(grants[0].ID, 10) + "&state=all", 1},
			{verificationPath(1), []string{"Ledger that does not verify"}, "/cases?verification=1&state=all", 1},
			{verificationPath(2), []string{"Ledger that does not verify"}, "/cases?rule=10&state=all", 1},
		} {
			page := farid.get(row.path)
			require.Equal(t, http.StatusOK, page.status, row.path)
			var words []string
			for _, link := range page.Find(card + " li a").EachIter() {
				words = append(words, link.Text())
				require.Contains(t, farid.get(link.AttrOr("href", "")).Find("h1").Text(), link.Text())
			}
			require.ElementsMatch(t, row.cases, words, row.path)
			require.Contains(t, page.Find(card).Text(), "open ")
			require.Equal(t, row.all, page.Find(card+" .end a").AttrOr("href", ""))
			require.Equal(t, row.rows, farid.get(row.all).Find("tbody tr").Length(), row.path)
		}
		require.Contains(t, text(farid.get(transactionPath(unpaid.ID)), "main"), "opened: win without a bet")
		require.Zero(t, farid.get(roundPath(s.transaction("1-anna").ID)).Find(card).Length(), "nothing is wrong with this one")
		require.Equal(t, http.StatusBadRequest, farid.get("/cases?grant=x").status)
	})
}

// A stranded bet is found, explained, rolled back by two people, its case closed, and its trail is complete on the transaction's page.
func TestStrandedBetInTheBrowser(t *testing.T) {
	browser := browsertest.Start(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := sqliteSite(t)
			found, transaction := s.strandedBet()
			s.hire("farid", models.Finance)
			s.hire("greta", models.Finance)
			farid, greta := browser.Open(t, browsertest.View{NoScripts: !scripts}), browser.Open(t, browsertest.View{NoScripts: !scripts})
			s.signInTab(farid, "farid")
			s.signInTab(greta, "greta")

			farid.Go(s.base.String() + "/cases")
			farid.Follow("tbody .c-what a")
			farid.Follow("form[action$='/owner'] button")
			farid.Follow("[aria-label='What to find out'] a")
			farid.Choose("#f-reason", "round-voided")
			farid.Fill("#f-text", "The platform voided the round.")
			farid.Follow(".pb-form .btn-primary")
			farid.Follow(".pb-confirm .btn-primary")
			correction := farid.Address()

			greta.Go(correction)
			greta.Follow("form[action$='/approval'] .btn-primary")
			greta.WaitText("main", "Approved")

			farid.Go(s.base.String() + casePath(found.ID))
			farid.WaitText("[aria-label=Corrections]", "approved")
			farid.Click("label[for=f-state-1]")
			farid.Fill("[aria-label=Close] textarea", "Voided there, applied here: given back.")
			farid.Follow("[aria-label=Close] .btn-primary")
			farid.WaitText("h1", "Adjusted")
			farid.Go(s.base.String() + transactionPath(transaction))
			for _, trail := range []string{"Case 1", "difference from a statement", "Voided there, applied here", "Rolled back", "Greta"} {
				require.Contains(t, farid.Text("main"), trail)
			}
			require.Empty(t, farid.Errors())
			v, err := s.Store.Verify(t.Context(), nil)
			require.NoError(t, err)
			require.True(t, v.OK())
		})
	}
}

// TestCasePagesAreFine looks at the pages of cases, in both themes and at both widths.
func TestCasePagesAreFine(t *testing.T) {
	s := sqliteSite(t)
	found, _ := s.strandedBet()
	s.hire("farid", models.Finance)
	for rule := range models.CaseRules {
		_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: models.CaseRules[rule], Key: "k", At: s.Now(), PlayerID: found.PlayerID, Amount: 120, Currency: "EUR"}})
		require.NoError(t, err)
	}
	require.NoError(t, s.Store.CommentCase(t.Context(), models.Actor{Name: "sofia"}, found.ID, `">`+"<b>a comment</b>"))
	require.NoError(t, s.Store.DecideCase(t.Context(), models.Actor{Name: "sofia"}, 2, models.CaseWrittenOff, "Nobody can say any more."))
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "farid")
	for _, page := range []struct{ name, path string }{
		{"cases", "/cases"}, {"cases-all", "/cases?state=all"}, {"cases-none", "/cases?rule=2&state=adjusted"}, {"case", casePath(found.ID)}, {"case-closed", casePath(2)},
	} {
		tab.Go(s.base.String() + page.path)
		tab.RequireFine(page.name)
	}
}
