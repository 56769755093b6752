package models

import "time"

// RoundState is the state of a round. It is derived whenever a round is read, from the ledger, open cases and compared
// statements; it is never stored and never moves money.
//
// The platform sends five callbacks and nothing else (specification, Events). It reports neither the end of a round nor a lost
// bet, so a bet without a win is not a problem: the round is in progress, or the bet is lost. The first rule that applies
// decides:
//
//  1. All bets and free spins are rolled back: a win without a bet if there is a win, otherwise rolled back.
//  2. There is a win (Deposit or BetWin): won if it paid anything. Otherwise lost, because with a win of 0.00 the platform says
//     that a bet is lost (BetWin, platform notes).
//  3. An open case says that the platform sees the round differently (RoundCaseRules): interrupted. There is also such a case
//     if the platform has rolled back a part of a round and sent nothing for RoundSettles, because it rolls back incomplete
//     rounds (specification, Events, RollbackTransaction) and may have forgotten the rest. Whoever decides the case decides the
//     state.
//  4. The platform's own statement lists the round's transactions exactly as the ledger does, covers RoundSettles after the
//     last of them, and has no further win: lost.
//  5. The player has begun another round since, or RoundSettles has passed: no win.
//  6. The last bet is more recent than RoundPlays: in play. Otherwise: no win yet.
//
// No state is final: a win that arrives after "no win" or "lost" is booked like any other, and the round is then won.
type RoundState uint8

const (
	// RoundInPlay: a bet or a free spin was placed just now.
	RoundInPlay RoundState = 1
	// RoundNoWinYet: there is no win, but one may still come.
	RoundNoWinYet RoundState = 2
	// RoundNoWin: there is no win and none is expected. The bet is almost certainly lost.
	RoundNoWin RoundState = 3
	// RoundLost: the platform said so, with a win of 0.00 or in its statement.
	RoundLost RoundState = 4
	// RoundInterrupted: a person has to find out what the platform did with the round.
	RoundInterrupted RoundState = 5
	// RoundWon: a win was paid. It may be smaller than the bets.
	RoundWon RoundState = 6
	// RoundReversed: everything was rolled back.
	RoundReversed RoundState = 7
	// RoundUnstaked: there is a win, but no bet.
	RoundUnstaked RoundState = 8
)

// RoundStates lists the states.
var RoundStates = roundStateWords.values()

const (
	// RoundPlays is how long after its last bet a round without a win is in play.
	RoundPlays = time.Minute
	// RoundSettles is how long after a round's last bet a win can be expected.
	RoundSettles = 5 * time.Minute
)

var roundStateWords = words[RoundState]{
	{RoundInPlay, "in play"},
	{RoundNoWinYet, "no win yet"},
	{RoundNoWin, "no win"},
	{RoundLost, "lost"},
	{RoundInterrupted, "interrupted"},
	{RoundWon, "win paid"},
	{RoundReversed, "rolled back"},
	{RoundUnstaked, "win without a bet"},
}

// String returns the state in words.
func (s RoundState) String() string { return roundStateWords.of(s, "unknown") }

// Pending reports whether a win may still come: the round's stakes are in play.
func (s RoundState) Pending() bool { return s == RoundInPlay || s == RoundNoWinYet }

// Undecided reports whether there are stakes and no win, and the platform has not said that the round is lost.
func (s RoundState) Undecided() bool { return s.Pending() || s == RoundNoWin || s == RoundInterrupted }

// Round is one play of a game by one player: the transactions with one RoundID. Players may share a RoundID; their rounds are
// separate. Counts and sums exclude transactions that were rolled back; a BetWin is a bet and a win. A win of 0.00, with which
// the platform says that a bet is lost (platform notes, Wallet callbacks), is a transaction of the round but does not count as
// a win.
type Round struct {
	ID           int64 // the number of its first transaction
	RoundID      RoundID
	PlayerID     int64
	UserID       UserID
	Test         bool
	Currency     Currency
	At           time.Time `gorm:"column:at_us;serializer:micros"`      // its first transaction
	LastAt       time.Time `gorm:"column:last_at_us;serializer:micros"` // its last
	Transactions int64     // including those rolled back
	Bets         int64     // of money
	Spins        int64     // free spins
	Wins         int64     // above 0.00
	Losses       int64     // wins of 0.00
	Reversed     int64
	Staked       Amount `gorm:"column:staked_minor"`
	SpinStake    Amount `gorm:"column:spin_stake_minor"` // nominal
	Won          Amount `gorm:"column:won_minor"`

	RoundSigns
}

