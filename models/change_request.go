package models

import (
	"errors"
	"time"
)

// Some settings decide how much one person can do alone. No single administrator changes these: one asks, a second one
// confirms, and the two must not be tied (see Ties). Nothing changes before that.

// MaxChangeReason is how many characters a reason for a change has at most.
const MaxChangeReason = 2000

// ChangeSubject is what a change request is about.
type ChangeSubject string

// The subjects. They are stored.
const (
	ChangeCorrectionLimits ChangeSubject = "correction limits" // how much a role books without a second person
	ChangeTwoPeople        ChangeSubject = "two people"        // TwoPeople
	ChangeGrantLimits      ChangeSubject = "grant limits"      // GrantRules
)

// ChangeState is how far a change request has come.
type ChangeState uint8

// States are stored; their numbers never change.
const (
	// ChangeWaiting waits for a second administrator.
	ChangeWaiting ChangeState = 1
	// ChangeApproved is in effect.
	ChangeApproved ChangeState = 2
	// ChangeRefused was refused by another administrator.
	ChangeRefused ChangeState = 3
	// ChangeWithdrawn was taken back by whoever asked.
	ChangeWithdrawn ChangeState = 4
)

var changeStateWords = words[ChangeState]{
	{ChangeWaiting, "waiting"},
	{ChangeApproved, "approved"},
	{ChangeRefused, "refused"},
	{ChangeWithdrawn, "withdrawn"},
}

// String gives the state's word.
func (s ChangeState) String() string { return changeStateWords.of(s, "unknown") }

// ChangeRequest asks for a change that needs two administrators.
type ChangeRequest struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	Subject   ChangeSubject
	Before    string `gorm:"column:value_before"` // the value when it was asked for, as JSON; empty where nobody had set it
	After     string `gorm:"column:value_after"`  // the value asked for
	Reason    string
	Maker     Signature `gorm:"embedded;embeddedPrefix:mak"`
	State     ChangeState
	Checker   Signature `gorm:"embedded;embeddedPrefix:check"` // who approved or refused it
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
}

// Why a change request is refused. The texts are for whoever pressed the button.
var (
	ErrChangeUnknown   = errors.New("there is no such change request")
	ErrOwnChange       = errors.New("you requested this change yourself: another administrator decides")
	ErrNotYourChange   = errors.New("only the administrator who requested a change can withdraw it")
	ErrChangesByAdmins = errors.New("only administrators request and decide these changes")
	ErrChangeOvertaken = errors.New("the setting was changed after this request: refuse it and make a new one")
	ErrChangeInvalid   = errors.New("this value is not valid")
	ErrChangeReason    = errors.New("a change needs a reason of 1 to 2,000 characters")
	ErrChangeSame      = errors.New("this is already the value")
	ErrNeedsTwo        = errors.New("this setting changes only when a second administrator approves it")
)

// ChangeDecidedError says that somebody has decided it already.
type ChangeDecidedError struct{ State ChangeState }

// Error names what has become of it.
func (e ChangeDecidedError) Error() string { return "this change is " + e.State.String() + " already" }

// ChangePendingError refuses a second request about the same subject.
type ChangePendingError struct{ ID int64 }

// Error says what to do.
func (ChangePendingError) Error() string {
	return "another change of this setting is waiting: decide or withdraw it first"
}

// Approve puts a second administrator's name under the change. It refuses whoever asked for it (ErrOwnChange), whoever is tied
// to them (a TiedError), others than administrators (ErrChangesByAdmins), and one that is decided (a ChangeDecidedError).
func (r *ChangeRequest) Approve(checker Signer, ties Ties, at time.Time) error {
	if err := r.check(checker); err != nil {
		return err
	}
	if err := ties.Between(r.Maker.StaffID, checker.StaffID); err != nil {
		return err
	}
	r.State, r.Checker, r.DecidedAt = ChangeApproved, checker.Signature(), at
	return nil
}

// Refuse ends the request without effect. Somebody who is tied to its maker may refuse it too: that gives nobody anything.
func (r *ChangeRequest) Refuse(checker Signer, at time.Time) error {
	if err := r.check(checker); err != nil {
		return err
	}
	r.State, r.Checker, r.DecidedAt = ChangeRefused, checker.Signature(), at
	return nil
}

func (r *ChangeRequest) check(checker Signer) error {
	switch {
	case r.State != ChangeWaiting:
		return ChangeDecidedError{r.State}
	case checker.Role != Administrator:
		return ErrChangesByAdmins
	case checker.StaffID == r.Maker.StaffID:
		return ErrOwnChange
	}
	return nil
}

// Withdraw ends the request without effect, by whoever asked for it (ErrNotYourChange).
func (r *ChangeRequest) Withdraw(maker Signer, at time.Time) error {
	switch {
	case r.State != ChangeWaiting:
		return ChangeDecidedError{r.State}
	case maker.StaffID != r.Maker.StaffID:
		return ErrNotYourChange
	}
	r.State, r.DecidedAt = ChangeWithdrawn, at
	return nil
}
