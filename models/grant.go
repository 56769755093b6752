package models

import (
	"errors"
	"fmt"
	"time"
)

// Grants of free spins, from the intent to the end.
//
//	requested -> sent -> active -> completed, expired
//	                  -> refused
//	                  -> unknown -> (a person) active, refused, or closed as granted again
//
// The platform has no key that would make a grant safe to repeat and no list of grants, and what was given cannot be taken
// back. So a grant is sent once, ever: whoever moves it from requested to sent, and has that committed, may send it; nobody
// else. When no readable answer comes, the outcome is unknown and stays so until a person has found out. One whose program
// ended between sent and the answer becomes unknown by itself; one that ended before it was sent becomes refused, because it
// certainly never was.

// FreeSpinID is the platform's name for a grant.
type FreeSpinID string

// GrantState is where a grant stands.
type GrantState uint8

const (
	// GrantRequested: the intent is written and its part of the limits reserved; nothing has been sent.
	GrantRequested GrantState = 1
	// GrantSent: it is being sent, or was when the program ended.
	GrantSent GrantState = 2
	// GrantActive: the platform granted it, and it may be played.
	GrantActive GrantState = 3
	// GrantCompleted: all its spins are used.
	GrantCompleted GrantState = 4
	// GrantExpired: its time ended before its spins were used. It never opens again.
	GrantExpired GrantState = 5
	// GrantRefused: it certainly was not granted.
	GrantRefused GrantState = 6
	// GrantUnknown: it may have been granted or not.
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

// String gives the state's words.
func (s GrantState) String() string { return grantStateWords.of(s, "to go") }

// Granted reports whether the platform is known to have granted it.
func (s GrantState) Granted() bool {
	return s == GrantActive || s == GrantCompleted || s == GrantExpired
}

// Resolution is what a person found out about a grant of unknown outcome.
type Resolution uint8

const (
	// Unresolved: nobody has found out yet.
	Unresolved Resolution = 0
	// ResolvedFound: the platform has it, under the ID that was given.
	ResolvedFound Resolution = 1
	// ResolvedNotGranted: the platform does not have it.
	ResolvedNotGranted Resolution = 2
	// ResolvedAgain: nobody can tell, and another was granted knowingly.
	ResolvedAgain Resolution = 3
)

var resolutionWords = words[Resolution]{
	{ResolvedFound, "found on the platform"},
	{ResolvedNotGranted, "not granted"},
	{ResolvedAgain, "granted again"},
}

// String gives the resolution's words.
func (r Resolution) String() string { return resolutionWords.of(r, "unresolved") }

// GrantOutcome is what came of sending a grant.
type GrantOutcome struct {
	State      GrantState // GrantActive, GrantRefused or GrantUnknown
	FreeSpinID FreeSpinID // GrantActive only
	Result     int        // the platform's, or NoResult
	Message    string     // why, in words; empty for GrantActive
	Latency    time.Duration
	Raw        string // the answer as the platform wrote it, cut
}

// NoResult stands where the platform gave no result.
const NoResult = -1

// ResultUnknownGrant is the platform's result where it does not know a grant (platform notes, Platform API).
const ResultUnknownGrant = 8

// NoCount stands where the platform gave no count.
const NoCount = -1

// Grant is free spins for one player on one game.
type Grant struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"` // when it was asked for
	Actor      string
	Role       Role // whose limits it was taken from
	PlayerID   int64
	UserID     UserID   `gorm:"->"`
	Currency   Currency `gorm:"->"` // of the player's wallet
	Game       GameRef  `gorm:"embedded;embeddedPrefix:game_"`
	Spins      int64
	Reason     string
	Again      bool  // asked for although another's outcome was unknown
	RepeatOf   int64 // the grant of unknown outcome in whose place it was asked for; 0 for none
	ImportID   int64 `gorm:"serializer:orNull"` // 0 for none
	ImportLine int   `gorm:"serializer:orNull"`
	Exception  int64 `gorm:"column:exception_id"` // the exception from the limits under which it was granted; 0 for none

	State      GrantState
	FreeSpinID FreeSpinID    `gorm:"serializer:orNull"` // empty while it is not known
	Result     int           // the platform's, or NoResult
	Message    string        // why it was refused or is unknown
	Latency    time.Duration `gorm:"column:latency_us;serializer:micros"`
	Raw        string        `gorm:"column:answer_raw"` // the answer as the platform wrote it, cut
	SentAt     time.Time     `gorm:"column:sent_at_us;serializer:micros"`
	AnsweredAt time.Time     `gorm:"column:answered_at_us;serializer:micros"`
	// completed, expired, refused, or closed as granted again
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`

	Resolution     Resolution
	ResolvedBy     string
	ResolvedAt     time.Time `gorm:"column:resolved_at_us;serializer:micros"`
	ResolutionNote string

	Used       int64     // as the platform last said, or NoCount
	Remaining  int64     // as the platform last said, or NoCount
	ObservedAt time.Time `gorm:"column:observed_at_us;serializer:micros"`
	NextPollAt time.Time `gorm:"column:next_poll_at_us;serializer:micros"` // zero when it is not asked for any more
	Polls      int       // questions on schedule that were answered; each doubles the wait for the next
	PollError  string    // why the last question got no answer; empty where it did
	Ours       int64     // spins that we attribute to it
	// since when the platform says that it does not know it; zero while it does
	DisownedAt time.Time `gorm:"column:disowned_at_us;serializer:micros"`
	Apart      int       // how many comparisons in a row the platform's used count and ours have been apart
	ComparedAt time.Time `gorm:"column:compared_at_us;serializer:micros"` // when the counts were last compared; zero: not yet
}

// ApartForLong is how many comparisons in a row must find the counts apart before it means something. Until then a bet may be
// on its way.
const ApartForLong = 2

// Disagrees reports that the platform's used count and ours have stayed apart over two comparisons. Several open grants of a
// player are compared as a sum, since a spin names no grant.
func (g Grant) Disagrees() bool { return g.Apart >= ApartForLong }

// Unresolved reports that a person has to find out what became of it.
func (g Grant) Unresolved() bool { return g.State == GrantUnknown && g.Resolution == Unresolved }

// GrantRequest asks for a grant.
type GrantRequest struct {
	UserID UserID
	GameID GameID
	Spins  int64
	Reason string
	Role   Role // whose limits apply
	Again  bool // also while another grant of this game to this player has an unknown outcome
	// Seen is the player's newest grant that whoever asks has seen, 0 where there was none. With another one in the meantime
	// the request is refused: a button that was pressed twice, or two people at once. nil asks whatever has happened.
	Seen *int64
}

// MaxSpins is more than any limit allows, so that sums of spins stay small.
const MaxSpins = 1_000_000

// ErrSpins is returned for a number of spins that nobody could grant.
var ErrSpins = errors.New("spins are a whole number from 1 to 1000000")

// Check returns what is wrong with the request by itself.
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

// The ways in which a grant is refused or cannot be resolved here.
var (
	ErrGrantUnknown       = errors.New("there is no such grant")
	ErrGrantFreeSpinID    = errors.New("there is no grant with this free-spin ID")
	ErrGrantResolved      = errors.New("this grant is not one of unknown outcome that waits to be resolved")
	ErrGrantState         = errors.New("the grant has moved on meanwhile")
	ErrGrantNotActive     = errors.New("the platform has not granted this, so there is nothing to ask")
	ErrFreeSpinIDTaken    = errors.New("another grant has this free-spin ID")
	ErrFreeSpinIDMismatch = errors.New("the platform's grant of this ID has another number of spins")
)

// PendingGrantError refuses a grant while the outcome of another of that game to that player is not known.
type PendingGrantError struct{ ID int64 }

// Error names the other grant.
func (e PendingGrantError) Error() string {
	return fmt.Sprintf("the outcome of grant %d, of this game to this player, is not known: find out first, or grant again "+
		"knowingly", e.ID)
}

// GrantMeanwhileError refuses a grant because the player was given another since whoever asks has looked.
type GrantMeanwhileError struct{ ID int64 }

// Error names the other grant.
func (e GrantMeanwhileError) Error() string {
	return fmt.Sprintf("the player was given grant %d meanwhile: look at it first", e.ID)
}

// GrantFilter selects grants, the newest first.
type GrantFilter struct {
	States      []GrantState // empty for all
	Unresolved  bool         // only those of unknown outcome that a person has to resolve
	Disagreeing bool         // only those whose counts stay apart
	PlayerID    int64        // 0 for all
	GameID      int64        // our number; 0 for all
	ImportID    int64        // 0 for all
	Actor       string
	Page        Cursor
	Limit       int
}

// GrantResolution is what a person found out about a grant of unknown outcome, and how they know.
type GrantResolution struct {
	Kind       Resolution
	FreeSpinID FreeSpinID // ResolvedFound only
	Note       string
	Role       Role // ResolvedAgain only: whose limits the new grant is taken from
}
