package scenarios

import (
	"strings"

	"pitboss/callbacks/wire"
)

// The sections of the specification on which the refusals are based.
const (
	sectionWrongSign   = "Authentication 7"
	sectionCodes       = "Errors 2"
	sectionAmount      = "Limits 1"
	sectionBeyondShape = "not shown: strict reading"
)

// Refusal is a change that makes a correct call of the endpoint one that the wallet refuses. Bets are of 0.01; a BetWin bets 0.02
// and wins 0.01.
type Refusal struct {
	Name     string
	Endpoint wire.Endpoint
	Section  string
	Result   wire.Result
	Change   func(*Message)
}

// WrongSigns are calls whose signature is missing or not that of their values.
var WrongSigns = wrongSigns()

// WrongInput are calls that the specification calls wrong.
var WrongInput = wrongInput()

// Strictness are calls that the specification does not mention and a careful wallet refuses.
var Strictness = strictness()

func edited(edits ...Edit) func(*Message) {
	return func(m *Message) { m.Edits = append(m.Edits, edits...) }
}

func wrongSigns() (list []Refusal) {
	add := func(endpoint wire.Endpoint, name string, edits ...Edit) {
		list = append(list, Refusal{endpoint.String() + ", " + name, endpoint, sectionWrongSign, wire.InvalidSign, edited(edits...)})
	}
	for _, endpoint := range wire.Endpoints() {
		add(endpoint, "wrong sign", WrongSign)
	}
	for _, endpoint := range []wire.Endpoint{wire.GetBalance, wire.Withdraw} {
		add(endpoint, "missing sign", Without(wire.FieldSign))
		add(endpoint, "empty sign", Resigned(func(string) string { return "" }))
		add(endpoint, "lower-case sign", Resigned(strings.ToLower))
		add(endpoint, "sign with a character too few", Resigned(func(sign string) string { return sign[:len(sign)-1] }))
		add(endpoint, "sign with a character too many", Resigned(func(sign string) string { return sign + "0" }))
	}
	add(wire.Withdraw, "sign over another amount", With(wire.FieldAmount, `"0.02"`))
	add(wire.Deposit, "sign over another amount", With(wire.FieldAmount, `"0.02"`))
	add(wire.Withdraw, "sign over another roundID", With(wire.FieldRoundID, `"golive-another"`))
	add(wire.BetWin, "bet and win exchanged after signing", With(wire.FieldBetAmount, `"0.01"`), With(wire.FieldWinAmount, `"0.02"`))
	add(wire.GetBalance, "sign of another player", With(wire.FieldUserID, `"golive-another"`))
	return list
}

func wrongInput() (list []Refusal) {
	add := func(endpoint wire.Endpoint, name, section string, change func(*Message)) {
		list = append(list, Refusal{endpoint.String() + name, endpoint, section, wire.WrongInput, change})
	}
	for _, c := range []struct{ name, body string }{
		{", a body that is not JSON", `agentID=1&userID=2`},
		{", a body cut short", `{"agentID":"`},
		{", an array", `[]`},
		{", an empty object", `{}`},
	} {
		add(wire.GetBalance, c.name, sectionCodes, func(m *Message) { m.Body = c.body })
		add(wire.Withdraw, c.name, sectionCodes, func(m *Message) { m.Body = c.body })
	}
	add(wire.GetBalance, ", no body", sectionCodes, func(m *Message) { m.Empty = true })
	for _, c := range []struct {
		endpoint wire.Endpoint
		fields   []string
	}{
		{wire.GetBalance, []string{wire.FieldAgentID, wire.FieldUserID}},
		{wire.Withdraw, []string{wire.FieldAgentID, wire.FieldUserID, wire.FieldAmount, wire.FieldTransactionID, wire.FieldRoundID}},
		{wire.Deposit, []string{wire.FieldUserID, wire.FieldAmount, wire.FieldTransactionID, wire.FieldRoundID}},
		{wire.BetWin, []string{wire.FieldUserID, wire.FieldBetAmount, wire.FieldWinAmount, wire.FieldTransactionID,
			wire.FieldRoundID}},
		{wire.RollbackTransaction, []string{wire.FieldUserID, wire.FieldTransactionID}},
	} {
		for _, field := range c.fields {
			add(c.endpoint, " without "+field, sectionCodes, func(m *Message) { m.LeaveOut(field) })
		}
	}
	for _, amount := range []string{"0.1", "1", "0.001", "0,01", "-0.01", "abc"} {
		add(wire.Withdraw, " of "+amount, sectionAmount, func(m *Message) { m.Request.Amount = amount })
	}
	for _, amount := range []string{"0.1", "-0.01"} {
		add(wire.Deposit, " of "+amount, sectionAmount, func(m *Message) { m.Request.Amount = amount })
		add(wire.BetWin, " with a bet of "+amount, sectionAmount, func(m *Message) {
			m.Request.BetAmount, m.Request.WinAmount = amount, "0.01"
		})
		add(wire.BetWin, " with a win of "+amount, sectionAmount, func(m *Message) {
			m.Request.BetAmount, m.Request.WinAmount = "0.01", amount
		})
	}
	return list
}

func strictness() (list []Refusal) {
	add := func(name string, change func(*Message)) {
		list = append(list, Refusal{"Withdraw " + name, wire.Withdraw, sectionBeyondShape, wire.WrongInput, change})
	}
	for _, c := range []struct{ name, amount string }{
		{"of 00.01", "00.01"}, {"of +0.01", "+0.01"}, {"of 0.01 after a space", " 0.01"}, {"of 0.01 in Arabic digits", "٠.٠١"},
	} {
		add(c.name, func(m *Message) { m.Request.Amount = c.amount })
	}
	add("with the amount as a number", edited(With(wire.FieldAmount, "0.01")))
	add("with a name twice", edited(Again(wire.FieldAmount, `"0.01"`)))
	add("with USERID for userID", edited(Renamed(wire.FieldUserID, "USERID")))
	add("with freeSpin as a string", edited(Again(wire.FieldFreeSpin, `"true"`)))
	return list
}
