package app

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/models"
)

// A win that a statement calls missing, but that we have under another spelling of its ID, is not offered for payment until
// somebody says why it is another one. The reason goes with the request to the second approver.
func TestAttackGuideToPayTwice(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		s.wallet("anna", 10000)
		s.book(bet("anna", "bet", "round", 500), win("anna", "Win-7", "round", 1050))
		c, differs := s.differs(nil, &models.StatementLine{TransactionID: "'win-7", UserID: "anna", Currency: "EUR", Win: 1050,
			Kind: models.Win, Standing: models.StandingApplied, At: s.Now().Add(-time.Minute)})
		require.True(t, differs)
		mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
		path := pages.CasePath(c.ID)
		page := mira.get(path)
		require.Contains(t, text(page, "#similar"), "Win-7")
		require.Contains(t, text(page, "#similar"), "paid 10.50 EUR")
		require.Zero(t, page.Find("a[href^='/corrections/new']").Length(), "no credit is offered")
		require.Zero(t, mira.get(path+"?another=no").Find("a[href^='/corrections/new']").Length())

		// The form of a correction finds it too.
		form := url.Values{"kind": {"win"}, "transaction": {"'win-7"}, "round": {"round"}, "player": {"anna"}, "amount": {"10.50"},
			"reason": {"win-not-credited"}, "text": {"The statement lists it."}, "reference": {models.CaseReference(c.ID)}}
		refused := mira.post("/corrections/new", "/corrections/new", form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.status, refused.text)
		require.Contains(t, text(refused, "#similar"), "Win-7")
		require.NotEmpty(t, text(refused, "#f-another-wrong"))

		const why = "The platform shows two wins in this round."
		href := mira.get(path+"?another="+url.QueryEscape(why)).Find("a[href^='/corrections/new']").AttrOr("href", "")
		require.NotEmpty(t, href)
		require.Equal(t, why, mira.get(href).Find("[name=another]").Text())
		form.Set("another", why)
		asked := mira.asks(form)
		require.Contains(t, asked.Find(".pb-people").Text(), why)
		shown := jonas.get("/corrections")
		require.Contains(t, shown.Find(".pb-checks").Text(), "Win-7")

		// A credit for the same case is the same loss again.
		credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"9.00"}, "reason": {"goodwill"},
			"text": {"For the lost win."}, "reference": {models.CaseReference(c.ID)}}
		again := jonas.post("/corrections/new", "/corrections/new", credit)
		require.Equal(t, http.StatusUnprocessableEntity, again.status, again.text)
		require.Contains(t, text(again, "#similar"), "Correction 1")

		rollback := jonas.post("/corrections/new", "/corrections/new", rollbackForm("'Win-7"))
		require.Contains(t, text(rollback, "#f-transaction-wrong"), "“Win-7” of anna")
	})
}
