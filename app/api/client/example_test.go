package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/api"
	"pitboss/app/api/client"
	"pitboss/app/apptest"
	"pitboss/models"
	"pitboss/models/store/storetest"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// signUp creates a player. It may be called again with the same number of a sign-up.
func signUp(ctx context.Context, casino *client.Client, number int, name string) error {
	_, err := casino.CreatePlayer(ctx, fmt.Sprintf("signup-%d", number), client.NewPlayer{ID: name, Currency: "EUR"})
	return err
}

// payIn books a payment that has arrived. It asks until it knows that the payment was booked, or why it is not.
func payIn(ctx context.Context, casino *client.Client, payment, player, amount string) (booked client.Cash, err error) {
	for ctx.Err() == nil {
		booked, err = casino.BookDeposit(ctx, payment, client.NewCash{Player: player, Amount: amount, Currency: "EUR"})
		var refused *client.Error
		if err == nil || errors.As(err, &refused) && refused.Status != 500 && refused.Status != 503 {
			return booked, err
		}
		if refused != nil {
			time.Sleep(refused.RetryAfter)
		}
	}
	return booked, ctx.Err()
}

// payOut pays a player: the money is held before the bank is asked to send it, and given back if the bank says no.
func payOut(ctx context.Context, casino *client.Client, order, player, amount string, bank func() bool) (client.Cash, error) {
	held, err := casino.RequestCashOut(ctx, order, client.NewCash{Player: player, Amount: amount, Currency: "EUR"})
	if err != nil {
		return held, err
	}
	if bank() {
		return casino.CommitCashOut(ctx, order, order+"-sent")
	}
	return casino.CancelCashOut(ctx, order, order+"-back")
}

// pickGame returns the first game that can be played, from all pages of the list.
func pickGame(ctx context.Context, casino *client.Client) (client.Game, error) {
	options := client.ListGamesOptions{Limit: 7}
	for {
		page, err := casino.ListGames(ctx, options)
		if err != nil {
			return client.Game{}, err
		}
		for _, game := range page.Data {
			if game.Available {
				return game, nil
			}
		}
		if options.After = page.Next; page.Next == "" {
			return client.Game{}, errors.New("no game can be played")
		}
	}
}

// losing loses the next answers, after the server has done what it was asked.
type losing struct{ answers atomic.Int32 }

func (l *losing) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && l.answers.Add(-1) >= 0 {
		response.Body.Close()
		return nil, errors.New("the answer was lost")
	}
	return response, err
}

// A website and a cashier work with the client, on a real server.
func TestExamples(t *testing.T) {
	storetest.Each(t, func(t *testing.T, url string) {
		site := apptest.NewSite(t, url)
		site.SyncedGame()
		server := api.New(api.Config{Store: site.Store, Launcher: site.Launcher, Bonus: site.Bonus})
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		done := make(chan error, 1)
		go func() { done <- server.Listen(ln) }()
		defer func() {
			require.NoError(t, server.Shutdown(context.Background()))
			require.NoError(t, <-done)
		}()
		_, token := storetest.APIClient(t, site.Store, models.APITerms{Name: "website", Cash: "EUR 100.00"})
		network := &losing{}
		ctx, address := t.Context(), "http://"+ln.Addr().String()
		casino := client.New(address+"/", token, &http.Client{Transport: network})

		require.NoError(t, signUp(ctx, casino, 1, "ann a/1%"))
		require.NoError(t, signUp(ctx, casino, 1, "ann a/1%"), "the same sign-up again")
		const anna = "ann a/1%"
		network.answers.Store(2)
		booked, err := payIn(ctx, casino, "payment/9001", anna, "50.00")
		require.NoError(t, err)
		require.Equal(t, []any{"payment/9001", "deposited", "50.00"}, []any{booked.ID, booked.State, *booked.Balance}, "booked once")
		again, err := casino.ReadDeposit(ctx, "payment/9001")
		require.NoError(t, err)
		require.Equal(t, booked, again)

		_, err = payIn(ctx, casino, "payment-9002", anna, "100.01")
		var refused *client.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, []any{"urn:pitboss:cash-limit", int64(403), refused.Detail}, []any{refused.Type, refused.Status, err.Error()})
		_, err = payIn(ctx, casino, "payment-9003", anna, "fifty")
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "body.amount", refused.Errors[0].Location)

		paid, err := payOut(ctx, casino, "payout%2F77", anna, "20.00", func() bool { return true })
		require.NoError(t, err)
		require.Equal(t, []any{"paid", "30.00"}, []any{paid.State, *paid.Balance})
		back, err := payOut(ctx, casino, "payout-78", anna, "20.00", func() bool { return false })
		require.NoError(t, err)
		require.Equal(t, []any{"returned", "30.00"}, []any{back.State, *back.Balance})
		_, err = casino.CommitCashOut(ctx, "payout-78", "late")
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "urn:pitboss:cash-out-ended", refused.Type)
		paid2, err := casino.ReadCashOut(ctx, "payout%2F77")
		require.NoError(t, err)
		require.Equal(t, paid, paid2)

		game, err := pickGame(ctx, casino)
		require.NoError(t, err)
		opened, err := casino.LaunchGame(ctx, "launch-1", client.NewLaunch{Player: anna, Game: game.ID, Language: "en"})
		require.NoError(t, err)
		require.Contains(t, opened.GameURL, "/play/")
		granted, err := casino.GrantFreeSpins(ctx, "welcome", client.NewFreeSpins{Player: anna, Game: game.ID, Spins: 5, Reason: "Welcome"})
		require.NoError(t, err)
		spins, err := casino.ReadFreeSpins(ctx, granted.ID)
		require.NoError(t, err)
		require.Equal(t, granted, spins)
		list, err := casino.ListTransactions(ctx, client.ListTransactionsOptions{Player: anna, Since: site.Now().Add(-time.Hour)})
		require.NoError(t, err)
		require.Len(t, list.Data, 4)
		until := site.Now().Add(time.Hour).UTC().Truncate(time.Second)
		set, err := casino.RestrictPlayer(ctx, anna, "cool-1",
			client.NewRestriction{Kind: "cool-off", Scope: "play", Until: &until, Reason: "Asked for it"})
		require.NoError(t, err)
		require.Equal(t, until, *set.Until)
		player, err := casino.ReadPlayer(ctx, anna)
		require.NoError(t, err)
		require.Equal(t, []any{"restricted", "30.00", until}, []any{player.State, player.Balance, *player.RestrictedUntil})
		_, err = site.Store.FollowDays(ctx) // a job that puts events in order
		require.NoError(t, err)
		events, err := casino.ListEvents(ctx, client.ListEventsOptions{After: "0"})
		require.NoError(t, err)
		require.Equal(t, "player created", events.Data[0].Action)
		require.NotEmpty(t, events.Data[0].After)

		// What is not an answer of the API is an error that names the call, and never the token.
		_, err = client.New("http://"+site.Base.Host, token, nil).ReadPlayer(ctx, anna)
		require.ErrorContains(t, err, "GET /v1/players/")
		require.False(t, errors.As(err, new(*client.Error)))
		require.NotContains(t, err.Error(), token)
	})
}
