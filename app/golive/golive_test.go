package golive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pitboss/callbacks/wire"
)

// wrong lists the checks that were run and failed.
func wrong(r *Report) (names []string) {
	for _, c := range r.Checks {
		if !c.OK && !c.NotRun {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestACorrectServicePassesEverything(t *testing.T) {
	for name, s := range map[string]*service{
		"spec":                  newService(defects{}),
		"duplicates answered 0": newService(defects{duplicateIsSuccess: true}),
		"the platform's dialect": {dialect: wire.GitSlotPark, balance: decimal.RequireFromString("10.00"),
			booked: map[string]*booking{}},
		"just enough money": {balance: MinBalance, booked: map[string]*booking{}},
		"a lot of money":    {balance: decimal.RequireFromString("99999999999.99"), booked: map[string]*booking{}},
	} {
		t.Run(name, func(t *testing.T) {
			before := s.now()
			report, err := Run(t.Context(), s.start(t))
			require.NoError(t, err)
			for _, c := range report.Checks {
				assert.True(t, c.OK, "%s: expected %s, got %s", c.Name, c.Expected, c.Got)
				assert.False(t, c.NotRun, c.Name)
			}
			assert.True(t, report.Passed())
			assert.Equal(t, before, s.now())
			assert.Equal(t, before, report.Opening.StringFixed(2))
			assert.Equal(t, "EUR", report.Currency)
			assert.Empty(t, report.Unsettled)
			for id, b := range s.booked {
				assert.True(t, b.gone, "%s is still booked", id)
			}
		})
	}
}

func TestASecondRunPassesToo(t *testing.T) {
	config := newService(defects{}).start(t)
	for range 2 {
		report, err := Run(t.Context(), config)
		require.NoError(t, err)
		assert.Empty(t, wrong(&report))
	}
}

func TestEachDefectIsFoundByItsCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		defects defects
		found   []string // these fail, and perhaps others as a consequence
	}{
		{"never checks the sign", defects{noSign: true},
			[]string{"GetBalance, wrong sign", "Withdraw, wrong sign", "Deposit, wrong sign",
				"BetWin, wrong sign", "RollbackTransaction, wrong sign", "GetBalance, missing sign",
				"Withdraw, sign over another amount",
				"rollback of the Withdraw with a wrong sign"}},
		{"accepts lower case", defects{anyCaseSign: true},
			[]string{"GetBalance, lower-case sign", "Withdraw, lower-case sign"}},
		{"accepts no sign", defects{emptySign: true},
			[]string{"GetBalance, missing sign", "Withdraw, missing sign", "Withdraw, empty sign"}},
		{"answers errors with 500", defects{errorStatus: true}, []string{"every answer is HTTP 200 with JSON and a result",
			"GetBalance, wrong sign", "Withdraw of 0.01 more than the balance"}},
		{"answers errors in words", defects{errorText: true}, []string{"every answer is HTTP 200 with JSON and a result"}},
		{"answers wrong input with nothing", defects{missingIsSilent: true},
			[]string{"Withdraw without amount", "GetBalance, an array"}},
		{"debits on 6", defects{debitsOnPoor: true}, []string{"Withdraw of 0.01 more than the balance"}},
		{"no check of funds", defects{noFundsCheck: true}, []string{"Withdraw of 0.01 more than the balance",
			"BetWin of 0.01 more than the balance, and a win above it"}},
		{"the win covers the bet", defects{winCoversBet: true},
			[]string{"BetWin of 0.01 more than the balance, and a win above it"}},
		{"books what it refused", defects{refusedIsBooked: true}, []string{"Withdraw of 0.01 more than the balance again"}},
		{"processes duplicates", defects{duplicatesTwice: true}, []string{"the same Withdraw again", "the same Deposit again",
			"the same BetWin again", "one Withdraw from 16 connections at once"}},
		{"a key space per endpoint", defects{keyPerEndpoint: true}, []string{"that Withdraw's transactionID in a Deposit",
			"that Withdraw's transactionID in a BetWin"}},
		{"rolls back twice", defects{rollsBackTwice: true},
			[]string{"rollback of the Withdraw again", "rollback of the Deposit again",
				"rollback of the BetWin again", "the rollback from 16 connections at once"}},
		{"never rolls back", defects{rollbackNever: true},
			[]string{"rollback of the Withdraw", "rollback of the Deposit", "rollback of the BetWin"}},
		{"knows every transaction", defects{rollbackUnknownIsFine: true}, []string{"rollback of an unknown transaction"}},
		{"rolls back for anybody", defects{rollbackBySomebody: true},
			[]string{"rollback of the Withdraw for an unknown player"}},
		{"takes what was rolled back again", defects{rollbackForgetsState: true},
			[]string{"the rolled-back Withdraw again takes nothing"}},
		{"takes a bet after its rollback", defects{takesLateBets: true}, []string{"the bet after its rollback takes nothing"}},
		{"ignores freeSpin", defects{ignoresFreeSpin: true}, []string{"free spin", "free spin with a stake above the balance"}},
		{"free spins need funds", defects{spinsNeedFunds: true}, []string{"free spin with a stake above the balance"}},
		{"result is a string for some", defects{resultIsAString: true}, []string{"GetBalance answers balance and currency"}},
		{"balances are numbers", defects{numbers: true},
			[]string{"GetBalance answers balance and currency", "fields have their types"}},
		{"balances have one decimal", defects{oneDecimal: true},
			[]string{"GetBalance answers balance and currency", "fields have their types"}},
		{"no currency", defects{noCurrency: true}, []string{"GetBalance answers balance and currency"}},
		{"loses the race for one ID", defects{losesRace: true}, []string{"one Withdraw from 16 connections at once"}},
		{"loses updates", defects{losesUpdate: true}, []string{"16 different bets at once"}},
		{"refuses unknown fields", defects{refusesUnknownFields: true}, []string{"Withdraw with unknown fields"}},
		{"refuses 0.00", defects{refusesZero: true}, []string{"Withdraw of 0.00", "Deposit of 0.00"}},
		{"lax amounts", defects{laxAmounts: true}, []string{"Withdraw of 0.1", "Withdraw of -0.01", "Deposit of -0.01",
			"BetWin with a bet of -0.01", "Withdraw of 00.01"}},
		{"answers the balance before", defects{staleBalance: true}, []string{"a balance in an answer is the one after the call"}},
		{"knows every player", defects{anyPlayer: true},
			[]string{"GetBalance for an unknown player", "Withdraw for an unknown player"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newService(c.defects)
			report, err := Run(t.Context(), s.start(t))
			require.NoError(t, err)
			for _, name := range c.found {
				found := check(t, &report, name)
				assert.False(t, found.OK, "%s: %s", name, found.Got)
				assert.False(t, found.NotRun, "%s: %s", name, found.Got)
			}
			assert.False(t, report.Passed())
			assert.Equal(t, "10.00", s.now(), "the balance was not brought back; checks that failed: %q", wrong(&report))
			assert.Empty(t, report.Unsettled)
		})
	}
}

func TestAdviceAloneDoesNotFailTheRun(t *testing.T) {
	for _, c := range []struct {
		defects defects
		found   string
	}{
		{defects{extraFields: true}, "there are no unknown fields"},
		{defects{plainText: true}, "Content-Type is application/json"},
		{defects{refusedForGood: true}, "a refused transactionID with 0.01 is a new bet"},
	} {
		s := newService(c.defects)
		report, err := Run(t.Context(), s.start(t))
		require.NoError(t, err)
		found := check(t, &report, c.found)
		assert.False(t, found.OK, c.found)
		assert.True(t, found.Advisory, c.found)
		assert.True(t, report.Passed(), "%q", wrong(&report))
		assert.Equal(t, "10.00", s.now())
	}
}

func TestNothingIsRunWithoutABalance(t *testing.T) {
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, refusing.Close())
	respond := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if header != "" {
				w.Header().Set("Location", header)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		got     string
	}{
		{"nobody listens", nil, "connection refused"},
		{"another page", respond(404, "", "<html>"), "HTTP 404"},
		{"a redirect", respond(307, "/elsewhere", ""), "HTTP 307, a redirect, which is not followed"},
		{"a page", respond(200, "", "<html>hello"), "HTTP 200 with a body that is not JSON"},
		{"nothing", respond(200, "", ""), "HTTP 200 without a body"},
		{"an array", respond(200, "", "[]"), "HTTP 200 with JSON that is not an object"},
		{"null", respond(200, "", "null"), "HTTP 200 with JSON that is not an object"},
		{"an empty object", respond(200, "", "{}"), "HTTP 200 with JSON without result"},
		{"a name twice", respond(200, "", `{"result":0,"result":1}`), "HTTP 200 with a duplicate field name"},
		{"result as a string", respond(200, "", `{"result":"0"}`), "HTTP 200 with a result that is a string, not an integer"},
		{"result as a fraction", respond(200, "", `{"result":0.0}`), "HTTP 200 with a result that is a number, not an integer"},
		{"a player who is not known", respond(200, "", `{"result":2}`), "2"},
		{"503 with JSON", respond(503, "", `{"result":1}`), "HTTP 503 with result 1"},
		{"no balance", respond(200, "", `{"result":0,"currency":"EUR"}`), "0 without a balance that can be read"},
		{"a balance that is a word", respond(200, "", `{"result":0,"balance":"much","currency":"EUR"}`),
			"0 without a balance that can be read"},
		{"an exponent", respond(200, "", `{"result":0,"balance":"1e999999999","currency":"EUR"}`),
			"0 without a balance that can be read"},
		{"without end", func(w http.ResponseWriter, _ *http.Request) {
			for range 1 << 10 {
				if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
					return
				}
			}
		}, "HTTP 200, more than 64 KiB"},
		{"a connection that breaks", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"no answer: the connection was closed"},
		{"silence", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "no answer in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := Config{CallbackURL: "http://" + refusing.Addr().String(), UserID: testPlayer, AgentID: testAgent,
				SecretKey: testKey}
			var calls atomic.Int64
			if c.handler != nil {
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					calls.Add(1)
					c.handler(w, r)
				}))
				t.Cleanup(server.Close)
				config.CallbackURL = server.URL
			}
			if c.name == "silence" {
				config.Timeout = 50 * time.Millisecond
			}
			report, err := Run(t.Context(), config)
			require.NoError(t, err)
			assert.Contains(t, report.Checks[0].Got, c.got)
			assert.False(t, report.Checks[0].OK)
			assert.False(t, report.Passed())
			assert.Greater(t, len(report.Checks), 90)
			for _, rest := range report.Checks[1:] {
				assert.True(t, rest.NotRun, rest.Name)
				assert.False(t, rest.OK, rest.Name)
			}
			if c.handler != nil {
				assert.EqualValues(t, 1, calls.Load(), "one call and no more")
			}
		})
	}
}

