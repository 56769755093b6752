package models

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// What happens at the moment, as sums: what was staked and won, who played, how callbacks were answered. The ledger stays the
// truth; sums of money are made from it, and can be made again from scratch.

// MoneySums is what was staked and won in some stretch of time, in one currency. A rollback counts when it came, not when its
// original did. Free spins stand apart: their stakes are figures that never were money (specification, Callback service rule
// 3), and what they win is the cost of a bonus. A win is a free spin's where the round had a free spin and no other stake
// before it.
type MoneySums struct {
	Bets             int64 // stakes of money, those rolled back since included
	Stakes           Sum   `gorm:"column:stake_minor"`          // of money
	StakesReversed   Sum   `gorm:"column:stake_reversed_minor"` // bets given back
	Wins             Sum   `gorm:"column:win_minor"`            // in play for money
	WinsReversed     Sum   `gorm:"column:win_reversed_minor"`   // wins taken back
	Spins            int64 // free spins used, less those given back
	SpinStakes       Sum   `gorm:"column:spin_stake_minor"` // the figures of those spins
	SpinWins         Sum   `gorm:"column:spin_win_minor"`   // what free spins won
	SpinWinsReversed Sum   `gorm:"column:spin_win_reversed_minor"`
}

// Turnover is what was staked, net of rollbacks.
func (m MoneySums) Turnover() Sum { return m.Stakes.Minus(m.StakesReversed) }

// Payout is what was won in play for money, net of rollbacks.
func (m MoneySums) Payout() Sum { return m.Wins.Minus(m.WinsReversed) }

// GGR is turnover minus payout.
func (m MoneySums) GGR() Sum { return m.Turnover().Minus(m.Payout()) }

// SpinPayout is what free spins won, net of rollbacks.
func (m MoneySums) SpinPayout() Sum { return m.SpinWins.Minus(m.SpinWinsReversed) }

// RTP is the payout as a percentage of the turnover, to two decimals, and false where there was no turnover.
func (m MoneySums) RTP() (decimal.Decimal, bool) {
	if m.Turnover().Sign() <= 0 {
		return decimal.Zero, false
	}
	return m.Payout().Decimal().Mul(decimal.NewFromInt(100)).DivRound(m.Turnover().Decimal(), 2), true
}

// CurrencyPlay is what was played in one currency.
type CurrencyPlay struct {
	Currency Currency
	MoneySums
	Players int64 // distinct players with a bet or a free spin
}

// NoAnswer stands for a result where a callback had no definite answer.
const NoAnswer = -1

// CallbackAnswer is a way in which a request at the callbacks' door was answered. With an empty Endpoint it was no callback,
// and Result is the HTTP status.
type CallbackAnswer struct {
	Endpoint string // such as "Withdraw"
	Result   int    // the result code, or NoAnswer
}

// CallbackLatency is a bar of a histogram of latencies.
type CallbackLatency struct {
	Endpoint string
	Over     time.Duration `gorm:"column:over_us;serializer:micros"`  // which the answers took longer than
	Bound    time.Duration `gorm:"column:bound_us;serializer:micros"` // which they did not exceed; 0 where the bar has no end
}

// CallbackCounts counts how callbacks were answered, and how quickly.
type CallbackCounts struct {
	Answers   map[CallbackAnswer]uint64
	Latencies map[CallbackLatency]uint64
}

// Since returns what came on top of earlier counts. Where a count is below its earlier one, it began anew and all of it came on
// top.
func (c CallbackCounts) Since(earlier CallbackCounts) CallbackCounts {
	return CallbackCounts{Answers: since(c.Answers, earlier.Answers), Latencies: since(c.Latencies, earlier.Latencies)}
}

func since[K comparable](now, earlier map[K]uint64) map[K]uint64 {
	more := map[K]uint64{}
	for k, n := range now {
		if before := earlier[k]; n >= before {
			n -= before
		}
		if n > 0 {
			more[k] = n
		}
	}
	return more
}

// Empty reports that nothing was counted.
func (c CallbackCounts) Empty() bool { return len(c.Answers) == 0 && len(c.Latencies) == 0 }

// Callbacks is how many callbacks were answered with results that match, and all with a nil match. What was no callback is left
// out.
func (c CallbackCounts) Callbacks(match func(CallbackAnswer) bool) (n uint64) {
	for a, count := range c.Answers {
		if a.Endpoint != "" && (match == nil || match(a)) {
			n += count
		}
	}
	return n
}

// Percentile estimates the latency that a share of the answers, such as 0.95, did not exceed, and false where there were none.
// It interpolates within a bar of the histogram, and is the beginning of a bar without end. An empty endpoint takes all
// together.
func (c CallbackCounts) Percentile(endpoint string, share float64) (time.Duration, bool) {
	type span struct{ over, bound time.Duration }
	bars := map[span]uint64{}
	var total uint64
	for l, n := range c.Latencies {
		if endpoint == "" || l.Endpoint == endpoint {
			bars[span{l.Over, l.Bound}] += n
			total += n
		}
	}
	below, rank := 0.0, share*float64(total)
	for _, bar := range slices.SortedFunc(maps.Keys(bars),
		func(a, b span) int { return cmp.Or(cmp.Compare(a.over, b.over), cmp.Compare(a.bound, b.bound)) }) {
		n := float64(bars[bar])
		switch {
		case below+n < rank:
			below += n
		case bar.bound == 0:
			return bar.over, true
		default:
			return bar.over + time.Duration(float64(bar.bound-bar.over)*(rank-below)/n), true
		}
	}
	return 0, false
}

// CallbackMinute is what was answered in one minute.
type CallbackMinute struct {
	At time.Time // its beginning
	CallbackCounts
}
