package wire

// Reading a callback (specification, "Callback service"; every refusal here is WrongInput).
//
//   - The body is one JSON object in valid UTF-8 with nothing but white space around it. A name that stands twice in an object,
//     at any depth, is refused: two readers could take different ones.
//   - Names match byte for byte, once decoded. Names that the endpoint does not know are passed over, whatever their values,
//     but they have to be JSON too.
//   - Every field that the endpoint requires is a string of 1 to 255 bytes without NUL, once decoded. Only sign may be empty or
//     of any length, or be absent: whether it holds is asked of it later. freeSpin is true, false or absent; null is neither.
//   - The strings of a Request are their own copy, because the body's memory is used again for the next message.

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxFieldBytes is how long a decoded string may be, other than sign.
const MaxFieldBytes = 255

// ShapeError says why a body cannot be a callback. It holds nothing of the body but the offset or the name of a known field.
type ShapeError struct {
	Field   string // the wire's name of the field, empty where the whole body is meant
	Problem string
}

// Error returns the problem in words, such as "userID is missing".
func (e *ShapeError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + " " + e.Problem
}

// field is a bit for each known name.
type field uint16

const (
	agentID field = 1 << iota
	userID
	amount
	betAmount
	winAmount
	transactionID
	roundID
	freeSpin
	sign
)

// fieldNames stand in the order of the bits.
var fieldNames = [...]string{
	FieldAgentID, FieldUserID, FieldAmount, FieldBetAmount, FieldWinAmount, FieldTransactionID, FieldRoundID, FieldFreeSpin,
	FieldSign,
}

// required are each endpoint's fields, without sign.
var required = [endpoints]field{
	GetBalance:          agentID | userID,
	Withdraw:            agentID | userID | amount | transactionID | roundID,
	Deposit:             agentID | userID | amount | transactionID | roundID,
	BetWin:              agentID | userID | betAmount | winAmount | transactionID | roundID,
	RollbackTransaction: agentID | userID | transactionID,
}

// optional are those that may be absent.
var optional = [endpoints]field{
	GetBalance:          sign,
	Withdraw:            sign | freeSpin,
	Deposit:             sign,
	BetWin:              sign,
	RollbackTransaction: sign,
}

// decoder is what reading a body needs, kept for the next one.
type decoder struct {
	json *jsontext.Decoder
	body bytes.Buffer
	text []byte                                  // the decoded strings, one after the other
	at   [len(fieldNames)]struct{ from, to int } // where each field's stands in text
	seen field
	free bool
}

var decoders = sync.Pool{New: func() any {
	d := &decoder{}
	d.json = jsontext.NewDecoder(&d.body)
	return d
}}

// maxKept bounds the bodies whose decoder is used again, so that a few hostile ones do not hold memory for ever.
const maxKept = 16 << 10

// Decode reads the body of a callback. Where it is not one the error is a *ShapeError, and the Request holds as much as was
// read before, for the log. The Request keeps no reference to body.
func Decode(e Endpoint, body []byte) (Request, error) {
	d := decoders.Get().(*decoder)
	d.body, d.text, d.seen, d.free = *bytes.NewBuffer(body), d.text[:0], 0, false
	shapeErr := d.read(required[e] | optional[e])
	if shapeErr == nil {
		shapeErr = d.missing(required[e])
	}
	r := d.request()
	d.body = bytes.Buffer{}
	d.json.Reset(&d.body) // lets go of body
	if len(body) <= maxKept {
		decoders.Put(d)
	}
	if shapeErr != nil {
		return r, shapeErr
	}
	return r, nil
}

