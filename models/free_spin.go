package models

import (
	"slices"
	"time"
)

// What becomes of a grant on the platform, and which of a player's free spins belong to it.
//
// A free-spin bet names no grant (specification, Callback service: neither gameID nor freeSpinID), so which one it used is our
// inference. It stands apart from the ledger, is marked as inferred, and can be made again from scratch at any time:
//
//   - candidates are the player's grants that had been asked for by then, that were not refused, that have spins left by our
//     own count, and that were open then or had ended within the last day: a spin is also evidence that a grant of unknown
//     outcome arrived;
//   - of these the oldest whose game the player launched last through us, else the oldest;
//   - a rollback gives the spin back to the grant that its original was taken from, and opens nothing again.

// Platform's words for the state of a grant (specification, Free spin bonus status values).
const (
	StatusActive    = "active"
	StatusCompleted = "completed"
	StatusExpired   = "expired"
)

// Observation is what the platform said about a grant.
type Observation struct {
	ID        int64
	GrantID   int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	Result    int       // NoResult or 0 for an answer; else the platform's refusal to tell
	Status    string    // one of the platform's words
	Total     int64     // NoCount where it was not said, here and below
	Used      int64
	Remaining int64
	Ours      int64  // spins that we attributed to it then
	Raw       string `gorm:"column:answer_raw"` // the answer as the platform wrote it, cut
}

// TableName names the table.
func (Observation) TableName() string { return "grant_observations" }

// firstPoll is how long after the granting the platform is first asked; each further question waits twice as long, up to
// longestPoll.
const (
	firstPoll   = time.Minute
	longestPoll = 6 * time.Hour
)

// PollAfter is how long to wait before the next question when so many have been answered.
func PollAfter(polls int) time.Duration {
	if polls > 16 {
		return longestPoll
	}
	return min(firstPoll<<max(polls, 0), longestPoll)
}

// GrantLingers is for how long after its end a grant may still explain a free spin: a late or repeated bet.
const GrantLingers = 24 * time.Hour

// CountsDiffer reports whether the platform's used count over a player's grants cannot be ours. Spins that we attribute to
// grants of unknown outcome may belong to the others.
func CountsDiffer(used, ours, oursOfUnknown int64) bool {
	return used < ours || used > ours+oursOfUnknown
}

// AttributionRule says why a free spin was attributed as it was.
type AttributionRule uint8

const (
	// ByNothing: there was no grant that it could belong to.
	ByNothing AttributionRule = 0
	// ByLaunch: the game that the player launched last.
	ByLaunch AttributionRule = 1
	// ByAge: the oldest grant.
	ByAge AttributionRule = 2
	// ByOriginal: a rollback, attributed as its spin was.
	ByOriginal AttributionRule = 3
)

var attributionRuleWords = words[AttributionRule]{
	{ByLaunch, "inferred: the game launched last"},
	{ByAge, "inferred: the oldest grant"},
	{ByOriginal, "inferred: as the spin that was rolled back"},
}

// String gives the rule's words.
func (r AttributionRule) String() string { return attributionRuleWords.of(r, "no grant explains it") }

// Attribution says which grant a line of the free-spin ledger belongs to, by inference.
type Attribution struct {
	PlayerID int64 `gorm:"primaryKey"`
	Seq      int64 `gorm:"primaryKey"`
	GrantID  int64 // 0 for none
	Rule     AttributionRule
}

// TableName names the table.
func (Attribution) TableName() string { return "spin_attributions" }

// Attributor infers the grants of one player's free spins, which it is given in the order of the ledger.
type Attributor struct {
	Grants    []Grant // in the order in which they were asked for, with the refused left out; Ours is kept up to date
	Launches  []Launch
	Originals map[TransactionID]int64 // grants of spins seen earlier, by their bets
}

// Launch is a game opened for the player through us.
type Launch struct {
	At     time.Time
	GameID int64 // our number
}

// Attribute infers the grant of the next line.
func (a *Attributor) Attribute(e SpinEntry) Attribution {
	out := Attribution{PlayerID: e.PlayerID, Seq: e.Seq}
	if e.Kind == EntrySpinReversed {
		out.GrantID = a.Originals[e.TransactionID]
		if out.GrantID != 0 {
			out.Rule = ByOriginal
		}
	} else {
		out.GrantID, out.Rule = a.choose(e.At)
		a.Originals[e.TransactionID] = out.GrantID
	}
	if i := slices.IndexFunc(a.Grants, func(g Grant) bool { return g.ID == out.GrantID }); i >= 0 {
		a.Grants[i].Ours += e.Spins
	}
	return out
}

func (a *Attributor) choose(at time.Time) (int64, AttributionRule) {
	launched := int64(0)
	var last time.Time
	for _, l := range a.Launches {
		if !l.At.After(at) && l.At.After(last) {
			launched, last = l.GameID, l.At
		}
	}
	oldest := int64(0)
	for _, g := range a.Grants {
		ended := !g.FinishedAt.IsZero() && at.Sub(g.FinishedAt) > GrantLingers
		if g.At.After(at) || ended || g.Ours >= g.Spins {
			continue
		}
		if g.Game.ID == launched {
			return g.ID, ByLaunch
		}
		if oldest == 0 {
			oldest = g.ID
		}
	}
	if oldest == 0 {
		return 0, ByNothing
	}
	return oldest, ByAge
}

// AttributedSpin is a line of the free-spin ledger with the grant that it is attributed to.
type AttributedSpin struct {
	SpinEntry
	GrantID int64 // 0 while nobody has attributed it
	Rule    AttributionRule
}

// SpinWins is what free spins of a grant have won: wins in rounds whose only stake was a free spin.
type SpinWins struct {
	Rounds int64 // that won something
	Won    Sum
	Stake  Sum // a figure: what the spins still used would have cost
}

// SpinWin is a win of a free spin.
type SpinWin struct {
	ID            int64 // our number of the transaction
	TransactionID TransactionID
	RoundID       RoundID
	Won           Amount
	At            time.Time
}
