// Package wire is the language in which the platform's callbacks are written: endpoints, requests, answers, result codes and
// signs (specification, "Callback service", "Authentication" and "Errors"). It reads and writes bytes; it neither listens nor
// decides.
package wire

import (
	"strconv"
	"strings"
)

// Endpoint is one of the five callbacks (specification, Endpoints, Callback service).
type Endpoint uint8

const (
	// GetBalance reads a player's balance.
	GetBalance Endpoint = iota
	// Withdraw debits a bet.
	Withdraw
	// Deposit credits a win.
	Deposit
	// BetWin debits a bet and credits a win as one.
	BetWin
	// RollbackTransaction reverses a transaction.
	RollbackTransaction

	endpoints
)

// Endpoints lists all five, in the specification's order.
func Endpoints() []Endpoint {
	return []Endpoint{GetBalance, Withdraw, Deposit, BetWin, RollbackTransaction}
}

var paths = [endpoints]string{"/GetBalance", "/Withdraw", "/Deposit", "/BetWin", "/RollbackTransaction"}

// Path is what is appended to the callback base address, such as "/GetBalance".
func (e Endpoint) Path() string { return paths[e] }

// String is the endpoint's name, such as "GetBalance".
func (e Endpoint) String() string {
	if e >= endpoints {
		return "unknown"
	}
	return paths[e][1:]
}

// The names of the fields, exactly as they stand on the wire.
const (
	FieldAgentID       = "agentID"
	FieldUserID        = "userID"
	FieldAmount        = "amount"
	FieldBetAmount     = "betAmount"
	FieldWinAmount     = "winAmount"
	FieldTransactionID = "transactionID"
	FieldRoundID       = "roundID"
	FieldFreeSpin      = "freeSpin"
	FieldSign          = "sign"
)

// Request holds the fields of any callback; those that an endpoint does not have stay empty. Its strings are the decoded values
// as they came.
type Request struct {
	AgentID       string `json:"agentID"`
	UserID        string `json:"userID"`
	Amount        string `json:"amount,omitempty"`    // Withdraw, Deposit
	BetAmount     string `json:"betAmount,omitempty"` // BetWin
	WinAmount     string `json:"winAmount,omitempty"` // BetWin
	TransactionID string `json:"transactionID,omitempty"`
	RoundID       string `json:"roundID,omitempty"`
	FreeSpin      bool   `json:"freeSpin,omitempty"` // Withdraw only, optional, not signed
	Sign          string `json:"sign"`
}

// SignedValues returns the values that the endpoint signs, in their order (specification, Authentication, "Sign input order").
// They stand in into, which must have room for six, so that the common case needs no memory of its own.
func (r *Request) SignedValues(e Endpoint, into []string) []string {
	into = append(into[:0], r.AgentID, r.UserID)
	switch e {
	case Withdraw, Deposit:
		into = append(into, r.Amount, r.TransactionID, r.RoundID)
	case BetWin:
		into = append(into, r.BetAmount, r.WinAmount, r.TransactionID, r.RoundID)
	case RollbackTransaction:
		into = append(into, r.TransactionID)
	}
	return into
}

// SignedText returns what a sign covers after the agentID: the other signed values, one after the other.
func (r *Request) SignedText(e Endpoint) string {
	var values [6]string
	return strings.Join(r.SignedValues(e, values[:])[1:], "")
}

// Result is the code that every answer carries (specification, Errors 2; platform notes, Wallet callbacks).
type Result int

const (
	// Success: done.
	Success Result = 0
	// GeneralError: refused for a reason without a code of its own, or no definite answer.
	GeneralError Result = 1
	// WrongInput: the message cannot be one, or names an agent or player that we do not know.
	WrongInput Result = 2
	// InvalidSign: the sign does not hold.
	InvalidSign Result = 3
	// InvalidAgent: another agentID than ours. Dialect GitSlotPark only.
	InvalidAgent Result = 4
	// UserNotFound: no such player. Dialect GitSlotPark only.
	UserNotFound Result = 5
	// InsufficientFunds: the stake is more than the balance.
	InsufficientFunds Result = 6
	// TransactionNotFound: a rollback names what this player does not have.
	TransactionNotFound Result = 8
	// AlreadyRolledBack: the transaction has been rolled back.
	AlreadyRolledBack Result = 9
	// DuplicateTransaction: the transactionID has been processed.
	DuplicateTransaction Result = 11
)

// String gives the code's meaning in words, which the GitSlotPark dialect sends as message.
func (r Result) String() string {
	switch r {
	case Success:
		return "Success"
	case GeneralError:
		return "General error"
	case WrongInput:
		return "Wrong input"
	case InvalidSign:
		return "Invalid sign"
	case InvalidAgent:
		return "Invalid agent"
	case UserNotFound:
		return "User not found"
	case InsufficientFunds:
		return "Insufficient funds"
	case TransactionNotFound:
		return "Transaction not found"
	case AlreadyRolledBack:
		return "Already rolled back"
	case DuplicateTransaction:
		return "Duplicate transaction"
	}
	return "Result " + strconv.Itoa(int(r))
}

// Dialect is one of the two ways in which answers are written.
type Dialect uint8

const (
	// Spec is the specification's: the balance is a string, an unknown agent or player is WrongInput, there is no message.
	Spec Dialect = iota
	// GitSlotPark is that of the platform's public pages: the balance is a number with two decimals, unknown agents and players
	// have codes of their own, and a message stands beside every result that is not 0.
	GitSlotPark
)
