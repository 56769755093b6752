package app

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
)

// at moves the site's clock to a time.
func (s *site) at(t time.Time) {
	s.t.Helper()
	s.later(t.Sub(s.Now()))
}

// player opens a player's wallet.
func (s *site) player(user models.UserID, currency models.Currency, test bool) models.Player {
	s.t.Helper()
	p, err := s.Store.CreatePlayer(s.t.Context(), models.Actor{Name: "tester"},
		models.NewPlayer{UserID: user, Currency: currency, Balance: 1_000_000_000, Test: test})
	require.NoError(s.t, err)
	return p
}

// play books a round of a player: a bet, and a win unless it is zero.
func (s *site) play(user models.UserID, round string, stake, win models.Amount, freeSpin bool) {
	s.t.Helper()
	op := models.Operation{
		Source: models.SourcePlatform, Kind: models.Bet, UserID: user, TransactionID: models.TransactionID(round + "-bet"),
		RoundID: models.RoundID(round), Bet: stake, FreeSpin: freeSpin,
	}
	result, err := s.Store.Apply(s.t.Context(), op)
	require.NoError(s.t, err)
	require.Equal(s.t, models.None, result.Decline)
	if win == 0 {
		return
	}
	op.Kind, op.TransactionID, op.Bet, op.Win, op.FreeSpin = models.Win, models.TransactionID(round+"-win"), 0, win, false
	result, err = s.Store.Apply(s.t.Context(), op)
	require.NoError(s.t, err)
	require.Equal(s.t, models.None, result.Decline)
}

func (s *site) follow() {
	s.t.Helper()
	_, err := s.Store.FollowMoney(s.t.Context())
	require.NoError(s.t, err)
	_, err = s.Store.FollowDays(s.t.Context())
	require.NoError(s.t, err)
}

// answered counts callbacks as an instance would.
func (s *site) answered(at time.Time, counts map[models.CallbackAnswer]uint64, p95 time.Duration) {
	s.t.Helper()
	n := uint64(0)
	for a, count := range counts {
		if a.Endpoint != "" {
			n += count
		}
	}
	require.NoError(s.t, s.Store.AddCallbacks(s.t.Context(), at, models.CallbackCounts{
		Answers: counts, Latencies: map[models.CallbackLatency]uint64{{Endpoint: "Withdraw", Bound: p95 * 100 / 95}: n},
	}))
}

// unknownGrant makes a grant of unknown outcome.
func (s *site) unknownGrant(user models.UserID, spins int64) {
	s.t.Helper()
	ctx := s.t.Context()
	_, err := s.Store.SyncGames(ctx, models.Actor{Name: "tester"},
		models.GameSync{At: s.Now(), Latency: 90 * time.Millisecond},
		[]models.OfferedGame{{GameID: "g1", Name: "Book of Embers"}})
	require.NoError(s.t, err)
	g, err := s.Store.RequestGrant(ctx, models.Actor{Name: "bruno"},
		models.GrantRequest{UserID: user, GameID: "g1", Spins: spins, Reason: "goodwill", Role: models.Bonus})
	require.NoError(s.t, err)
	_, err = s.Store.SendGrant(ctx, g.ID)
	require.NoError(s.t, err)
	_, err = s.Store.AnswerGrant(ctx, models.Actor{Name: "bruno"}, g.ID,
		models.GrantOutcome{State: models.GrantUnknown, Result: models.NoResult, Message: "no answer within 5.0 s"})
	require.NoError(s.t, err)
}

// text returns the text of the elements that match, with a space between any two pieces.
func text(a *answer, selector string) string {
	var words []string
	var read func(*goquery.Selection)
	read = func(s *goquery.Selection) {
		s.Contents().Each(func(_ int, node *goquery.Selection) {
			if goquery.NodeName(node) == "#text" {
				words = append(words, strings.Fields(node.Text())...)
				return
			}
			read(node)
		})
	}
	read(a.Find(selector))
	return strings.Join(words, " ")
}

