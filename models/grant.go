package models

import (
	"errors"
	"fmt"
	"time"
)

// Grants of free spins, from the request to the end.
//
//	requested -> sent -> active -> completed, expired
//	                  -> refused
//	                  -> unknown -> (a person) active, refused, or closed as impossible to find out
//
// The platform cannot repeat a grant safely, list grants, or take spins back. So only the caller that has committed the move to
// sent may send it. Without a readable answer the outcome is unknown until a person finds it out; a grant that was never sent
// is refused.

// FreeSpinID is the platform's ID of a grant.
type FreeSpinID string

// GrantState is the state of a grant.
type GrantState uint8

const (
	// GrantRequested: it is recorded and its part of the limits is reserved, but nothing has been sent.
	GrantRequested GrantState = 1
	// GrantSent: it is being sent, or was when the program ended.
	GrantSent GrantState = 2
	// GrantActive: the platform granted it, and it may be played.
	GrantActive GrantState = 3
	// GrantCompleted: all its spins are used.
	GrantCompleted GrantState = 4
	// GrantExpired: its time ended before its spins were used. It never opens again.
	GrantExpired GrantState = 5
	// GrantRefused: it was certainly not granted.
	GrantRefused GrantState = 6
	// GrantUnknown: it may or may not have been granted.
	GrantUnknown GrantState = 7
)

var grantStateWords = words[GrantState]{
	{GrantRequested, "requested"},
	{GrantSent, "sent"},
	{GrantActive, "active"},
	{GrantCompleted, "completed"},
	{GrantExpired, "expired"},
	{GrantRefused, "refused"},
	{GrantUnknown, "outcome unknown"},
}

// String returns the state in words.
func (s GrantState) String() string { return grantStateWords.of(s, "to go") }

// Granted reports whether the platform is known to have granted it.
func (s GrantState) Granted() bool {
	return s == GrantActive || s == GrantCompleted || s == GrantExpired
}

// Resolution is the outcome that a person found for a grant of unknown outcome.
type Resolution uint8

const (
	// Unresolved: it has not been found out yet.
	Unresolved Resolution = 0
	// ResolvedFound: the platform has it, with the given ID.
	ResolvedFound Resolution = 1
	// ResolvedNotGranted: the platform does not have it.
	ResolvedNotGranted Resolution = 2
	// ResolvedUnclear: it cannot be found out. Other grants no longer wait for it.
	ResolvedUnclear Resolution = 3
)

var resolutionWords = words[Resolution]{
	{ResolvedFound, "found on the platform"},
	{ResolvedNotGranted, "not granted"},
	{ResolvedUnclear, "cannot be found out"},
}

// String returns the resolution in words.
func (r Resolution) String() string { return resolutionWords.of(r, "unresolved") }

// GrantOutcome is the outcome of sending a grant.
type GrantOutcome struct {
	State      GrantState // GrantActive, GrantRefused or GrantUnknown
	FreeSpinID FreeSpinID // GrantActive only
	Result     int        // the platform's, or NoResult
	Message    string     // why, in words; empty for GrantActive
	Latency    time.Duration
	Raw        string // the platform's answer, shortened
}

// NoResult means that the platform gave no result.
const NoResult = -1

// ResultUnknownGrant is the platform's result for an unknown grant (platform notes, Platform API).
const ResultUnknownGrant = 8

// NoCount means that the platform gave no count.
const NoCount = -1

