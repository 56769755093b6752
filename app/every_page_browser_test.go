package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/pages/reports"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/cmd/testing/apptest"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// fortnight fills the site with two weeks of data for every kind of page, and returns the pages.
func fortnight(s *apptest.Site) (found []struct{ name, path string }) {
	s.T.Helper()
	ctx := s.T.Context()
	add := func(name, path string) { found = append(found, struct{ name, path string }{name, path}) }
	day := 24*time.Hour + 37*time.Minute

	// The first week: play, callbacks and a bet that nothing followed.
	s.Hire("farid", models.Finance)
	g := s.SyncedGame()
	anna := s.PlayerWithHistory("anna")
	bets, changed, poor, forged, lost := s.ManyCallbacks("anna", "c")
	s.Later(day)
	stranded := s.Transaction("3-anna")
	_, _, err := s.Store.OpenCases(ctx, []models.Finding{{
		Rule: models.CaseStatement, Key: "3-anna", At: stranded.At, PlayerID: anna.ID, Transaction: stranded.ID,
		TransactionID: stranded.TransactionID, Amount: stranded.Bet, Currency: "EUR",
		Facts: []models.CaseFact{{Label: "Difference", Value: "The platform's file does not have this transaction."}},
	}})
	require.NoError(s.T, err)
	add("case", pages.CasePath(1))
	add("cases", "/cases?state=")
	require.NoError(s.T, s.Store.OwnCase(ctx, models.Actor{Name: "farid"}, 1, "", "farid", ""))
	for i := range 3 {
		s.Later(day)
		require.NoError(s.T, s.Store.CommentCase(ctx, models.Actor{Name: "luiza-fernandes-de-albuquerque-e"}, 1,
			fmt.Sprintf("Asked the platform %d times. They look into it and answer within two working days.", i+1)))
	}

	// A correction of the bet, requested on one day and approved on another.
	mira, jonas := s.SignedIn("mira", models.Finance), s.SignedIn("jonas", models.Finance)
	asked := mira.RequestCorrection(apptest.RollbackForm("3-anna"))
	require.Equal(s.T, http.StatusOK, asked.Status)
	s.Later(day)
	require.Equal(s.T, http.StatusSeeOther, mira.SignIn("mira", apptest.Password).Status)
	require.Equal(s.T, http.StatusSeeOther, jonas.SignIn("jonas", apptest.Password).Status)
	require.Equal(s.T, http.StatusSeeOther, jonas.ApproveCorrection(pages.CorrectionPath(1)).Status)
	mira.RequestCorrection(url.Values{"kind": {"rollback"}, "transaction": {"5-anna"}, "reason": {"round-voided"},
		"text": {"Their ticket 88214."}, "reference": {"88214"}})
	require.NoError(s.T, s.Store.DecideCase(ctx, models.Actor{Name: "farid"}, 1, models.CaseAdjusted,
		"The platform voided the round, and the bet was given back."))
	for _, id := range []string{"1-anna", "3-anna", "4-anna", "7-anna", "c-1"} {
		add("transaction-"+id, pages.TransactionPath(s.Transaction(id).ID))
	}
	add("corrections", "/corrections")
	add("correction", pages.CorrectionPath(1))
	add("corrections-all", "/corrections?state=all")
	for name, c := range map[string]models.Callback{"applied": bets, "changed": changed, "poor": poor, "forged": forged,
		"lost": lost} {
		add("callback-"+name, pages.CallbackPath(c))
	}

	// The second week: grants, one of them of unknown outcome, an import, and a session.
	played := s.Grant("anna", g, 20)
	for i := range 4 {
		s.Later(day)
		s.PlayFreeSpin("anna", fmt.Sprintf("old-%d", i), models.Amount(125*(i%3)))
		s.ObserveGrant(played, models.StatusActive, int64(i+1))
	}
	unknown := s.GrantWithUnknownOutcome("anna", g, 50)
	s.SheetOfPlayers(g, 3, 5)
	campaign, bad, err := s.Bonus.Create(ctx, models.Actor{Name: "bruno"},
		bonus.Upload{FileName: "november-loyalty-level-4.csv", CampaignTerms: models.CampaignTerms{Name: "Loyalty, level 4"}, Role: models.Bonus,
			Lines: apptest.GrantLines(s.T, fmt.Sprintf("u0,%[1]s,5\nu1,%[1]s,5\nu2,%[1]s,5\n", g.GameID))})
	require.NoError(s.T, err)
	require.Empty(s.T, bad)
	_, err = s.Bonus.Run(ctx, campaign.ID, nil)
	require.NoError(s.T, err)
	session := models.GameSession{At: s.Now(), PlayerID: anna.ID, UserID: "anna", Game: g.Ref(), Language: "de",
		Reason: "The reels froze"}
	session.ID, err = s.Store.BeginGameSession(ctx, models.Actor{Name: "sofia"}, session)
	require.NoError(s.T, err)
	session.State = models.GameSessionOpened
	require.NoError(s.T, s.Store.EndGameSession(ctx, models.Actor{Name: "sofia"}, session))
	require.NoError(s.T, s.Sim.RemoveGame(s.Sim.Games()[8].GameID))
	require.NoError(s.T, s.Sim.RenameGame(s.Sim.Games()[0].GameID, "Lucky Tides"))
	s.SyncedGame()
	s.SumUpDays()
	storetest.Restrict(s.T, s.Store, "u1")

	farid := s.Browser("198.51.100.7")
	require.Equal(s.T, http.StatusSeeOther, farid.SignIn("farid", apptest.Password).Status)
	farid.Export("/transactions", export.CSV)
	kept := farid.UploadTo("/statements/new", "/statements", "platform.csv",
		"transaction_id;type;amount;status;user_id;currency\n1-anna;bet;5,00;ok;anna;EUR\n2-anna;win;12,00;ok;anna;EUR\n")
	require.Equal(s.T, http.StatusSeeOther, kept.Status, kept.Body)
	page := farid.Get(kept.Location)
	require.Equal(s.T, http.StatusOK, page.Status)
	first, last := s.Now().AddDate(0, 0, -20).Format(time.DateOnly), s.Now().Format(time.DateOnly)
	run := farid.Post("/account", "/statements/1/runs", apptest.ReadingForm(page, url.Values{"from": {first}, "to": {last}}))
	require.Equal(s.T, http.StatusSeeOther, run.Status, run.Body)
	farid.WaitUntilCompared(1)
	add("statement", "/statements/1")

	for _, path := range []string{"", "/timeline", "/transactions", "/rounds", "/callbacks", "/ledger", "/statement", "/free-spins", "/sessions", "/history"} {
		add("player"+strings.ReplaceAll(path, "/", "-"), pages.PlayerPath(anna.ID)+path)
	}
	add("grant", web.PathOf("/free-spins", played.ID))
	add("grant-unknown", web.PathOf("/free-spins", unknown.ID))
	add("import", web.PathOf("/campaigns", campaign.ID))
	add("session", web.PathOf("/sessions", session.ID))
	add("game", web.PathOf("/games", g.ID))
	add("round", pages.RoundPath(s.Transaction("1-anna").ID))
	for _, list := range []string{
		"/", "/players", "/restrictions", "/clients", "/cash-outs", "/transactions", "/rounds", "/callbacks", "/games", "/sessions", "/free-spins",
		"/campaigns", "/statements", "/reports", "/reports/compared", "/reports/players",
		"/reports/games", "/reports/liability", "/reports/funds", "/reports/ranked", "/reports/ranked?of=returns",
		"/reports/ranked/threshold?of=grants&least=1", "/reports/rates", "/reports/returns", "/audit", "/platform", "/staff", "/account", "/integrity",
		"/settings", "/settings/notices", "/settings/free-spins", "/search?q=anna",
	} {
		add("list"+strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(list), list)
	}
	add("audit-event", "/audit/1")
	everyState(s, g, anna, add)
	return found
}

