package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/app/api/client"
	"pitboss/callbacks/simulator"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/models/store/storetest"
)

// life is everything that the operator's systems ask for one player: requests in their order, and what each was answered.
type life struct {
	user    string
	number  int
	answers []any
}

// request makes a request of a life. It may be made again at any time.
type request func(ctx context.Context, casino *client.Client, l *life) (any, error)

// key returns a key that belongs to one request of one life.
func (l *life) key(name string) string { return l.user + "-" + name }

func (l *life) cash(amount int) client.NewCash {
	return client.NewCash{Player: l.user, Amount: models.Amount(amount).String(), Currency: "EUR"}
}

func deposit(name string, amount func(int) int) request {
	return func(ctx context.Context, casino *client.Client, l *life) (any, error) {
		return casino.BookDeposit(ctx, l.key(name), l.cash(amount(l.number)))
	}
}

func cashOut(name string, amount func(int) int) request {
	return func(ctx context.Context, casino *client.Client, l *life) (any, error) {
		return casino.RequestCashOut(ctx, l.key(name), l.cash(amount(l.number)))
	}
}

// lives are the requests of each life, in their order. Their amounts grow with its number. require says what they do together.
func lives(game string) []request {
	return []request{
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.CreatePlayer(ctx, l.key("new"), client.NewPlayer{ID: l.user, Currency: "EUR", TimeZone: "Asia/Tokyo"})
		},
		deposit("in-1", func(n int) int { return 10000 + n }), deposit("in-2", func(n int) int { return 500 + 3*n }),
		cashOut("paid", func(n int) int { return 400 + n }),
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.CommitCashOut(ctx, l.key("paid"), l.key("paid-sent"))
		},
		cashOut("canceled", func(n int) int { return 300 + n }),
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.CancelCashOut(ctx, l.key("canceled"), l.key("canceled-back"))
		},
		cashOut("bounced", func(n int) int { return 100 + n }),
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.CommitCashOut(ctx, l.key("bounced"), l.key("bounced-sent"))
		},
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.ReturnCashOut(ctx, l.key("bounced"), l.key("bounced-back"))
		},
		cashOut("held", func(n int) int { return 200 + n }),
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			_, err := casino.LaunchGame(ctx, l.key("launch"), client.NewLaunch{Player: l.user, Game: game, Language: "en"})
			var refused *client.Error
			if errors.As(err, &refused) && refused.Type == "urn:pitboss:launch-repeated" {
				err = nil // the address was lost, or is given only once
			}
			return nil, err
		},
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			made, err := casino.GrantFreeSpins(ctx, l.key("spins"), client.NewFreeSpins{Player: l.user, Game: game, Spins: 1, Reason: "welcome"})
			return made.ID, err
		},
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			return casino.RestrictPlayer(ctx, l.user, l.key("restriction"), client.NewRestriction{Kind: "abuse", Scope: "bonuses", Reason: "x"})
		},
		func(ctx context.Context, casino *client.Client, l *life) (any, error) {
			amount := "50.00"
			return casino.SetLimits(ctx, l.user, l.key("limits"), client.NewLimits{Reason: "asked",
				Limits: []client.NewLimit{{Kind: "loss", Period: "day", Amount: &amount}}})
		},
	}
}

