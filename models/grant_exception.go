package models

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// An exception lets one grant, or one import, exceed the limits on free spins.
//
//	waiting -> approved   by a second person; the grant is made in the same moment, exactly as it was requested
//	        -> refused    by a second person, who says why
//	        -> withdrawn  by whoever requested it
//	        -> expired    nobody decided in time
//
// Approving takes somebody else of a role that answers for bonuses or money, and the two must not be tied (Ties). An exception
// overrides the limits and nothing else: a blocked player, a withdrawn game or an earlier grant of unknown outcome still stop
// the grant. What is granted under an exception counts against the limits of its day.

// ExceptionLasts is how long an exception waits for a decision: over a weekend.
const ExceptionLasts = 72 * time.Hour

// ExceptionRoles are the roles that approve and refuse exceptions. Administrators set the limits, and neither request nor
// approve.
var ExceptionRoles = []Role{Bonus, Finance}

// ExceptionState is what has become of an exception.
type ExceptionState uint8

// States are stored; their numbers never change.
const (
	// ExceptionWaiting waits for a second person.
	ExceptionWaiting ExceptionState = 1
	// ExceptionApproved was approved, and its spins were requested from the platform once.
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

// String gives the state's word.
func (s ExceptionState) String() string { return exceptionStateWords.of(s, "unknown") }

// GrantException asks for one grant, or one import, beyond the limits.
type GrantException struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"`
	Maker     Signature `gorm:"embedded;embeddedPrefix:mak"`
	Reason    string    // of the grant, for colleagues and the audit log
	Limit     string    `gorm:"column:exceeded"` // those that it exceeded when it was requested, in words

	// The grant; ImportID is 0.
	PlayerID int64
	UserID   UserID   `gorm:"->"`
	Currency Currency `gorm:"->"`
	Game     GameRef  `gorm:"embedded;embeddedPrefix:game_"`
	Spins    int64
	Again    bool // also while another grant of this game to this player has an unknown outcome

	ImportID int64 // the import in place of one grant; 0 for none
	Lines    int64 `gorm:"column:row_count;->"` // of the import

	State     ExceptionState
	Checker   Signature `gorm:"embedded;embeddedPrefix:check"`
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
	Note      string    // why it was refused
	GrantID   int64     // what was granted; 0 before, and for an import
}

// Why an exception is refused. The texts are for whoever pressed the button.
var (
	ErrExceptionUnknown = errors.New("there is no such exception")
	ErrOwnException     = errors.New("you requested this exception yourself: somebody else with the bonus or finance role " +
		"decides")
	ErrNotYourException  = errors.New("only the person who requested an exception can withdraw it")
	ErrExceptionRole     = errors.New("exceptions are approved and refused by staff with the bonus or finance role")
	ErrExceptionMaker    = errors.New("bonus staff request exceptions")
	ErrExceptionExpired  = errors.New("this exception has expired: request it again if it is still needed")
	ErrExceptionRuns     = errors.New("this exception has not expired yet")
	ErrExceptionNeedless = errors.New("this is within the limits: it needs no exception")
	ErrMakerChanged      = errors.New("whoever requested this is disabled or has another role by now: refuse it")
	ErrExceptionReason   = errors.New("a refusal needs a reason of 1 to 500 characters")
)

// MaxExceptionNote is how many characters the reason of a refusal has at most.
const MaxExceptionNote = 500

// ExceptionDecidedError says that it was decided already.
type ExceptionDecidedError struct{ State ExceptionState }

// Error names what has become of it.
func (e ExceptionDecidedError) Error() string {
	return "this exception is " + e.State.String() + " already"
}

// ExceptionWaitsError refuses a second request for the same grant.
type ExceptionWaitsError struct{ ID int64 }

// Error names the first one.
func (e ExceptionWaitsError) Error() string {
	return fmt.Sprintf("exception %d for the same spins is waiting already", e.ID)
}

// Approve puts a second person's name under the exception. It returns an ExceptionDecidedError, ErrExceptionExpired,
// ErrExceptionRole, ErrOwnException or a TiedError.
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

// Refuse ends the exception without effect. Somebody who is tied to its maker may refuse it too: that gives nobody anything.
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

// Withdraw ends the exception without effect, by whoever requested it (ErrNotYourException).
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

// Expire ends the exception without effect once its time is over. It returns an ExceptionDecidedError, or false before that
// time.
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

// Void ends an exception that waits without effect and without anybody's name. It returns an ExceptionDecidedError.
func (e *GrantException) Void(note string, at time.Time) error {
	if e.State != ExceptionWaiting {
		return ExceptionDecidedError{e.State}
	}
	e.State, e.DecidedAt, e.Note = ExceptionRefused, at, note
	return nil
}

// ExceptionFilter selects exceptions, the newest first.
type ExceptionFilter struct {
	State ExceptionState // 0 for all
	Page  Cursor
	Limit int
}