// everyState adds things in states that two weeks of work do not lead to, and their pages.
func everyState(s *apptest.Site, g models.Game, anna models.Player, add func(name, path string)) {
	s.T.Helper()
	ctx, sofia := s.T.Context(), models.Actor{Name: "sofia", Address: "2001:db8:1234:5678:9abc:def0:1234:5678"}
	hostile := s.PlayerWithHistory(apptest.HostileName)
	storetest.Restrict(s.T, s.Store, hostile.UserID)
	long := s.PlayerWithBalance(models.UserID(strings.Repeat("w", 200)), 0)
	add("player-restricted", pages.PlayerPath(hostile.ID))
	add("player-long", pages.PlayerPath(long.ID))
	s.LargeCashOut("anna", "payout-1", 100)
	add("cash-out", pages.CashOutPath(s.LargeCashOut("anna", "payout-2", 200)))
	add("restriction", pages.RestrictionPath(1))
	add("restriction-new", "/restrictions/new?"+pages.PlayerOf(anna.ID))
	add("freeze", "/restrictions/freeze")
	client, _ := storetest.APIClient(s.T, s.Store, models.APITerms{Name: "cashier", Networks: "192.0.2.0/24"})
	for _, path := range []string{"", "/terms", "/secret", "/revocation"} {
		add("client"+strings.ReplaceAll(path, "/", "-"), pages.APIClientPath(client.ID)+path)
	}
	add("client-new", "/clients/new")
	for _, query := range []string{"/transactions?player=anna&bet-from=1&with=money", "/transactions?bet-from=much",
		"/transactions?player=nobody", "/rounds?state=open&age=2h", "/games?q=nothing", "/search?q=10", "/staff?role=finance",
		"/search?q=" + strings.Repeat("W", 128), "/cases?state=all", "/cases/closing?rule=11", "/cases/closing",
		"/callbacks?player=nobody", "/audit?who=nobody", "/reports?currency=USD", "/reports/games?test=with",
		"/campaigns/new?player=anna&game=" + string(g.GameID) + "&spins=20", "/help/operating", "/help/support", "/help?q=key",
		"/packs/new?reference=1&" + pages.PlayerOf(anna.ID)} {
		add("query"+strings.NewReplacer("/", "-", "?", "-").Replace(query)[:min(len(query), 40)], query)
	}
	for _, rule := range models.CaseRules {
		_, _, err := s.Store.OpenCases(ctx, []models.Finding{{Rule: rule, Key: "k", At: s.Now(), PlayerID: anna.ID, Amount: 120,
			Currency: "EUR"}})
		require.NoError(s.T, err)
	}
	require.NoError(s.T, s.Store.DecideCase(ctx, sofia, 2, models.CaseWrittenOff, "Nobody can say any more."))
	add("case-closed", pages.CasePath(2))
	complaint, err := s.Store.OpenComplaint(ctx, sofia, models.NewComplaint{PlayerID: anna.ID, Reference: "ADR-7",
		Due: s.Now().Add(50 * time.Hour), Text: "She never saw the win of 12.50."})
	require.NoError(s.T, err)
	add("complaint", pages.CasePath(complaint))
	add("callback-left-out", pages.CallbackPath(s.LogCallback(models.Callback{Verdict: models.VerdictLeftOut, LeftOut: 12345})))

	campaign, bad, err := s.Bonus.Create(ctx, models.Actor{Name: "bruno"}, bonus.Upload{FileName: "waits.csv", CampaignTerms: models.CampaignTerms{Name: "Loyalty"},
		Role: models.Bonus, Lines: apptest.GrantLines(s.T, fmt.Sprintf("u2,%s,7\n", g.GameID))})
	require.NoError(s.T, err)
	require.Empty(s.T, bad)
	add("import-running", web.PathOf("/campaigns", campaign.ID))
	add("import-stop", web.PathOf("/campaigns", campaign.ID)+"/stop")
	require.NoError(s.T, s.Sim.SetMood("assignFreeSpin=refused(2 no such game):1"))
	add("grant-refused", web.PathOf("/free-spins", s.Grant("u0", g, 1).ID))

	faults := []string{"entry 4 is missing", "entry 5: its hash does not match its contents and the line before it"}
	require.NoError(s.T, s.Store.RecordVerification(ctx, sofia, s.Now(), models.Verification{Wallets: 1204, Entries: 128406,
		Faulty: []models.WalletFaults{{PlayerID: hostile.ID, UserID: hostile.UserID, Faults: faults, Total: 14},
			{PlayerID: 77777, Faults: []string{"the wallet's row is gone"}, Total: 1}},
		Audit: models.ChainFaults{Faults: []string{"event 14 is missing"}, Total: 2}}))
	add("verification-faults", pages.VerificationPath(1))
	running, err := s.Store.RequestVerification(ctx, sofia)
	require.NoError(s.T, err)
	_, err = s.Store.BeginJob(ctx, models.VerificationJobs, running)
	require.NoError(s.T, err)
	require.NoError(s.T, s.Store.NoteVerification(ctx, running, 3, 5))
	add("verification-running", pages.VerificationPath(running))
	day := models.DayOf(s.Now().AddDate(0, 0, -3), time.UTC)
	add("day", reports.DayPath(day))
	add("audit-day", "/audit?casino-day="+string(day))
	ann := s.Hire("ann", models.Administrator)
	for _, path := range []string{"", "/role", "/disable", "/password", "/second-factor"} {
		add("staff-member"+strings.ReplaceAll(path, "/", "-"), staff.StaffPath(ann.ID)+path)
	}
}