// A kill -9 in the middle of requests to the operator's API: each is sent again with its key, and has happened once.
func TestKillServerDuringAPICalls(t *testing.T) {
	alongside(t)
	storetest.Each(t, func(t *testing.T, url string) {
		sim, err := simulator.New(simulator.Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
			CallbackURL: "http://127.0.0.1:9", Games: 3})
		require.NoError(t, err)
		platform := httptest.NewServer(sim.Handler())
		defer platform.Close()
		p := start(t, environment(url, append(ports(t), "PITBOSS_API_ADDR="+port(t), "PITBOSS_PLATFORM_URL="+platform.URL)...))
		commander{t, p.environ}.well("games", "sync")
		s := open(t, url)
		_, token := storetest.APIClient(t, s, models.APITerms{Name: "casino", Cash: "EUR 1000.00"})
		casino := client.New("http://"+p.value("PITBOSS_API_ADDR"), token, nil)
		requests := lives(sim.Games()[0].GameID)

		var up sync.RWMutex // locked while the server is down
		kills := 0
		killed := func() int { // waits until it is up
			up.RLock()
			defer up.RUnlock()
			return kills
		}
		again := func(l *life, r request) any {
			for began := time.Now(); ; {
				answer, err := r(t.Context(), casino, l)
				var refused *client.Error
				if err == nil {
					return answer
				}
				if errors.As(err, &refused) && refused.Status != http.StatusServiceUnavailable || time.Since(began) > time.Minute {
					t.Errorf("%s, after %d kills: %v", l.user, killed(), err)
					return nil
				}
				killed()
			}
		}
		answered := make(chan struct{}, 1)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		const workers = 8
		var group sync.WaitGroup
		lived := make([][]*life, workers)
		for worker := range workers {
			group.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					l := &life{user: fmt.Sprintf("life-%d-%d", worker, n), number: n}
					lived[worker] = append(lived[worker], l)
					for _, r := range requests {
						l.answers = append(l.answers, again(l, r))
						select {
						case answered <- struct{}{}:
						default:
						}
					}
				}
			})
		}
		for range long(3, 25) {
			for range 60 {
				select {
				case <-answered:
				case <-time.After(time.Minute):
					t.Fatal("no request was answered for a minute")
				}
			}
			up.Lock()
			p.kill()
			p.launch(t)
			kills++
			up.Unlock()
		}
		stop()
		group.Wait()
		for _, list := range lived {
			for _, l := range list {
				for i, r := range requests {
					require.Equal(t, l.answers[i], again(l, r), "%s, request %d: the first answer", l.user, i)
				}
			}
		}
		for _, list := range lived {
			for _, l := range list {
				l.require(t, s)
			}
		}
		granted := map[string]int{}
		for _, g := range sim.Grants() {
			granted[g.UserID]++
			require.Equal(t, 1, granted[g.UserID], "%s at the platform", g.UserID)
		}
		requireWhole(t, s)
	})
}

// require requires that each request of a life has happened once.
func (l *life) require(t *testing.T, s *store.Store) {
	t.Helper()
	player, found, err := s.Player(t.Context(), models.UserID(l.user))
	require.NoError(t, err)
	require.True(t, found)
	n := models.Amount(l.number)
	in, paid, held := 10500+4*n, 400+n, 200+n
	require.Equal(t, [2]models.Amount{in - paid - held, held}, [2]models.Amount{player.Wallet.Balance, player.Wallet.Held}, l.user)
	span := models.Span{Limit: 20}
	transactions, err := s.Transactions(t.Context(), models.TransactionFilter{PlayerID: player.ID, Span: span})
	require.NoError(t, err)
	require.Len(t, transactions.Rows, 8, "the opening, two deposits, four cash-outs, and that one bounced")
	restrictions, err := s.Restrictions(t.Context(), models.RestrictionFilter{PlayerID: player.ID, Span: span})
	require.NoError(t, err)
	require.Len(t, restrictions.Rows, 1)
	grants, err := s.Grants(t.Context(), models.GrantFilter{PlayerID: player.ID, Span: span})
	require.NoError(t, err)
	require.Len(t, grants.Rows, 1)
	sessions, err := s.GameSessions(t.Context(), models.GameSessionFilter{PlayerID: player.ID, Span: span})
	require.NoError(t, err)
	require.Len(t, sessions.Rows, 1)
	limits := models.ParseLimits(player.Wallet.Limits, player.Wallet.LimitSums)
	require.Equal(t, "Asia/Tokyo", limits.Zone)
	require.Len(t, limits.List, 1)
}
