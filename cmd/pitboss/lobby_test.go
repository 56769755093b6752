package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pitboss/cmd/pitboss/demo"
	"pitboss/cmd/pitboss/lobby"
	"pitboss/cmd/testing/browsertest"
)

// A player signs up in the lobby, pays in, picks a game by its picture, plays and cashes out, without scripts. Support sees
// each step in the back office.
func TestLobbyJourney(t *testing.T) {
	alongside(t)
	l := newLiving(t, "PITBOSS_API_ADDR=127.0.0.1:0")
	token, err := demo.LobbyToken(t.Context(), l.server.store)
	require.NoError(t, err)
	var log strings.Builder
	casino := httptest.NewServer(lobby.New(lobby.Config{API: lobby.API{URL: l.server.APIURL(), Token: token, HTTP: http.DefaultClient},
		Platform: l.server.settings.API.URL, Currency: "EUR", Players: []string{"test-eur"},
		Log: slog.New(slog.NewTextHandler(&log, nil))}))
	defer casino.Close()

	player, admin := l.browser.Open(t, browsertest.View{NoScripts: true}), l.browser.Open(t, browsertest.View{})
	l.signIn(admin, "ada")
	admin.Wait(".pb-shell")
	admin.Go(l.server.AdminURL() + "/games")
	admin.Follow(".pb-actions form .btn-primary")
	player.Go(casino.URL)
	player.RequireFine("lobby-welcome")
	player.Fill("#login-name", "lena-7")
	player.Follow("form[action='/login'] button:not(.quiet)")
	player.WaitText(".wrong", "There is no test player with this name. Sign up with it.")
	player.Fill("#signup-name", "lena-7")
	player.Follow("form[action='/signup'] button")
	player.WaitText("#found", " games")
	support := l.browser.Open(t, browsertest.View{})
	l.signIn(support, "sofia")
	support.Wait(".pb-shell")
	support.Go(l.server.AdminURL() + "/search?q=lena-7")
	support.WaitText("h1", "lena-7")
	address := support.Address()
	sees := func(texts ...string) {
		t.Helper()
		support.Go(address)
		for _, text := range texts {
			support.WaitText("main", text)
		}
	}
	sees("0.00")

	player.Follow("a[href='/money']")
	player.RequireFine("lobby-money-at-first")
	player.Fill("#deposit", "fifty")
	player.Follow("form[action='/deposits'] button")
	player.WaitText(".wrong", "Enter an amount above zero")
	player.Fill("#deposit", "50")
	player.Follow("form[action='/deposits'] button")
	player.WaitText(".done", "The deposit is in your balance.")
	player.WaitText("#balance", "50.00 EUR")
	sees("50.00", "Cash deposit")

	game := l.sim.Games()[0]
	player.Follow("header nav a")
	player.WaitPicture(".games img")
	player.RequireFine("lobby-games")
	player.Fill("#q", "nothing is called this")
	player.Follow(".search button")
	player.WaitText("#found", "No game or provider has")
	player.Fill("#q", strings.ToUpper(game.GameName))
	player.Follow(".search button")
	player.Follow(".games img")
	player.WaitText("h1", game.GameName)
	player.Fill("[name=bet]", "2,50")
	player.Choose("[name=round]", "losing spin")
	player.Follow("form button")
	player.WaitText("#sent", "Withdraw 2.50 (bet): result 0")
	player.WaitText("#balance", "47.50 EUR")
	player.RequireFine("lobby-table")
	player.Fill("[name=bet]", "1000.00")
	player.Choose("[name=round]", "spin")
	player.Follow("form button")
	player.WaitText("#sent", "Withdraw 1000.00 (bet): result 6")
	sees("47.50", "2.50", "Bet")
	support.Go(l.server.AdminURL() + "/sessions")
	support.WaitText("main", "api:lobby")
	support.WaitText("main", game.GameName)

	player.Go(casino.URL + "/money")
	for _, end := range []struct{ amount, button, done, balance, state string }{
		{"20.00", "button[value=commit]", "The cashier has sent the money.", "27.50 EUR", "Paid"},
		{"7.50", "button[value=cancel]", "The money is back in your balance.", "27.50 EUR", "Returned"},
	} {
		player.Fill("#cashout", end.amount)
		player.Follow("form[action='/cashouts'] button")
		player.WaitText(".done", "The cash-out is requested.")
		player.WaitText(".figures", end.amount+" EUR")
		sees(end.amount, "Cash-out")
		player.RequireFine("lobby-money")
		player.Follow(end.button)
		player.WaitText(".done", end.done)
		player.WaitText("#balance", end.balance)
		support.Go(l.server.AdminURL() + "/transactions?kind=cash-out")
		support.WaitText("main", end.amount)
		support.WaitText("main", end.state)
	}
	player.Fill("#cashout", "27.51")
	player.Follow("form[action='/cashouts'] button")
	player.WaitText(".wrong", "This is more than your balance.")

	// A large one waits for finance.
	player.Fill("#deposit", "200")
	player.Follow("form[action='/deposits'] button")
	player.Fill("#cashout", "150")
	player.Follow("form[action='/cashouts'] button")
	player.WaitText(".state", "waits for approval in the back office")
	player.Follow("button[value=commit]")
	player.WaitText(".figures", "150.00 EUR")
	require.NotEmpty(t, player.Text(".wrong"))
	finance := l.browser.Open(t, browsertest.View{})
	l.signIn(finance, "farid")
	finance.Wait(".pb-shell")
	finance.Go(l.server.AdminURL() + "/cash-outs")
	finance.WaitText("main", "lena-7")
	finance.WaitText("main", "150.00")
	require.NotContains(t, log.String(), token)
	player.Follow("form[action='/logout'] button")
	player.WaitText("h1", "Welcome")
	requireWhole(t, l.store)
}
