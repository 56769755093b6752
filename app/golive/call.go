package golive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"

	"pitboss/callbacks/wire"
)

// maxAnswerBytes is the longest answer that is read. A correct one has about a hundred bytes.
const maxAnswerBytes = 64 << 10

// answer is the outcome of a call.
type answer struct {
	problem  string // why there is no result: no answer, or not HTTP 200 and JSON with a result
	result   wire.Result
	balance  *decimal.Decimal
	currency string
}

// definite reports whether the answer has a result.
func (a answer) definite() bool { return a.problem == "" }

// String returns the result, or why there is none.
func (a answer) String() string {
	if !a.definite() {
		return a.problem
	}
	return strconv.Itoa(int(a.result))
}

// newClient returns a client that does not follow redirects.
func newClient() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// post sends a body to the service and reads the answer.
func (r *run) post(ctx context.Context, endpoint wire.Endpoint, body []byte) answer {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.base+endpoint.Path(), bytes.NewReader(body))
	if err != nil {
		return answer{problem: failure(err)}
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := r.client.Do(request)
	if err != nil {
		return answer{problem: failure(err)}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	switch {
	case err != nil:
		return answer{problem: failure(err)}
	case response.StatusCode != http.StatusOK:
		return answer{problem: fmt.Sprintf("HTTP %d", response.StatusCode)}
	}
	return read(text)
}

// amountShape matches balances as a string, as in the specification, or as a number, as in the platform's public documentation.
var amountShape = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,2})?$`)

// read decodes the body of an answer.
func read(text []byte) (a answer) {
	var body struct {
		Result   *wire.Result   `json:"result"`
		Balance  jsontext.Value `json:"balance"`
		Currency string         `json:"currency"`
	}
	if err := json.Unmarshal(text, &body); err != nil || body.Result == nil {
		return answer{problem: "HTTP 200 with a body that is not JSON with a result"}
	}
	a.result, a.currency = *body.Result, printable(body.Currency)
	if balance := strings.Trim(string(body.Balance), `"`); amountShape.MatchString(balance) {
		amount := decimal.RequireFromString(balance)
		a.balance = &amount
	}
	return a
}

// failure returns in a few words why a call had no answer.
func failure(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the address is known
	}
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "no answer: the run was stopped"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "no answer: the connection was closed"
	}
	return "no answer: " + printable(err.Error())
}

// printable returns text from outside, shortened and safe for a terminal.
func printable(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) && c != unicode.ReplacementChar {
			return c
		}
		return '?'
	}, text)
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
