package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
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
