package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/callbacks/wire"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
)

// workday is the demo with three weeks behind it, on MariaDB, and its staff at their desks.
type workday struct {
	*living
	tabs map[string]*browsertest.Tab
}

func newWorkday(t *testing.T, size demo.Size) *workday {
	t.Helper()
	url := storetest.URL(t, storetest.MariaDB)
	_, platform := playedPast(t, url, size)
	outside := httptest.NewUnstartedServer(nil)
	dir := t.TempDir()
	server := boot(t, environment(url, "PITBOSS_PLATFORM_URL=http://"+outside.Listener.Addr().String(),
		"PITBOSS_THUMBNAIL_HOSTS="+outside.Listener.Addr().String(),
		"PITBOSS_CHECKPOINT_DIR="+filepath.Join(dir, "checkpoints"), "PITBOSS_DECIMAL_COMMA=on"))
	platform.CallbackURL = server.CallbackURL()
	sim, err := simulator.New(platform)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	outside.Config.Handler = sim.Handler()
	outside.Start()
	t.Cleanup(outside.Close)
	w := &workday{&living{t, server, open(t, url), sim, browsertest.Start(t)}, map[string]*browsertest.Tab{}}
	for _, member := range demo.Staff {
		tab := w.browser.Open(t, browsertest.View{})
		w.signIn(tab, member.Username)
		tab.Wait("#now")
		w.tabs[member.Username] = tab
	}
	return w
}

// goes opens a page for a member of staff.
func (w *workday) goes(username, path string) *browsertest.Tab {
	w.Helper()
	tab := w.tabs[username]
	tab.Go(w.server.AdminURL() + path)
	return tab
}

// sends has the platform send a callback, and returns its result.
func (w *workday) sends(e wire.Endpoint, r wire.Request) int {
	w.Helper()
	defer func() { require.NoError(w, w.server.callbacks.FlushLog(w.Context())) }()
	return call(w.T, w.server.CallbackURL(), e, r)
}

// player returns the address of a player's page.
func (w *workday) player(user models.UserID) string {
	w.Helper()
	p, found, err := w.store.Player(w.Context(), user)
	require.NoError(w, err)
	require.True(w, found)
	return fmt.Sprint("/players/", p.ID)
}

// TestWorkdayJourneys does in a browser what each role does in a day: one job after the other, in one casino.
func TestWorkdayJourneys(t *testing.T) {
	alongside(t)
	if os.Getenv("PITBOSS_PICTURES") != "" { // make pictures
		newWorkday(t, demo.Casino).pictures(true)
		return
	}
	w := newWorkday(t, smallPast)
	w.pictures(false)
	for _, job := range []struct {
		name string
		do   func(*workday)
	}{
		{"start pages lead to the work", (*workday).startPages},
		{"one search finds everything", (*workday).search},
		{"why a bet was refused", (*workday).refusedBet},
		{"states of rounds and stakes in play", (*workday).roundStates},
		{"a test session streams its callbacks", (*workday).testSession},
		{"net of today is about play", (*workday).netToday},
		{"limits are changed by two and exceeded with an approval", (*workday).limits},
		{"a campaign is corrected in the file", (*workday).correctedCampaign},
		{"the back button leads to pages", (*workday).back},
		{"a grant of unknown outcome is resolved", (*workday).unknownGrant},
		{"pictures and availability of games", (*workday).games},
		{"times of old events overlap nothing", (*workday).oldTimes},
		{"history reads as sentences", (*workday).history},
		{"filters refuse what they do not know", (*workday).filters},
		{"queues are worked through with keys", (*workday).queues},
		{"a dispute pack is made from a complaint", (*workday).pack},
		{"amounts with a comma", (*workday).amounts},
		{"compliance proves the ledger", (*workday).proof},
	} {
		t.Log(job.name)
		job.do(w)
	}
	for username, tab := range w.tabs {
		require.Empty(t, tab.Errors(), username)
	}
	requireWhole(t, w.store)
}