// Grant is free spins for a player on a game.
type Grant struct {
	ID           int64
	At           time.Time `gorm:"column:at_us;serializer:micros"` // when it was requested
	Actor        string
	Role         Role // of whoever requested it
	PlayerID     int64
	UserID       UserID   `gorm:"->"`
	Currency     Currency `gorm:"->"` // of the player's wallet
	Game         GameRef  `gorm:"embedded;embeddedPrefix:game_"`
	Spins        int64
	Reason       string
	Again        bool  // requested although another grant's outcome was unknown
	CampaignID   int64 `gorm:"serializer:orNull"` // 0 for none
	CampaignLine int   `gorm:"serializer:orNull"`

	State      GrantState
	FreeSpinID FreeSpinID    `gorm:"serializer:orNull"` // empty if unknown
	Result     int           // the platform's, or NoResult
	Message    string        // why it was refused or is of unknown outcome
	Latency    time.Duration `gorm:"column:latency_us;serializer:micros"`
	Raw        string        `gorm:"column:answer_raw"` // the platform's answer, shortened
	SentAt     time.Time     `gorm:"column:sent_at_us;serializer:micros" covered:"-"`
	AnsweredAt time.Time     `gorm:"column:answered_at_us;serializer:micros"`
	// when it was completed, expired, refused, or closed because its outcome cannot be found out
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`

	Resolution     Resolution
	ResolvedBy     string
	ResolvedAt     time.Time `gorm:"column:resolved_at_us;serializer:micros"`
	ResolutionNote string

	Used       int64     `covered:"-"` // according to the platform's last answer, or NoCount
	Remaining  int64     `covered:"-"` // according to the platform's last answer, or NoCount
	ObservedAt time.Time `gorm:"column:observed_at_us;serializer:micros" covered:"-"`
	// zero if the platform is no longer asked
	NextPollAt time.Time `gorm:"column:next_poll_at_us;serializer:micros" covered:"-"`
	// how many scheduled polls were answered; each doubles the wait for the next
	Polls int `covered:"-"`
	// why the last poll got no answer; empty if it did
	PollError string `covered:"-"`
	// how many spins are attributed to it
	Ours int64 `covered:"-"`
	// when the platform first said that it does not know the grant; zero if it does
	DisownedAt time.Time `gorm:"column:disowned_at_us;serializer:micros" covered:"-"`
	// in how many consecutive comparisons the platform's count and ours differed
	Apart int `covered:"-"`
	// when the counts were last compared; zero if never
	ComparedAt time.Time `gorm:"column:compared_at_us;serializer:micros" covered:"-"`
}

// Covered returns what the audit log covers. Sending a grant, and asking the platform about it, changes the row without an
// event: the answer proves what was sent.
func (g Grant) Covered() any {
	if g.State == GrantSent {
		g.State = GrantRequested
	}
	return g
}

// ApartForLong is the number of consecutive comparisons in which counts must differ to be a disagreement. Before that, a bet
// may still be on its way.
const ApartForLong = 2

// Disagrees reports whether the platform's count and ours differed in two consecutive comparisons. A player's active grants are
// compared as a sum, because a spin does not name its grant. If the sums differ, those grants disagree whose own counts differ,
// or all if none does.
func (g Grant) Disagrees() bool { return g.Apart >= ApartForLong }

// UsedSpins returns how many spins of a grant are used: as the platform last said, or by our own count if it has not said.
// While the grant is active, the higher count is the newer one: the platform is only asked now and then, and our bets may be on
// their way. Once the two disagree, ours may have bets of another grant, and only the platform's counts.
func (g Grant) UsedSpins() int64 {
	if g.Used == NoCount || g.State == GrantActive && !g.Disagrees() {
		return max(g.Used, g.Ours)
	}
	return g.Used
}

// UsedUp reports whether all spins are used: the platform has said so, or it still has to confirm our count.
func (g Grant) UsedUp() bool {
	return g.State == GrantCompleted || g.State == GrantActive && g.UsedSpins() >= g.Spins
}

// Unresolved reports whether a person has to find out the outcome.
func (g Grant) Unresolved() bool { return g.State == GrantUnknown && g.Resolution == Unresolved }

// GrantRequest is a request for a grant.
type GrantRequest struct {
	UserID UserID
	GameID GameID
	Spins  int64
	Reason string
	Role   Role // the requester's
	Again  bool // even if another grant of this game to this player has an unknown outcome
	// CampaignID is the campaign to which a grant to a single player belongs; 0 for none.
	CampaignID int64
}

// MaxSpins is the number of spins that one grant has at most, so that sums of spins stay small.
const MaxSpins = 1_000_000

// ErrSpins refuses a number of spins that no grant can have.
var ErrSpins = errors.New("the number of spins must be a whole number from 1 to 1,000,000")

// Check returns what is wrong with the request, regardless of stored data.
func (r GrantRequest) Check() error {
	if err := CheckID(string(r.UserID)); err != nil {
		return fmt.Errorf("user ID: %w", err)
	}
	if err := CheckID(string(r.GameID)); err != nil {
		return fmt.Errorf("game ID: %w", err)
	}
	if r.Spins < 1 || r.Spins > MaxSpins {
		return ErrSpins
	}
	return nil
}

// Why a grant is refused or cannot be resolved.
var (
	ErrGrantUnknown       = errors.New("there is no such grant")
	ErrGrantFreeSpinID    = errors.New("there is no grant with this free-spin ID")
	ErrGrantResolved      = errors.New("this grant does not have an unknown outcome to resolve")
	ErrGrantState         = errors.New("the grant has changed in the meantime; reload the page")
	ErrGrantNotActive     = errors.New("the platform has not granted this, so there is nothing to ask")
	ErrFreeSpinIDTaken    = errors.New("another grant has this free-spin ID")
	ErrFreeSpinIDMismatch = errors.New("the platform's grant with this ID has a different number of spins")
)

// PendingGrantError refuses a grant while another grant of this game to this player has an unknown outcome.
type PendingGrantError struct{ ID int64 }

// Error says which grant.
func (e PendingGrantError) Error() string {
	return fmt.Sprintf("the outcome of grant %d for this player and game is unknown: find it out first, or confirm that "+
		"you want to grant again", e.ID)
}

// RepeatedGrantError refuses a line of a file that repeats an earlier line, or a recent grant to the player: as many spins on
// the same game. A file that is corrected and uploaded again would grant its other lines twice.
type RepeatedGrantError struct {
	ID   int64 // the earlier grant, or 0
	Line int   // the earlier line, or 0
}

// RepeatsWithin is how long before today a grant may be that a line repeats.
const RepeatsWithin = 30 * 24 * time.Hour

// Error says which grant or line.
func (e RepeatedGrantError) Error() string {
	if e.ID == 0 {
		return fmt.Sprintf("line %d grants the same number of spins on this game to this player", e.Line)
	}
	return fmt.Sprintf("grant %d gave this player the same number of spins on this game in the last 30 days", e.ID)
}

// GrantFilter selects grants, newest first.
type GrantFilter struct {
	Span
	States      []GrantState // empty for all
	SpinsLeft   bool         // of the active ones, only those with spins left
	UsedUp      bool         // of the active ones, only those without spins left
	Unused      bool         // only those of which no spin is used
	Played      bool         // only those of which a spin is used
	Won         bool         // only those that have won
	NotWon      bool         // only those that have not won
	SpinsFrom   int64        // 0 for all
	SpinsTo     int64        // 0 for all
	Unresolved  bool         // only those of unknown outcome that a person has to resolve
	Disagreeing bool         // only those that disagree, see Grant.Disagrees
	PlayerID    int64        // 0 for all
	GameID      int64        // internal ID; 0 for all
	CampaignID  int64        // 0 for all
	Currency    Currency     // of the player; empty for all
	Actor       string
}

// GrantResolution is the outcome that a person found for a grant of unknown outcome, with the source.
type GrantResolution struct {
	Kind       Resolution
	FreeSpinID FreeSpinID // ResolvedFound only
	Total      int64      // ResolvedFound only: its spins, according to the platform; 0 or NoCount if the platform did not say
	Note       string
}
