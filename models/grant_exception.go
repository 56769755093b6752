package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An exception allows a grant, or an import, to exceed the limits on free spins.
//
//	waiting -> approved   by a second person; in the same transaction the grant is requested, exactly as it was
//	        -> refused    by a second person, who says why
//	        -> withdrawn  by whoever requested it
//	        -> expired    nobody decided in time
//
// The second person must have a role that is responsible for bonuses or money, and must not be tied to the first (Ties). An
// exception only overrides limits: a blocked player, a game that is gone or an earlier grant of unknown outcome still prevent
// the grant. A grant under an exception counts against the limits of its day.

// ExceptionLasts is how long an exception can be decided: long enough for a weekend.
const ExceptionLasts = 72 * time.Hour

// ExceptionRoles are the roles that approve and refuse exceptions. Administrators set the limits, so they neither request nor
// approve.
var ExceptionRoles = []Role{Bonus, Finance}

// ExceptionState is the state of an exception.
type ExceptionState uint8

// States are stored; their numbers never change.
const (
	// ExceptionWaiting waits for a second person.
	ExceptionWaiting ExceptionState = 1
	// ExceptionApproved was approved, and its spins were requested from the platform.
	ExceptionApproved ExceptionState = 2
	// ExceptionRefused was refused by a second person.
	ExceptionRefused ExceptionState = 3
	// ExceptionWithdrawn was withdrawn by whoever requested it.
	ExceptionWithdrawn ExceptionState = 4
	// ExceptionExpired was not decided in time.
	ExceptionExpired ExceptionState = 5
)

// ExceptionStates lists the states.
var ExceptionStates = exceptionStateWords.values()

var exceptionStateWords = words[ExceptionState]{
	{ExceptionWaiting, "waiting"},
	{ExceptionApproved, "approved"},
	{ExceptionRefused, "refused"},
	{ExceptionWithdrawn, "withdrawn"},
	{ExceptionExpired, "expired"},
}

// String returns the state in words.
func (s ExceptionState) String() string { return exceptionStateWords.of(s, "unknown") }

// Exceeds returns the limits that it exceeded when requested, each in words.
func (e GrantException) Exceeds() []string {
	if e.Limit == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(e.Limit, "over the limit: ", ""), "; ")
}

// GrantException is a request for a grant, or an import, beyond the limits.
type GrantException struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"`
	Maker     Signature `gorm:"embedded;embeddedPrefix:mak"`
	Reason    string    // of the grant
	Limit     string    `gorm:"column:exceeded"` // the limits that it exceeded when requested, in words

	// The grant; ImportID is 0.
	PlayerID int64
	UserID   UserID   `gorm:"->"`
	Currency Currency `gorm:"->"`
	Game     GameRef  `gorm:"embedded;embeddedPrefix:game_"`
	Spins    int64
	Again    bool // even if another grant of this game to this player has an unknown outcome

	ImportID int64 // the import, if it is not for a single grant; otherwise 0
	Lines    int64 `gorm:"column:row_count;->"` // of the import

	State     ExceptionState
	Checker   Signature `gorm:"embedded;embeddedPrefix:check"`
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
	Note      string    // why it was refused
	GrantID   int64     // the grant, once approved; 0 for an import
}

// Why an exception is refused. Staff see these texts.
var (
	ErrExceptionUnknown = errors.New("there is no such exception")
	ErrOwnException     = errors.New("you requested this exception yourself: somebody else with the bonus or finance role " +
		"decides")
	ErrNotYourException  = errors.New("only the person who requested an exception can withdraw it")
	ErrExceptionRole     = errors.New("only staff with the bonus or finance role can approve and refuse exceptions")
	ErrExceptionMaker    = errors.New("only bonus staff can request exceptions")
	ErrExceptionExpired  = errors.New("this exception has expired: request it again if it is still needed")
	ErrExceptionRuns     = errors.New("this exception has not expired yet")
	ErrExceptionNeedless = errors.New("this is within the limits, so it does not need an exception")
	ErrMakerChanged      = errors.New("the requester has been disabled or has another role now: refuse the exception")
	ErrExceptionReason   = errors.New("enter a reason for the refusal, of 1 to 500 characters")
)