func TestAPoorPlayerIsLeftAlone(t *testing.T) {
	s := newService(defects{})
	s.balance = MinBalance.Sub(decimal.New(1, -2))
	report, err := Run(t.Context(), s.start(t))
	require.ErrorIs(t, err, ErrBalanceTooLow)
	assert.ErrorContains(t, err, "1.99 EUR")
	assert.False(t, report.Passed())
	assert.Empty(t, s.booked)
	assert.Len(t, s.requests, 1)
}

func TestConfigNamesEveryProblemAndNoSecret(t *testing.T) {
	_, err := Run(t.Context(), Config{})
	require.Error(t, err)
	for _, word := range []string{"callback URL", "user ID", "agent ID", "secret key"} {
		assert.ErrorContains(t, err, word)
	}
	for _, address := range []string{"casino.example", "ftp://casino.example", "http://", "http://a/?x=1",
		"http://me:hidden@casino.example", "http://[::1"} {
		_, err := Run(t.Context(), Config{CallbackURL: address, UserID: "u", AgentID: "a", SecretKey: "very secret"})
		require.Error(t, err, address)
		assert.NotContains(t, err.Error(), "very secret")
		assert.NotContains(t, err.Error(), "hidden")
	}
}

func TestAStoppedRunRestoresTheBalance(t *testing.T) {
	for _, stopAt := range []string{"Withdraw of 1.00", "Deposit of 0.50", "BetWin that is lost: 0.05 and 0.00",
		"16 different bets at once"} {
		t.Run(stopAt, func(t *testing.T) {
			s := newService(defects{})
			config := s.start(t)
			ctx, stop := context.WithCancel(t.Context())
			config.Progress = func(_, _ int, c Check) {
				if c.Name == stopAt {
					stop()
				}
			}
			report, err := Run(ctx, config)
			require.ErrorIs(t, err, context.Canceled)
			assert.False(t, report.Passed())
			last := report.Checks[len(report.Checks)-1]
			assert.True(t, last.OK, last.Got)
			assert.Equal(t, "not run: the run was stopped", report.Checks[len(report.Checks)-2].Got)
			assert.Empty(t, report.Unsettled)
			assert.Equal(t, "10.00", s.now())
			for id, b := range s.booked {
				assert.True(t, b.gone, "%s is still booked", id)
			}
		})
	}
}