func (w *workday) startPages() {
	for _, member := range demo.Staff {
		w.goes(member.Username, "/").RequireFine("start-" + string(member.Role))
	}
	farid := w.tabs["farid"]
	farid.Follow(".pb-todo a[href='/corrections']")
	farid.WaitText("tbody", "chiara")
	w.goes("farid", "/statements").Follow("tbody tr:has(.badge.wait) a[href^='/statements/']")
	farid.WaitText("h1", "difference")
	w.goes("farid", "/").Follow(".pb-todo a[href^='/reports/days/']")
	farid.Wait("#f-note")
}

func (w *workday) search() {
	tab := w.goes("sofia", "/")
	tab.Fill("[data-jump]", "BRIE")
	tab.WaitText("#jump-list [role=option]", "gabriela")
	tab.Fill("[data-jump]", "hugo")
	tab.WaitText("#jump-list [role=option]", "hugo")
	tab.Press(kb.Enter)
	tab.WaitText("h1", "hugo")
}

func (w *workday) refusedBet() {
	const id = "refused-1a2b3c4d5e6f"
	bet := wire.Request{UserID: "ines", Amount: "90000.00", TransactionID: id, RoundID: "refused-round"}
	require.NotZero(w, w.sends(wire.Withdraw, bet))
	tab := w.goes("sofia", w.player("ines"))
	tab.WaitText("section[aria-label='Latest transactions']", "Refused: balance")
	tab.WaitText("main", "needed 90,000.00, had")
	tab.Go(w.server.AdminURL() + "/search?q=" + id)
	tab.WaitText("#answer", "For the player")
	require.Contains(w, tab.Value("#answer textarea"), "was not accepted, because your balance was")
	tab.Go(w.server.AdminURL() + "/callbacks?result=bets&id=" + id)
	tab.WaitText("tbody", "ines")
}

func (w *workday) roundStates() {
	require.Zero(w, w.sends(wire.Withdraw,
		wire.Request{UserID: "jan", Amount: "12.50", TransactionID: "states-1", RoundID: "states-round"}))
	tab := w.goes("farid", "/rounds?player=jan")
	tab.WaitText("tbody", "In play")
	tab.Go(w.server.AdminURL() + "/rounds?state=interrupted")
	tab.Follow("tbody .c-what a")
	tab.WaitText("h1", "Interrupted")
	tab.Go(w.server.AdminURL() + "/")
	tab.Wait("[aria-label='By currency']")
	tab.Go(w.server.AdminURL() + "/reports/liability")
	tab.WaitText("[aria-label=Liability] tbody", "Stakes in play")
}

func (w *workday) testSession() {
	game := w.sim.Games()[0]
	tab := w.goes("sofia", "/games?q="+game.GameID)
	tab.Follow("tbody .c-what a")
	tab.Follow(".pb-actions .btn-primary")
	tab.Fill("#f-player", "test-eur")
	table := tab.FollowAway(".pb-form .btn-primary")
	table.WaitText("h1", game.GameName)
	tab.Wait("#stream")
	require.Contains(w, tab.Address(), "/sessions/", "the tab that launched the game is the session's page")
	table.Choose("select[name=round]", "losing spin")
	table.Follow("form button")
	tab.WaitText("#stream tbody", "−2.50")
}

func (w *workday) netToday() {
	_, err := w.store.CreatePlayer(w.Context(), models.System, models.NewPlayer{UserID: "newcomer", Currency: "EUR", Test: true,
		Balance: 10000})
	require.NoError(w, err)
	require.Zero(w, w.sends(wire.BetWin, wire.Request{UserID: "newcomer", BetAmount: "5.00", WinAmount: "2.00",
		TransactionID: "net-1", RoundID: "net-round"}))
	w.goes("sofia", w.player("newcomer")).WaitText(".pb-facts", "not counted: opening balance +100.00")
	require.Contains(w, w.tabs["sofia"].Text(".pb-facts"), "−3.00")
}