// MaxExceptionNote is the maximum length of a refusal's reason, in characters.
const MaxExceptionNote = 500

// ExceptionDecidedError means that the exception was already decided.
type ExceptionDecidedError struct{ State ExceptionState }

// Error says how it was decided.
func (e ExceptionDecidedError) Error() string {
	return "this exception is already " + e.State.String()
}

// ExceptionWaitsError refuses a second request for the same grant.
type ExceptionWaitsError struct{ ID int64 }

// Error says which exception it is.
func (e ExceptionWaitsError) Error() string {
	return fmt.Sprintf("exception %d for the same spins is already waiting", e.ID)
}

// Approve records a second person's approval. It returns an ExceptionDecidedError if the exception was already decided,
// ErrExceptionExpired, ErrExceptionRole for other roles, ErrOwnException for its maker, or a TiedError for somebody tied to its
// maker.
func (e *GrantException) Approve(checker Signer, ties Ties, at time.Time) error {
	if err := e.check(checker, at); err != nil {
		return err
	}
	if err := ties.Between(e.Maker.StaffID, checker.StaffID); err != nil {
		return err
	}
	e.State, e.Checker, e.DecidedAt = ExceptionApproved, checker.Signature(), at
	return nil
}

// Refuse refuses the exception. Somebody tied to its maker may do this, because nobody gains from it.
func (e *GrantException) Refuse(checker Signer, note string, at time.Time) error {
	if err := e.check(checker, at); err != nil {
		return err
	}
	if n := len([]rune(note)); n == 0 || n > MaxExceptionNote {
		return ErrExceptionReason
	}
	e.State, e.Checker, e.DecidedAt, e.Note = ExceptionRefused, checker.Signature(), at, note
	return nil
}

func (e *GrantException) check(checker Signer, at time.Time) error {
	switch {
	case e.State != ExceptionWaiting:
		return ExceptionDecidedError{e.State}
	case !at.Before(e.ExpiresAt):
		return ErrExceptionExpired
	case !slices.Contains(ExceptionRoles, checker.Role):
		return ErrExceptionRole
	case checker.StaffID == e.Maker.StaffID:
		return ErrOwnException
	}
	return nil
}

// Withdraw withdraws the exception. It returns ErrNotYourException for anybody but its maker.
func (e *GrantException) Withdraw(maker Signer, at time.Time) error {
	switch {
	case e.State != ExceptionWaiting:
		return ExceptionDecidedError{e.State}
	case maker.StaffID != e.Maker.StaffID:
		return ErrNotYourException
	}
	e.State, e.DecidedAt = ExceptionWithdrawn, at
	return nil
}

// Expire ends the exception if its time is over, or returns false if it is not. It returns an ExceptionDecidedError if the
// exception was decided.
func (e *GrantException) Expire(at time.Time) (bool, error) {
	if e.State != ExceptionWaiting {
		return false, ExceptionDecidedError{e.State}
	}
	if at.Before(e.ExpiresAt) {
		return false, nil
	}
	e.State, e.DecidedAt = ExceptionExpired, at
	return true, nil
}

// Void refuses a waiting exception without naming a second person. It returns an ExceptionDecidedError if the exception was
// decided.
func (e *GrantException) Void(note string, at time.Time) error {
	if e.State != ExceptionWaiting {
		return ExceptionDecidedError{e.State}
	}
	e.State, e.DecidedAt, e.Note = ExceptionRefused, at, note
	return nil
}

// ExceptionFilter selects exceptions, newest first.
type ExceptionFilter struct {
	State ExceptionState // 0 for all
	Page  Cursor
	Limit int
}