func TestALostAnswerIsCleanedUp(t *testing.T) {
	s := newService(defects{})
	s.intercept = func(_ http.ResponseWriter, r *http.Request, request wire.Request) bool {
		if request.Amount != "1.00" {
			return false
		}
		s.answer(wire.Withdraw, request, false) // booked, but not answered
		panic(http.ErrAbortHandler)
	}
	report, err := Run(t.Context(), s.start(t))
	require.NoError(t, err)
	assert.Equal(t, "no answer: the connection was closed, balance -1.00", check(t, &report, "Withdraw of 1.00").Got)
	assert.True(t, check(t, &report, "the same Withdraw again").NotRun)
	assert.Equal(t, "10.00", s.now())
	assert.Empty(t, report.Unsettled)
}

func TestWhatCannotBeRestoredIsReported(t *testing.T) {
	s := newService(defects{})
	var down atomic.Bool
	s.intercept = func(w http.ResponseWriter, _ *http.Request, _ wire.Request) bool {
		if down.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
		return down.Load()
	}
	config := s.start(t)
	config.Progress = func(_, _ int, c Check) {
		if c.Name == "Withdraw of 1.00" {
			down.Store(true)
		}
	}
	report, err := Run(t.Context(), config)
	require.NoError(t, err)
	assert.False(t, report.Passed())
	assert.Equal(t, "9.00", s.now())
	assert.Contains(t, report.Unsettled, "The balance could not be read at the end; it was 10.00")
	assert.Contains(t, report.Unsettled, "Not rolled back: golive-")
	var text strings.Builder
	require.NoError(t, report.Write(&text))
	assert.Contains(t, text.String(), "The balance could not be read at the end")
}

