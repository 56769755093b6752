package models

import (
	"math"
	"slices"
)

// PlayedWith says whether a transaction moved money or used a free spin.
type PlayedWith uint8

const (
	// RealMoney changed the balance, or could have. Wins of free spins are apart.
	RealMoney PlayedWith = 1
	// FreeSpins did not change the balance (specification, Callback service rule 3).
	FreeSpins PlayedWith = 2
	// FreeSpinWins are the wins of free spins.
	FreeSpinWins PlayedWith = 3
)

// AmountRange selects amounts from one to another, both included. Nil is no limit.
type AmountRange struct{ From, To *Amount }

// IsZero reports whether r has no limits.
func (r AmountRange) IsZero() bool { return r.From == nil && r.To == nil }

// Bounds returns the smallest and the largest amount in the range.
func (r AmountRange) Bounds() (from, to Amount) {
	from, to = math.MinInt64, math.MaxInt64
	if r.From != nil {
		from = *r.From
	}
	if r.To != nil {
		to = *r.To
	}
	return from, to
}

// TransactionFilter selects transactions in the order in which they were booked, newest first. Zero values select all.
type TransactionFilter struct {
	Span           // by the time of booking or, with ByRollback, of the rollback; Page is by number
	PlayerID       int64
	TransactionID  TransactionID
	TransactionIDs []TransactionID // any of these; TransactionID is then ignored
	RoundID        RoundID
	Kind           OperationKind
	NotPlay        bool // only opening balances, adjustments and cash
	// Reversed selects those that were rolled back and cash-outs that were returned; Processed selects all others
	State      TransactionState
	ByRollback bool // only those rolled back or, with the kind CashOut, returned, in the order in which that happened
	// Booked selects postings in place of transactions: a rollback, and the end of a cash-out, has a row of its own at its own
	// time, so that rows of a period add up to its report. Only with it can Kind be CashPaid or CashReturned, each with those that
	// bounced.
	Booked        bool
	With          PlayedWith
	Bet           AmountRange // only bets, and bets with a win: by the bet
	Win           AmountRange // only wins, and bets with a win: by the win
	Currency      Currency    // of the player
	Test          *bool       // only of test players, or of others
	OtherContents bool        // only those whose TransactionID came again with other contents
}

// Class is what a posting does to a transaction of a kind.
type Class struct {
	Claim Claim
	Kind  OperationKind
}

// Classes returns the classes of postings that f selects.
func (f TransactionFilter) Classes() (list []Class) {
	switch {
	case f.Booked && f.Kind == CashReturned:
		return []Class{{ClaimRolledBack, CashOut}, {ClaimApplied, CashBounced}}
	case f.Booked && f.Kind == CashPaid:
		return []Class{{ClaimRolledBack, CashPaid}, {ClaimApplied, CashBounced}}
	}
	for _, k := range f.Kinds() {
		if !f.ByRollback {
			list = append(list, Class{ClaimApplied, k})
		}
		if f.ByRollback || f.Booked && (k != CashOut || f.Kind == 0) {
			list = append(list, Class{ClaimRolledBack, k})
		}
	}
	if f.Booked && f.Kind == 0 && slices.Contains(list, Class{ClaimRolledBack, CashOut}) {
		list = append(list, Class{ClaimRolledBack, CashPaid})
	}
	return list
}

// Place returns the transaction's place in the list that f selects.
func (f TransactionFilter) Place(t TransactionLine) Cursor {
	if f.ByRollback {
		return Cursor{At: t.ReversedAt, ID: t.Place}
	}
	return Cursor{At: t.At, ID: t.Place}
}

// Kinds returns the kinds of transactions that match f.
func (f TransactionFilter) Kinds() (kinds []OperationKind) {
	for _, k := range []OperationKind{Bet, Win, BetWin, Opening, Adjustment, CashIn, CashOut, CashBounced} {
		if (f.Kind == 0 || f.Kind == k) && (!f.NotPlay || k >= Opening) &&
			(f.Bet.IsZero() || k == Bet || k == BetWin) && (f.Win.IsZero() || k == Win || k == BetWin) &&
			(f.With != FreeSpins || k == Bet) && (f.With != FreeSpinWins || k == Win) &&
			(k != CashOut || f.Kind == CashOut || !f.ByRollback) { // it is returned, not rolled back
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// TransactionLine is a transaction in a list, with its player.
type TransactionLine struct {
	Transaction
	Place    int64 // the ID by which the list is ordered: the transaction's, or that of its rollback (see TransactionFilter)
	UserID   UserID
	Test     bool
	Currency Currency
	After    *Amount `gorm:"column:after_minor"` // the balance that it left; nil for a free spin
	OfSpin   bool    // it is the win of a free spin
	Claim    Claim   // of the posting that the row was read by
	Left     Amount  `gorm:"column:left_minor"` // the balance that this posting left
}

// Booked changes the row of a transaction into that of the posting it was read by: a rollback has the opposite amounts, and its
// own time.
func (t *TransactionLine) Booked() {
	undone := t.Claim == ClaimRolledBack
	switch {
	case undone && t.Kind == CashOut && t.State == PaidOut:
		t.Kind = CashPaid
	case undone && t.Kind == CashOut:
		t.Kind, t.Bet = CashReturned, -t.Bet
	case undone:
		t.Bet, t.Win = -t.Bet, -t.Win
	}
	if t.State = Processed; undone {
		t.At = t.ReversedAt
		if t.After != nil {
			t.After = &t.Left
		}
	}
}

// Effect returns how t changed the balance, signed: 0.00 for a free spin, and when a cash-out is paid.
func (t *Transaction) Effect() Amount {
	if t.FreeSpin || t.Kind == CashPaid {
		return 0
	}
	return t.Win - t.Bet
}

// Standing returns the bet and the win of a transaction of play that was not rolled back, and 0.00 for others and for free
// spins.
func (t *Transaction) Standing() (bet, win Amount) {
	if t.State == Reversed || t.FreeSpin || t.Kind >= Opening {
		return 0, 0
	}
	return t.Bet, t.Win
}

// Size returns the effect without its sign, or the stake of a free spin.
func (t *Transaction) Size() Amount {
	if t.FreeSpin {
		return t.Bet
	}
	return max(t.Effect(), -t.Effect())
}
