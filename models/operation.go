package models

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// The names that the platform and the operator give. They are bytes: case, trailing spaces, accents and Unicode normal forms
// all distinguish.
type (
	// UserID is the operator's name for a player, as it stands on the wire.
	UserID string
	// TransactionID names an operation and is its idempotency key (specification, Wallet transaction fields).
	TransactionID string
	// RoundID names one play of a game.
	RoundID string
)

// MaxIDBytes is how long a name from outside may be.
const MaxIDBytes = 255

// ErrID is the reason why a text cannot be a name.
var ErrID = errors.New("an ID is 1 to 255 bytes of UTF-8 without NUL")

// CheckID returns ErrID unless s may be a userID, transactionID, roundID or gameID.
func CheckID(s string) error {
	if s == "" || len(s) > MaxIDBytes || strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
		return ErrID
	}
	return nil
}

// Source says in whose key space a TransactionID stands, so that no callback can name an operation of ours.
type Source uint8

const (
	// SourcePlatform holds what the platform named in a callback.
	SourcePlatform Source = 1
	// SourceOwn holds what we booked ourselves: opening balances and adjustments.
	SourceOwn Source = 2
)

// OperationKind is what an operation asks for.
type OperationKind uint8

const (
	// Bet debits a stake: Withdraw.
	Bet OperationKind = 1
	// Win credits a win: Deposit.
	Win OperationKind = 2
	// BetWin debits a stake and credits a win as one: BetWin.
	BetWin OperationKind = 3
	// Rollback reverses the operation of the same TransactionID: RollbackTransaction.
	Rollback OperationKind = 4
	// Opening books the balance with which a wallet begins, 0.00 included: the first entry of each chain.
	Opening OperationKind = 5
	// Adjustment credits or debits by hand what no transaction of the platform's explains (Correction). It is neither turnover
	// nor payout.
	Adjustment OperationKind = 6
)

var operationKindWords = words[OperationKind]{
	{Bet, "bet"},
	{Win, "win"},
	{BetWin, "bet and win"},
	{Rollback, "rollback"},
	{Opening, "opening balance"},
	{Adjustment, "adjustment"},
}

// String gives the kind's word.
func (k OperationKind) String() string { return operationKindWords.of(k, "unknown") }

// Operation is one request to change a wallet. Its strings must own their bytes, since operations outlive the request.
type Operation struct {
	Source        Source
	Kind          OperationKind
	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID // empty for rollbacks, openings and adjustments
	Bet           Amount  // the stake of Bet and BetWin, what an Adjustment takes; not negative
	Win           Amount  // the win of Win and BetWin, the balance of Opening, what an Adjustment gives; not negative
	FreeSpin      bool    // Bet only: the stake is a figure and no money (specification, Callback service rule 3)
	AllowNegative bool    // Adjustment only: it may take more than there is
	Signed        string  // what the callback's sign covers after the agentID; empty where no callback brought the operation

	Receipt *Receipt // of the callback that brought the operation; nil where none did
}