// read takes in one object and the end of the body.
func (d *decoder) read(known field) *ShapeError {
	open, err := d.json.ReadToken()
	if err != nil {
		return d.syntax(err)
	}
	if open.Kind() != jsontext.KindBeginObject {
		return &ShapeError{Problem: "the body is not a JSON object"}
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		name, err := d.json.ReadValue()
		if err != nil {
			return d.syntax(err)
		}
		i, ok := fieldOf(name)
		f := field(1) << i
		if !ok || known&f == 0 {
			if err := d.json.SkipValue(); err != nil {
				return d.syntax(err)
			}
			continue
		}
		value, err := d.json.ReadValue()
		if err != nil {
			return d.syntax(err)
		}
		if e := d.take(i, f, value); e != nil {
			return e
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return d.syntax(err)
	}
	switch _, err := d.json.ReadToken(); {
	case err == nil:
		return &ShapeError{Problem: "the body goes on after its object"}
	case err != io.EOF:
		return d.syntax(err)
	}
	return nil
}

// take keeps the value of one known field.
func (d *decoder) take(i int, f field, value jsontext.Value) *ShapeError {
	if f == freeSpin {
		switch value.Kind() {
		case jsontext.KindTrue, jsontext.KindFalse:
			d.free = value.Kind() == jsontext.KindTrue
			d.seen |= f
			return nil
		}
		return &ShapeError{fieldNames[i], "is neither true nor false"}
	}
	if value.Kind() != jsontext.KindString {
		if f == sign {
			return nil // as if it were missing: a sign that does not hold
		}
		return &ShapeError{fieldNames[i], "is not a string"}
	}
	from := len(d.text)
	d.text = appendString(d.text, value)
	text := d.text[from:]
	if f != sign {
		problem := ""
		switch {
		case len(text) == 0:
			problem = "is empty"
		case len(text) > MaxFieldBytes:
			problem = "is longer than " + strconv.Itoa(MaxFieldBytes) + " bytes"
		case bytes.IndexByte(text, 0) >= 0:
			problem = "contains NUL"
		}
		if problem != "" {
			d.text = d.text[:from]
			return &ShapeError{fieldNames[i], problem}
		}
	}
	d.seen |= f
	d.at[i].from, d.at[i].to = from, len(d.text)
	return nil
}

// missing names the first required field that was not there.
func (d *decoder) missing(required field) *ShapeError {
	for i, name := range fieldNames {
		if f := field(1) << i; required&f != 0 && d.seen&f == 0 {
			return &ShapeError{name, "is missing"}
		}
	}
	return nil
}

// request copies all strings in one piece.
func (d *decoder) request() Request {
	all := string(d.text)
	of := func(i int) string {
		if d.seen&(1<<i) == 0 {
			return ""
		}
		return all[d.at[i].from:d.at[i].to]
	}
	return Request{
		AgentID: of(0), UserID: of(1), Amount: of(2), BetAmount: of(3), WinAmount: of(4),
		TransactionID: of(5), RoundID: of(6), FreeSpin: d.free, Sign: of(8),
	}
}

// syntax says what a reader's error means without repeating what it says of the body.
func (d *decoder) syntax(err error) *ShapeError {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return &ShapeError{Problem: "a name stands twice in an object of the body"}
	}
	problem := "the body is not JSON"
	if at := new(jsontext.SyntacticError); errors.As(err, &at) {
		problem += " from byte " + strconv.FormatInt(at.ByteOffset, 10)
	}
	return &ShapeError{Problem: problem}
}

// fieldOf finds the field that a quoted name means.
func fieldOf(quoted []byte) (int, bool) {
	name := quoted[1 : len(quoted)-1]
	var unescaped [32]byte
	if bytes.IndexByte(name, '\\') >= 0 {
		name = appendString(unescaped[:0], quoted)
	}
	for i := range fieldNames {
		if string(name) == fieldNames[i] {
			return i, true
		}
	}
	return 0, false
}

// appendString appends what a valid quoted string says.
func appendString(b []byte, quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return append(b, quoted[1:len(quoted)-1]...)
	}
	// Whatever could fail has been checked by the reader that delivered the value.
	b, _ = jsontext.AppendUnquote(b, quoted)
	return b
}
