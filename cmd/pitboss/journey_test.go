package main

import (
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"pitboss/app/gamesession"
	"pitboss/callbacks/simulator"
	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/testing/browsertest"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// living is the whole system: the server on MariaDB, the simulated platform, and a browser.
type living struct {
	*testing.T
	server  *Server
	store   *store.Store
	sim     *simulator.Simulator
	browser *browsertest.Browser
}

func newLiving(t *testing.T, more ...string) *living {
	t.Helper()
	url := storetest.URL(t, storetest.MariaDB)
	platform := httptest.NewUnstartedServer(nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	platform.Listener = listener
	server := boot(t, environment(url, append(more, "PITBOSS_PLATFORM_URL=http://"+listener.Addr().String())...))
	sim, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
		CallbackURL: server.CallbackURL(), Games: 60})
	require.NoError(t, err)
	platform.Config.Handler = sim.Handler()
	platform.Start()
	t.Cleanup(platform.Close)
	require.NoError(t, demo.CreateStaff(t.Context(), server.store))
	s := open(t, url)
	for _, p := range []models.NewPlayer{
		{UserID: "anna", Currency: "EUR", Balance: 10000}, {UserID: "test-eur", Currency: "EUR", Balance: 50000, Test: true},
		{UserID: "boris", Currency: "EUR"},
	} {
		_, err := s.CreatePlayer(t.Context(), models.System, p)
		require.NoError(t, err)
	}
	return &living{t, server, s, sim, browsertest.Start(t)}
}

// signIn signs in a member of staff who has only a password.
func (l *living) signIn(tab *browsertest.Tab, username string) {
	l.Helper()
	tab.Go(l.server.AdminURL() + "/signin")
	tab.Fill("#username", username)
	tab.Fill("#password", demo.Password)
	tab.Follow(".pb-signin .btn-primary")
}

// The main tasks of support and of the bonus team, on the whole system: with scripts, which search while one types and refresh
// pages, and in the long form without.
func TestJourneys(t *testing.T) {
	alongside(t)
	ways := map[string]bool{"with scripts": true}
	if long(false, true) {
		ways["without scripts"] = false
	}
	for name, scripts := range ways {
		t.Run(name, func(t *testing.T) {
			l := newLiving(t)
			view := browsertest.View{NoScripts: !scripts}
			support, bonus, admin := l.browser.Open(t, view), l.browser.Open(t, view), l.browser.Open(t, view)
			l.secondFactor(support, "sofia")
			l.signIn(admin, "ada")
			admin.Wait(".pb-shell")
			l.playAndRestrict(support, admin)
			l.signIn(bonus, "bruno")
			bonus.Wait(".pb-shell")
			l.grantAndWatch(bonus, scripts)
			l.grantToMany(bonus)
			require.Empty(t, support.Errors())
			require.Empty(t, bonus.Errors())
			require.Empty(t, admin.Errors())
			requireWhole(t, l.store)
		})
	}
}

// secondFactor sets a second factor up from the secret that the page shows, signs out, and signs in with it.
func (l *living) secondFactor(tab *browsertest.Tab, username string) {
	l.Helper()
	l.signIn(tab, username)
	tab.Wait(".pb-shell")
	tab.Go(l.server.AdminURL() + "/account/second-factor")
	secret := strings.Join(strings.Fields(tab.Text(".pb-steps .id")), "")
	code := func(at time.Time) string {
		c, err := totp.GenerateCode(secret, at)
		require.NoError(l, err)
		return c
	}
	// A code is valid once, in its own half minute and in those before and after it: this one sets up, the next one signs in, or
	// the one of the time when it is typed, if that is later.
	now := time.Now()
	tab.Fill("#f-code", code(now))
	tab.Follow(".pb-form .btn-primary")
	tab.Wait(".pb-recovery")
	other := l.browser.Open(l.T, browsertest.View{})
	l.signIn(other, username)
	other.WaitText("h1", "Enter your code")
	next := now.Add(30 * time.Second)
	if typed := time.Now(); typed.After(next) {
		next = typed
	}
	other.Fill("#code", code(next))
	other.Follow(".pb-signin .btn-primary")
	other.Wait(".pb-shell")
}

