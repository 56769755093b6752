// Package scenarios lists callbacks for one player and the answers that a wallet must give to them. The go-live checks send
// them to any wallet, and the callback tests send them to ours.
package scenarios

import (
	"github.com/shopspring/decimal"

	"pitboss/callbacks/wire"
)

// The sections of the specification and the platform notes on which the steps are based.
const (
	sectionAnswers     = "Callback service"
	sectionWithdraw    = "Callback service 2"
	sectionFreeSpin    = "Callback service 3"
	sectionDeposit     = "Callback service 4"
	sectionBetWin      = "Callback service 5"
	sectionRollback    = "Callback service 6"
	sectionIdempotent  = "Callback service 7"
	sectionSign        = "Authentication 4"
	sectionWrongSign   = "Authentication 7"
	sectionCodes       = "Errors 2"
	sectionFunds       = "Errors 3"
	sectionRolledBack  = "Errors 4"
	sectionDuplicate   = "Errors 5"
	sectionNotFound    = "Errors 6"
	sectionAmount      = "Limits 1"
	sectionNotes       = "Platform notes"
	sectionLateBet     = "not shown: a bet after its rollback"
	sectionBeyondShape = "not shown: strict reading"
)

// Scenario is a list of steps in order.
type Scenario struct {
	Name  string
	Steps []Step
}

// Step is one callback, the results that the wallet may answer, and the change to the player's balance.
type Step struct {
	Name     string
	Section  string // of the specification
	Endpoint wire.Endpoint
	ID       string // steps of a scenario with the same ID share one transaction; a step without an ID has its own
	Bet, Win string // amounts; a Deposit has only the win
	Over     string // instead of Bet: how far the bet exceeds the balance; the win of a BetWin exceeds the bet by as much
	FreeSpin bool
	Alter    func(*Message) // alters the correct call

	Results []wire.Result // the correct results; Pitboss answers the first
	Public  []wire.Result // the correct results in the format of the platform's public pages, if they differ
	Change  string        // of the balance; empty means none
}

// Message returns the step's callback. common has the agent, the player, and the IDs of the transaction and the round; balance
// is the player's present balance.
func (s Step) Message(common wire.Request, balance decimal.Decimal) Message {
	m := Message{Endpoint: s.Endpoint, Request: common}
	bet, win := s.Bet, s.Win
	if s.Over != "" {
		over := decimal.RequireFromString(s.Over)
		stake := decimal.Max(balance, decimal.Zero).Add(over)
		bet, win = stake.StringFixed(2), stake.Add(over).StringFixed(2)
	}
	switch r := &m.Request; s.Endpoint {
	case wire.Withdraw:
		r.Amount = bet
	case wire.Deposit:
		r.Amount = win
	case wire.BetWin:
		r.BetAmount, r.WinAmount = bet, win
	}
	m.Request.FreeSpin = s.FreeSpin
	if s.Alter != nil {
		s.Alter(&m)
	}
	return m
}

// Stranger is a player whom no wallet knows.
const Stranger = "golive-nobody-f41b9d7c20"

var (
	success    = []wire.Result{wire.Success}
	duplicate  = []wire.Result{wire.DuplicateTransaction, wire.Success} // even with 0, the wallet books nothing again
	poor       = []wire.Result{wire.InsufficientFunds}
	rolledBack = []wire.Result{wire.AlreadyRolledBack}
)