func TestADifferenceBySomebodyElseIsNotMadeUp(t *testing.T) {
	s := newService(defects{})
	var meddling atomic.Bool
	s.intercept = func(_ http.ResponseWriter, r *http.Request, _ wire.Request) bool {
		if meddling.Load() && strings.HasSuffix(r.URL.Path, "/GetBalance") {
			s.mu.Lock()
			s.balance = s.balance.Add(decimal.New(1, 0))
			s.mu.Unlock()
		}
		return false
	}
	config := s.start(t)
	config.Progress = func(_, _ int, c Check) {
		meddling.Store(c.Name == "Content-Type is application/json" || meddling.Load())
	}
	report, err := Run(t.Context(), config)
	require.NoError(t, err)
	last := report.Checks[len(report.Checks)-1]
	assert.False(t, last.OK)
	assert.Contains(t, last.Got, "changes without these checks")
	assert.NotEmpty(t, report.Unsettled)
	for _, r := range s.requests {
		assert.NotEqual(t, "2.00", r.Amount, "nothing was booked against it")
	}
}

func TestChecksHaveUniqueNamesAndASection(t *testing.T) {
	config := newService(defects{}).start(t)
	var told []string
	config.Progress = func(done, total int, c Check) { told = append(told, fmt.Sprintf("%d/%d %s", done, total, c.Name)) }
	report, err := Run(t.Context(), config)
	require.NoError(t, err)
	names := map[string]bool{}
	for i, c := range report.Checks {
		assert.False(t, names[c.Name], "%q is there twice", c.Name)
		names[c.Name] = true
		assert.NotEmpty(t, c.Topic, c.Name)
		assert.NotEmpty(t, c.Section, c.Name)
		assert.NotEmpty(t, c.Expected, c.Name)
		assert.Equal(t, fmt.Sprintf("%d/%d %s", i+1, len(report.Checks), c.Name), told[i])
	}
}

