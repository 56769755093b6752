package golive

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"pitboss/callbacks/wire"
)

// message is a call to be made: a correct one, possibly changed after signing.
type message struct {
	endpoint wire.Endpoint
	request  wire.Request
	body     string // sent instead of the request, if not empty
	empty    bool   // sends no body
	edits    []edit
}

// member is a name in the body with its value as JSON.
type member struct{ name, value string }

// edit changes a body after it was signed.
type edit func([]member) []member

// members returns the fields of the endpoint, in the specification's order, signed with the key.
func (m *message) members(key string) []member {
	r := &m.request
	out := []member{{wire.FieldAgentID, quoted(r.AgentID)}, {wire.FieldUserID, quoted(r.UserID)}}
	switch m.endpoint {
	case wire.Withdraw, wire.Deposit:
		out = append(out, member{wire.FieldAmount, quoted(r.Amount)})
	case wire.BetWin:
		out = append(out, member{wire.FieldBetAmount, quoted(r.BetAmount)}, member{wire.FieldWinAmount, quoted(r.WinAmount)})
	}
	if m.endpoint != wire.GetBalance {
		out = append(out, member{wire.FieldTransactionID, quoted(r.TransactionID)})
	}
	if m.endpoint != wire.GetBalance && m.endpoint != wire.RollbackTransaction {
		out = append(out, member{wire.FieldRoundID, quoted(r.RoundID)})
	}
	if r.FreeSpin {
		out = append(out, member{wire.FieldFreeSpin, "true"})
	}
	var values [6]string
	return append(out, member{wire.FieldSign, quoted(wire.Sign(key, r.SignedValues(m.endpoint, values[:])...))})
}

// bytes returns the body to send.
func (m *message) bytes(key string) []byte {
	if m.empty || m.body != "" {
		return []byte(m.body)
	}
	members := m.members(key)
	for _, e := range m.edits {
		members = e(members)
	}
	var b strings.Builder
	for i, member := range members {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(quoted(member.name) + ":" + member.value)
	}
	b.WriteByte('}')
	return []byte(b.String())
}

// leaveOut removes a field from the message and from its signature, so that nothing else is wrong.
func (m *message) leaveOut(field string) {
	r := &m.request
	*map[string]*string{
		wire.FieldAgentID: &r.AgentID, wire.FieldUserID: &r.UserID, wire.FieldAmount: &r.Amount,
		wire.FieldBetAmount: &r.BetAmount,
		wire.FieldWinAmount: &r.WinAmount, wire.FieldTransactionID: &r.TransactionID, wire.FieldRoundID: &r.RoundID,
	}[field] = ""
	m.edits = append(m.edits, without(field))
}

func quoted(text string) string {
	b, _ := jsontext.AppendQuote(nil, text) // invalid UTF-8 is replaced
	return string(b)
}

// without removes a field.
func without(name string) edit {
	return func(members []member) (out []member) {
		for _, m := range members {
			if m.name != name {
				out = append(out, m)
			}
		}
		return out
	}
}

// with sets a field to a JSON value, or adds it.
func with(name, value string) edit {
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

// again adds a field even if it is there already.
func again(name, value string) edit {
	return func(members []member) []member { return append(members, member{name, value}) }
}

// renamed changes a field's name.
func renamed(name, other string) edit {
	return func(members []member) []member {
		for i := range members {
			if members[i].name == name {
				members[i].name = other
			}
		}
		return members
	}
}

// reversed reverses the order of the fields.
func reversed(members []member) (out []member) {
	for _, m := range members {
		out = append([]member{m}, out...)
	}
	return out
}

// resigned changes the signature, which is passed and returned without quotation marks.
func resigned(change func(string) string) edit {
	return func(members []member) []member {
		for i := range members {
			if m := &members[i]; m.name == wire.FieldSign {
				m.value = quoted(change(strings.Trim(m.value, `"`)))
			}
		}
		return members
	}
}

// wrongSign changes the first character of the signature, so that its shape is right and its value wrong.
var wrongSign = resigned(func(sign string) string {
	if sign[0] == '0' {
		return "1" + sign[1:]
	}
	return "0" + sign[1:]
})