func TestOverview(t *testing.T) {
	eachSite(t, func(t *testing.T, s *site) {
		now := time.Date(2026, 11, 20, 14, 42, 30, 0, time.UTC)
		s.at(now.Add(-time.Minute))
		reader := s.signedIn("ann", models.Support)

		empty := reader.get("/")
		require.Equal(t, http.StatusOK, empty.status)
		require.Contains(t, text(empty, ".pb-way"), "Register the callback address")
		require.Zero(t, empty.Find(".pb-kpis, .pb-chart, [data-live]").Length())
		require.Contains(t, text(empty, ".pb-health"), "Callbacks to us None yet")

		s.at(now.Add(-25 * time.Hour))
		s.player("anna", "EUR", false)
		s.player("bert", "EUR", false)
		s.player("deniz", "TRY", false)
		s.player("tester", "EUR", true)
		s.at(now.Add(-24 * time.Hour)) // yesterday at the same time, and later
		s.play("anna", "y1", 10000, 9000, false)
		s.at(now.Add(-23 * time.Hour))
		s.play("bert", "y2", 5000, 0, false)
		s.at(now.Add(-24*time.Hour - 30*time.Minute))
		s.play("anna", "y3", 10000, 10000, false)
		s.play("deniz", "y4", 700, 0, false)
		s.at(now.Add(-2 * time.Hour))
		s.play("anna", "t1", 20000, 18000, false)
		s.play("bert", "t2", 5000, 4500, false)
		s.play("anna", "t3", 100, 1230, true) // a free spin and what it won
		s.play("tester", "t4", 99999900, 0, false)
		s.at(now)
		s.follow()
		bet := models.CallbackAnswer{Endpoint: "Withdraw"}
		s.answered(now.Add(-3*time.Minute),
			map[models.CallbackAnswer]uint64{bet: 2412, {Endpoint: "Withdraw", Result: 6}: 40,
				{Endpoint: "Deposit", Result: 11}: 9, {Endpoint: "Withdraw", Result: models.NoAnswer}: 2}, 6*time.Millisecond)
		s.answered(now.Add(-24*time.Hour), map[models.CallbackAnswer]uint64{bet: 2000}, 5*time.Millisecond)
		s.unknownGrant("bert", 50)

		page := reader.get("/")
		require.Equal(t, http.StatusOK, page.status, page.text)
		require.Equal(t, "Friday, 20 Nov until 14:42, compared with Thursday until 14:42.", text(page, ".lede"))
		require.Equal(t, "Turnover 250.00 EUR +150.0 % from 100.00 Payout 225.00 EUR +125.0 % from 100.00 GGR 25.00 EUR "+
			"from 0.00 "+
			"RTP 90.00 % −10.00 pp from 100.00 % EUR players 2 so far on 20 Nov, 2 on 19 Nov", text(page, ".pb-kpis"),
			"yesterday's bet in the minute that is still running is not counted yet")
		require.Equal(t, "EUR 250.00 +150.0 % 225.00 25.00 90.00 % 0.00 2 TRY 0.00 −100.0 % 0.00 0.00 – 0.00 0",
			text(page, "[aria-label='By currency'] tbody"))
		require.Contains(t, text(page, ".pb-card-note"), "at the top are in EUR")
		require.Contains(t, text(page, "[aria-label='By currency'] .end"),
			"2 active players in 2 currencies, test players excluded")
		require.Contains(t, text(page, ".pb-card-note"), "1 free spin was used and won 12.30 EUR")
		require.Contains(t, text(page, ".pb-todo .risk"), "1 Grant of unknown outcome 50 spins, since 14:42")
		require.Contains(t, text(page, ".pb-health"), "Callbacks to us 2 unanswered")
		require.Contains(t, text(page, ".pb-health"), "Free-spin grants 1 unknown 1 without an answer today")
		require.Contains(t, text(page, ".pb-health"), "Games sync Done 14:42")
		require.Contains(t, text(page, "#minutes tbody"), "14:39 2,412 40 9 2 6.0 ms")
		require.Contains(t, page.Find("svg[role=img]").First().AttrOr("aria-label", ""), "at most 2,412 at 14:39")
		require.Equal(t, 3, page.Find("svg[role=img]").Length())
		requireNothingInline(t, page)

		// The overview shows a verification, and lists its faults for those who may read them.
		started := s.Now()
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, started, models.Verification{Entries: 1234}))
		require.Contains(t, text(reader.get("/"), ".pb-health"), "Ledger Unkeyed")
		require.NoError(t, s.Store.RecordVerification(t.Context(), models.System, started,
			models.Verification{Faulty: []models.WalletFaults{
				{PlayerID: 1, Faults: []string{"x"}, Total: 3}, {PlayerID: 2, Faults: []string{"y"}, Total: 1},
			}}))
		require.Contains(t, text(reader.get("/"), ".pb-health"), "Ledger 2 faults")
		require.NotContains(t, text(reader.get("/"), ".pb-todo"), "Faults in the ledger", "support does not read integrity")
		require.Contains(t, text(s.signedIn("farid", models.Finance).get("/"), ".pb-todo .risk"),
			"2 Faults in the ledger found 14:42")

		// Cases wait too, and the riskiest rule is named first even if its case is the newest.
		require.NotContains(t, text(page, ".pb-todo"), "case")
		open := func(rule models.CaseRule, key string) {
			_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: rule, Key: key, At: s.Now()}})
			require.NoError(t, err)
		}
		s.at(now.Add(-95*time.Minute - 10*time.Second))
		open(models.CaseUnknownRollback, "one")
		s.at(now)
		page = reader.get("/")
		require.Equal(t, "1 Open case Rollback of an unknown transaction, oldest 1 h 35 min", text(page, ".pb-todo .wait"))
		require.Equal(t, 1, page.Find(".pb-todo .wait[href='/cases']").Length())
		open(models.CaseUnknownRollback, "two")
		open(models.CaseNegativeBalance, "three")
		require.Contains(t, text(reader.get("/"), ".pb-todo .risk"),
			"3 Open cases Negative balance and other rules; the oldest is 1 h 35 min old")
		require.NoError(t, s.Store.DecideCase(t.Context(), models.Actor{Name: "sofia"}, 3, models.CaseExplained,
			"Paid back since."))
		require.Contains(t, text(reader.get("/"), ".pb-todo .wait"),
			"2 Open cases Rollback of an unknown transaction, oldest 1 h 35 min")

		// In Auckland today began in the middle of a UTC day, and so did yesterday.
		ann, _, err := s.Store.StaffNamed(t.Context(), "ann")
		require.NoError(t, err)
		require.NoError(t, s.Store.SetStaffProfile(t.Context(), ann.ID,
			models.Profile{Zone: "Pacific/Auckland", Theme: "system", Density: "roomy"}))
		page = reader.get("/")
		require.Contains(t, text(page, ".lede"), "Saturday, 21 Nov until 03:42")
		require.Contains(t, text(page, ".pb-kpis"), "Turnover 250.00 EUR")

		// The page refreshes its one part, and that does not count as activity.
		request := reader.request(http.MethodGet, "/", nil)
		request.Header.Set("HX-Request", "true")
		request.Header.Set("HX-Target", page.Find("[data-live]").AttrOr("id", ""))
		request.Header.Set("Pitboss-Live", "1")
		part := reader.send(request)
		require.Equal(t, http.StatusOK, part.status)
		require.Zero(t, part.Find("nav.pb-nav").Length())
		require.Equal(t, text(page, ".pb-kpis"), text(part, ".pb-kpis"))
	})
}

