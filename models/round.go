package models

import "time"

// RoundState says how far a round has come. It is derived whenever a round is read, from the ledger, from open cases and from
// compared statements; it is stored nowhere and never moves money.
//
// The platform sends five callbacks and nothing else (specification, Events). It sends no end of a round, and nothing at all
// when a bet is lost, so a bet without a win is not a problem: it is being played, or it is lost. These are the rules, the
// first that holds decides:
//
// 1. No bet and no free spin stands: a win without a bet if a win stands, otherwise rolled back. 2. A win stands (Deposit or
// BetWin): won if any money was won, otherwise lost, because a win of 0.00 is how the platform says that a
//
//	bet was lost (BetWin, platform notes).
//
// 3. A case is open that says the platform sees the round differently (RoundCaseRules): interrupted. A case is also opened when
// the
//
//	platform rolls back a part of a round and then sends nothing for RoundSettles, because it rolls back incomplete rounds
//	(specification, Events, RollbackTransaction) and may have forgotten the rest. Whoever decides the case decides the state.
//
// 4. The platform's own statement lists every transaction of the round as we have it, goes on for RoundSettles after the last
// of them,
//
//	   and has no further win: lost.
//	5. The player has begun another round since, or RoundSettles has passed: no win.
//	6. The last bet came less than RoundPlays ago: in play. Otherwise: no win yet.
//
// No state is final: a win that arrives after "no win" or "lost" is booked as every other, and the round is then won.
type RoundState uint8

const (
	// RoundInPlay: a bet or a free spin was placed a moment ago.
	RoundInPlay RoundState = 1
	// RoundNoWinYet: no win has come, and one may still come.
	RoundNoWinYet RoundState = 2
	// RoundNoWin: no win has come and none is expected. Nearly always the bet is lost.
	RoundNoWin RoundState = 3
	// RoundLost: the platform says so, by a win of 0.00 or by its statement.
	RoundLost RoundState = 4
	// RoundInterrupted: somebody has to find out what the platform did with the round.
	RoundInterrupted RoundState = 5
	// RoundWon: bets stand, and a win was paid. It may be smaller than the bets.
	RoundWon RoundState = 6
	// RoundReversed: everything was rolled back.
	RoundReversed RoundState = 7
	// RoundUnstaked: a win stands, and no bet does.
	RoundUnstaked RoundState = 8
)

// RoundStates lists the states.
var RoundStates = roundStateWords.values()

