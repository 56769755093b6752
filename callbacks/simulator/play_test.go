package simulator

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
)

var testBalances = map[string]int64{"ana": 10000, "ben": 2500, "Ελένη": 0, "dora": 500000}

var testPlayers = []string{"ana", "ben", "Ελένη", "dora"}

func TestPlayAgreesWithACorrectWallet(t *testing.T) {
	for _, row := range []struct {
		name    string
		wallet  func(*fakeWallet)
		options PlayOptions
	}{
		{"one worker", nil, PlayOptions{Rounds: 200}},
		{"four workers", nil, PlayOptions{Rounds: 200, Workers: 4}},
		{"gentle", nil, PlayOptions{Rounds: 200, Workers: 2, Gentle: true}},
		{"balances as numbers", func(f *fakeWallet) { f.numbers = true }, PlayOptions{Rounds: 100}},
		{"duplicates answered with 0", func(f *fakeWallet) { f.dupZero = true }, PlayOptions{Rounds: 200, LostAnswers: 0.2}},
		{"lost answers", nil, PlayOptions{Rounds: 200, Workers: 4, LostAnswers: 0.5}},
		{"outages", func(f *fakeWallet) { f.outages = 0.1 }, PlayOptions{Rounds: 100, Workers: 4, LostAnswers: 0.1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			wallet := newFakeWallet(testBalances)
			if row.wallet != nil {
				row.wallet(wallet)
			}
			simulator := testSimulator(t, wallet, nil)
			row.options.Players, row.options.Seed = testPlayers, 42
			repeated := 0 // first bets that the wallet had already processed in an earlier attempt
			row.options.OnEvent = func(e Event) {
				if e.What == "bet" && e.Result == int(wire.DuplicateTransaction) {
					repeated++
				}
			}
			report, err := simulator.Play(t.Context(), row.options)
			require.NoError(t, err)
			require.NoError(t, report.Err())
			assert.Equal(t, row.options.Rounds, report.Rounds)
			assert.Equal(t, row.options.LostAnswers > 0 && !wallet.dupZero, repeated > 0)
			assert.Equal(t, wallet.outages > 0, report.Retries > 0)
		})
	}
}

func TestPlayMeetsEveryResult(t *testing.T) {
	simulator := testSimulator(t, newFakeWallet(testBalances), nil)
	answers := map[wire.Endpoint]map[int]int{}
	report, err := simulator.Play(t.Context(), PlayOptions{Players: testPlayers, Seed: 1, Rounds: 300, OnEvent: func(e Event) {
		if answers[e.Endpoint] == nil {
			answers[e.Endpoint] = map[int]int{}
		}
		answers[e.Endpoint][e.Result]++
	}})
	require.NoError(t, err)
	require.NoError(t, report.Err())
	for endpoint, results := range map[wire.Endpoint][]int{
		wire.Withdraw: {0, 6, 9, 11}, wire.Deposit: {0, 9, 11}, wire.BetWin: {0, 6, 9, 11}, wire.RollbackTransaction: {0, 8, 9}, wire.GetBalance: {0},
	} {
		for _, result := range results {
			assert.Positive(t, answers[endpoint][result], "%s answered %d", endpoint, result)
		}
	}
}

func TestPlayStartsWithTheFirstRounds(t *testing.T) {
	simulator := testSimulator(t, newFakeWallet(testBalances), nil)
	first := []string{"rollback of nothing", "free spin of no grant", "win without a bet", "stranded bet"}
	report, err := simulator.Play(t.Context(),
		PlayOptions{Players: testPlayers, Seed: 1, Rounds: 2 * len(testPlayers), Gentle: true, First: first})
	require.NoError(t, err)
	require.NoError(t, report.Err())
	_, err = simulator.Play(t.Context(), PlayOptions{Players: testPlayers, First: []string{"cheat"}})
	require.ErrorContains(t, err, "cheat")
}

func TestPlayFindsEachFault(t *testing.T) {
	for _, fault := range []string{
		faultLosesCent, faultDoubleBet, faultDoubleWin, faultNoRollback, faultDoubleRollback, faultLateBet,
		faultUnknownRollback,
		faultOthersRollback, faultPerPlayerKeys, faultWinPaysBet, faultNoFundsCheck,
		faultFreeSpinCosts,
		faultZeroBetNeedsFund, faultRefusalSticks, faultStaleBalance, faultNoBalance, faultRetryResult, faultNotJSON,
	} {
		t.Run(fault, func(t *testing.T) {
			wallet := newFakeWallet(testBalances)
			wallet.fault = fault
			simulator := testSimulator(t, wallet, nil)
			report, err := simulator.Play(t.Context(), PlayOptions{Players: testPlayers, Seed: 9, Rounds: 200, Workers: 2})
			require.NoError(t, err)
			require.Error(t, report.Err())
			assert.NotEmpty(t, report.Mismatches)
			assert.Contains(t, report.Err().Error(), "seed 9")
			assert.Contains(t, report.Err().Error(), report.Mismatches[0])
		})
	}
}

func TestSameSeedSamePlan(t *testing.T) {
	play := func(seed uint64, workers int) map[string][]string {
		wallet := newFakeWallet(testBalances)
		simulator := testSimulator(t, wallet, nil)
		sent := map[string][]string{}
		report, err := simulator.Play(t.Context(),
			PlayOptions{Players: testPlayers, Seed: seed, Rounds: 120, Workers: workers,
				OnEvent: func(event Event) {
					told := fmt.Sprint(event.UserID, event.What, event.Endpoint, event.Amount(), event.Result)
					sent[event.UserID] = append(sent[event.UserID], told)
				}})
		require.NoError(t, err)
		require.NoError(t, report.Err())
		return sent
	}
	first := play(5, 1)
	assert.Equal(t, first, play(5, 1))
	assert.NotEqual(t, first, play(6, 1))
	for kind, told := range play(5, 3) {
		assert.ElementsMatch(t, first[kind], told, "the number of workers does not change the plan")
	}
}

