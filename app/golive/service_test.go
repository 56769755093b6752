package golive

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
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

// service is a callback service in memory. It is correct unless it has defects, each of which makes it wrong in one way.
type service struct {
	dialect wire.Dialect
	defects defects
	// intercept, if not nil, may answer instead of the service, and then returns true. It is called without the lock.
	intercept func(http.ResponseWriter, *http.Request, wire.Request) bool

	mu       sync.Mutex
	balance  decimal.Decimal
	booked   map[string]*booking
	requests []wire.Request // those that could be read
	paused   chan struct{}
}

type booking struct {
	effect  decimal.Decimal
	gone    bool // rolled back, or rolled back before it came
	never   bool // the latter
	refused bool // remembered as refused
}

// defects are the ways in which the service can be wrong.
type defects struct {
	noSign, anyCaseSign, emptySign        bool
	errorStatus, errorText                bool
	debitsOnPoor, noFundsCheck            bool
	winCoversBet, duplicatesTwice         bool
	keyPerEndpoint, rollsBackTwice        bool
	rollbackNever, rollbackUnknownIsFine  bool
	takesLateBets, ignoresFreeSpin        bool
	spinsNeedFunds, numbers, losesRace    bool
	losesUpdate, refusesUnknownFields     bool
	refusesZero, laxAmounts               bool
	staleBalance, anyPlayer, noCurrency   bool
	oneDecimal, extraFields, plainText    bool
	refusedIsBooked, rollbackBySomebody   bool
	duplicateIsSuccess, resultIsAString   bool
	missingIsSilent, rollbackForgetsState bool
	refusedForGood                        bool
}

func newService(d defects) *service {
	return &service{defects: d, balance: decimal.RequireFromString("10.00"), booked: map[string]*booking{},
		paused: make(chan struct{})}
}

// start serves until the test ends.
func (s *service) start(t *testing.T) Config {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return Config{
		CallbackURL: server.URL + "/WalletService", UserID: testPlayer, AgentID: testAgent, SecretKey: testKey,
		Dialect: s.dialect,
	}
}

func (s *service) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.balance.StringFixed(2)
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var endpoint wire.Endpoint
	found := false
	for _, e := range wire.Endpoints() {
		if r.Method == http.MethodPost && r.URL.Path == "/WalletService"+e.Path() {
			endpoint, found = e, true
		}
	}
	if !found {
		http.NotFound(w, r)
		return
	}
	request, err := wire.Decode(endpoint, body)
	if err == nil && s.intercept != nil && s.intercept(w, r, request) {
		return
	}
	if err != nil && s.defects.missingIsSilent {
		w.Header().Set("Content-Type", "application/json")
		return
	}
	a := wire.Answer{Result: wire.WrongInput}
	if err == nil {
		a = s.answer(endpoint, request, strings.Contains(string(body), `"extra"`))
	}
	s.write(w, a)
}

