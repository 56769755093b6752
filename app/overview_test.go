package app_test

import (
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/models"
)

// playRound books a round of a player: a bet, and a win unless it is zero.
func playRound(s *apptest.Site, user models.UserID, round string, stake, win models.Amount, freeSpin bool) {
	s.T.Helper()
	op := models.Operation{
		Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: models.TransactionID(round + "-bet"),
		RoundID: models.RoundID(round), Bet: stake, FreeSpin: freeSpin,
	}
	result, err := s.Store.Apply(s.T.Context(), op)
	require.NoError(s.T, err)
	require.Equal(s.T, models.None, result.Decline)
	if win == 0 {
		return
	}
	op.Kind, op.TransactionID, op.Bet, op.Win, op.FreeSpin = models.Win, models.TransactionID(round+"-win"), 0, win, false
	result, err = s.Store.Apply(s.T.Context(), op)
	require.NoError(s.T, err)
	require.Equal(s.T, models.None, result.Decline)
}

func sumUp(s *apptest.Site) {
	s.T.Helper()
	_, err := s.Store.FollowDays(s.T.Context())
	require.NoError(s.T, err)
}

func TestOverview(t *testing.T) {
	t.Parallel()
	apptest.EachSite(t, func(t *testing.T, s *apptest.Site) {
		now := time.Date(2026, 11, 20, 14, 42, 30, 0, time.UTC)
		s.SetClock(now.Add(-time.Minute))
		reader := s.SignedIn("ann", models.Support)

		empty := reader.Get("/")
		require.Equal(t, http.StatusOK, empty.Status)
		require.Contains(t, apptest.TextOf(empty, ".pb-way"), "Register the callback address")
		require.Zero(t, empty.Find(".pb-kpis, .pb-chart, [data-live]").Length())
		require.Contains(t, apptest.TextOf(empty, ".pb-health"), "Callbacks to us None yet")

		s.SetClock(now.Add(-25 * time.Hour))
		s.NewPlayerIn("anna", "EUR", false)
		s.NewPlayerIn("bert", "EUR", false)
		s.NewPlayerIn("deniz", "TRY", false)
		s.NewPlayerIn("tester", "EUR", true)
		s.SetClock(now.Add(-24 * time.Hour)) // yesterday at the same time, and later
		playRound(s, "anna", "y1", 10000, 9000, false)
		s.SetClock(now.Add(-23 * time.Hour))
		playRound(s, "bert", "y2", 5000, 0, false)
		s.SetClock(now.Add(-24*time.Hour - 30*time.Minute))
		playRound(s, "anna", "y3", 10000, 10000, false)
		playRound(s, "deniz", "y4", 700, 0, false)
		s.SetClock(now.Add(-2 * time.Hour))
		playRound(s, "anna", "t1", 20000, 18000, false)
		playRound(s, "bert", "t2", 5000, 4500, false)
		playRound(s, "anna", "t3", 100, 1230, true) // a free spin and what it won
		playRound(s, "tester", "t4", 99999900, 0, false)
		s.SetClock(now)
		sumUp(s)
		bet := models.CallbackAnswer{Endpoint: "Withdraw"}
		s.Answered(now.Add(-3*time.Minute),
			map[models.CallbackAnswer]uint64{bet: 2412, {Endpoint: "Withdraw", Result: 6}: 40,
				{Endpoint: "Deposit", Result: 11}: 9, {Endpoint: "Withdraw", Result: models.NoAnswer}: 2})
		s.Answered(now.Add(-24*time.Hour), map[models.CallbackAnswer]uint64{bet: 2000})
		s.UnknownGrant("bert", 50)

		page := reader.Get("/")
		require.Equal(t, http.StatusOK, page.Status, page.Body)
		require.Equal(t, "Friday, 20 Nov until 14:42, compared with Thursday until 14:42. Days are the casino’s, in UTC.", apptest.TextOf(page, ".lede"))
		require.Equal(t, "Turnover 250.00 EUR +150.0% from 100.00 Payout 225.00 EUR from 100.00 GGR 25.00 EUR "+
			"from 0.00 "+
			"RTP 90.00% from 100.00% EUR players 2 so far, 2 on 19 Nov", apptest.TextOf(page, ".pb-kpis"),
			"yesterday's bet in the minute that is still running is not counted yet")
		require.Equal(t, "EUR 250.00 +150.0% 225.00 25.00 90.00% 0.00 2 TRY 0.00 −100.0% 0.00 0.00 – 0.00 0",
			apptest.TextOf(page, "[aria-label='By currency'] tbody"))
		require.Contains(t, apptest.TextOf(page, ".pb-card-note"), "at the top are in EUR")
		require.Contains(t, apptest.TextOf(page, "[aria-label='By currency'] .end"),
			"2 active players in 2 currencies, test players excluded")
		require.Contains(t, apptest.TextOf(page, ".pb-card-note"), "1 free spin was used and won 12.30 EUR")
		require.Contains(t, apptest.TextOf(page, ".pb-todo .risk"), "1 Unconfirmed grant")
		require.Contains(t, apptest.TextOf(page, ".pb-health"), "Callbacks to us 2 unanswered")
		require.Contains(t, apptest.TextOf(page, ".pb-health"), "Free-spin grants 1 unconfirmed The platform gave no readable answer.")
		require.Contains(t, apptest.TextOf(page, ".pb-health"), "Games sync Done 14:42")
		require.Contains(t, apptest.TextOf(page, "#minutes tbody"), "14:39 2,412 40 9 2")
		require.Contains(t, page.Find("svg[role=img]").First().AttrOr("aria-label", ""), "at most 2,412 at 14:39")
		require.Equal(t, 2, page.Find("svg[role=img]").Length())
		apptest.RequireNothingInline(t, page)

		// The overview shows a verification, and lists its faults for those who may read them.
		started := s.Now()
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, started, models.Verification{Entries: 1234}))
		require.Contains(t, apptest.TextOf(reader.Get("/"), ".pb-health"), "Ledger Unkeyed")
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, started,
			models.Verification{Faulty: []models.WalletFaults{
				{PlayerID: 1, Faults: []string{"x"}, Total: 3}, {PlayerID: 2, Faults: []string{"y"}, Total: 1},
			}}))
		require.Contains(t, apptest.TextOf(reader.Get("/"), ".pb-health"), "Ledger 2 faults")
		require.NotContains(t, apptest.TextOf(reader.Get("/"), ".pb-todo"), "Faults in the ledger",
			"support does not read integrity")
		require.Contains(t, apptest.TextOf(s.SignedIn("farid", models.Finance).Get("/"), ".pb-todo .risk"),
			"2 Faults in the ledger found 14:42")

		// Cases wait too, and the riskiest rule is named first even if its case is the newest.
		require.NotContains(t, apptest.TextOf(page, ".pb-todo"), "case")
		open := func(rule models.CaseRule, key string) {
			_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: rule, Key: key, At: s.Now()}})
			require.NoError(t, err)
		}
		s.SetClock(now.Add(-95*time.Minute - 10*time.Second))
		open(models.CaseUnknownRollback, "one")
		s.SetClock(now)
		page = reader.Get("/")
		require.Equal(t, "1 Open case Rollback of an unknown transaction, oldest 1 h 35 min",
			apptest.TextOf(page, ".pb-todo .wait"))
		require.Equal(t, 1, page.Find(".pb-todo .wait[href='/cases']").Length())
		open(models.CaseUnknownRollback, "two")
		open(models.CaseNegativeBalance, "three")
		require.Contains(t, apptest.TextOf(reader.Get("/"), ".pb-todo .risk"),
			"3 Open cases oldest 1 h 35 min")
		require.NoError(t, s.Store.DecideCase(t.Context(), models.Actor{Name: "sofia"}, 3, models.CaseExplained,
			"Paid back since."))
		require.Contains(t, apptest.TextOf(reader.Get("/"), ".pb-todo .wait"),
			"2 Open cases Rollback of an unknown transaction, oldest 1 h 35 min")

		// A reader in Auckland, where it is Saturday, sees the same figures of the casino's Friday.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		require.NoError(t, s.Store.SetStaffProfile(t.Context(), ann.ID,
			models.Profile{Zone: "Pacific/Auckland", Theme: "system", Density: "roomy"}))
		page = reader.Get("/")
		require.Contains(t, apptest.TextOf(page, ".lede"), "Friday, 20 Nov until 14:42")
		require.Contains(t, apptest.TextOf(page, ".pb-kpis"), "Turnover 250.00 EUR")

		// The page refreshes its one part, and that does not count as activity.
		request := reader.Request(http.MethodGet, "/", nil)
		request.Header.Set("HX-Request", "true")
		request.Header.Set("HX-Target", page.Find("[data-live]").AttrOr("id", ""))
		request.Header.Set("Pitboss-Live", "1")
		part := reader.Send(request)
		require.Equal(t, http.StatusOK, part.Status)
		require.Zero(t, part.Find("nav.pb-nav").Length())
		require.Equal(t, apptest.TextOf(page, ".pb-kpis"), apptest.TextOf(part, ".pb-kpis"))
	})
}

