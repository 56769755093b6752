package models

import (
	"time"

	"github.com/shopspring/decimal"
)

// Sums of current activity: stakes and wins, players, and answers to callbacks. The sums of money are derived from the ledger,
// and can be recalculated from it.

// MoneySums has the stakes and wins of a period, in one currency. A rollback counts at its own time, not at the time of its
// original. Free spins are counted separately: their stakes were never money (specification, Callback service rule 3), and
// their wins are the cost of a bonus. A win belongs to a free spin if its round had a free spin and no other stake before it.
type MoneySums struct {
	Bets             int64  // bets of money, including those rolled back since
	Stakes           Amount `gorm:"column:stake_minor"`          // of money
	StakesReversed   Amount `gorm:"column:stake_reversed_minor"` // rolled back
	Wins             Amount `gorm:"column:win_minor"`            // in real-money play
	WinsReversed     Amount `gorm:"column:win_reversed_minor"`   // rolled back
	Spins            int64  // free spins used, less those rolled back
	SpinStakes       Amount `gorm:"column:spin_stake_minor"` // their nominal stakes
	SpinWins         Amount `gorm:"column:spin_win_minor"`   // what free spins won
	SpinWinsReversed Amount `gorm:"column:spin_win_reversed_minor"`
}

// Turnover returns the stakes, net of rollbacks.
func (m MoneySums) Turnover() Amount { return m.Stakes.Sub(m.StakesReversed) }

// Payout returns the wins of real-money play, net of rollbacks.
func (m MoneySums) Payout() Amount { return m.Wins.Sub(m.WinsReversed) }

// GGR returns turnover minus payout.
func (m MoneySums) GGR() Amount { return m.Turnover().Sub(m.Payout()) }

// SpinPayout returns the wins of free spins, net of rollbacks.
func (m MoneySums) SpinPayout() Amount { return m.SpinWins.Sub(m.SpinWinsReversed) }

// RTP returns the payout as a percentage of the turnover, to two decimals, or false if there was no turnover.
func (m MoneySums) RTP() (decimal.Decimal, bool) {
	if m.Turnover() <= 0 {
		return decimal.Zero, false
	}
	return m.Payout().Decimal().Mul(decimal.NewFromInt(100)).DivRound(m.Turnover().Decimal(), 2), true
}

// CurrencyPlay sums up play in one currency.
type CurrencyPlay struct {
	Currency Currency
	MoneySums
}

// NoAnswer is the Result of callbacks without a definite answer.
const NoAnswer = -1

// CallbackAnswer is how a request to the callback listener was answered. If Endpoint is empty, it was not a callback, and
// Result is the HTTP status.
type CallbackAnswer struct {
	Endpoint string // such as "Withdraw"
	Result   int    // the result code, or NoAnswer
}

// CallbackCounts counts how callbacks were answered.
type CallbackCounts struct{ Answers map[CallbackAnswer]uint64 }

// Since returns how much the counts have increased since earlier ones. A count that is lower than before was reset, so the
// whole count is new.
func (c CallbackCounts) Since(earlier CallbackCounts) CallbackCounts {
	more := CallbackCounts{Answers: map[CallbackAnswer]uint64{}}
	for a, n := range c.Answers {
		if before := earlier.Answers[a]; n >= before {
			n -= before
		}
		if n > 0 {
			more.Answers[a] = n
		}
	}
	return more
}

// Empty reports whether nothing was counted.
func (c CallbackCounts) Empty() bool { return len(c.Answers) == 0 }

// Callbacks returns how many callbacks got answers that match, or any answer if match is nil. It does not count requests that
// were not callbacks.
func (c CallbackCounts) Callbacks(match func(CallbackAnswer) bool) (n uint64) {
	for a, count := range c.Answers {
		if a.Endpoint != "" && (match == nil || match(a)) {
			n += count
		}
	}
	return n
}

// CallbackMinute has the counts of one minute.
type CallbackMinute struct {
	At time.Time // its beginning
	CallbackCounts
}
