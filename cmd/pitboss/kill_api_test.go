package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pitboss/callbacks/simulator"
	"pitboss/cmd/testing/storetest"
	"pitboss/models"
	"pitboss/models/store"
)

// life is everything that the operator's systems ask for one player: requests in their order, and what each was answered.
type life struct {
	user    string
	number  int
	answers []any
}

// request is a request of a life. It may be sent again at any time.
type request struct {
	key, path string // of the life's player, where they contain %s
	in        func(l *life) map[string]any
}

// refusal is an answer of the API that is not 2xx.
type refusal struct {
	Type, Detail string
	Status       int
}

func (r *refusal) Error() string { return r.Detail }

// send sends the request to the API at base.
func (r request) send(ctx context.Context, base, token string, l *life) (answer any, err error) {
	body, err := json.Marshal(r.in(l))
	if err != nil {
		return nil, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, base+strings.ReplaceAll(r.path, "%s", l.user), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	post.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
		"Idempotency-Key": {l.user + "-" + r.key}}
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		refused := &refusal{Status: response.StatusCode}
		return nil, errors.Join(json.NewDecoder(response.Body).Decode(refused), refused)
	}
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}

func nothing(*life) map[string]any { return map[string]any{} }

// cash moves an amount that grows with the life's number.
func cash(key, path string, amount func(int) int) request {
	return request{key, path, func(l *life) map[string]any {
		return map[string]any{"player": l.user, "amount": models.Amount(amount(l.number)).String(), "currency": "EUR"}
	}}
}

// lives are the requests of each life, in their order. require says what they do together.
func lives(game string) []request {
	const in, out = "/v1/deposits", "/v1/cashouts"
	return []request{
		{"new", "/v1/players", func(l *life) map[string]any {
			return map[string]any{"id": l.user, "currency": "EUR", "time_zone": "Asia/Tokyo"}
		}},
		cash("in-1", in, func(n int) int { return 10000 + n }), cash("in-2", in, func(n int) int { return 500 + 3*n }),
		cash("paid", out, func(n int) int { return 400 + n }),
		{"paid-sent", out + "/%s-paid/commit", nothing},
		cash("canceled", out, func(n int) int { return 300 + n }),
		{"canceled-back", out + "/%s-canceled/cancel", nothing},
		cash("bounced", out, func(n int) int { return 100 + n }),
		{"bounced-sent", out + "/%s-bounced/commit", nothing},
		{"bounced-back", out + "/%s-bounced/return", nothing},
		cash("held", out, func(n int) int { return 200 + n }),
		{"launch", "/v1/launches", func(l *life) map[string]any {
			return map[string]any{"player": l.user, "game": game, "language": "en"}
		}},
		{"spins", "/v1/free-spins", func(l *life) map[string]any {
			return map[string]any{"player": l.user, "game": game, "spins": 1, "reason": "welcome"}
		}},
		{"restriction", "/v1/players/%s/restrictions", func(*life) map[string]any {
			return map[string]any{"kind": "abuse", "scope": "bonuses", "reason": "x"}
		}},
		{"limits", "/v1/players/%s/limits", func(*life) map[string]any {
			return map[string]any{"reason": "asked", "limits": []any{map[string]any{"kind": "loss", "period": "day", "amount": "50.00"}}}
		}},
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
		base := "http://" + p.value("PITBOSS_API_ADDR")
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
				answer, err := r.send(t.Context(), base, token, l)
				var refused *refusal
				switch known := errors.As(err, &refused); {
				case r.key == "launch" && (err == nil || known && refused.Type == "urn:pitboss:launch-repeated"):
					return nil // its address is given once, and may have been lost
				case r.key == "spins" && err == nil:
					return answer.(map[string]any)["id"] // its state changes
				case err == nil:
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