// TestOverviewLooks checks the overview of a busy day and of a new installation, and the platform's page.
func TestOverviewLooks(t *testing.T) {
	t.Parallel()
	client, err := platform.New(platform.Config{URL: "https://api.gaming-platform.example", AgentID: "LUMEN01",
		APIToken: "token", SecretKey: "key"})
	require.NoError(t, err)
	s := apptest.SqliteSite(t, func(cfg *app.Config, deps *app.Deps) {
		deps.Platform = client
		cfg.Platform.CallbackPath = "/WalletService"
		cfg.Platform.Settings = []web.SettingInForce{{Variable: "PITBOSS_CALLBACK_ADDR", Value: "127.0.0.1:8081"},
			{Variable: "PITBOSS_WIRE", Value: "spec"}, {Variable: "PITBOSS_DATABASE_URL", Value: "set"}}
	})
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	now := time.Date(2026, 11, 20, 15, 42, 20, 0, vienna)
	s.SetClock(now.Add(-5 * time.Minute))
	ann := s.Hire("ann", models.Administrator)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), ann.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.SignInTab(tab, "ann")
	tab.RequireFine("overview-empty")
	tab.Go(s.Base.String() + "/platform")
	tab.RequireFine("platform-empty")

	stakes := map[models.Currency]models.Amount{"EUR": 184320_50, "TRY": 1402118_00, "UAH": 212750_00, "BRL": 96480_00}
	rounds := map[models.Currency]int{"EUR": 24, "TRY": 12, "UAH": 6, "BRL": 9}
	for currency, n := range rounds {
		for i := range n {
			user := models.UserID(fmt.Sprintf("%s %d", currency, i))
			s.NewPlayerIn(user, currency, false)
			stake := stakes[currency] / models.Amount(n)
			s.SetClock(now.Add(-30 * time.Hour))
			playRound(s, user, fmt.Sprintf("%s-y%d", currency, i), stake*93/100, stake*93*953/100000, false)
			s.SetClock(now.Add(-6 * time.Hour))
			playRound(s, user, fmt.Sprintf("%s-t%d", currency, i), stake, stake*956/1000, false)
			playRound(s, user, fmt.Sprintf("%s-f%d", currency, i), 20, 1000+models.Amount(i)*700, true)
		}
	}
	for i := range 130 {
		dip := 700 * math.Exp(-math.Pow(float64(i-40)/4, 2))
		wobble := uint64(60*math.Sin(float64(i)*1.7) + 60*math.Sin(float64(i)*0.6) + 120)
		peak := math.Exp(-math.Pow(float64(i-38)/2, 2))
		s.Answered(now.Add(-time.Duration(i)*time.Minute), map[models.CallbackAnswer]uint64{
			{Endpoint: "Withdraw"}: 2200 + wobble - uint64(dip), {Endpoint: "Withdraw", Result: 6}: 30 + wobble/8,
			{Endpoint: "Deposit", Result: 11}: 8 + uint64(120*peak), {Endpoint: "Withdraw", Result: 9}: uint64(12 * peak),
		})
		s.Answered(now.Add(-24*time.Hour-time.Duration(i)*time.Minute),
			map[models.CallbackAnswer]uint64{{Endpoint: "Withdraw"}: 2100 + wobble/2})
	}
	s.Answered(now.Add(-time.Hour), map[models.CallbackAnswer]uint64{{Result: 404}: 12})
	s.SetClock(now.Add(-110 * time.Minute))
	s.UnknownGrant("EUR 3", 50)
	for i, rule := range []models.CaseRule{models.CaseUnknownRollback, models.CaseUnexplainedSpin, models.CaseStatement} {
		_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: rule, Key: fmt.Sprint(i), At: s.Now()}})
		require.NoError(t, err)
	}
	s.SetClock(now)
	sumUp(s)
	tab.Go(s.Base.String() + "/")
	tab.Wait(".pb-kpis")
	tab.RequireFine("overview")
	tab.Go(s.Base.String() + "/platform")
	tab.RequireFine("platform")

	// What is unfolded stays unfolded when the page refreshes itself.
	tab.Look(browsertest.View{})
	tab.Go(s.Base.String() + "/")
	tab.Click("#minutes summary")
	playRound(s, "EUR 0", "later", 100, 0, false)
	sumUp(s)
	tab.WaitText(".pb-kpis", "184,321.")
	tab.Wait("#minutes table")
	require.Empty(t, tab.Errors())
}

// TestOverviewPartsAtOnce lets the race detector watch the parts of the overview, which are read at the same time. Two of them
// look up the reader and their address.
func TestOverviewPartsAtOnce(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	farid := s.SignedIn("farid", models.Finance)
	for range 40 {
		require.Equal(t, http.StatusOK, farid.Get("/").Status)
	}
}
