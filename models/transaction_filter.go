package models

import "math"

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
	State         TransactionState
	ByRollback    bool // only those rolled back or, with the kind CashOut, returned, in the order in which that happened
	With          PlayedWith
	Bet           AmountRange // only bets, and bets with a win: by the bet
	Win           AmountRange // only wins, and bets with a win: by the win
	Currency      Currency    // of the player
	Test          *bool       // only of test players, or of others
	OtherContents bool        // only those whose TransactionID came again with other contents
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
}

// Effect returns how t changed the balance, signed: 0.00 for a free spin.
func (t *Transaction) Effect() Amount {
	if t.FreeSpin {
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
