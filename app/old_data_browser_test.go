package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/apptest"
	"pitboss/app/bonus"
	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/web"
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
	add("cases", "/cases?state=&age=")
	require.NoError(s.T, s.Store.OwnCase(ctx, models.Actor{Name: "farid"}, 1, "", "farid"))
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
	add("corrections-all", "/corrections/all?state=")
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
	imp, bad, err := s.Bonus.Create(ctx, models.Actor{Name: "bruno"},
		bonus.Upload{FileName: "november-loyalty-level-4.csv", Reason: "Loyalty, level 4", Role: models.Bonus,
			Lines: apptest.GrantLines(s.T, fmt.Sprintf("u0,%[1]s,5\nu1,%[1]s,5\nu2,%[1]s,5\n", g.GameID))})
	require.NoError(s.T, err)
	require.Empty(s.T, bad)
	_, err = s.Bonus.Run(ctx, imp.ID, nil)
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
	require.NoError(s.T, s.Store.SetBlocked(ctx, models.Actor{Name: "sofia"}, "u1", true,
		"Asked to be kept out until January."))

	farid := s.Browser("198.51.100.7")
	require.Equal(s.T, http.StatusSeeOther, farid.SignIn("farid", apptest.Password).Status)
	farid.RequestExport("/transactions", models.CSV)
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
	add("statements-lines", "/statements/1/lines")

	for _, path := range []string{"", "/ledger", "/free-spins", "/sessions", "/history"} {
		add("player"+strings.ReplaceAll(path, "/", "-"), pages.PlayerPath(anna.ID)+path)
	}
	add("grant", web.PathOf("/free-spins", played.ID))
	add("grant-unknown", web.PathOf("/free-spins", unknown.ID))
	add("import", web.PathOf("/free-spins/imports", imp.ID))
	add("session", web.PathOf("/sessions", session.ID))
	add("game", web.PathOf("/games", g.ID))
	add("round", pages.RoundPath(s.Transaction("1-anna").ID))
	for _, list := range []string{
		"/", "/players", "/transactions", "/rounds", "/callbacks", "/games", "/games/syncs", "/sessions", "/free-spins",
		"/free-spins/imports", "/statements", "/reports", "/reports/players",
		"/reports/games", "/reports/liability", "/exports", "/audit", "/platform", "/staff", "/account", "/integrity",
		"/settings", "/settings/notices", "/search?q=anna",
	} {
		add("list"+strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(list), list)
	}
	add("audit-event", "/audit/1")
	return found
}

// TestTimesNeverOverlapOtherText measures the text of every page with data that is days old, and more than a year old.
func TestTimesNeverOverlapOtherText(t *testing.T) {
	t.Parallel()
	s := apptest.SqliteSite(t)
	all := fortnight(s)
	browser := browsertest.Start(t)
	for _, age := range []struct {
		name string
		more time.Duration
	}{{"days", 2 * 24 * time.Hour}, {"year", 400 * 24 * time.Hour}} {
		s.Later(age.more)
		var elsewhere []struct{ name, path string }
		for _, role := range []models.Role{models.Finance, models.Administrator} {
			shown := all
			if role == models.Administrator {
				shown = elsewhere
			}
			username := string(role) + "-" + age.name
			s.Hire(username, role)
			tab := browser.Open(t, browsertest.View{})
			s.SignInTab(tab, username)
			for _, page := range shown {
				tab.Go(s.Base.String() + page.path)
				if refused := tab.Attribute(".pb-error", "class") != ""; refused && role == models.Finance {
					elsewhere = append(elsewhere, page) // the administrator's turn
					continue
				} else if refused {
					t.Errorf("%s is not shown: %s", page.path, tab.Text("main"))
				}
				for _, view := range []browsertest.View{{Width: browsertest.Desk}, {Width: browsertest.Phone}} {
					tab.Look(view)
					name := fmt.Sprintf("%s-%s-%d", age.name, page.name, view.Width)
					tab.Screenshot(name)
					for _, o := range tab.Overlaps() {
						t.Errorf("%s %s: %s", name, page.path, o)
					}
					if over := tab.Overflow(); over > 0 {
						t.Errorf("%s is %d px wider than its window", name, over)
					}
				}
			}
		}
	}
}
