package wire

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Answer is what a callback answers. Fields that are empty are not written.
type Answer struct {
	Result   Result
	Balance  string // an amount with two decimals, perhaps with a minus sign
	Currency string
	Message  string
}

// AppendTo appends the answer as one JSON object in the dialect and returns the extended bytes.
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

// appendQuoted writes text as a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendQuoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

// UnmarshalText reads a dialect's name, "spec" or "gitslotpark", as in PITBOSS_WIRE.
func (d *Dialect) UnmarshalText(text []byte) error {
	switch string(text) {
	case "spec":
		*d = Spec
	case "gitslotpark":
		*d = GitSlotPark
	default:
		return errors.New("the wire dialect is spec or gitslotpark")
	}
	return nil
}