// TestPlatformPage shows what an administrator may see, and no secret.
func TestPlatformPage(t *testing.T) {
	client, err := platform.New(platform.Config{
		URL: "https://platform.example/api/", AgentID: "LUMEN01", APIToken: "token-that-nobody-sees",
		SecretKey:      "key-that-nobody-sees",
		UserAuthFields: map[string]string{"lobbyURL": "https://casino.example/?secret=1"},
	})
	require.NoError(t, err)
	configured := func(cfg *Config, deps *Deps) {
		deps.Platform = client
		cfg.Platform.CallbackPath = "/WalletService"
		cfg.Platform.ListenerSettings = []web.SettingInForce{
			{What: "Dialect of answers", Value: "<script>alert(1)</script>", Variable: "PITBOSS_WIRE"},
		}
	}
	eachSite(t, func(t *testing.T, s *site) {
		s.at(time.Date(2026, 11, 20, 14, 42, 30, 0, time.UTC))
		admin := s.signedIn("ann", models.Administrator)
		page := admin.get("/platform")
		require.Equal(t, http.StatusOK, page.status, page.text)
		require.Contains(t, text(page, ".pb-facts"), "Calls to the platform Active")
		require.Contains(t, text(page, ".pb-facts"), "Last callback None yet")
		require.Contains(t, text(page, "[aria-label='Our calls, 24 hours']"), "/userAuth opening a game 0 0 – Not called")

		s.player("anna", "EUR", false)
		s.unknownGrant("anna", 20)
		s.answered(s.Now().Add(-time.Hour), map[models.CallbackAnswer]uint64{
			{Endpoint: "GetBalance"}: 1200, {Endpoint: "Withdraw"}: 800, {Endpoint: "Withdraw", Result: 6}: 30,
			{Endpoint: "Withdraw", Result: 3}: 2, {Endpoint: "Deposit", Result: models.NoAnswer}: 1, {Result: 404}: 7,
			{Result: 403}: 1,
		}, 4*time.Millisecond)
		_, err = s.Store.SyncGames(t.Context(), models.System,
			models.GameSync{At: s.Now(),
				Error: `the platform's /gameList: refused with result 7, "><img src=x onerror=alert(1)>`}, nil)
		require.NoError(t, err)
		page = admin.get("/platform")
		require.Equal(t, http.StatusOK, page.status, page.text)
		calls := text(page, "[aria-label='Our calls, 24 hours'] tbody")
		require.Contains(t, calls, "/assignFreeSpin no answer within 5.0 s 0 1 – No answer")
		require.Contains(t, calls, `refused with result 7, "><img`)
		endpoints := text(page, "[aria-label='Callbacks to us, 24 hours']")
		require.Contains(t, endpoints, "GetBalance 1,200 1,200 0 0 0 0 –")
		require.Contains(t, endpoints, "Withdraw 832 800 30 0 2 0 4.0 ms")
		require.Contains(t, endpoints, "Deposit 1 0 0 0 0 1 –")
		require.Contains(t, endpoints,
			"1 request from an address that is not allowed (403), 7 requests for an unknown path (404).")
		require.Contains(t, text(page, "#go-live"), "https://wallet.casino.example/WalletService")
		settings := text(page, ".pb-settings")
		require.Contains(t, settings, "Address https://platform.example/api PITBOSS_PLATFORM_URL")
		require.Contains(t, settings, "/userAuth signs agentID, userID, gameID")
		require.Contains(t, settings, "Extra fields of /userAuth lobbyURL")
		require.Contains(t, settings, "migrations applied")
		for _, secret := range []string{"token-that-nobody-sees", "key-that-nobody-sees", "secret=1"} {
			require.NotContains(t, page.text, secret)
		}
		requireNothingInline(t, page)
		require.Zero(t, page.Find("img").Length())
	}, configured)
}

