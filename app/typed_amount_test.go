package app

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/web"
	"pitboss/models"
)

func TestTypedAmount(t *testing.T) {
	for text, want := range map[string]struct {
		point, comma models.Amount // -1: refused
	}{
		"10": {1000, 1000}, "10.50": {1050, 1050}, "10.5": {1050, 1050}, "10,50": {-1, 1050}, "10,5": {-1, 1050},
		" 10.50 ": {1050, 1050}, "0.05": {5, 5}, "0": {0, 0}, "007": {700, 700},
		"1,050.00": {105000, 105000}, "1.050,00": {105000, 105000}, "1 050.00": {105000, 105000}, "1’050.00": {105000, 105000},
		"1 050,00": {-1, 105000}, "1,050,000": {105000000, 105000000}, "1050": {105000, 105000},
		"1,050": {-1, -1}, "1.050": {-1, -1}, "999,999": {-1, -1}, "0.050": {-1, -1}, "1234.567": {-1, -1},
		"1,05,000": {-1, -1}, "1,050.000": {-1, -1},
		"": {-1, -1}, "-5": {-1, -1}, "1e3": {-1, -1}, ".5": {-1, -1}, "5.": {-1, -1}, "ten": {-1, -1}, "１０": {-1, -1},
		strings.Repeat("9", 40): {-1, -1},
	} {
		for comma, want := range map[bool]models.Amount{false: want.point, true: want.comma} {
			amount, err := web.TypedAmount(text, comma)
			if want < 0 {
				require.Error(t, err, "%q %v", text, comma)
				continue
			}
			require.NoError(t, err, "%q %v", text, comma)
			require.Equal(t, want, amount, "%q %v", text, comma)
		}
	}
	_, err := web.TypedAmount("1,050", false)
	require.EqualError(t, err, "“1,050” can mean 1,050.00 or 1.050. Write 1050 or 1.05.")
	_, err = web.TypedAmount("1.050", true)
	require.EqualError(t, err, "“1.050” can mean 1,050.00 or 1.050. Write 1050 or 1,05.")
	_, err = web.TypedAmount("10,50", false)
	require.EqualError(t, err,
		"Write 10.50: amounts have a decimal point here. The setting PITBOSS_DECIMAL_COMMA allows commas.")
}

func TestDecimalComma(t *testing.T) {
	s := sqliteSite(t)
	s.punter("anna", false)
	mira := s.signedIn("mira", models.Finance)
	form := func(amount string) url.Values {
		return url.Values{"kind": {"credit"}, "player": {"anna"}, "amount": {amount}, "reason": {"goodwill"},
			"text": {"As agreed."}}
	}
	refused := mira.post("/corrections/new", "/corrections/new", form("10,50"))
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.Find("#f-amount-wrong").Text(), "Write 10.50")
	require.Contains(t, mira.get("/transactions?least=1,050").Find(".pb-empty").Text(), "can mean 1,050.00 or 1.050")
	s.DecimalComma = true
	require.Contains(t, mira.post("/corrections/new", "/corrections/new", form("10,50")).Find(".deed").Text(), "10.50\u00a0EUR")
	require.Contains(t, mira.post("/corrections/new", "/corrections/new", form("1,050")).Find("#f-amount-wrong").Text(),
		"can mean 1,050.00 or 1.050. Write 1050 or 1,05.")
	require.Contains(t, mira.get("/corrections/new?kind=credit").Find("#f-amount-hint").Text(), "25,00")
	require.Equal(t, 1, mira.get("/transactions?least=100,00").Find("tbody tr").Length(), "a filter too")
}

// TestAmountsInTheBrowser types amounts as people do, with scripts and without.
func TestAmountsInTheBrowser(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	s.DecimalComma = true
	s.punter("anna", false)
	s.hire("mira", models.Finance)
	browser := browsertest.Start(t)
	for name, view := range map[string]browsertest.View{"with scripts": {}, "without scripts": {NoScripts: true}} {
		t.Run(name, func(t *testing.T) {
			tab := browser.Open(t, view)
			s.signInTab(tab, "mira")
			tab.Go(s.base.String() + "/players/1")
			tab.WaitText(".pb-facts", "Not counted: opening balance +100.00")
			if !view.NoScripts {
				tab.RequireFine("player-today")
			}
			tab.Go(s.base.String() + "/corrections/new?kind=credit&player=anna")
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
			tab.WaitText(".deed", "1,050.50\u00a0EUR")
			require.Empty(t, tab.Errors())
		})
	}
}