func TestTransactionIDsAreNeverUsedByTwoRuns(t *testing.T) {
	s := newService(defects{})
	config := s.start(t)
	for range 2 {
		_, err := Run(t.Context(), config)
		require.NoError(t, err)
	}
	bets := map[string]bool{}
	for _, r := range s.requests {
		if r.Amount == "1.00" {
			bets[r.TransactionID] = true
		}
		if r.TransactionID != "" {
			assert.True(t, strings.HasPrefix(r.TransactionID, "golive-"), r.TransactionID)
		}
	}
	assert.Len(t, bets, 2)
}

func TestTheReportIsReadable(t *testing.T) {
	report := Report{
		CallbackURL: "https://casino.example/WalletService", UserID: "Player\x1b[31m01", AgentID: testAgent, Currency: "EUR",
		Opening: decimal.RequireFromString("10.00"),
		Checks: []Check{
			{Name: "GetBalance", Topic: "The service", Section: "Callback service 1", Expected: "0", Got: "0, 10.00 EUR",
				OK: true, Latency: 1500 * time.Microsecond},
			{Name: "Withdraw of 0.01 more than the balance", Topic: "Bets", Section: "Errors 3",
				Expected: "6, balance unchanged", Got: "0, balance -10.01", Latency: time.Millisecond},
			{Name: "Withdraw of 00.01", Topic: "Bets", Section: "Errors 2", Expected: "2", Got: "0", Advisory: true},
			{Name: "free spin", Topic: "Free spins", Section: "Callback service 3", Expected: "0", Got: "not run: no", NotRun: true},
		},
	}
	var text strings.Builder
	require.NoError(t, report.Write(&text))
	require.Equal(t, `Go-live checks of https://casino.example/WalletService as agent Partner01, with player Player?[31m01.
Use a test player that is not used for anything else: the checks place bets and wins, and roll them back.
Balance at the beginning: 10.00 EUR.

The service
  ok      GetBalance: 0, 10.00 EUR

Bets
  FAIL    Withdraw of 0.01 more than the balance: 0, balance -10.01; expected 6, balance unchanged (Errors 3)
  advice  Withdraw of 00.01: 0; expected 2 (Errors 2)

Free spins
  -       free spin: not run: no

4 checks: 1 ok, 1 failed, 1 advice only, 1 not run. Slowest answer: 1.5ms (GetBalance).
Not passed: every check must be ok, except where it says advice.
`, text.String())
	assert.ErrorIs(t, report.Write(brokenWriter{}), io.ErrClosedPipe)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestNoSecretIsInTheReport(t *testing.T) {
	s := newService(defects{})
	s.intercept = func(w http.ResponseWriter, r *http.Request, request wire.Request) bool {
		if request.Amount != "0.50" {
			return false
		}
		text, _ := json.Marshal(map[string]any{"result": request.Sign, request.Sign: testKey, "message": request.Sign})
		_, _ = w.Write(text)
		return true
	}
	report, err := Run(t.Context(), s.start(t))
	require.NoError(t, err)
	text, err := json.Marshal(report)
	require.NoError(t, err)
	assert.NotContains(t, string(text), testKey)
	assert.NotRegexp(t, "[0-9A-F]{64}", string(text))
}