func TestPlayStartsFromTheWalletsBalancesAndCanBeRepeated(t *testing.T) {
	wallet := newFakeWallet(testBalances)
	simulator := testSimulator(t, wallet, nil)
	for range 2 {
		report, err := simulator.Play(t.Context(), PlayOptions{Players: testPlayers, Seed: 3, Rounds: 60})
		require.NoError(t, err)
		require.NoError(t, report.Err())
	}
}

func TestPlayUsesGrants(t *testing.T) {
	simulator := testSimulator(t, newFakeWallet(testBalances), nil)
	simulator.books.addGrant(Grant{FreeSpinID: "fs-1", UserID: "dora", GameID: "20001", Total: 3})
	report, err := simulator.Play(t.Context(), PlayOptions{Players: []string{"dora"}, Seed: 3, Rounds: 150, Gentle: true})
	require.NoError(t, err)
	require.NoError(t, report.Err())
	assert.Equal(t, []Grant{{FreeSpinID: "fs-1", UserID: "dora", GameID: "20001", Total: 3, Used: 3}}, simulator.Grants())
}

func TestPlayInCompanyFollowsOthersChanges(t *testing.T) {
	wallet := newFakeWallet(testBalances)
	simulator := testSimulator(t, wallet, nil)
	seen := map[int]int{}
	options := PlayOptions{Players: testPlayers, Seed: 4, Rounds: 200, Gentle: true, Company: true, OnEvent: func(event Event) {
		seen[event.Result]++
		wallet.mu.Lock()
		defer wallet.mu.Unlock()
		wallet.balances["ana"] += 7
		wallet.blocked = map[string]bool{"ben": true}
	}}
	report, err := simulator.Play(t.Context(), options)
	require.NoError(t, err)
	require.NoError(t, report.Err())
	assert.Positive(t, seen[int(wire.GeneralError)])
	options.Company = false
	report, err = simulator.Play(t.Context(), options)
	require.NoError(t, err)
	assert.Error(t, report.Err(), "without Company, the same change is a mismatch")
}

func TestPlayRefusesToBegin(t *testing.T) {
	simulator := testSimulator(t, newFakeWallet(testBalances), nil)
	_, err := simulator.Play(t.Context(), PlayOptions{Players: []string{"nobody-we-know"}})
	assert.ErrorContains(t, err, "result 2")
}

// watchedTransport signals the first request that fails to connect.
type watchedTransport struct {
	http.RoundTripper
	failed chan struct{}
	once   sync.Once
}

func (w *watchedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.RoundTripper.RoundTrip(r)
	if err != nil {
		w.once.Do(func() { close(w.failed) })
	}
	return response, err
}

func TestPlaySurvivesTheWalletsDeathAndReturn(t *testing.T) {
	wallet := newFakeWallet(testBalances)
	first := httptest.NewServer(wallet)
	address := first.Listener.Addr().String()
	transport := &watchedTransport{RoundTripper: http.DefaultTransport.(*http.Transport).Clone(), failed: make(chan struct{})}
	simulator, err := New(Config{AgentID: testAgent, APIToken: testToken, SecretKey: testSecret,
		CallbackURL: first.URL + "/wallet",
		Client:      &http.Client{Transport: transport}})
	require.NoError(t, err)

	back := make(chan *httptest.Server, 1)
	go func() {
		<-transport.failed
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Error(err)
			close(back)
			return
		}
		second := httptest.NewUnstartedServer(wallet)
		second.Listener.Close()
		second.Listener = listener
		second.Start()
		back <- second
	}()
	events := 0
	report, err := simulator.Play(t.Context(),
		PlayOptions{Players: testPlayers, Seed: 11, Rounds: 120, Workers: 2, OnEvent: func(Event) {
			if events++; events == 100 {
				first.Listener.Close()
				first.CloseClientConnections()
			}
		}})
	require.NoError(t, err)
	require.NoError(t, report.Err())
	assert.Positive(t, report.Retries)
	assert.Equal(t, 120, report.Rounds)
	if second := <-back; second != nil {
		second.Close()
	}
	first.Close()
}

func TestPlayEndsWithItsContext(t *testing.T) {
	simulator := testSimulator(t, newFakeWallet(testBalances), nil)
	ctx, cancel := context.WithCancel(t.Context())
	events := 0
	report, err := simulator.Play(ctx, PlayOptions{Players: testPlayers, Seed: 2, Workers: 2, OnEvent: func(Event) {
		if events++; events == 50 {
			cancel()
		}
	}})
	require.NoError(t, err)
	require.NoError(t, report.Err(), "rounds in play are finished and compared")
	assert.Positive(t, report.Rounds)
}

func TestPlayReportsUnknownOutcomes(t *testing.T) {
	wallet := newFakeWallet(testBalances)
	gate := make(chan struct{})
	var deposits sync.Once
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/Deposit") {
			deposits.Do(func() { close(gate) })
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		wallet.ServeHTTP(w, r)
	})
	simulator := testSimulator(t, handler, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-gate
		cancel()
	}()
	report, err := simulator.Play(ctx, PlayOptions{Players: []string{"ana"}, Seed: 2, Drain: time.Millisecond})
	require.NoError(t, err)
	assert.Equal(t, []string{"ana"}, report.Unsettled)
	assert.ErrorContains(t, report.Err(), `never got a definite answer: ["ana"]`)
}