func (w *workday) limits() {
	game := w.sim.Games()[0].GameID
	bruno := w.goes("bruno", "/campaigns/new?player=hugo&game="+game)
	bruno.Fill("#f-spins", "60")
	bruno.Fill("#f-name", "A birthday")
	bruno.Follow(".pb-form .btn-primary")
	bruno.WaitText("#over-limit", "Your limit is 50 spins in one grant.")
	bruno.WaitText(".action", "Request approval to grant 60 spins")
	bruno.Follow(".pb-confirm .btn-primary")
	campaign := bruno.Address()

	farid := w.goes("farid", "/")
	require.Contains(w, farid.Text(".pb-todo"), "to approve")
	farid.Go(campaign)
	farid.WaitText(".action", "60 spins in 1 grant")
	farid.Follow(".pb-confirm .btn-primary")
	farid.WaitText(".pb-flash", "The campaign is approved")
	farid.WaitText("#lines", "hugo")

	ada := w.goes("ada", "/settings/free-spins")
	ada.Fill("#f-grant", "80")
	ada.Fill("#f-reason", "The summer campaign")
	ada.Follow(".pb-form .btn-primary")
	adam := w.tabs["adam"]
	adam.Go(ada.Address())
	adam.WaitText(".pb-ba", "80")
	adam.Follow(".pb-form-foot .btn-primary")
	adam.WaitText(".pb-flash", "The change is in effect")

	bruno.Go(w.server.AdminURL() + "/campaigns/new?player=jan&game=" + game)
	bruno.Fill("#f-spins", "60")
	bruno.Fill("#f-name", "A birthday")
	bruno.Follow(".pb-form .btn-primary")
	bruno.WaitText(".action", "60 spins")
}

func (w *workday) correctedCampaign() {
	game := w.sim.Games()[5].GameID
	tab := w.goes("bruno", "/campaigns/new")
	paste := func(lines string) {
		tab.Fill("#f-paste", fmt.Sprintf("player;game;spins\n"+lines, game))
		tab.Fill("#f-name", "Loyalty")
		tab.Follow(".pb-form .btn-primary")
	}
	paste("anna;%[1]s;5\nbertodl;%[1]s;5\njan;%[1]s;many\n")
	tab.WaitText("h1", "2 lines have errors")
	tab.Go(w.server.AdminURL() + "/campaigns/new")
	paste("anna;%[1]s;5\nbertold;%[1]s;5\n")
	tab.Follow(".pb-confirm .btn-primary")
	tab.WaitText("#progress", "2of 2 lines")
}

func (w *workday) back() {
	tab := w.goes("bruno", "/campaigns/new?player=jan&game="+w.sim.Games()[5].GameID)
	tab.Fill("#f-spins", "3")
	tab.Fill("#f-name", "Goodwill")
	tab.Follow(".pb-form .btn-primary")
	tab.Wait(".pb-confirm")
	tab.Follow(".pb-confirm .btn-primary")
	tab.WaitText("h1", "Goodwill")
	tab.Back()
	tab.WaitText("h1", "Confirm: Goodwill")
	require.Contains(w, tab.Text(".pb-note"), "Exactly these lines were granted before")
}

func (w *workday) unknownGrant() {
	tab := w.goes("bruno", "/free-spins?state=waiting")
	tab.Follow("tbody a[href^='/free-spins/']")
	tab.Wait("[aria-label=Decide]")
	require.Empty(w, tab.Attribute("input[name=found]:checked", "value"), "no outcome is chosen beforehand")
	tab.Fill("#f-note", "Ticket 88213")
	tab.Follow("[aria-label=Decide] .btn-primary")
	tab.Wait("#found-wrong")
	tab.Click("#found-2")
	tab.Follow("[aria-label=Decide] .btn-primary")
	tab.WaitText(".pb-note", "It was not granted")
}

func (w *workday) games() {
	tab := w.goes("bruno", "/games")
	tab.WaitPicture("tbody .pb-thumb img")
	tab.Follow("tbody tr:has(.pb-thumb img) .c-what a") // the platform has no picture of some games
	tab.WaitPicture(".pb-game-head img")
	tab.Follow("[aria-label=Availability] .end a")
	tab.WaitText("h1", "Availability of games")
}

