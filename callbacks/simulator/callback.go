package simulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"

	"github.com/go-json-experiment/json"
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

// call is a callback to be sent. Withdraw uses Bet, Deposit uses Win, BetWin both.
type call struct {
	Endpoint      string
	UserID        string
	TransactionID string
	RoundID       string
	Bet           minor
	Win           minor
	FreeSpin      bool
}

// Amount returns the call's amount for people: "1.00", or "1.00 / 5.00" for a bet and its win; empty if the call has none.
func (c call) Amount() string {
	switch c.Endpoint {
	case withdraw:
		return c.Bet.String()
	case deposit:
		return c.Win.String()
	case betWin:
		return c.Bet.String() + " / " + c.Win.String()
	}
	return ""
}

// body returns the signed request. The fields are added in the order in which the specification signs them (Authentication, Sign
// input order); in the body they may come in any order.
func (c call) body(agentID, secretKey string) []byte {
	fields, signed := map[string]any{}, []string{}
	add := func(name, value string) {
		fields[name] = value
		signed = append(signed, value)
	}
	add("agentID", agentID)
	add("userID", c.UserID)
	switch c.Endpoint {
	case withdraw, deposit:
		add("amount", c.Amount())
	case betWin:
		add("betAmount", c.Bet.String())
		add("winAmount", c.Win.String())
	}
	if c.Endpoint != getBalance {
		add("transactionID", c.TransactionID)
	}
	if c.Endpoint != getBalance && c.Endpoint != rollbackTransaction {
		add("roundID", c.RoundID)
		if c.FreeSpin {
			fields["freeSpin"] = true
		}
	}
	fields["sign"] = sign(secretKey, signed...)
	return marshal(fields)
}

// answer is the wallet's answer. Balance is nil if the answer has none.
type answer struct {
	Result   *int   `json:"result"`
	Message  string `json:"message"`
	Balance  *minor `json:"balance"`
	Currency string `json:"currency"`
}

// exchange is a request and its outcome. answer is nil unless the wallet gave a definite answer: HTTP 200 with a readable body.
// The platform treats any other status as a server error and repeats the callback (specification, Events).
type exchange struct {
	status int
	answer *answer
	err    error // why there is no definite answer
}

// result returns the result code of a definite answer.
func (e exchange) result() int { return *e.answer.Result }

// errUnreadable means that an answer with status 200 is complete but not what the specification requires. That is a fault of
// the wallet, and repeating the callback would not help.
var errUnreadable = errors.New("the answer is not readable")

const maxAnswerBytes = 64 << 10

// send posts a body to an endpoint of the wallet and reads the answer. If cut is true, it drops the connection as soon as it has
// written the request, so that the answer is lost.
func (s *Simulator) send(ctx context.Context, endpoint string, body []byte, cut bool) (got exchange) {
	if cut {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { cancel() },
		})
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.config.CallbackURL+"/"+endpoint, bytes.NewReader(body))
	if err != nil {
		return exchange{err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.config.Client.Do(request)
	if err != nil {
		return exchange{err: err}
	}
	defer response.Body.Close()
	got.status = response.StatusCode
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("HTTP status %d", got.status)
	}
	if err == nil {
		got.answer, err = readAnswer(raw)
	}
	got.err = err
	return got
}

// readAnswer decodes an answer strictly: result is an integer; balance, if present, is an amount.
func readAnswer(raw []byte) (*answer, error) {
	if len(raw) > maxAnswerBytes {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", errUnreadable, maxAnswerBytes)
	}
	var given answer
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if given.Result == nil {
		return nil, fmt.Errorf("%w: it has no result", errUnreadable)
	}
	return &given, nil
}
