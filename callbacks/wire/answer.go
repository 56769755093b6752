package wire

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Answer is the body of an answer. Empty fields are omitted.
type Answer struct {
	Result   Result
	Balance  string // an amount with two decimals, possibly negative
	Currency string
	Message  string
}

// AppendTo appends the answer to b as one JSON object in the dialect.
func (a *Answer) AppendTo(b []byte, d Dialect) []byte {
	b = append(b, `{"result":`...)
	b = strconv.AppendInt(b, int64(a.Result), 10)
	if a.Balance != "" {
		b = append(b, `,"balance":`...)
		if d == GitSlotPark {
			b = append(b, a.Balance...)
		} else {
			b = appendQuoted(b, a.Balance)
		}
	}
	if a.Currency != "" {
		b = append(b, `,"currency":`...)
		b = appendQuoted(b, a.Currency)
	}
	if a.Message != "" {
		b = append(b, `,"message":`...)
		b = appendQuoted(b, a.Message)
	}
	return append(b, '}')
}

// appendQuoted appends text as a JSON string, with U+FFFD for invalid UTF-8.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

// String returns the dialect's name, as in PITBOSS_WIRE.
func (d Dialect) String() string { return [...]string{Spec: "spec", GitSlotPark: "gitslotpark"}[d] }

// UnmarshalText reads a dialect's name, "spec" or "gitslotpark", as in PITBOSS_WIRE.
func (d *Dialect) UnmarshalText(text []byte) error {
	switch string(text) {
	case "spec":
		*d = Spec
	case "gitslotpark":
		*d = GitSlotPark
	default:
		return errors.New("the wire dialect must be spec or gitslotpark")
	}
	return nil
}
