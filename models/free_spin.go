package models

import (
	"slices"
	"time"
)

// A grant's state at the platform, and which of a player's free spins belong to it.
//
// A free-spin bet does not name a grant (specification, Callback service), so Pitboss infers it, apart from the ledger and
// repeatably. Candidates are the player's grants, also of unknown outcome, that were active then or had ended within the last
// day and have spins left. The oldest for the game that the player last launched gets the spin, else the oldest of all. A
// rollback returns the spin to the grant of its original.

// The platform's words for a grant's state (specification, Free spin bonus status values).
const (
	StatusActive    = "active"
	StatusCompleted = "completed"
	StatusExpired   = "expired"
)

// Observation is an answer of the platform about a grant.
type Observation struct {
	ID        int64
	GrantID   int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	Result    int       // NoResult or 0 for an answer; otherwise the result with which the platform refused
	Status    string    // one of the platform's words
	Total     int64     // NoCount if the platform did not say, here and below
	Used      int64
	Remaining int64
	Ours      int64  // how many spins were attributed to it at that time
	Raw       string `gorm:"column:answer_raw"` // the platform's answer, shortened
}

// TableName returns the table's name for GORM.
func (Observation) TableName() string { return "grant_observations" }

// GrantLingers is how long after its end a grant may still explain a free spin, because bets may arrive late or be repeated.
const GrantLingers = 24 * time.Hour

// CountsDiffer reports whether the platform's count of used spins over a player's grants contradicts ours. Spins that we
// attributed to grants of unknown outcome may belong to the others.
func CountsDiffer(used, ours, oursOfUnknown int64) bool {
	return used < ours || used > ours+oursOfUnknown
}

// AttributionRule is why a free spin was attributed to its grant.
type AttributionRule uint8

const (
	// ByNothing: no grant was a candidate.
	ByNothing AttributionRule = 0
	// ByLaunch: the oldest grant for the game that the player launched last.
	ByLaunch AttributionRule = 1
	// ByAge: the oldest grant.
	ByAge AttributionRule = 2
	// ByOriginal: a rollback, attributed like its spin.
	ByOriginal AttributionRule = 3
)

var attributionRuleWords = words[AttributionRule]{
	{ByLaunch, "inferred: the game launched last"},
	{ByAge, "inferred: the oldest grant"},
	{ByOriginal, "inferred: as the spin that was rolled back"},
}

// String returns the rule in words.
func (r AttributionRule) String() string { return attributionRuleWords.of(r, "no grant explains it") }

// Attribution is the grant that a line of the free-spin ledger is inferred to belong to.
type Attribution struct {
	PlayerID int64 `gorm:"primaryKey"`
	Seq      int64 `gorm:"primaryKey"`
	GrantID  int64 // 0 for none
	Rule     AttributionRule
}

// TableName returns the table's name for GORM.
func (Attribution) TableName() string { return "spin_attributions" }

// Attributor infers the grants of one player's free spins, in the order of the ledger.
type Attributor struct {
	Grants    []Grant // in the order of their requests, without refused ones; Ours is kept up to date
	Launches  []Launch
	Originals map[TransactionID]int64 // grants of earlier spins, by the transaction ID of the bet
}

// Launch is a game opened for the player through us.
type Launch struct {
	At     time.Time
	GameID int64 // internal ID
}

// Attribute returns the grant of the next line.
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
	GrantID int64 // 0 if not attributed yet
	Rule    AttributionRule
}

// SpinWins are the wins of a grant's free spins, in rounds whose only stake was a free spin.
type SpinWins struct {
	Rounds int64 // with a win
	Won    Amount
	Stake  Amount // nominal stakes of the spins that are not rolled back
}

// SpinWin is a win of a free spin.
type SpinWin struct {
	ID            int64 // internal ID of the transaction
	TransactionID TransactionID
	RoundID       RoundID
	Won           Amount
	At            time.Time `gorm:"column:at_us;serializer:micros"`
}
