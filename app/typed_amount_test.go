package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

func TestDecimalComma(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.NewPlayer("anna", false)
	mira := s.SignedIn("mira", models.Finance)
	form := func(amount string) url.Values {
		return url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {amount}, "reason": {"goodwill"},
			"text": {"As agreed."}}
	}
	refused := mira.Post("/corrections/new", "/corrections/new", form("10,50"))
	require.Equal(t, http.StatusUnprocessableEntity, refused.Status)
	require.Contains(t, refused.Find("#f-amount-wrong").Text(), "Write 10.50")
	require.Contains(t, mira.Get("/transactions?bet-from=1,050").Find(".pb-empty").Text(), "can mean 1,050.00 or 1.050")
	s.DecimalComma = true
	require.Contains(t, mira.Post("/corrections/new", "/corrections/new", form("10,50")).Find(".action").Text(),
		"10.50\u00a0EUR")
	require.Contains(t, mira.Post("/corrections/new", "/corrections/new", form("1,050")).Find("#f-amount-wrong").Text(),
		"can mean 1,050.00 or 1.050. Write 1050 or 1,05.")
	require.Contains(t, mira.Get("/corrections/new?kind=credit").Find("#f-amount-hint").Text(), "25,00")
	for id, stake := range map[models.TransactionID]models.Amount{"less": 4999, "more": 5000} {
		s.Apply(models.Operation{Kind: models.Bet, UserID: "anna", TransactionID: id, RoundID: "r", Bet: stake})
	}
	require.Equal(t, 1, mira.Get("/transactions?bet-from=50,00").Find("tbody tr").Length(), "a filter too")
}

// TestAmountsInTheBrowser types amounts as people do, with scripts and without.
func TestAmountsInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.DecimalComma = true
	s.NewPlayer("anna", false)
	s.Hire("mira", models.Finance)
	browser := browsertest.Start(t)
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			tab := browser.Open(t, view)
			s.SignInTab(tab, "mira")
			tab.Go(s.Base.String() + "/players/1")
			tab.WaitText(".pb-facts", "not counted: opening balance +100.00")
			if !view.NoScripts {
				tab.RequireFine("player-today")
			}
			tab.Go(s.Base.String() + "/corrections/new?kind=credit&player=anna")
			tab.Fill("#f-amount", "1,050")
			tab.Choose("#f-reason", "goodwill")
			tab.Fill("#f-text", "As agreed.")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText("#f-amount-wrong", "can mean 1,050.00 or 1.050")
			if !view.NoScripts {
				tab.RequireFine("corrections-amount-refused")
			}
			tab.Fill("#f-amount", "1050,5")
			tab.Follow(".pb-form .btn-primary")
			tab.WaitText(".action", "1,050.50\u00a0EUR")
			require.Empty(t, tab.Errors())
		})
	}
}