func (s *service) write(w http.ResponseWriter, a wire.Answer) {
	if a.Result != wire.Success && s.dialect == wire.GitSlotPark {
		a.Message = a.Result.String()
	}
	dialect := s.dialect
	if s.defects.numbers {
		dialect = wire.GitSlotPark
	}
	text := string(a.AppendTo(nil, dialect))
	switch {
	case s.defects.extraFields:
		text = strings.TrimSuffix(text, "}") + `,"debug":{}}`
	case s.defects.resultIsAString:
		text = regexp.MustCompile(`"result":(\d+)`).ReplaceAllString(text, `"result":"$1"`)
	case s.defects.oneDecimal:
		text = regexp.MustCompile(`"balance":"([^"]*)\d"`).ReplaceAllString(text, `"balance":"$1"`)
	case s.defects.errorText && a.Result != wire.Success:
		text = "sorry\n"
	}
	if s.defects.plainText {
		w.Header().Set("Content-Type", "text/plain")
	} else {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	if s.defects.errorStatus && a.Result != wire.Success {
		w.WriteHeader(http.StatusInternalServerError)
	}
	_, _ = io.WriteString(w, text)
}

func (s *service) signed(e wire.Endpoint, r wire.Request) bool {
	var values [6]string
	sign := r.Sign
	if s.defects.anyCaseSign {
		sign = strings.ToUpper(sign)
	}
	return s.defects.noSign || s.defects.emptySign && sign == "" ||
		wire.Sign(testKey, r.SignedValues(e, values[:])...) == sign
}

var (
	rightAmount = regexp.MustCompile(`^(0|[1-9][0-9]*)\.[0-9][0-9]$`)
	laxAmount   = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
)

// amounts reads the amounts that the request has.
func (s *service) amounts(e wire.Endpoint, r wire.Request) (bet, win decimal.Decimal, ok bool) {
	ok = true
	read := func(text string) decimal.Decimal {
		if !rightAmount.MatchString(text) && !(s.defects.laxAmounts && laxAmount.MatchString(text)) {
			ok = false
			return decimal.Zero
		}
		return decimal.RequireFromString(text)
	}
	switch e {
	case wire.Withdraw:
		bet = read(r.Amount)
	case wire.Deposit:
		win = read(r.Amount)
	case wire.BetWin:
		bet, win = read(r.BetAmount), read(r.WinAmount)
	}
	return bet, win, ok
}

func (s *service) answer(e wire.Endpoint, r wire.Request, unknownFields bool) wire.Answer {
	if !s.signed(e, r) {
		return wire.Answer{Result: wire.InvalidSign}
	}
	unknownAgent, unknownPlayer := wire.WrongInput, wire.WrongInput
	if s.dialect == wire.GitSlotPark {
		unknownAgent, unknownPlayer = wire.InvalidAgent, wire.UserNotFound
	}
	if r.AgentID != testAgent {
		return wire.Answer{Result: unknownAgent}
	}
	bet, win, ok := s.amounts(e, r)
	if !ok || unknownFields && s.defects.refusesUnknownFields {
		return wire.Answer{Result: wire.WrongInput}
	}
	if s.defects.refusesZero && e != wire.GetBalance && e != wire.RollbackTransaction && bet.Add(win).IsZero() {
		return wire.Answer{Result: wire.WrongInput}
	}
	if r.UserID != testPlayer && !s.defects.anyPlayer && !(s.defects.rollbackBySomebody && e == wire.RollbackTransaction) {
		return wire.Answer{Result: unknownPlayer}
	}
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	switch e {
	case wire.GetBalance:
		a := wire.Answer{Balance: s.now(), Currency: "EUR"}
		if s.defects.noCurrency {
			a.Currency = ""
		}
		return a
	case wire.RollbackTransaction:
		return s.rollBack(r)
	}
	return s.book(e, r, bet, win)
}

func (s *service) book(e wire.Endpoint, r wire.Request, bet, win decimal.Decimal) wire.Answer {
	key := r.TransactionID
	if s.defects.keyPerEndpoint {
		key = e.Path() + key
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.balance
	answer := func(result wire.Result) wire.Answer {
		a := wire.Answer{Result: result, Balance: s.balance.StringFixed(2)}
		if s.defects.staleBalance {
			a.Balance = before.StringFixed(2)
		}
		return a
	}
	prior := s.booked[key]
	if s.defects.losesRace && prior == nil {
		s.pause() // as if looked up outside the transaction that books
	}
	if prior != nil {
		switch {
		case prior.gone && !(prior.never && s.defects.takesLateBets) && !s.defects.rollbackForgetsState:
			return wire.Answer{Result: wire.AlreadyRolledBack}
		case prior.refused:
			return wire.Answer{Result: wire.InsufficientFunds}
		case s.defects.duplicatesTwice:
		case prior.gone:
			delete(s.booked, key)
		case s.defects.duplicateIsSuccess:
			return answer(wire.Success)
		default:
			return answer(wire.DuplicateTransaction)
		}
	}
	free := r.FreeSpin && !s.defects.ignoresFreeSpin
	funds := s.balance
	if s.defects.winCoversBet {
		funds = funds.Add(win)
	}
	if bet.IsPositive() && bet.GreaterThan(funds) && (!free || s.defects.spinsNeedFunds) && !s.defects.noFundsCheck {
		if s.defects.debitsOnPoor {
			s.balance = s.balance.Sub(bet)
		}
		if s.defects.refusedIsBooked || s.defects.refusedForGood {
			s.booked[key] = &booking{refused: s.defects.refusedForGood}
		}
		return wire.Answer{Result: wire.InsufficientFunds}
	}
	effect := win.Sub(bet)
	if free {
		effect = decimal.Zero
	}
	was := s.balance
	if s.defects.losesUpdate {
		s.pause()
		s.balance = was.Add(effect)
	} else {
		s.balance = s.balance.Add(effect)
	}
	s.booked[key] = &booking{effect: effect}
	return answer(wire.Success)
}

func (s *service) rollBack(r wire.Request) wire.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.booked[r.TransactionID]
	if s.defects.keyPerEndpoint {
		for _, e := range wire.Endpoints() {
			if other := s.booked[e.Path()+r.TransactionID]; other != nil && b == nil {
				b = other
			}
		}
	}
	switch {
	case s.defects.rollbackNever:
		return wire.Answer{Balance: s.balance.StringFixed(2)}
	case b == nil && s.defects.rollbackUnknownIsFine:
		return wire.Answer{Balance: s.balance.StringFixed(2)}
	case b == nil || b.never:
		s.booked[r.TransactionID] = &booking{gone: true, never: true}
		return wire.Answer{Result: wire.TransactionNotFound}
	case b.gone && !s.defects.rollsBackTwice:
		return wire.Answer{Result: wire.AlreadyRolledBack}
	}
	s.balance, b.gone = s.balance.Sub(b.effect), true
	return wire.Answer{Balance: s.balance.StringFixed(2)}
}

// pause releases the lock until another request pauses too, like a service that reads and writes in two steps. A request that
// is alone goes on after a moment.
func (s *service) pause() {
	s.mu.Unlock()
	select {
	case s.paused <- struct{}{}:
	case <-s.paused:
	case <-time.After(40 * time.Millisecond):
	}
	s.mu.Lock()
}

func check(t *testing.T, r *Report, name string) Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	require.Fail(t, "no such check", name)
	return Check{}
}