const (
	// RoundPlays is how long after its last bet a round without a win counts as being played.
	RoundPlays = time.Minute
	// RoundSettles is how long after a round's last bet a win is still expected.
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

// String gives the state's word.
func (s RoundState) String() string { return roundStateWords.of(s, "unknown") }

// Pending reports that a win may still come: the stakes of the round are in play.
func (s RoundState) Pending() bool { return s == RoundInPlay || s == RoundNoWinYet }

// Undecided reports that stakes stand, no win has come, and the platform has not said that the round is lost.
func (s RoundState) Undecided() bool { return s.Pending() || s == RoundNoWin || s == RoundInterrupted }

// Round is one play of a game by one player: the transactions of one RoundID. Players may share a RoundID; their rounds are
// two. Counts and sums are of transactions that stand; a BetWin is a bet and a win. A win of 0.00 is how the platform says that
// a bet is lost (platform notes, Wallet callbacks): it is a transaction of the round, and counts as no win.
type Round struct {
	ID           int64 // the number of its first transaction
	RoundID      RoundID
	PlayerID     int64
	UserID       UserID
	Test         bool
	Currency     Currency
	At           time.Time `gorm:"column:at_us;serializer:micros"`      // its first transaction
	LastAt       time.Time `gorm:"column:last_at_us;serializer:micros"` // its last
	Transactions int64     // rolled back ones too
	Bets         int64     // with money
	Spins        int64     // with free spins
	Wins         int64     // that paid something
	Losses       int64     // wins of 0.00
	Reversed     int64
	Staked       Sum `gorm:"column:staked_minor"`
	SpinStake    Sum `gorm:"column:spin_stake_minor"` // a figure that never touched the balance
	Won          Sum `gorm:"column:won_minor"`

	RoundSigns
}

// RoundSigns are what a round's state depends on besides its own sums.
type RoundSigns struct {
	AsOf     time.Time // when the round was read: the state is the one at this instant
	StakedAt time.Time `gorm:"column:staked_at_us;serializer:micros"` // its last bet or free spin, rolled back or not
	Later    bool      // the player has begun another round since
	Settled  bool      // by the platform's statement nothing is missing
	CaseID   int64     // an open case: the platform sees it differently; 0 for none
	CaseAt   int64     // the newest transaction of the round with such a case
}

// Net is what the round left with the player: wins minus bets.
func (r Round) Net() Sum { return r.Won.Minus(r.Staked) }

// HasResult reports that the platform has sent a win, be it of 0.00.
func (r Round) HasResult() bool { return r.Wins+r.Losses > 0 }

// State says how far the round has come, by the rules at RoundState.
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

// Funds is the money staked in a round without a result.
func (r Round) Funds() Sum {
	if !r.State().Undecided() {
		return Sum{}
	}
	return r.Staked
}

// InPlay is the money of the round that is in play: a win may still come.
func (r Round) InPlay() Sum {
	if !r.State().Pending() {
		return Sum{}
	}
	return r.Staked
}

// RoundCaseRules are the rules whose open cases mean that the platform may see a round differently: its statement differs, a
// transaction ID came twice with different contents, a part was rolled back and nothing followed, or, where the operator has
// set a time for it, nothing has followed a bet for too long.
var RoundCaseRules = []CaseRule{CaseStatement, CaseOtherContents, CaseInterruptedRound, CaseOpenRound}

// StatementCover is a finished comparison of one of the platform's statements, and the time for which it proves what the
// platform has.
type StatementCover struct {
	RunID int64
	From  time.Time // transactions from here on
	Until time.Time // and before here are in the file, those near an edge of its period left out
}

// Settles reports that the statement would list a win of the round if there was one. That its transactions agree is for the
// caller to look up.
func (c StatementCover) Settles(r Round) bool {
	return !r.At.Before(c.From) && !r.LastAt.Add(RoundSettles).After(c.Until)
}

// Stakes is money in play in one currency, of test players or of the others.
type Stakes struct {
	Currency Currency
	Test     bool
	Rounds   int64
	Sum      Sum `gorm:"column:stake_minor"`
}

// SumStakes sums up the money of the rounds that is in play, by currency and by whether test players play for it, in the
// rounds' order.
func SumStakes(rounds []Round) (list []Stakes) {
	for _, r := range rounds {
		staked := r.InPlay()
		if staked.IsZero() {
			continue
		}
		i := 0
		for i < len(list) && (list[i].Currency != r.Currency || list[i].Test != r.Test) {
			i++
		}
		if i == len(list) {
			list = append(list, Stakes{Currency: r.Currency, Test: r.Test})
		}
		list[i].Rounds, list[i].Sum = list[i].Rounds+1, list[i].Sum.Plus(staked)
	}
	return list
}

// RoundFilter selects rounds by the time of their first transaction, the newest first. Zero values select all.
type RoundFilter struct {
	PlayerID  int64
	State     RoundState
	Pending   bool    // any of the states in which a win may still come
	Undecided bool    // any of the states without a result
	Funds     *Amount // only rounds without a result that have at least so much in them
	Currency  Currency
	Since     time.Time // begun at this time or later
	Until     time.Time // begun before this time
	Page      Cursor    // by number
	Limit     int
}

// Selects reports whether the filter selects a round.
func (f RoundFilter) Selects(r Round) bool {
	state := r.State()
	return (f.PlayerID == 0 || r.PlayerID == f.PlayerID) &&
		(f.Since.IsZero() || !r.At.Before(f.Since)) && (f.Until.IsZero() || r.At.Before(f.Until)) &&
		(f.Currency == "" || r.Currency == f.Currency) && (f.State == 0 || state == f.State) &&
		(!f.Pending || state.Pending()) &&
		(!f.Undecided && f.Funds == nil || state.Undecided()) &&
		(f.Funds == nil || r.Funds().Cmp(SumOf(*f.Funds)) >= 0)
}

// Place is where the filter's list goes on after a round. Interrupted rounds are found, and ordered, by the transactions that
// their cases are about.
func (f RoundFilter) Place(r Round) Cursor {
	if f.State == RoundInterrupted {
		return Cursor{At: r.At, ID: r.CaseAt}
	}
	return Cursor{At: r.At, ID: r.ID}
}
