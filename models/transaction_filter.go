package models

import "time"

// PlayedWith says whether a transaction moved money or used a free spin.
type PlayedWith uint8

const (
	// RealMoney moved the balance, or could have.
	RealMoney PlayedWith = 1
	// FreeSpins left it alone (specification, Callback service rule 3).
	FreeSpins PlayedWith = 2
)

// TransactionFilter selects transactions in the order in which they were booked, newest first; where State is Reversed, in
// the order in which they were rolled back. Zero values select all.
type TransactionFilter struct {
	PlayerID       int64
	TransactionID  TransactionID
	TransactionIDs []TransactionID // one of these; TransactionID is then ignored
	RoundID        RoundID
	Kind           OperationKind
	NotPlay        bool // only opening balances and adjustments
	State          TransactionState
	With           PlayedWith
	AmountFrom     *Amount   // at least so much, by Transaction.Size
	AmountTo       *Amount   // at most so much
	Since          time.Time // booked at this time or later
	Until          time.Time // booked before this time
	Currency       Currency  // of the player
	OtherContents  bool      // only those whose TransactionID came again with other contents
	Page           Cursor    // by number; its time does not matter
	Limit          int
}

// TransactionLine is a transaction in a list, with whose it is.
type TransactionLine struct {
	Transaction
	Place    int64 // its number in the list: the transaction's, or that of its rollback (TransactionFilter)
	UserID   UserID
	Test     bool
	Currency Currency
	After    *Amount `gorm:"column:after_minor"` // the balance that it left; nil for a free spin
}

// Page is a page of a list that may have given up before it was full: a filter that few rows pass is not followed through the
// whole of a large table at once.
type Page[T any] struct {
	Rows    []T
	More    bool   // more rows follow, in the direction of the page
	Stopped Cursor // where the search gave up; zero if it did not. The next page begins there
}

// Effect is what t did to the balance, signed: 0.00 for a free spin.
func (t *Transaction) Effect() Amount {
	if t.FreeSpin {
		return 0
	}
	return t.Win - t.Bet
}

// Size is the amount by which t is looked for: what moved, without its sign, and for a free spin its stake.
func (t *Transaction) Size() Amount {
	if t.FreeSpin {
		return t.Bet
	}
	return max(t.Effect(), -t.Effect())
}
