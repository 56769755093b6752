package wire

// How a callback is decoded (specification, "Callback service"). Every refusal here is answered with WrongInput. Decoding goes
// on after a field that is wrong, because a refused callback may have a valid signature, which must not be used for anything
// else.
//
//   - The body is one JSON object in valid UTF-8, with nothing around it but white space. A name that occurs twice in an
//     object, at any depth, is refused, because two parsers could take different values.
//   - Names are compared byte for byte after decoding. Fields that the endpoint does not know are ignored, but they have to be
//     valid JSON.
//   - Every required field is a string of 1 to 255 bytes without NUL, after decoding. Only sign may be empty, missing or of any
//     length, because it is verified later. freeSpin is true, false or missing; null is refused.
//   - The strings of a Request are copies, because the body's memory is reused for the next request.

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxFieldBytes is the greatest length of a decoded string other than sign.
const MaxFieldBytes = 255

// ShapeError says why a body is not a callback. It never quotes the body: it shows only an offset or the name of a known field.
type ShapeError struct {
	Field   string // the field's name; empty if the problem is the whole body
	Problem string
}

// Error returns the problem, such as "userID is missing".
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

// fieldNames are in the order of the bits of field.
var fieldNames = [...]string{
	FieldAgentID, FieldUserID, FieldAmount, FieldBetAmount, FieldWinAmount, FieldTransactionID, FieldRoundID, FieldFreeSpin,
	FieldSign,
}

// required has the fields that each endpoint requires, besides sign.
var required = [endpoints]field{
	GetBalance:          agentID | userID,
	Withdraw:            agentID | userID | amount | transactionID | roundID,
	Deposit:             agentID | userID | amount | transactionID | roundID,
	BetWin:              agentID | userID | betAmount | winAmount | transactionID | roundID,
	RollbackTransaction: agentID | userID | transactionID,
}

// optional has the fields that may be missing.
var optional = [endpoints]field{
	GetBalance:          sign,
	Withdraw:            sign | freeSpin,
	Deposit:             sign,
	BetWin:              sign,
	RollbackTransaction: sign,
}

type place struct{ from, to int }

// decoder has the buffers for reading a body; it is reused.
type decoder struct {
	json  *jsontext.Decoder
	body  bytes.Buffer
	text  []byte                 // the decoded strings, concatenated
	at    [len(fieldNames)]place // where each field is in text
	seen  field
	free  bool
	wrong *ShapeError // the first
}

var decoders = sync.Pool{New: func() any {
	d := &decoder{}
	d.json = jsontext.NewDecoder(&d.body)
	return d
}}

// maxKept is the longest body after which a decoder is reused, so that a few hostile bodies do not occupy memory forever.
const maxKept = 16 << 10

// Decode reads the body of a callback. Its error is always a *ShapeError, for the first thing that is wrong; the Request then
// has what could be read, wrong texts and numbers included. The Request does not refer to body's memory.
func Decode(e Endpoint, body []byte) (Request, error) {
	d := decoders.Get().(*decoder)
	d.body, d.text, d.at, d.seen, d.free, d.wrong = *bytes.NewBuffer(body), d.text[:0], [len(fieldNames)]place{}, 0, false, nil
	if bytes.HasPrefix(body, []byte("\ufeff")) {
		d.wrong = &ShapeError{Problem: "the body begins with a byte order mark, which JSON must not have"}
	} else {
		if wrong := d.read(required[e] | optional[e]); d.wrong == nil {
			d.wrong = wrong
		}
		for i, name := range fieldNames {
			if f := field(1) << i; d.wrong == nil && required[e]&f != 0 && d.seen&f == 0 {
				d.wrong = &ShapeError{name, "is missing"}
			}
		}
	}
	all := string(d.text) // one allocation for all strings
	of := func(i int) string { return all[d.at[i].from:d.at[i].to] }
	r := Request{AgentID: of(0), UserID: of(1), Amount: of(2), BetAmount: of(3), WinAmount: of(4), TransactionID: of(5), RoundID: of(6),
		FreeSpin: d.free, Sign: of(8)}
	d.body = bytes.Buffer{}
	d.json.Reset(&d.body) // drops the reference to body
	wrong := d.wrong
	if len(body) <= maxKept {
		decoders.Put(d)
	}
	if wrong != nil {
		return r, wrong
	}
	return r, nil
}

