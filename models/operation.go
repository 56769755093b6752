package models

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// IDs from the platform and the operator. They are bytes: differences in case, trailing spaces, accents and Unicode
// normalization are significant.
type (
	// UserID is the operator's ID of a player, as in the protocol.
	UserID string
	// TransactionID is an operation's ID and idempotency key (specification, Wallet transaction fields).
	TransactionID string
	// RoundID is the ID of one play of a game.
	RoundID string
)

// MaxIDBytes is the maximum length of an ID from outside.
const MaxIDBytes = 255

// ErrID means that a text cannot be an ID.
var ErrID = errors.New("an ID is 1 to 255 bytes of UTF-8 without NUL")

// CheckID returns ErrID unless s may be a userID, transactionID, roundID or gameID.
func CheckID(s string) error {
	if s == "" || len(s) > MaxIDBytes || strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
		return ErrID
	}
	return nil
}

// Source says who assigned a TransactionID, so that no callback can name our own operations.
type Source uint8

const (
	// SourcePlatform: the platform, in a callback.
	SourcePlatform Source = 1
	// SourceOwn: Pitboss, for opening balances and adjustments.
	SourceOwn Source = 2
	// SourceClient: a client of the API, for cash deposits and cash-outs. Its IDs end with the client's number (CashID).
	SourceClient Source = 3
)

// Sources lists who assigns TransactionIDs.
var Sources = []Source{SourcePlatform, SourceOwn, SourceClient}

// OperationKind is the kind of an operation.
type OperationKind uint8

const (
	// Bet debits a bet: Withdraw.
	Bet OperationKind = 1
	// Win credits a win: Deposit.
	Win OperationKind = 2
	// BetWin debits a bet and credits a win in one operation: BetWin.
	BetWin OperationKind = 3
	// Rollback reverses the operation with the same TransactionID: RollbackTransaction.
	Rollback OperationKind = 4
	// Opening books a wallet's opening balance, even if it is 0.00: the first entry of each chain.
	Opening OperationKind = 5
	// Adjustment credits or debits money by hand for which the platform has no transaction (Correction). It is neither turnover
	// nor payout.
	Adjustment OperationKind = 6
	// CashIn books a cash deposit (CashRequest).
	CashIn OperationKind = 7
	// CashOut requests a cash-out: the amount is held.
	CashOut OperationKind = 8
	// CashPaid ends the cash-out with the same TransactionID: the held amount has left the house.
	CashPaid OperationKind = 9
	// CashReturned ends the cash-out with the same TransactionID: the held amount is back in the balance. Like a Rollback, it is
	// booked as the reversal of the original, so no posting has this kind.
	CashReturned OperationKind = 10
	// CashBounced books that the bank has sent a paid cash-out back: the balance grows by the amount again. It has a TransactionID
	// of its own (BouncedID), so there is at most one for each cash-out.
	CashBounced OperationKind = 11
)

var operationKindWords = words[OperationKind]{
	{Bet, "bet"},
	{Win, "win"},
	{BetWin, "bet and win"},
	{Rollback, "rollback"},
	{Opening, "opening balance"},
	{Adjustment, "adjustment"},
	{CashIn, "cash deposit"},
	{CashOut, "cash-out"},
	{CashPaid, "cash-out paid"},
	{CashReturned, "cash-out returned"},
	{CashBounced, "cash-out bounced"},
}

// IsCash reports whether it books cash. Postings of these kinds have the held amount.
func (k OperationKind) IsCash() bool { return k >= CashIn && k <= CashBounced }

// String returns the kind in words.
func (k OperationKind) String() string { return operationKindWords.of(k, "unknown") }

// Operation is a request to change a wallet. Its strings must be copies, because it outlives the request.
type Operation struct {
	Source        Source
	Kind          OperationKind
	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID // empty for rollbacks, openings, adjustments and cash
	Bet           Amount  // the stake of Bet and BetWin, what an Adjustment debits, or a CashOut; not negative
	// the win of Win and BetWin, the balance of Opening, what an Adjustment credits, a CashIn or a CashBounced; not negative
	Win           Amount
	Currency      Currency // CashIn, CashOut and CashBounced only: must be the wallet's
	Caps          CashCaps // CashIn and CashOut only: the client's limits per day
	FreeSpin      bool     // Bet only: the stake is nominal (specification, Callback service rule 3)
	AllowNegative bool     // Adjustment only: it may exceed the balance
	ByHand        bool     // Bet only: staff book what the platform has taken, which restrictions and limits no longer prevent
	Sender        Sender
	Signed        string // the callback's signed text after the agent ID; empty if it does not come from a callback
}
