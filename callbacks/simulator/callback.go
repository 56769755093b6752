package simulator

import (
	"bytes"
	"context"
	stdjson "encoding/json" // whose omitempty leaves out false, as the tags of wire expect
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// call is a callback to be sent. Withdraw uses Bet, Deposit uses Win, BetWin both.
type call struct {
	Endpoint                       wire.Endpoint
	UserID, TransactionID, RoundID string
	Bet, Win                       models.Amount
	FreeSpin                       bool
}

// Amount returns the call's amount for display: "1.00", or "1.00 / 5.00" for a bet and its win. It is empty if the call has no
// amount.
func (c call) Amount() string {
	switch c.Endpoint {
	case wire.Withdraw:
		return c.Bet.String()
	case wire.Deposit:
		return c.Win.String()
	case wire.BetWin:
		return c.Bet.String() + " / " + c.Win.String()
	}
	return ""
}

// body returns the signed request.
func (c call) body(agentID, secretKey string) []byte {
	r := wire.Request{AgentID: agentID, UserID: c.UserID, TransactionID: c.TransactionID, RoundID: c.RoundID, FreeSpin: c.FreeSpin}
	if c.Endpoint == wire.BetWin {
		r.BetAmount, r.WinAmount = c.Bet.String(), c.Win.String()
	} else {
		r.Amount = c.Amount()
	}
	r.Sign = wire.Sign(secretKey, r.SignedValues(c.Endpoint, nil)...)
	return marshal(r)
}

func marshal(value any) []byte {
	written, err := stdjson.Marshal(value)
	if err != nil {
		panic("simulator: strings and numbers did not marshal: " + err.Error())
	}
	return written
}

// answer is a definite answer of the wallet: HTTP 200 with a readable body. The platform treats any other status as a server
// error and sends the callback again (specification, Events).
type answer struct {
	result   wire.Result
	balance  *models.Amount // nil if the answer has none
	currency string
}

// errUnreadable means that a complete answer with status 200 is not what the specification requires. That is the wallet's
// fault, and another attempt would not help.
var errUnreadable = errors.New("unreadable answer")

// send posts a callback to the wallet and reads the answer. If cut is true, it drops the connection as soon as it has written
// the request, so that the answer is lost.
func (s *Simulator) send(ctx context.Context, c call, cut bool) (a answer, err error) {
	if cut {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { cancel() }})
	}
	body := c.body(s.config.AgentID, s.config.SecretKey)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.config.CallbackURL+c.Endpoint.Path(), bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.config.Client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	if err != nil {
		return a, err
	}
	if a, err = readAnswer(raw); err == nil {
		s.books.learn(c.UserID, a.currency)
	}
	return a, err
}

// readAnswer decodes an answer strictly. The result must be an integer. The balance, if present, must be an amount with two
// decimal places: a string, as in the specification, or a number, as in the platform's public documentation.
func readAnswer(raw []byte) (a answer, err error) {
	var given struct {
		Result   *wire.Result   `json:"result"`
		Balance  jsontext.Value `json:"balance"`
		Currency string         `json:"currency"`
	}
	if err := json.Unmarshal(raw, &given); err != nil || given.Result == nil {
		return a, fmt.Errorf("%w: %.200s", errUnreadable, raw)
	}
	a = answer{result: *given.Result, currency: given.Currency}
	if given.Balance != nil {
		text := strings.Trim(string(given.Balance), `"`)
		balance, err := models.ParseAmount(strings.TrimPrefix(text, "-"))
		if strings.HasPrefix(text, "-") {
			balance = balance.Neg()
		}
		if err != nil {
			return a, fmt.Errorf("%w: %.40q is not an amount with two decimal places", errUnreadable, text)
		}
		a.balance = &balance
	}
	return a, nil
}