// read reads the object and checks that nothing follows it.
func (d *decoder) read(known field) *ShapeError {
	open, err := d.json.ReadToken()
	if err != nil {
		return d.syntax(err)
	}
	if open.Kind() != jsontext.KindBeginObject {
		return &ShapeError{Problem: "the body is not a JSON object"}
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		quoted, err := d.json.ReadValue()
		if err != nil {
			return d.syntax(err)
		}
		name := quoted[1 : len(quoted)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = appendString(nil, quoted)
		}
		i := slices.Index(fieldNames[:], string(name))
		if i < 0 || known&(1<<i) == 0 {
			if err := d.json.SkipValue(); err != nil {
				return d.syntax(err)
			}
			continue
		}
		value, err := d.json.ReadValue()
		if err != nil {
			return d.syntax(err)
		}
		if wrong := d.take(i, field(1)<<i, value); d.wrong == nil {
			d.wrong = wrong
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return d.syntax(err)
	}
	return d.end()
}

// end checks that nothing follows.
func (d *decoder) end() *ShapeError {
	switch _, err := d.json.ReadToken(); {
	case err == nil:
		return &ShapeError{Problem: "the body has more after its JSON object"}
	case err != io.EOF:
		return d.syntax(err)
	}
	return nil
}

// CheckJSON returns a *ShapeError unless body is one JSON value in which no object has a name twice, and all texts are valid
// Unicode.
func CheckJSON(body []byte) error {
	d := decoder{json: jsontext.NewDecoder(bytes.NewReader(body))}
	if _, err := d.json.ReadValue(); err != nil {
		return d.syntax(err)
	}
	if wrong := d.end(); wrong != nil {
		return wrong
	}
	return nil
}

// take stores the value of a known field.
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
	from, problem := len(d.text), ""
	switch {
	case value.Kind() == jsontext.KindString:
		d.text = appendString(d.text, value)
	case f == sign:
		return nil // as if it were missing: the signature does not match
	case value.Kind() == jsontext.KindNumber:
		d.text, problem = append(d.text, value...), "is not a string"
	default:
		return &ShapeError{fieldNames[i], "is not a string"}
	}
	text := d.text[from:]
	if f != sign && problem == "" {
		switch {
		case len(text) == 0:
			problem = "is empty"
		case len(text) > MaxFieldBytes:
			problem = "is longer than " + strconv.Itoa(MaxFieldBytes) + " bytes"
		case bytes.IndexByte(text, 0) >= 0:
			problem = "contains NUL"
		}
	}
	d.seen |= f
	d.at[i].from, d.at[i].to = from, len(d.text)
	if problem != "" {
		return &ShapeError{fieldNames[i], problem}
	}
	return nil
}

// syntax returns the error of the JSON reader in words that do not quote the body.
func (d *decoder) syntax(err error) *ShapeError {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return &ShapeError{Problem: "a name occurs twice in an object of the body"}
	}
	problem := "the body is not valid JSON"
	if at := new(jsontext.SyntacticError); errors.As(err, &at) {
		problem += " from byte " + strconv.FormatInt(at.ByteOffset, 10)
	}
	return &ShapeError{Problem: problem}
}

// appendString appends the value of a valid quoted string.
func appendString(b []byte, quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return append(b, quoted[1:len(quoted)-1]...)
	}
	// This cannot fail: the reader has validated the value.
	b, _ = jsontext.AppendUnquote(b, quoted)
	return b
}