// opener opens pages in tabs of readers with every role.
type opener struct {
	s      *apptest.Site
	chrome *browsertest.Browser
	tabs   map[models.Role]*browsertest.Tab
	http   map[models.Role]*apptest.Browser
}

func newOpener(t *testing.T, s *apptest.Site) *opener {
	return &opener{s, browsertest.Start(t), map[models.Role]*browsertest.Tab{}, map[models.Role]*apptest.Browser{}}
}

// open opens the page at path as the first role that may read it. It returns nil if the answer is not a page.
func (o *opener) open(t *testing.T, path string) *browsertest.Tab {
	t.Helper()
	for _, role := range models.Roles {
		username := "reader-" + string(role)
		if o.tabs[role] == nil {
			o.http[role] = o.s.SignedIn(username, role)
			o.tabs[role] = o.chrome.Open(t, browsertest.View{})
			o.s.SignInTab(o.tabs[role], username)
		}
		answer := o.http[role].Get(path)
		if answer.Status == http.StatusForbidden {
			continue
		}
		found := answer.Status == http.StatusSeeOther && strings.HasPrefix(path, "/search?") // the only match is shown at once
		if !found && (answer.Status != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html")) {
			return nil
		}
		o.tabs[role].Go(o.s.Base.String() + path)
		return o.tabs[role]
	}
	t.Errorf("nobody may read %s", path)
	return nil
}

