package models

import "time"

// RoundState is what a round's transactions tell of it. The platform sends no end of a round (specification, Events), and nothing at
// all when a bet is lost: an open round is lost, still being played, or interrupted, and only the platform knows which.
type RoundState uint8

const (
	// RoundOpen: a bet or a free spin stands, and no win has come.
	RoundOpen RoundState = 1
	// RoundSettled: bets stand, and a win has come, be it of 0.00.
	RoundSettled RoundState = 2
	// RoundReversed: everything was rolled back.
	RoundReversed RoundState = 3
	// RoundUnstaked: a win stands, and no bet does.
	RoundUnstaked RoundState = 4
)

// RoundStates lists the states.
var RoundStates = []RoundState{RoundOpen, RoundSettled, RoundReversed, RoundUnstaked}

// String gives the state's word.
func (s RoundState) String() string {
	switch s {
	case RoundOpen:
		return "open"
	case RoundSettled:
		return "settled"
	case RoundReversed:
		return "rolled back"
	case RoundUnstaked:
		return "win without a bet"
	}
	return "unknown"
}

// Round is one play of a game by one player: the transactions of one RoundID. Players may share a RoundID; their rounds are two.
// Counts and sums are of transactions that stand; a BetWin is a bet and a win.
type Round struct {
	ID           int64 // the number of its first transaction
	RoundID      RoundID
	PlayerID     int64
	UserID       UserID
	Test         bool
	Currency     Currency
	At           time.Time // its first transaction
	LastAt       time.Time // its last
	Transactions int64     // rolled back ones too
	Bets         int64     // with money
	Spins        int64     // with free spins
	Wins         int64
	Reversed     int64
	Staked       Sum
	SpinStake    Sum // a figure that never touched the balance
	Won          Sum
}

// Net is what the round left with the player: wins minus bets.
func (r Round) Net() Sum { return r.Won.Minus(r.Staked) }

// State says how far the round has come.
func (r Round) State() RoundState {
	staked := r.Bets+r.Spins > 0
	switch {
	case staked && r.Wins > 0:
		return RoundSettled
	case staked:
		return RoundOpen
	case r.Wins > 0:
		return RoundUnstaked
	}
	return RoundReversed
}

// Funds is the money in an open round: bets that neither a win nor a rollback has followed.
func (r Round) Funds() Sum {
	if r.State() != RoundOpen {
		return Sum{}
	}
	return r.Staked
}

// RoundFilter selects rounds by the time of their first transaction, the newest first. Zero values select all.
type RoundFilter struct {
	PlayerID int64
	State    RoundState
	Funds    *Amount   // only open rounds with at least so much in them
	Since    time.Time // begun at this time or later
	Until    time.Time // begun before this time
	Page     Cursor    // by number
	Limit    int
}
