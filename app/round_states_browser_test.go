package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

// TestRoundStatesInTheBrowser goes through a morning in finance: what is in play, what was in play at midnight, and the one
// round that needs a person.
func TestRoundStatesInTheBrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t, storetest.URL(t, storetest.MariaDB))
	day := s.noon()
	for _, user := range []models.UserID{"anna", "bert", "cleo", "dora"} {
		s.wallet(user, 100000)
	}
	s.hire("farid", models.Finance)
	s.book(bet("anna", "a-0", "round-8f31-a0", 500), win("anna", "a-0w", "round-8f31-a0", 1200),
		betWin("bert", "b-0", "round-8f31-b0", 300, 0), bet("dora", "d-0", "round-8f31-d0", 900), rollback("dora", "d-0"))
	s.later(day.End(time.UTC).Add(-time.Minute).Sub(s.Now()))
	s.book(bet("anna", "a-1", "round-8f31-a1", 1250), bet("bert", "b-1", "round-8f31-b1", 4000))
	s.later(10 * time.Minute)
	s.book(bet("cleo", "c-1", "round-8f31-c1", 700), bet("cleo", "c-2", "round-8f31-c1", 300), rollback("cleo", "c-2"))
	s.later(10 * time.Minute)
	s.book(bet("dora", "d-1", "round-8f31-d1", 2500))
	s.later(90 * time.Second)
	s.book(bet("anna", "a-2", "round-8f31-a2", 1000))
	s.later(10 * time.Second)
	s.sumUpDays()
	_, err := s.Store.FollowMoney(t.Context())
	require.NoError(t, err)
	_, err = s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
	require.NoError(t, err)

	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "farid")
	tab.Go(s.base.String() + "/")
	tab.WaitText("[aria-label='By currency']", "35.00")
	tab.RequireFine("overview-in-play")
	tab.Follow("[aria-label='By currency'] th a")
	tab.WaitText("tbody", "No win yet")
	tab.WaitText("tbody", "In play")
	tab.Go(s.base.String() + "/rounds")
	tab.Click("#states summary")
	tab.WaitText("#states", "Find out what the platform did")
	tab.RequireFine("rounds-states")
	tab.Go(s.base.String() + "/rounds?state=interrupted")
	tab.WaitText("tbody", "cleo")
	tab.Follow("tbody .c-what a")
	tab.WaitText("h1", "Interrupted")
	tab.WaitText(".pb-note", "cleo has 7.00 EUR at stake")
	tab.RequireFine("round-interrupted")
	tab.Follow(".pb-note .btn")
	tab.WaitText("main", "Ask the platform whether it voided the whole round")
	tab.RequireFine("case-interrupted")
	tab.Go(s.base.String() + pages.RoundPath(s.transaction("a-1").ID))
	tab.WaitText(".pb-note", "Nothing to do")
	tab.RequireFine("round-no-win")
	tab.Go(s.base.String() + "/reports/liability")
	tab.WaitText("[aria-label='Stakes in play']", "35.00")
	tab.WaitText("[aria-label='Interrupted rounds']", "7.00")
	tab.RequireFine("liability-in-play")
	tab.Go(s.base.String() + reports.DayPath(day))
	tab.WaitText("[aria-label='The day’s figures']", "52.50")
	tab.RequireFine("day-in-play")
	tab.Go(s.base.String() + pages.PlayerPath(s.transaction("c-1").PlayerID))
	tab.WaitText("[aria-label='Latest rounds']", "Interrupted")
	tab.RequireFine("player-interrupted")
	require.Empty(t, tab.Errors())
}
