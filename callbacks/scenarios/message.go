package scenarios

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"pitboss/callbacks/wire"
)

// Message is a callback to send: a correct one, possibly altered after signing.
type Message struct {
	Endpoint wire.Endpoint
	Request  wire.Request
	Body     string // sent instead of the request, if not empty
	Empty    bool   // sends no body
	Edits    []Edit
}

// member is one field of the body: its name, and its value as JSON.
type member struct{ name, value string }

// Edit changes a body after it was signed.
type Edit func([]member) []member

// members returns the fields of the endpoint, in the specification's order, signed with the key.
func (m *Message) members(key string) []member {
	r := &m.Request
	out := []member{{wire.FieldAgentID, Quoted(r.AgentID)}, {wire.FieldUserID, Quoted(r.UserID)}}
	switch m.Endpoint {
	case wire.Withdraw, wire.Deposit:
		out = append(out, member{wire.FieldAmount, Quoted(r.Amount)})
	case wire.BetWin:
		out = append(out, member{wire.FieldBetAmount, Quoted(r.BetAmount)}, member{wire.FieldWinAmount, Quoted(r.WinAmount)})
	}
	if m.Endpoint != wire.GetBalance {
		out = append(out, member{wire.FieldTransactionID, Quoted(r.TransactionID)})
	}
	if m.Endpoint != wire.GetBalance && m.Endpoint != wire.RollbackTransaction {
		out = append(out, member{wire.FieldRoundID, Quoted(r.RoundID)})
	}
	if r.FreeSpin {
		out = append(out, member{wire.FieldFreeSpin, "true"})
	}
	var values [6]string
	return append(out, member{wire.FieldSign, Quoted(wire.Sign(key, r.SignedValues(m.Endpoint, values[:])...))})
}

// Bytes returns the body to send, signed with the key.
func (m *Message) Bytes(key string) []byte {
	if m.Empty || m.Body != "" {
		return []byte(m.Body)
	}
	members := m.members(key)
	for _, e := range m.Edits {
		members = e(members)
	}
	var b strings.Builder
	for i, member := range members {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(Quoted(member.name) + ":" + member.value)
	}
	b.WriteByte('}')
	return []byte(b.String())
}

// LeaveOut removes a field from the message and from the signed text, so that the missing field is the only fault.
func (m *Message) LeaveOut(field string) {
	r := &m.Request
	*map[string]*string{
		wire.FieldAgentID: &r.AgentID, wire.FieldUserID: &r.UserID, wire.FieldAmount: &r.Amount,
		wire.FieldBetAmount: &r.BetAmount,
		wire.FieldWinAmount: &r.WinAmount, wire.FieldTransactionID: &r.TransactionID, wire.FieldRoundID: &r.RoundID,
	}[field] = ""
	m.Edits = append(m.Edits, Without(field))
}

// Quoted returns text as a JSON string.
func Quoted(text string) string {
	b, _ := jsontext.AppendQuote(nil, text) // invalid UTF-8 is replaced
	return string(b)
}

// Without removes a field.
func Without(name string) Edit {
	return func(members []member) (out []member) {
		for _, m := range members {
			if m.name != name {
				out = append(out, m)
			}
		}
		return out
	}
}

// With sets a field to a JSON value, and adds the field if it is missing.
func With(name, value string) Edit {
	return func(members []member) []member {
		for i := range members {
			if members[i].name == name {
				members[i].value = value
				return members
			}
		}
		return append(members, member{name, value})
	}
}

// Again adds a field even if the body already has one with that name.
func Again(name, value string) Edit {
	return func(members []member) []member { return append(members, member{name, value}) }
}

// Renamed changes a field's name.
func Renamed(name, other string) Edit {
	return func(members []member) []member {
		for i := range members {
			if members[i].name == name {
				members[i].name = other
			}
		}
		return members
	}
}

// Reversed reverses the order of the fields.
func Reversed(members []member) (out []member) {
	for _, m := range members {
		out = append([]member{m}, out...)
	}
	return out
}

// Resigned replaces the signature. change gets and returns it without quotation marks.
func Resigned(change func(string) string) Edit {
	return func(members []member) []member {
		for i := range members {
			if m := &members[i]; m.name == wire.FieldSign {
				m.value = Quoted(change(strings.Trim(m.value, `"`)))
			}
		}
		return members
	}
}

// WrongSign changes the first character of the signature: its form is still right, but its value is wrong.
var WrongSign = Resigned(func(sign string) string {
	if sign[0] == '0' {
		return "1" + sign[1:]
	}
	return "0" + sign[1:]
})
