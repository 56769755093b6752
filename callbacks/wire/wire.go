// Package wire has the format of the platform's callbacks: endpoints, requests, answers, result codes and signatures
// (specification, "Callback service", "Authentication" and "Errors"). It encodes and decodes bytes, without networking or
// business rules.
package wire

import (
	"strconv"
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
	// BetWin debits a bet and credits a win in one operation.
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

// Path returns the endpoint's path below the callback base address, such as "/GetBalance".
func (e Endpoint) Path() string { return paths[e] }

// String returns the endpoint's name, such as "GetBalance".
func (e Endpoint) String() string {
	if e >= endpoints {
		return "unknown"
	}
	return paths[e][1:]
}

// The names of the fields in JSON.
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

// Request has the fields of all callbacks; those that an endpoint does not use are empty. Its strings are decoded, but
// otherwise as they were sent.
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

// Result is the code in every answer (specification, Errors 2; platform notes, Wallet callbacks).
type Result int

const (
	// Success: applied.
	Success Result = 0
	// GeneralError: refused for a reason that has no code, or the outcome is unknown.
	GeneralError Result = 1
	// WrongInput: the message is malformed or, in the dialect Spec, names an unknown agent or player.
	WrongInput Result = 2
	// InvalidSign: the signature is wrong.
	InvalidSign Result = 3
	// InvalidAgent: the agent ID is not ours. Dialect GitSlotPark only.
	InvalidAgent Result = 4
	// UserNotFound: no such player. Dialect GitSlotPark only.
	UserNotFound Result = 5
	// InsufficientFunds: the bet exceeds the balance.
	InsufficientFunds Result = 6
	// TransactionNotFound: this player has no transaction with the ID to roll back.
	TransactionNotFound Result = 8
	// AlreadyRolledBack: the transaction has been rolled back already.
	AlreadyRolledBack Result = 9
	// DuplicateTransaction: the transaction ID has been processed already.
	DuplicateTransaction Result = 11
)

// String returns the code's meaning, which the GitSlotPark dialect sends as the message.
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

// Dialect is a format of answers.
type Dialect uint8

const (
	// Spec is the format of the specification: the balance is a string, an unknown agent or player is WrongInput, and there is
	// no message.
	Spec Dialect = iota
	// GitSlotPark is the format of the platform's public documentation: the balance is a number with two decimals, unknown
	// agents and players have their own codes, and every result other than 0 has a message.
	GitSlotPark
)