func (w *workday) oldTimes() {
	cases, err := w.store.Cases(w.Context(), models.CaseFilter{Span: models.Span{Limit: 1}, State: models.CaseExplained})
	require.NoError(w, err)
	require.NotEmpty(w, cases.Rows)
	tab := w.tabs["farid"]
	for _, path := range []string{fmt.Sprint("/cases/", cases.Rows[0].ID), "/transactions/1", "/free-spins/1", w.player("anna")} {
		tab.Go(w.server.AdminURL() + path)
		require.Empty(w, tab.Overlaps(), path)
	}
}

func (w *workday) history() {
	tab := w.goes("chloe", "/free-spins?player=hugo")
	tab.Follow("tbody .c-what a")
	tab.WaitText(".pb-trail", "60 spins on "+w.sim.Games()[0].GameID+" for hugo")
}

func (w *workday) filters() {
	tab := w.goes("chloe", "/transactions?state=opn")
	tab.WaitText("main", "opn")
	tab.Go(w.server.AdminURL() + "/transactions")
	tab.Click(".pb-dates summary")
	tab.Follow(".pb-quick a:nth-child(3)")
	tab.WaitText(".pb-chip", "Yesterday")
	future := time.Now().AddDate(1, 0, 0).Format(time.DateOnly)
	tab.Go(w.server.AdminURL() + "/transactions?from=" + future + "&until=" + future)
	tab.WaitText(".pb-empty", "No transactions match these filters")
}

func (w *workday) queues() {
	tab := w.goes("farid", "/cases")
	tab.Follow("tbody .c-what a")
	first := tab.Address()
	tab.Press("j")
	tab.Wait(fmt.Sprintf("#main:not(:has([action=%q]))", strings.TrimPrefix(strings.Split(first, "?")[0], w.server.AdminURL())+
		"/comments"))
	tab.Press("a")
	tab.Wait("#f-assignee:focus")
	tab.Choose("#f-assignee", "mira")
	tab.Follow("form:has(#f-assignee) .btn")
	tab.WaitText("main", "Case handed over: mira")
}

func (w *workday) pack() {
	tab := w.goes("sofia", "/cases/new?player=anna")
	tab.Fill("#f-reference", "ADR-2026-9")
	tab.Choose("#f-due", time.Now().AddDate(0, 0, 14).Format(time.DateOnly))
	tab.Fill("#f-text", "I won and never saw it.")
	tab.Follow(".pb-form .btn-primary")
	tab.WaitText("h1", "Complaint")
	chloe := w.tabs["chloe"]
	chloe.Go(tab.Address())
	chloe.Follow("a[href^='/packs/new?player-number=']")
	require.Equal(w, "ADR-2026-9", chloe.Value("#f-reference"))
}

func (w *workday) amounts() {
	tab := w.goes("mira", "/corrections/new?kind=credit&player=jan")
	tab.Fill("#f-amount", "10,50")
	tab.Choose("#f-reason", "goodwill")
	tab.Fill("#f-text", "As agreed.")
	tab.Follow(".pb-form .btn-primary")
	tab.WaitText(".action", "10.50\u00a0EUR")
}

func (w *workday) proof() {
	tab := w.goes("chloe", "/integrity")
	tab.Follow(`form[action="/integrity/checkpoints"] button`)
	w.goes("chloe", "/integrity").Follow(`form[action="/integrity/verifications"] button`)
	asked, err := w.store.VerificationRuns(w.Context(), models.Span{Limit: 1})
	require.NoError(w, err)
	tab.Go(fmt.Sprint(w.server.AdminURL(), "/integrity/verifications/", asked.Rows[0].ID))
	tab.WaitText(".badge", "No faults")
	for name, path := range map[string]string{"reports": "/reports", "cases": "/cases", "liability": "/reports/liability"} {
		w.goes("chloe", path).RequireFine("demo-" + name)
	}
}