// RoundSigns is the evidence, besides its sums, on which a round's state depends.
type RoundSigns struct {
	AsOf     time.Time // when the round was read, which is the time of its state
	StakedAt time.Time `gorm:"column:staked_at_us;serializer:micros"` // its last bet or free spin, rolled back or not
	Later    bool      // the player has begun another round since
	Settled  bool      // the platform's statement shows that nothing is missing
	CaseID   int64     // an open case because the platform may see the round differently; 0 for none
	CaseAt   int64     // the newest transaction of the round with such a case
}

// Net returns wins minus bets.
func (r Round) Net() Amount { return r.Won.Sub(r.Staked) }

// HasResult reports whether the platform has sent a win, even one of 0.00.
func (r Round) HasResult() bool { return r.Wins+r.Losses > 0 }

// State returns the round's state, by the rules at RoundState.
func (r Round) State() RoundState {
	quiet := r.AsOf.Sub(r.StakedAt)
	switch {
	case r.Bets+r.Spins == 0 && r.HasResult():
		return RoundUnstaked
	case r.Bets+r.Spins == 0:
		return RoundReversed
	case r.Wins > 0:
		return RoundWon
	case r.Losses > 0:
		return RoundLost
	case r.CaseID != 0:
		return RoundInterrupted
	case r.Settled:
		return RoundLost
	case r.Later, quiet >= RoundSettles:
		return RoundNoWin
	case quiet < RoundPlays:
		return RoundInPlay
	}
	return RoundNoWinYet
}

// Funds returns the money staked in a round without a result.
func (r Round) Funds() Amount {
	if !r.State().Undecided() {
		return 0
	}
	return r.Staked
}

// InPlay returns the money staked in a round that may still get a win.
func (r Round) InPlay() Amount {
	if !r.State().Pending() {
		return 0
	}
	return r.Staked
}

// RoundCaseRules are the rules whose open cases mean that the platform may see a round differently: its statement differs, a
// transaction ID was repeated with other contents, a part was rolled back and nothing followed, or, if the operator has set a
// time for it, nothing has followed a bet for too long.
var RoundCaseRules = []CaseRule{CaseStatement, CaseOtherContents, CaseInterruptedRound, CaseOpenRound}

// StatementCover is a finished comparison of a statement, and the period for which it proves what the platform has.
type StatementCover struct {
	RunID int64
	From  time.Time // the file has all transactions from this time
	Until time.Time // and before this time; margins at the edges of its period are excluded
}

// Settles reports whether the statement would list a win of the round if there were one. The caller has to check that the
// round's transactions match.
func (c StatementCover) Settles(r Round) bool {
	return !r.At.Before(c.From) && !r.LastAt.Add(RoundSettles).After(c.Until)
}

// Stakes is the money in play in one currency, of test players or of the others.
type Stakes struct {
	Currency Currency
	Test     bool
	Rounds   int64
	Sum      Amount `gorm:"column:stake_minor"`
}

// SumStakes sums the money in play in rounds, by currency and separately for test players, in the order of the rounds.
func SumStakes(rounds []Round) (list []Stakes) {
	for _, r := range rounds {
		staked := r.InPlay()
		if staked == 0 {
			continue
		}
		i := 0
		for i < len(list) && (list[i].Currency != r.Currency || list[i].Test != r.Test) {
			i++
		}
		if i == len(list) {
			list = append(list, Stakes{Currency: r.Currency, Test: r.Test})
		}
		list[i].Rounds, list[i].Sum = list[i].Rounds+1, list[i].Sum.Add(staked)
	}
	return list
}

// RoundFilter selects rounds by the time of their first transaction, newest first. Zero values select all.
type RoundFilter struct {
	Span      // by the time at which they began; Page is by number
	PlayerID  int64
	State     RoundState
	Pending   bool    // only states in which a win may still come
	Undecided bool    // only states without a result
	Funds     *Amount // only rounds without a result and with at least this much staked
	Currency  Currency
}

// Selects reports whether the filter selects a round.
func (f RoundFilter) Selects(r Round) bool {
	state := r.State()
	return (f.PlayerID == 0 || r.PlayerID == f.PlayerID) &&
		(f.Since.IsZero() || !r.At.Before(f.Since)) && (f.Until.IsZero() || r.At.Before(f.Until)) &&
		(f.Currency == "" || r.Currency == f.Currency) && (f.State == 0 || state == f.State) &&
		(!f.Pending || state.Pending()) &&
		(!f.Undecided && f.Funds == nil || state.Undecided()) &&
		(f.Funds == nil || r.Funds() >= *f.Funds)
}

// Place returns the round's place in the filter's list. Interrupted rounds are found and ordered by the transactions of their
// cases.
func (f RoundFilter) Place(r Round) Cursor {
	if f.State == RoundInterrupted {
		return Cursor{At: r.At, ID: r.CaseAt}
	}
	return Cursor{At: r.At, ID: r.ID}
}
