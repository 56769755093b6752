package app_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// TestFiltersInTheBrowser looks for yesterday's bets in one currency: with a mouse and keys, on a narrow window, and without
// scripts.
func TestFiltersInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	s.SetClock(time.Date(s.Now().Year()+1, 11, 12, 12, 0, 0, 0, time.UTC))
	year := s.Now().Format("2006")
	s.PlayerWithHistory("anna")
	_, err := s.Store.CreatePlayer(t.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: "ines", Currency: "USD", Balance: 10_000})
	require.NoError(t, err)
	s.Apply(apptest.Bet("ines", "usd-1", "usd-r1", 500))
	s.Later(24 * time.Hour)
	s.Hire("chloe", models.Compliance)
	chromium := browsertest.Start(t)
	const days, more = ".pb-dates summary", "form > details > summary"

	tab := chromium.Open(t, browsertest.View{})
	s.SignInTab(tab, "chloe")
	tab.Go(s.Base.String() + "/transactions")
	tab.Click(days)
	tab.RequireFine("filters-days")
	tab.Press(kb.Escape)
	tab.Gone(".pb-dates details[open]")
	tab.Click(days)
	tab.Follow(".pb-quick a:nth-child(3)")
	tab.WaitText(".pb-chip", "Yesterday, 12 Nov "+year)
	tab.Click(more)
	tab.RequireFine("filters-more")
	tab.Click(days) // one is open at a time
	tab.Gone("form > details[open]")
	tab.Click(more)
	tab.Choose("#f-currency", "USD")
	tab.Follow("form > details button")
	require.Contains(t, tab.Text(".pb-chips"), "USD")
	require.Contains(t, tab.Text(".pb-chips"), "Yesterday", "the days stay while other filters change")
	require.NotContains(t, tab.Text("tbody"), "anna")
	tab.Click(days)
	tab.Follow(".pb-quick a:nth-child(2)")
	tab.RequireFine("filters-empty")
	tab.Follow(".pb-empty .btn-primary")
	require.Contains(t, tab.Text("tbody"), "ines")
	for _, list := range []string{"rounds", "callbacks", "cases", "corrections", "audit", "sessions", "games/changes",
		"reports", "reports/players", "players"} {
		tab.Go(s.Base.String() + "/" + list)
		assert.LessOrEqual(t, tab.Box("form.pb-filters")[3], 76.0, "one row of filters: "+list)
		if list == "reports" || list == "audit" || list == "cases" {
			tab.Click(days)
			tab.RequireFine("filters-" + list)
		}
	}
	tab.Go(s.Base.String() + "/rounds?state=opn&colour=green")
	tab.RequireFine("filters-unknown")

	tab.Look(browsertest.View{Width: 360})
	tab.Go(s.Base.String() + "/transactions")
	tab.Click(".pb-filter-btn")
	tab.Click(days)
	tab.Screenshot("filters-sheet-light")
	require.Empty(t, tab.Axe())
	tab.Click(more)
	tab.Screenshot("filters-sheet-more-light")
	require.Empty(t, tab.Axe())
	tab.Choose("#f-currency", "USD")
	tab.Follow("form.pb-filters > button")
	require.NotContains(t, tab.Text("tbody"), "anna")

	plain := chromium.Open(t, browsertest.View{NoScripts: true})
	s.SignInTab(plain, "chloe")
	plain.Go(s.Base.String() + "/transactions")
	plain.Click(days)
	plain.Follow(".pb-quick a:nth-child(4)")
	plain.WaitText(".pb-chip", "Last 7 days, 7–13 Nov "+year)
}