// playAndRestrict finds a game, opens it as a test player, spins, sees the bet arrive, restricts the player, and sees the next
// bet refused. In between, an administrator repeats the bet's callback.
func (l *living) playAndRestrict(tab, admin *browsertest.Tab) {
	l.Helper()
	base, game := l.server.AdminURL(), l.sim.Games()[0]
	tab.Go(base + "/games")
	tab.Follow(".pb-actions form .btn-primary")
	tab.Go(base + "/games?q=" + game.GameID)
	tab.Follow("tbody .c-what a")
	tab.WaitText("h1", game.GameName)
	tab.Follow(".pb-actions .btn-primary")
	tab.Fill("#f-player", "test-eur")
	table := tab.FollowAway(".pb-form .btn-primary")
	table.WaitText("h1", game.GameName)
	require.Contains(l, table.Address(), "/play/", "the game is the platform's")
	table.Choose("select[name=round]", "losing spin")
	table.Follow("form button")
	table.WaitText("#balance", "497.50")

	tab.Go(base + "/")
	tab.Fill("[data-jump]", "test-eur")
	tab.Press("\r")
	tab.WaitText("h1", "test-eur")
	tab.WaitText("main", "497.50")
	tab.WaitText("main", "2.50")

	tab.Go(base + "/search?q=test-eur")
	tab.Follow("a.pb-destroy")
	tab.Choose("#f-kind", "cool-off")
	tab.Choose("#f-term", "24 hours")
	tab.Fill("#f-reason", "He asked to be kept out.")
	tab.Follow(".btn-danger")
	tab.WaitText("h1", "In effect")
	table.Follow("form button")
	table.WaitText("#sent", "Withdraw 2.50 (bet): result 1")
	table.WaitText("#balance", "497.50")
}

// grantAndWatch grants free spins to a player and watches the first one being used.
func (l *living) grantAndWatch(tab *browsertest.Tab, scripts bool) {
	l.Helper()
	base, game := l.server.AdminURL(), l.sim.Games()[0]
	tab.Go(base + "/campaigns/new")
	tab.Fill("#f-player", "anna")
	tab.Fill("#f-game", game.GameID)
	tab.Fill("#f-spins", "5")
	tab.Fill("#f-name", "Goodwill")
	tab.Follow(".pb-form .btn-primary")
	tab.WaitText(".action", "Grant 5 spins to anna in 1 grant.")
	tab.Follow(".pb-confirm .btn-primary")
	campaign := tab.Address()
	require.Eventually(l, func() bool {
		tab.Go(campaign)
		return strings.Contains(tab.Text("#progress"), "1of 1 line")
	}, time.Minute, 50*time.Millisecond)
	tab.Follow("#lines tbody a[href^='/free-spins/']")
	tab.WaitText("h1", "5 spins for anna")
	grant := tab.Address()

	real := l.browser.Open(l.T, browsertest.View{})
	address := l.launch("anna", game.GameID)
	real.Go(address)
	real.Choose("select[name=round]", "free spin")
	real.Follow("form button")
	real.WaitText("#sent", "free spin")
	if !scripts {
		tab.Go(grant)
		tab.Follow("form[action$='/observations'] button")
	}
	tab.WaitText("#used", "4left of 5")
	tab.WaitText("#story", "used")
}

// launch opens a game for a real player, as the casino does.
func (l *living) launch(user, game string) string {
	l.Helper()
	opened, _, err := l.server.services.launcher.Launch(l.Context(), models.System,
		gamesession.Request{UserID: models.UserID(user), GameID: models.GameID(game), Language: "en", Reason: "he plays",
			AnyOne: true})
	require.NoError(l, err)
	return opened
}

// grantToMany uploads a file with two bad lines, corrects it and runs it.
func (l *living) grantToMany(tab *browsertest.Tab) {
	l.Helper()
	base, game := l.server.AdminURL(), l.sim.Games()[1]
	file := filepath.Join(l.TempDir(), "november.csv")
	upload := func(lines ...string) {
		require.NoError(l, os.WriteFile(file, []byte("user_id,game_id,spins\n"+strings.Join(lines, "\n")+"\n"), 0o600))
		tab.Go(base + "/campaigns/new")
		tab.Upload("#f-file", file)
		tab.Fill("#f-name", "Loyalty")
		tab.Follow(".pb-form .btn-primary")
	}
	good := fmt.Sprintf("anna,%s,3", game.GameID)
	upload(good, fmt.Sprintf("nobody,%s,3", game.GameID), fmt.Sprintf("boris,%s,0", game.GameID))
	tab.WaitText("h1", "2 lines have errors")
	upload(good, fmt.Sprintf("boris,%s,3", game.GameID))
	tab.Follow(".pb-confirm .btn-primary")
	again := tab.Address()
	require.Eventually(l, func() bool {
		tab.Go(again)
		return strings.Contains(tab.Text("#progress"), "2of 2 lines")
	}, time.Minute, 50*time.Millisecond)
	require.Len(l, l.sim.Grants(), 3)
}