// TestDay compares with the same time on the clock, even if clocks changed overnight.
func TestDay(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for name, row := range map[string]struct {
		now          time.Time
		back         time.Duration
		began, words string
	}{
		"an ordinary day": {time.Date(2026, 11, 20, 15, 42, 59, 0, vienna), 24 * time.Hour, "2026-11-18T23:00:00Z",
			"Friday, 20 Nov until 15:42, compared with Thursday until 15:42."},
		"after the clocks went forward": {time.Date(2026, 3, 29, 12, 0, 0, 0, vienna), 23 * time.Hour, "2026-03-27T23:00:00Z",
			"Sunday, 29 Mar until 12:00, compared with Saturday until 12:00."},
		"after the clocks went back": {time.Date(2026, 10, 25, 12, 0, 0, 0, vienna), 25 * time.Hour, "2026-10-23T22:00:00Z",
			"Sunday, 25 Oct until 12:00, compared with Saturday until 12:00."},
	} {
		t.Run(name, func(t *testing.T) {
			d := pages.NewDay(row.now.UTC(), vienna)
			require.Equal(t, row.back, d.Back())
			require.Equal(t, row.began, d.BeganY.UTC().Format(time.RFC3339))
			require.Equal(t, row.words, d.Words())
		})
	}
}

// TestOverviewLooks checks the overview of a busy day and of a new installation, and the platform's page.
func TestOverviewLooks(t *testing.T) {
	t.Parallel()
	client, err := platform.New(platform.Config{URL: "https://api.gaming-platform.example", AgentID: "LUMEN01",
		APIToken: "token", SecretKey: "key"})
	require.NoError(t, err)
	s := sqliteSite(t, func(cfg *Config, deps *Deps) {
		deps.Platform = client
		cfg.Platform.CallbackPath = "/WalletService"
		cfg.Platform.ListenerSettings = []web.SettingInForce{
			{What: "Callbacks are served at", Value: "127.0.0.1:8081", Variable: "PITBOSS_CALLBACK_ADDR"},
			{What: "Dialect of answers", Value: "spec, as the specification writes answers", Variable: "PITBOSS_WIRE"},
			{What: "A callback is answered within", Value: "2.5s", Variable: "PITBOSS_CALLBACK_DEADLINE"},
		}
		cfg.Platform.StorageSettings = []web.SettingInForce{
			{What: "Database", Value: "MySQL or MariaDB", Variable: "PITBOSS_DATABASE_URL"},
		}
	})
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	now := time.Date(2026, 11, 20, 15, 42, 20, 0, vienna)
	s.at(now.Add(-5 * time.Minute))
	ann := s.hire("ann", models.Administrator)
	require.NoError(t, s.Store.SetStaffProfile(t.Context(), ann.ID,
		models.Profile{Zone: "Europe/Vienna", Theme: "system", Density: "roomy"}))
	tab := browsertest.Start(t).Open(t, browsertest.View{})
	s.signInTab(tab, "ann")
	tab.RequireFine("overview-empty")
	tab.Go(s.base.String() + "/platform")
	tab.RequireFine("platform-empty")

	stakes := map[models.Currency]models.Amount{"EUR": 184320_50, "TRY": 1402118_00, "UAH": 212750_00, "BRL": 96480_00}
	rounds := map[models.Currency]int{"EUR": 24, "TRY": 12, "UAH": 6, "BRL": 9}
	for currency, n := range rounds {
		for i := range n {
			user := models.UserID(fmt.Sprintf("%s %d", currency, i))
			s.player(user, currency, false)
			stake := stakes[currency] / models.Amount(n)
			s.at(now.Add(-30 * time.Hour))
			s.play(user, fmt.Sprintf("%s-y%d", currency, i), stake*93/100, stake*93*953/100000, false)
			s.at(now.Add(-6 * time.Hour))
			s.play(user, fmt.Sprintf("%s-t%d", currency, i), stake, stake*956/1000, false)
			s.play(user, fmt.Sprintf("%s-f%d", currency, i), 20, 1000+models.Amount(i)*700, true)
		}
	}
	for i := range 130 {
		dip := 700 * math.Exp(-math.Pow(float64(i-40)/4, 2))
		wobble := uint64(60*math.Sin(float64(i)*1.7) + 60*math.Sin(float64(i)*0.6) + 120)
		peak := math.Exp(-math.Pow(float64(i-38)/2, 2))
		s.answered(now.Add(-time.Duration(i)*time.Minute), map[models.CallbackAnswer]uint64{
			{Endpoint: "Withdraw"}: 2200 + wobble - uint64(dip), {Endpoint: "Withdraw", Result: 6}: 30 + wobble/8,
			{Endpoint: "Deposit", Result: 11}: 8 + uint64(120*peak), {Endpoint: "Withdraw", Result: 9}: uint64(12 * peak),
		}, time.Duration(5500+800*math.Sin(float64(i))+32000*peak)*time.Microsecond)
		s.answered(now.Add(-24*time.Hour-time.Duration(i)*time.Minute),
			map[models.CallbackAnswer]uint64{{Endpoint: "Withdraw"}: 2100 + wobble/2}, 5*time.Millisecond)
	}
	s.answered(now.Add(-time.Hour), map[models.CallbackAnswer]uint64{{Result: 404}: 12}, time.Millisecond)
	s.at(now.Add(-110 * time.Minute))
	s.unknownGrant("EUR 3", 50)
	for i, rule := range []models.CaseRule{models.CaseUnknownRollback, models.CaseUnexplainedSpin, models.CaseStatement} {
		_, _, err := s.Store.OpenCases(t.Context(), []models.Finding{{Rule: rule, Key: fmt.Sprint(i), At: s.Now()}})
		require.NoError(t, err)
	}
	s.at(now)
	s.follow()
	tab.Go(s.base.String() + "/")
	tab.Wait(".pb-kpis")
	tab.RequireFine("overview")
	tab.Go(s.base.String() + "/platform")
	tab.RequireFine("platform")

	// What is unfolded stays unfolded when the page refreshes itself.
	tab.Look(browsertest.View{})
	tab.Go(s.base.String() + "/")
	tab.Click("#minutes summary")
	s.play("EUR 0", "later", 100, 0, false)
	s.follow()
	tab.WaitText(".pb-kpis", "184,321.")
	tab.Wait("#minutes table")
	require.Empty(t, tab.Errors())
}
