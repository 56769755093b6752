package golive

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
)

const (
	testAgent  = "Partner01"
	testPlayer = "Player01"
	testKey    = "1234567890"
)

// wallet is a callback service in memory that books bets and wins and rolls them back, and checks hardly anything else.
// TestGoLive in cmd/pitboss runs the checks against Pitboss, where all of them pass.
type wallet struct {
	intercept func(http.ResponseWriter, wire.Endpoint, wire.Request) bool // may answer instead; it is called with the lock

	mu      sync.Mutex
	balance decimal.Decimal
	booked  map[string]decimal.Decimal
}

func (s *wallet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	for _, e := range wire.Endpoints() {
		if !strings.HasSuffix(r.URL.Path, e.Path()) {
			continue
		}
		request, err := wire.Decode(e, body)
		if err != nil {
			fmt.Fprint(w, `{"result":2}`)
		} else if s.intercept == nil || !s.intercept(w, e, request) {
			fmt.Fprintf(w, `{"result":%d,"balance":%q,"currency":"EUR"}`, s.book(e, request), s.balance.StringFixed(2))
		}
	}
}

func (s *wallet) book(e wire.Endpoint, r wire.Request) wire.Result {
	if r.UserID != testPlayer {
		return wire.WrongInput
	}
	before, known := s.booked[r.TransactionID]
	effect := decimal.Zero
	switch e {
	case wire.GetBalance:
		return wire.Success
	case wire.RollbackTransaction:
		if !known {
			return wire.TransactionNotFound
		}
		s.balance, s.booked[r.TransactionID] = s.balance.Sub(before), decimal.Zero
		return wire.Success
	case wire.Withdraw:
		effect, _ = decimal.NewFromString("-" + r.Amount)
	case wire.Deposit:
		effect, _ = decimal.NewFromString(r.Amount)
	case wire.BetWin:
		bet, _ := decimal.NewFromString(r.BetAmount)
		win, _ := decimal.NewFromString(r.WinAmount)
		effect = win.Sub(bet)
	}
	if known {
		return wire.DuplicateTransaction
	}
	s.balance, s.booked[r.TransactionID] = s.balance.Add(effect), effect
	return wire.Success
}

// start serves a wallet with 10.00 EUR until the test ends.
func start(t *testing.T) (*wallet, Config) {
	t.Helper()
	s := &wallet{balance: decimal.New(10, 0), booked: map[string]decimal.Decimal{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, Config{CallbackURL: server.URL + "/WalletService/", UserID: testPlayer, AgentID: testAgent, SecretKey: testKey,
		Timeout: time.Minute}
}

func check(t *testing.T, r Report, name string) Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	require.Fail(t, "no such check", name)
	return Check{}
}

// What is wrong is named, with what was expected, and everything that was booked is rolled back.
func TestFaultsAreNamed(t *testing.T) {
	s, config := start(t)
	report, err := Run(t.Context(), config)
	require.NoError(t, err)
	require.False(t, report.Passed())
	require.Equal(t, "10", s.balance.String())
	require.True(t, check(t, report, "Withdraw of 1.00").OK)
	require.True(t, check(t, report, "the balance is as at the beginning").OK)
	var text strings.Builder
	require.NoError(t, report.Write(&text))
	for _, line := range []string{
		"Balance at the beginning: 10.00 EUR.\n\nSignatures\n",
		"  FAIL  Withdraw, wrong sign: 0, balance -0.01; expected 3, balance unchanged (Authentication 7)\n",
		"  ok    Withdraw of 1.00: 0, balance -1.00\n",
		"  FAIL  free spin: 0, balance -0.20; expected 0, balance unchanged (Callback service 3)\n",
		fmt.Sprintf("of %d checks failed.\n", len(report.Checks)),
	} {
		require.Contains(t, text.String(), line)
	}
	require.NotContains(t, text.String(), testKey)
	require.NotRegexp(t, "[0-9A-F]{64}", text.String())
}

func TestNothingIsRunWithoutABalance(t *testing.T) {
	for body, want := range map[string]string{
		"<html>hello": "HTTP 200 with a body that is not JSON with a result", `{"result":"0"}`: "HTTP 200 with a body",
		`{"result":2}`: "the answer was: 2", `{"result":0,"currency":"EUR"}`: "the answer was: 0",
		`{"result":0,"balance":"1e999999999","currency":"EUR"}`: "the answer was: 0", `{"result":0,"balance":5.00}`: "the answer was: 0",
		"500": "HTTP 500", "307": "HTTP 307", "gone": "the connection was closed", "silence": "no answer in time",
		`{"result":0,"balance":"1.99","currency":"EUR"}`: "1.99 EUR and the checks need at least 2.00",
	} {
		t.Run(want, func(t *testing.T) {
			s, config := start(t)
			var calls atomic.Int64
			released := make(chan struct{})
			s.intercept = func(w http.ResponseWriter, _ wire.Endpoint, _ wire.Request) bool {
				calls.Add(1)
				switch body {
				case "500":
					w.WriteHeader(http.StatusInternalServerError)
				case "307":
					http.Redirect(w, httptest.NewRequest(http.MethodGet, "/", nil), "/elsewhere", http.StatusTemporaryRedirect)
				case "gone":
					panic(http.ErrAbortHandler)
				case "silence":
					<-released
				default:
					io.WriteString(w, body)
				}
				return true
			}
			if body == "silence" {
				config.Timeout = 50 * time.Millisecond
			}
			report, err := Run(t.Context(), config)
			close(released)
			require.ErrorContains(t, err, want)
			require.Empty(t, report.Checks)
			require.EqualValues(t, 1, calls.Load())
		})
	}
	for _, address := range []string{"", "casino.example", "ftp://casino.example", "http://a/?x=1", "http://me:hidden@casino.example"} {
		_, err := Run(t.Context(), Config{CallbackURL: address, SecretKey: "very secret"})
		require.ErrorContains(t, err, "the callback URL")
		require.NotRegexp(t, "very secret|hidden", err.Error())
	}
}

// A run that is stopped, or whose answers are lost, rolls back what it has booked or may have booked.
func TestTheBalanceIsRestored(t *testing.T) {
	s, config := start(t)
	ctx, stop := context.WithCancel(t.Context())
	calls := 0
	s.intercept = func(_ http.ResponseWriter, e wire.Endpoint, r wire.Request) bool {
		if calls++; calls == 180 {
			stop()
		}
		if r.Amount == "1.00" && r.TransactionID != "" && s.booked[r.TransactionID].IsZero() {
			s.book(e, r)
			panic(http.ErrAbortHandler) // booked, but not answered
		}
		return false
	}
	report, err := Run(ctx, config)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, report.Passed())
	require.Equal(t, "10", s.balance.String())
	last := report.Checks[len(report.Checks)-1]
	require.True(t, last.OK, last.Got)
}

func TestWhatCannotBeRestoredIsReported(t *testing.T) {
	s, config := start(t)
	down := false
	s.intercept = func(w http.ResponseWriter, _ wire.Endpoint, r wire.Request) bool {
		if down {
			w.WriteHeader(http.StatusBadGateway)
		}
		answered := down
		down = down || r.Amount == "1.00"
		return answered
	}
	report, err := Run(t.Context(), config)
	require.NoError(t, err)
	require.NotEqual(t, "10", s.balance.String())
	last := report.Checks[len(report.Checks)-1]
	require.False(t, last.OK)
	require.Contains(t, last.Got, "GetBalance: HTTP 502; not rolled back: golive-")
}