// TestEveryPageIsFine checks the pages of a new site, and all pages after two weeks that left something of every kind and a
// year in which nothing happened. The short form checks one page of each kind after that year; the long form all, in both
// themes and at both widths.
func TestEveryPageIsFine(t *testing.T) {
	t.Parallel()
	t.Run("new", func(t *testing.T) {
		if storetest.Scaled(0, 1) == 0 {
			return
		}
		t.Parallel()
		s := apptest.SqliteSite(t)
		pages := newOpener(t, s)
		checked := 0
		for _, r := range s.Routes() {
			if r.Method != web.Get || strings.Contains(r.Path, ":") || r.Needs == web.HealthCheck || r.Needs == web.Public ||
				r.Path == "/search/matches" { // a part of a page
				continue
			}
			if tab := pages.open(t, r.Path); tab != nil {
				tab.RequireFine("new" + strings.ReplaceAll(r.Path, "/", "-"))
				checked++
			}
		}
		require.Greater(t, checked, 40)
	})
	t.Run("old", func(t *testing.T) {
		t.Parallel()
		s := apptest.SqliteSite(t)
		all := fortnight(s)
		s.Later(400 * 24 * time.Hour)
		pages, kinds := newOpener(t, s), map[string]int{}
		for _, page := range all {
			path, _, _ := strings.Cut(page.path, "?")
			kind := numerals.ReplaceAllString(path, "N")
			if kinds[kind]++; kinds[kind] > storetest.Scaled(1, len(all)) {
				continue
			}
			tab := pages.open(t, page.path)
			if tab == nil {
				t.Errorf("%s is not shown", page.path)
				continue
			}
			tab.RequireFine("old-" + page.name)
		}
		require.Greater(t, len(kinds), 70)
	})
}
