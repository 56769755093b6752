package cases_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/cmd/testing/apptest"
	"pitboss/models"
)

// A statement may call a win missing that we have under another spelling of its ID. Its correction can only be requested with a
// reason why it is another win, and the second approver sees that reason.
func TestAttackGuideToPayTwice(t *testing.T) {
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		s.PlayerWithBalance("anna", 10000)
		s.Book(apptest.Bet("anna", "bet", "round", 500), apptest.Win("anna", "Win-7", "round", 1050))
		c, differs := s.CaseOfDifference(nil, &models.StatementLine{TransactionID: "'win-7", UserID: "anna", Currency: "EUR",
			Win:  1050,
			Kind: models.Win, Standing: models.StandingApplied, At: s.Now().Add(-time.Minute)})
		require.True(t, differs)
		mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
		form := url.Values{"kind": {"win"}, "transaction": {"'win-7"}, "round": {"round"}, "player": {"anna"},
			"amount": {"10.50"},
			"reason": {"win-not-credited"}, "text": {"The statement lists it."}, "reference": {models.CaseReference(c.ID)}}
		refused := mira.Post("/corrections/new", "/corrections/new", form)
		require.Equal(t, http.StatusUnprocessableEntity, refused.Status, refused.Body)
		require.Contains(t, apptest.TextOf(refused, "#similar"), "Win-7")
		require.Contains(t, apptest.TextOf(refused, "#similar"), "paid 10.50 EUR")
		require.NotEmpty(t, apptest.TextOf(refused, "#f-another-wrong"))

		const why = "The platform shows two wins in this round."
		require.NotEmpty(t, mira.Get(pages.CasePath(c.ID)).Find("a[href^='/corrections/new']").AttrOr("href", ""))
		form.Set("another", why)
		asked := mira.RequestCorrection(form)
		require.Contains(t, asked.Find(".pb-people").Text(), why)
		shown := jonas.Get("/corrections/1")
		require.Contains(t, shown.Find(".pb-checks").Text(), "Win-7")

		// A credit for the same case would cover the same loss again.
		credit := url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {"9.00"}, "reason": {"goodwill"},
			"text": {"For the lost win."}, "reference": {models.CaseReference(c.ID)}}
		again := jonas.Post("/corrections/new", "/corrections/new", credit)
		require.Equal(t, http.StatusUnprocessableEntity, again.Status, again.Body)
		require.Contains(t, apptest.TextOf(again, "#similar"), "Correction 1")

		rollback := jonas.Post("/corrections/new", "/corrections/new", apptest.RollbackForm("'Win-7"))
		require.Contains(t, apptest.TextOf(rollback, "#f-transaction-wrong"), "“Win-7” of anna")
	})
}