// All lists the scenarios in an order that always leaves the player enough money for the next one.
var All = []Scenario{
	{"Signatures", wrongSigns()},
	{"Wrong input", wrongInput()},
	{"Unknown players", unknownPlayers()},
	{"Bets", []Step{
		{Name: "Withdraw of 1.00", Section: sectionWithdraw, Endpoint: wire.Withdraw, ID: "bet", Bet: "1.00", Results: success,
			Change: "-1.00"},
		{Name: "the same Withdraw again", Section: sectionDuplicate, Endpoint: wire.Withdraw, ID: "bet", Bet: "1.00",
			Results: duplicate},
		{Name: "that Withdraw's transactionID with another amount", Section: sectionDuplicate, Endpoint: wire.Withdraw, ID: "bet",
			Bet: "0.50", Results: duplicate},
		{Name: "that Withdraw's transactionID with more than the balance", Section: sectionDuplicate, Endpoint: wire.Withdraw,
			ID: "bet", Over: "0.01", Results: duplicate},
		{Name: "that Withdraw's transactionID in a Deposit", Section: sectionIdempotent, Endpoint: wire.Deposit, ID: "bet",
			Win: "0.50", Results: duplicate},
		{Name: "that Withdraw's transactionID in a BetWin", Section: sectionIdempotent, Endpoint: wire.BetWin, ID: "bet",
			Bet: "0.01", Win: "0.50", Results: duplicate},
		{Name: "Withdraw of 0.00", Section: sectionWithdraw, Endpoint: wire.Withdraw, Bet: "0.00", Results: success},
		{Name: "Withdraw of 0.01 more than the balance", Section: sectionFunds, Endpoint: wire.Withdraw, ID: "dear", Over: "0.01",
			Results: poor},
		{Name: "Withdraw of 0.01 more than the balance again", Section: sectionFunds, Endpoint: wire.Withdraw, ID: "dear",
			Over: "0.01", Results: poor},
		{Name: "Withdraw of a trillion less a cent", Section: sectionFunds, Endpoint: wire.Withdraw, Bet: "999999999999.99",
			Results: poor},
		{Name: "a refused transactionID with 0.01 is a new bet", Section: sectionDuplicate, Endpoint: wire.Withdraw, ID: "dear",
			Bet: "0.01", Results: success, Change: "-0.01"},
		{Name: "Withdraw with fields in another order", Section: sectionAnswers, Endpoint: wire.Withdraw, Bet: "0.01",
			Alter: edited(Reversed), Results: success, Change: "-0.01"},
		{Name: "Withdraw with unknown fields", Section: sectionAnswers, Endpoint: wire.Withdraw, Bet: "0.01",
			Alter:   edited(Again("gameID", `"20001"`), Again("extra", `{"a":[1,null]}`)),
			Results: success, Change: "-0.01"},
		{Name: "Withdraw with an escaped letter, signed unescaped", Section: sectionSign, Endpoint: wire.Withdraw, Bet: "0.01",
			Alter: escaped, Results: success, Change: "-0.01"},
	}},
	{"Wins", []Step{
		{Name: "Deposit of 0.50", Section: sectionDeposit, Endpoint: wire.Deposit, ID: "win", Win: "0.50", Results: success,
			Change: "0.50"},
		{Name: "the same Deposit again", Section: sectionDuplicate, Endpoint: wire.Deposit, ID: "win", Win: "0.50",
			Results: duplicate},
		{Name: "rollback of the Deposit", Section: sectionRollback, Endpoint: wire.RollbackTransaction, ID: "win", Results: success,
			Change: "-0.50"},
		{Name: "rollback of the Deposit again", Section: sectionRolledBack, Endpoint: wire.RollbackTransaction, ID: "win",
			Results: rolledBack},
		{Name: "Deposit of 0.00", Section: sectionDeposit, Endpoint: wire.Deposit, Win: "0.00", Results: success},
	}},
	{"Bets and wins in one", []Step{
		{Name: "BetWin of 0.50 and 0.75", Section: sectionBetWin, Endpoint: wire.BetWin, ID: "won", Bet: "0.50", Win: "0.75",
			Results: success, Change: "0.25"},
		{Name: "the same BetWin again", Section: sectionDuplicate, Endpoint: wire.BetWin, ID: "won", Bet: "0.50", Win: "0.75",
			Results: duplicate},
		{Name: "rollback of the BetWin", Section: sectionRollback, Endpoint: wire.RollbackTransaction, ID: "won", Results: success,
			Change: "-0.25"},
		{Name: "rollback of the BetWin again", Section: sectionRolledBack, Endpoint: wire.RollbackTransaction, ID: "won",
			Results: rolledBack},
		{Name: "BetWin that is lost: 0.05 and 0.00", Section: sectionBetWin, Endpoint: wire.BetWin, Bet: "0.05", Win: "0.00",
			Results: success, Change: "-0.05"},
		{Name: "BetWin of 0.01 more than the balance, and a win above it", Section: sectionBetWin, Endpoint: wire.BetWin,
			Over: "0.01", Results: poor},
	}},
	{"Rollbacks", []Step{
		{Name: "Withdraw that will be rolled back", Section: sectionWithdraw, Endpoint: wire.Withdraw, ID: "bet", Bet: "0.40",
			Results: success, Change: "-0.40"},
		{Name: "rollback of the Withdraw with a wrong sign", Section: sectionWrongSign, Endpoint: wire.RollbackTransaction,
			ID: "bet", Alter: edited(WrongSign), Results: []wire.Result{wire.InvalidSign}},
		{Name: "rollback of the Withdraw for an unknown player", Section: sectionCodes, Endpoint: wire.RollbackTransaction,
			ID: "bet", Alter: byStranger, Results: []wire.Result{wire.WrongInput, wire.TransactionNotFound},
			Public: []wire.Result{wire.UserNotFound, wire.TransactionNotFound}},
		{Name: "rollback of the Withdraw", Section: sectionRollback, Endpoint: wire.RollbackTransaction, ID: "bet", Results: success,
			Change: "0.40"},
		{Name: "rollback of the Withdraw again", Section: sectionRolledBack, Endpoint: wire.RollbackTransaction, ID: "bet",
			Results: rolledBack},
		{Name: "the rolled-back Withdraw again is refused", Section: sectionRolledBack, Endpoint: wire.Withdraw, ID: "bet",
			Bet: "0.40", Results: rolledBack},
		{Name: "rollback of an unknown transaction", Section: sectionNotFound, Endpoint: wire.RollbackTransaction, ID: "late",
			Results: []wire.Result{wire.TransactionNotFound}},
		{Name: "rollback of an unknown transaction again", Section: sectionNotFound, Endpoint: wire.RollbackTransaction, ID: "late",
			Results: []wire.Result{wire.TransactionNotFound, wire.AlreadyRolledBack}},
		{Name: "the bet after its rollback is refused", Section: sectionLateBet, Endpoint: wire.Withdraw, ID: "late", Bet: "0.02",
			Results: rolledBack},
	}},
	{"Free spins", []Step{
		{Name: "free spin", Section: sectionFreeSpin, Endpoint: wire.Withdraw, ID: "spin", Bet: "0.20", FreeSpin: true,
			Results: success},
		{Name: "the same free spin again", Section: sectionDuplicate, Endpoint: wire.Withdraw, ID: "spin", Bet: "0.20",
			FreeSpin: true, Results: duplicate},
		{Name: "rollback of the free spin", Section: sectionRollback, Endpoint: wire.RollbackTransaction, ID: "spin",
			Results: success},
		{Name: "rollback of the free spin again", Section: sectionRolledBack, Endpoint: wire.RollbackTransaction, ID: "spin",
			Results: rolledBack},
		{Name: "free spin with a stake above the balance", Section: sectionFreeSpin, Endpoint: wire.Withdraw, Over: "1.00",
			FreeSpin: true, Results: success},
		{Name: "Withdraw with freeSpin false", Section: sectionFreeSpin, Endpoint: wire.Withdraw, Bet: "0.01",
			Alter: edited(Again(wire.FieldFreeSpin, "false")), Results: success, Change: "-0.01"},
	}},
	{"Strictness where the specification is silent", strictness()},
}

// edited alters the body after it was signed.
func edited(edits ...Edit) func(*Message) {
	return func(m *Message) { m.Edits = append(m.Edits, edits...) }
}

func byStranger(m *Message) { m.Request.UserID = Stranger }
