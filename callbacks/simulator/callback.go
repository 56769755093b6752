package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The five callbacks, named as in the specification (Endpoints, Callback service).
const (
	getBalance          = "GetBalance"
	withdraw            = "Withdraw"
	deposit             = "Deposit"
	betWin              = "BetWin"
	rollbackTransaction = "RollbackTransaction"
)

// The result codes that the simulator expects or gives (specification, Errors 2; platform notes for 4, 5 and 7).
const (
	resultSuccess           = 0
	resultGeneralError      = 1
	resultWrongInput        = 2
	resultInvalidSign       = 3
	resultInvalidAgent      = 4
	resultInsufficientFunds = 6
	resultInvalidToken      = 7
	resultNotFound          = 8
	resultRolledBack        = 9
	resultDuplicate         = 11
)

// call is a callback to be sent. Withdraw uses bet, Deposit uses win, BetWin both.
type call struct {
	endpoint      string
	userID        string
	transactionID string
	roundID       string
	bet           minor
	win           minor
	freeSpin      bool
}

// amount returns the call's amount for people: "1.00", or "1.00 / 5.00" for a bet and its win.
func (c call) amount() string {
	switch c.endpoint {
	case withdraw:
		return c.bet.String()
	case deposit:
		return c.win.String()
	case betWin:
		return c.bet.String() + " / " + c.win.String()
	}
	return ""
}

// body returns the signed request. The values are signed in the specification's order (Authentication, Sign input order).
func (c call) body(agentID, secretKey string) []byte {
	type head struct {
		AgentID string `json:"agentID"`
		UserID  string `json:"userID"`
	}
	type transaction struct {
		TransactionID string `json:"transactionID"`
		RoundID       string `json:"roundID"`
		FreeSpin      bool   `json:"freeSpin,omitempty"`
		Sign          string `json:"sign"`
	}
	who := head{agentID, c.userID}
	what := transaction{TransactionID: c.transactionID, RoundID: c.roundID, FreeSpin: c.freeSpin}
	var request any
	switch c.endpoint {
	case getBalance:
		request = struct {
			head
			Sign string `json:"sign"`
		}{who, sign(secretKey, agentID, c.userID)}
	case withdraw, deposit:
		amount := c.amount()
		what.Sign = sign(secretKey, agentID, c.userID, amount, c.transactionID, c.roundID)
		request = struct {
			head
			Amount string `json:"amount"`
			transaction
		}{who, amount, what}
	case betWin:
		bet, win := c.bet.String(), c.win.String()
		what.Sign = sign(secretKey, agentID, c.userID, bet, win, c.transactionID, c.roundID)
		request = struct {
			head
			BetAmount string `json:"betAmount"`
			WinAmount string `json:"winAmount"`
			transaction
		}{who, bet, win, what}
	case rollbackTransaction:
		request = struct {
			head
			TransactionID string `json:"transactionID"`
			Sign          string `json:"sign"`
		}{who, c.transactionID, sign(secretKey, agentID, c.userID, c.transactionID)}
	}
	body, err := json.Marshal(request)
	if err != nil {
		panic("simulator: a request of strings and booleans did not marshal: " + err.Error())
	}
	return body
}

// answer is the wallet's answer. Balance is nil if the answer has none.
type answer struct {
	Result   int
	Message  string
	Balance  *minor
	Currency string
}

// exchange is a request and its outcome. answer is nil if there was no definite answer; err or status then says why, and sent
// says whether the wallet may have received the request.
type exchange struct {
	status  int
	answer  *answer
	err     error
	sent    bool
	latency time.Duration
	late    time.Duration // see Event
	took    time.Duration
}

// definite reports whether the wallet gave a definite answer: HTTP 200 with a readable body. The platform treats any other
// status as a server error and repeats the callback (specification, Events).
func (e exchange) definite() bool { return e.answer != nil }

// outcome returns the exchange's outcome in a word or two, for reports and pages: "0", "6", "HTTP 503", "no connection", "no
// answer".
func (e exchange) outcome() string {
	switch {
	case e.answer != nil:
		return strconv.Itoa(e.answer.Result)
	case errors.Is(e.err, errUnreadable):
		return outcomeUnreadable
	case e.status != 0 && e.status != http.StatusOK:
		return "HTTP " + strconv.Itoa(e.status)
	case !e.sent:
		return "no connection"
	}
	return "no answer"
}

// result returns the result code of a definite answer.
func (e exchange) result() int { return e.answer.Result }

const outcomeUnreadable = "unreadable"

// errUnreadable means that an answer with status 200 is complete but not what the specification requires. That is a fault of
// the wallet, and repeating the callback would not help.
var errUnreadable = errors.New("the answer is not readable")

// caller sends callbacks to one wallet.
type caller struct {
	baseURL   string
	agentID   string
	secretKey string
	client    *http.Client
	now       func() time.Time
}

const maxAnswerBytes = 64 << 10

// send posts a body to an endpoint and reads the answer. If cut is true, it drops the connection as soon as it has written the
// request, so that the answer is lost.
func (c *caller) send(ctx context.Context, endpoint string, body []byte, cut bool) exchange {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) {
			if cut {
				cancel()
			}
		},
	})
	start := c.now()
	finish := func(e exchange) exchange {
		e.sent, e.latency = connected.Load(), c.now().Sub(start)
		return e
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.baseURL+"/"+endpoint, bytes.NewReader(body))
	if err != nil {
		return finish(exchange{err: err})
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return finish(exchange{err: err})
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return finish(exchange{status: response.StatusCode, err: err})
	}
	if cut {
		return finish(exchange{err: context.Canceled})
	}
	if response.StatusCode != http.StatusOK {
		return finish(exchange{status: response.StatusCode, err: fmt.Errorf("HTTP status %d", response.StatusCode)})
	}
	given, err := readAnswer(raw)
	if err != nil {
		return finish(exchange{status: response.StatusCode, err: err})
	}
	return finish(exchange{status: response.StatusCode, answer: given})
}

var writtenInteger = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,8})$`)

// readAnswer decodes an answer strictly: result is an integer; balance, if present, is an amount with two decimal places, as a
// string (specification) or a number (the platform's public documentation).
func readAnswer(raw []byte) (*answer, error) {
	if len(raw) > maxAnswerBytes {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", errUnreadable, maxAnswerBytes)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("%w: it is not a JSON object", errUnreadable)
	}
	written := string(fields["result"])
	if !writtenInteger.MatchString(written) {
		return nil, fmt.Errorf("%w: result is %.40q, not an integer", errUnreadable, written)
	}
	given := &answer{}
	given.Result, _ = strconv.Atoi(written)
	for name, field := range map[string]*string{"message": &given.Message, "currency": &given.Currency} {
		if value, there := fields[name]; there && json.Unmarshal(value, field) != nil {
			return nil, fmt.Errorf("%w: %s is not a string", errUnreadable, name)
		}
	}
	if value, there := fields["balance"]; there {
		written := string(value)
		if strings.HasPrefix(written, `"`) {
			if err := json.Unmarshal(value, &written); err != nil {
				return nil, fmt.Errorf("%w: balance: %w", errUnreadable, err)
			}
		}
		balance, err := parseMinor(written)
		if err != nil {
			return nil, fmt.Errorf("%w: balance: %w", errUnreadable, err)
		}
		given.Balance = &balance
	}
	return given, nil
}
