package rounds_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// TestRoundStatesInTheBrowser is a morning in finance: what is in play now, what was in play at midnight, and the one round
// that needs a person.
func TestRoundStatesInTheBrowser(t *testing.T) {
	t.Parallel()
	s := apptest.NewSite(t, storetest.URL(t, storetest.MariaDB))
	day := s.SetClockToNoon()
	for _, user := range []models.UserID{"anna", "bert", "cleo", "dora"} {
		s.PlayerWithBalance(user, 100000)
	}
	s.Hire("farid", models.Finance)
	s.Book(apptest.Bet("anna", "a-0", "round-8f31-a0", 500), apptest.Win("anna", "a-0w", "round-8f31-a0", 1200),
		apptest.BetWin("bert", "b-0", "round-8f31-b0", 300, 0), apptest.Bet("dora", "d-0", "round-8f31-d0", 900),
		apptest.Rollback("dora", "d-0"))
	s.Later(day.End(time.UTC).Add(-time.Minute).Sub(s.Now()))
	s.Book(apptest.Bet("anna", "a-1", "round-8f31-a1", 1250), apptest.Bet("bert", "b-1", "round-8f31-b1", 4000))
	s.Later(10 * time.Minute)
	s.Book(apptest.Bet("cleo", "c-1", "round-8f31-c1", 700), apptest.Bet("cleo", "c-2", "round-8f31-c1", 300),
		apptest.Rollback("cleo", "c-2"))
	s.Later(10 * time.Minute)
	s.Book(apptest.Bet("dora", "d-1", "round-8f31-d1", 2500))
	s.Later(90 * time.Second)
	s.Book(apptest.Bet("anna", "a-2", "round-8f31-a2", 1000))
	s.Later(10 * time.Second)
	s.SumUpDays()
	_, err := s.Store.FindCases(t.Context(), models.CaseRulesConfig{})
	require.NoError(t, err)

	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "farid")
	tab.Go(s.Base.String() + "/")
	tab.WaitText("[aria-label='By currency']", "35.00")
	tab.RequireFine("overview-in-play")
	tab.Follow("[aria-label='By currency'] th a")
	tab.WaitText("tbody", "No win yet")
	tab.WaitText("tbody", "In play")
	tab.Go(s.Base.String() + "/rounds")
	tab.Click("#states summary")
	tab.WaitText("#states", "Find out what the platform did")
	tab.RequireFine("rounds-states")
	tab.Go(s.Base.String() + "/rounds?state=interrupted")
	tab.WaitText("tbody", "cleo")
	tab.Follow("tbody .c-what a")
	tab.WaitText("h1", "Interrupted")
	tab.WaitText(".pb-note", "cleo has 7.00 EUR at stake")
	tab.RequireFine("round-interrupted")
	tab.Follow(".pb-note .btn")
	tab.WaitText("main", "Ask the platform whether it voided the whole round")
	tab.RequireFine("case-interrupted")
	tab.Go(s.Base.String() + pages.RoundPath(s.Transaction("a-1").ID))
	tab.WaitText(".pb-note", "Nothing to do")
	tab.RequireFine("round-no-win")
	tab.Go(s.Base.String() + "/reports/liability")
	tab.WaitText("[aria-label=Liability] tbody", "35.00")
	tab.WaitText("[aria-label=Liability] tbody", "7.00")
	tab.RequireFine("liability-in-play")
	tab.Go(s.Base.String() + reports.DayPath(day))
	tab.WaitText("[aria-label='The day’s figures']", "52.50")
	tab.RequireFine("day-in-play")
	tab.Go(s.Base.String() + pages.PlayerPath(s.Transaction("c-1").PlayerID))
	tab.WaitText("[aria-label='Latest rounds']", "Interrupted")
	tab.RequireFine("player-interrupted")
	require.Empty(t, tab.Errors())
}
