package scenarios

import (
	"strings"

	"pitboss/callbacks/wire"
)

// refused returns a step whose small, correct call is altered so that the wallet must refuse it.
func refused(name, section string, endpoint wire.Endpoint, result wire.Result, alter func(*Message)) Step {
	step := Step{Name: name, Section: section, Endpoint: endpoint, Bet: "0.01", Win: "0.01", Results: []wire.Result{result},
		Alter: alter}
	if endpoint == wire.BetWin {
		step.Bet = "0.02"
	}
	return step
}

func wrongSigns() (list []Step) {
	add := func(endpoint wire.Endpoint, name string, edits ...Edit) {
		list = append(list, refused(endpoint.String()+", "+name, sectionWrongSign, endpoint, wire.InvalidSign, edited(edits...)))
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

func wrongInput() (list []Step) {
	add := func(endpoint wire.Endpoint, name, section string, alter func(*Message)) {
		list = append(list, refused(endpoint.String()+name, section, endpoint, wire.WrongInput, alter))
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
		add(wire.BetWin, " with a bet of "+amount, sectionAmount, func(m *Message) { m.Request.BetAmount = amount })
		add(wire.BetWin, " with a win of "+amount, sectionAmount, func(m *Message) { m.Request.WinAmount = amount })
	}
	for _, endpoint := range []wire.Endpoint{wire.GetBalance, wire.Withdraw} {
		step := refused(endpoint.String()+" of another agent", sectionNotes, endpoint, wire.WrongInput,
			func(m *Message) { m.Request.AgentID = "golive-another" })
		step.Public = []wire.Result{wire.InvalidAgent}
		list = append(list, step)
	}
	return list
}

func unknownPlayers() (list []Step) {
	add := func(name, section string, endpoint wire.Endpoint, alter func(*Message)) {
		step := refused(name, section, endpoint, wire.WrongInput, alter)
		step.Public = []wire.Result{wire.UserNotFound}
		if endpoint == wire.RollbackTransaction { // the wallet may look for the player or the transaction first
			step.Results, step.Public = append(step.Results, wire.TransactionNotFound), append(step.Public, wire.TransactionNotFound)
		}
		list = append(list, step)
	}
	for _, endpoint := range wire.Endpoints() {
		add(endpoint.String()+" for an unknown player", sectionCodes, endpoint, byStranger)
	}
	// A wallet that does not sign the UTF-8 bytes answers 3.
	add("GetBalance for an unknown player with a Greek name", sectionSign, wire.GetBalance,
		func(m *Message) { m.Request.UserID = "Ζεύς-" + Stranger })
	add("GetBalance for the player's name and a space", sectionBeyondShape, wire.GetBalance,
		func(m *Message) { m.Request.UserID += " " })
	return list
}

// strictness returns calls on which the specification is silent and which a careful wallet refuses.
func strictness() (list []Step) {
	add := func(name string, alter func(*Message)) {
		list = append(list, refused("Withdraw "+name, sectionBeyondShape, wire.Withdraw, wire.WrongInput, alter))
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

// escaped ends the transaction ID with a letter that the body has as an escape sequence.
func escaped(m *Message) {
	m.Request.TransactionID += "/é"
	m.Edits = append(m.Edits, With(wire.FieldTransactionID, strings.ReplaceAll(Quoted(m.Request.TransactionID), "é", `\u00e9`)))
}
