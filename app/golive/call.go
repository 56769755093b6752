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
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"

	"pitboss/callbacks/wire"
)

// maxAnswerBytes is the longest answer that is read. A correct one has about a hundred bytes.
const maxAnswerBytes = 64 << 10

// answer is the outcome of a call. As much of it as possible is decoded, so that one wrong type does not fail every check.
// Faults in its form are in separate fields, which have their own checks.
type answer struct {
	problem  string // why there is no result: no answer, or not HTTP 200 and JSON with a result
	result   wire.Result
	balance  *decimal.Decimal
	currency string
	latency  time.Duration

	wrongTypes  []string
	otherFields []string
	notJSONType bool // the Content-Type
}

// definite reports whether the answer has a result.
func (a *answer) definite() bool { return a.problem == "" }

// String returns the result, or why there is none.
func (a *answer) String() string {
	if !a.definite() {
		return a.problem
	}
	return strconv.Itoa(int(a.result))
}

// caller posts bodies to the service.
type caller struct {
	client  *http.Client
	base    string
	timeout time.Duration
	dialect wire.Dialect
}

func newCaller(c Config, base string) *caller {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // HTTP/2 would put calls of several connections on one
	return &caller{
		client: &http.Client{
			Transport: &http.Transport{
				Proxy:       http.ProxyFromEnvironment,
				DialContext: (&net.Dialer{Timeout: c.Timeout}).DialContext, MaxIdleConnsPerHost: atOnce,
				IdleConnTimeout: 30 * time.Second, DisableCompression: true, Protocols: protocols,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: base, timeout: c.Timeout, dialect: c.Dialect,
	}
}

// post sends a body and reads the answer. It neither follows redirects nor retries.
func (c *caller) post(ctx context.Context, endpoint wire.Endpoint, body []byte) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	begun := time.Now()
	defer func() { a.latency = time.Since(begun) }()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+endpoint.Path(), bytes.NewReader(body))
	if err != nil {
		return answer{problem: failure(err)}
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return answer{problem: failure(err)}
	}
	defer response.Body.Close()
	if 300 <= response.StatusCode && response.StatusCode < 400 {
		return answer{problem: fmt.Sprintf("HTTP %d, a redirect, which is not followed", response.StatusCode)}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return answer{problem: fmt.Sprintf("HTTP %d, then %s", response.StatusCode, failure(err))}
	case len(text) > maxAnswerBytes:
		return answer{problem: fmt.Sprintf("HTTP %d, more than %d KiB", response.StatusCode, maxAnswerBytes>>10)}
	}
	a = c.read(text)
	if response.StatusCode != http.StatusOK {
		if a.definite() {
			a.problem = fmt.Sprintf("HTTP %d with result %d", response.StatusCode, a.result)
		} else {
			a.problem = fmt.Sprintf("HTTP %d", response.StatusCode)
		}
	}
	mediaType, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	a.notJSONType = !strings.EqualFold(strings.TrimSpace(mediaType), "application/json")
	return a
}

var (
	integerShape = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,5})$`)
	balanceShape = regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.[0-9][0-9]$`)
	numberShape  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9][0-9]?)?$`)
)

// maxBalanceChars limits the length of balances, because they are calculated with.
const maxBalanceChars = 40

// read decodes the body of an answer.
func (c *caller) read(text []byte) (a answer) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		switch {
		case len(text) == 0:
			a.problem = "HTTP 200 without a body"
		case errors.Is(err, jsontext.ErrDuplicateName):
			a.problem = "HTTP 200 with a duplicate field name"
		case jsontext.Value(text).IsValid():
			a.problem = "HTTP 200 with JSON that is not an object"
		default:
			a.problem = "HTTP 200 with a body that is not JSON"
		}
		return a
	}
	result, ok := fields["result"]
	switch {
	case !ok:
		a.problem = "HTTP 200 with JSON without result"
		return a
	case !integerShape.Match(result):
		a.problem = "HTTP 200 with a result that is " + kind(result) + ", not an integer"
		return a
	}
	code, _ := strconv.Atoi(string(result))
	a.result = wire.Result(code)
	for name, value := range fields {
		switch name {
		case "result":
		case "balance":
			c.readBalance(&a, value)
		case "currency", "message", "transactionID":
			if value.Kind() != jsontext.KindString {
				a.wrongTypes = append(a.wrongTypes, name+" is "+kind(value))
			} else if name == "currency" {
				a.currency = unquoted(value)
			}
		default:
			a.otherFields = append(a.otherFields, printable(name))
		}
	}
	return a
}

// readBalance accepts a string or a number, whatever the dialect, and notes the wrong type.
func (c *caller) readBalance(a *answer, value jsontext.Value) {
	text, isString := string(value), value.Kind() == jsontext.KindString
	if isString {
		text = unquoted(value)
	}
	if numberShape.MatchString(text) && len(text) <= maxBalanceChars {
		balance := decimal.RequireFromString(text)
		a.balance = &balance
	}
	switch {
	case c.dialect == wire.Spec && !isString:
		a.wrongTypes = append(a.wrongTypes, "balance is "+kind(value)+", not a string")
	case c.dialect == wire.GitSlotPark && isString:
		a.wrongTypes = append(a.wrongTypes, "balance is a string, not a number")
	case a.balance == nil, c.dialect == wire.Spec && !balanceShape.MatchString(text):
		a.wrongTypes = append(a.wrongTypes, "balance does not have two decimals")
	}
}

func unquoted(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// kind returns the name of a JSON value's type.
func kind(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindNull:
		return "null"
	case jsontext.KindBeginArray:
		return "an array"
	}
	return "an object"
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
