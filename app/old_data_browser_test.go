package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/bonus"
	"pitboss/app/browsertest"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// fortnight fills the site with two weeks of data for every kind of page, and returns the pages.
func (s *site) fortnight() (found []struct{ name, path string }) {
	s.t.Helper()
	ctx := s.t.Context()
	add := func(name, path string) { found = append(found, struct{ name, path string }{name, path}) }
	day := 24*time.Hour + 37*time.Minute

	// The first week: play, callbacks and a bet that nothing followed.
	s.hire("farid", models.Finance)
	g := s.offer()
	anna := s.story("anna")
	bets, changed, poor, forged, lost := s.calls("anna", "c")
	s.later(day)
	stranded := s.transaction("3-anna")
	_, _, err := s.Store.OpenCases(ctx, []models.Finding{{
		Rule: models.CaseStatement, Key: "3-anna", At: stranded.At, PlayerID: anna.ID, Transaction: stranded.ID,
		TransactionID: stranded.TransactionID, Amount: stranded.Bet, Currency: "EUR",
		Facts: []models.CaseFact{{Label: "Difference", Value: "The platform's file does not have this transaction."}},
	}})
	require.NoError(s.t, err)
	add("case", pages.CasePath(1))
	add("cases", "/cases?state=&age=")
	require.NoError(s.t, s.Store.OwnCase(ctx, models.Actor{Name: "farid"}, 1, "", "farid"))
	for i := range 3 {
		s.later(day)
		require.NoError(s.t, s.Store.CommentCase(ctx, models.Actor{Name: "luiza-fernandes-de-albuquerque-e"}, 1,
			fmt.Sprintf("Asked the platform %d times. They look into it and answer within two working days.", i+1)))
	}

	// A correction of the bet, requested on one day and approved on another.
	mira, jonas := s.signedIn("mira", models.Finance), s.signedIn("jonas", models.Finance)
	asked := mira.asks(rollbackForm("3-anna"))
	require.Equal(s.t, http.StatusOK, asked.status)
	s.later(day)
	require.Equal(s.t, http.StatusSeeOther, mira.signIn("mira", password).status)
	require.Equal(s.t, http.StatusSeeOther, jonas.signIn("jonas", password).status)
	require.Equal(s.t, http.StatusSeeOther, jonas.approves(pages.CorrectionPath(1)).status)
	mira.asks(url.Values{"kind": {"rollback"}, "transaction": {"5-anna"}, "reason": {"round-voided"},
		"text": {"Their ticket 88214."}, "reference": {"88214"}})
	require.NoError(s.t, s.Store.DecideCase(ctx, models.Actor{Name: "farid"}, 1, models.CaseAdjusted,
		"The platform voided the round, and the bet was given back."))
	for _, id := range []string{"1-anna", "3-anna", "4-anna", "7-anna", "c-1"} {
		add("transaction-"+id, pages.TransactionPath(s.transaction(id).ID))
	}
	add("corrections", "/corrections")
	add("correction", pages.CorrectionPath(1))
	add("corrections-all", "/corrections/all?state=")
	for name, c := range map[string]models.Callback{"applied": bets, "changed": changed, "poor": poor, "forged": forged,
		"lost": lost} {
		add("callback-"+name, pages.CallbackPath(c))
	}

	// The second week: grants, one of them of unknown outcome, an import, and a session.
	played := s.granted("anna", g, 20)
	for i := range 4 {
		s.later(day)
		s.spin("anna", fmt.Sprintf("old-%d", i), models.Amount(125*(i%3)))
		s.observe(played, models.StatusActive, int64(i+1))
	}
	unknown := s.unknown("anna", g, 50)
	s.crowd(g, 3, 5)
	imp, bad, err := s.Bonus.Create(ctx, models.Actor{Name: "bruno"},
		bonus.Upload{FileName: "november-loyalty-level-4.csv", Reason: "Loyalty, level 4", Role: models.Bonus,
			Lines: sheet(s.t, fmt.Sprintf("u0,%[1]s,5\nu1,%[1]s,5\nu2,%[1]s,5\n", g.GameID))})
	require.NoError(s.t, err)
	require.Empty(s.t, bad)
	_, err = s.Bonus.Run(ctx, imp.ID, nil)
	require.NoError(s.t, err)
	session := models.GameSession{At: s.Now(), PlayerID: anna.ID, UserID: "anna", Game: g.Ref(), Language: "de",
		Reason: "The reels froze"}
	session.ID, err = s.Store.BeginGameSession(ctx, models.Actor{Name: "sofia"}, session)
	require.NoError(s.t, err)
	session.State = models.GameSessionOpened
	require.NoError(s.t, s.Store.EndGameSession(ctx, models.Actor{Name: "sofia"}, session))
	require.NoError(s.t, s.sim.RemoveGame(s.sim.Games()[8].GameID))
	require.NoError(s.t, s.sim.RenameGame(s.sim.Games()[0].GameID, "Lucky Tides"))
	s.offer()
	s.sumUpDays()
	require.NoError(s.t, s.Store.SetBlocked(ctx, models.Actor{Name: "sofia"}, "u1", true,
		"Asked to be kept out until January."))

	farid := s.browser("198.51.100.7")
	require.Equal(s.t, http.StatusSeeOther, farid.signIn("farid", password).status)
	farid.askFor("/transactions", models.CSV)
	kept := farid.uploadTo("/statements/new", "/statements", "platform.csv",
		"transaction_id;type;amount;status;user_id;currency\n1-anna;bet;5,00;ok;anna;EUR\n2-anna;win;12,00;ok;anna;EUR\n")
	require.Equal(s.t, http.StatusSeeOther, kept.status, kept.text)
	page := farid.get(kept.location)
	require.Equal(s.t, http.StatusOK, page.status)
	first, last := s.Now().AddDate(0, 0, -20).Format(time.DateOnly), s.Now().Format(time.DateOnly)
	run := farid.post("/account", "/statements/1/runs", reading(page, url.Values{"from": {first}, "to": {last}}))
	require.Equal(s.t, http.StatusSeeOther, run.status, run.text)
	farid.compared(1)
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
	add("round", pages.RoundPath(s.transaction("1-anna").ID))
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
	s := sqliteSite(t)
	all := s.fortnight()
	browser := browsertest.Start(t)
	for _, age := range []struct {
		name string
		more time.Duration
	}{{"days", 2 * 24 * time.Hour}, {"year", 400 * 24 * time.Hour}} {
		s.later(age.more)
		var elsewhere []struct{ name, path string }
		for _, role := range []models.Role{models.Finance, models.Administrator} {
			shown := all
			if role == models.Administrator {
				shown = elsewhere
			}
			username := string(role) + "-" + age.name
			s.hire(username, role)
			tab := browser.Open(t, browsertest.View{})
			s.signInTab(tab, username)
			for _, page := range shown {
				tab.Go(s.base.String() + page.path)
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
