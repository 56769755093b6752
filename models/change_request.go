package models

import (
	"errors"
	"time"
)

// Some settings decide how much a person can do alone. Changing them takes two administrators: one requests the change, another
// approves it, and the two must not be tied (see Ties).

// MaxChangeReason is the maximum length of a change's reason, in characters.
const MaxChangeReason = 2000

// ChangeSubject is what a change request is about.
type ChangeSubject string

// The subjects. They are stored.
const (
	ChangeCorrectionLimits ChangeSubject = "correction limits" // how much a role may book without a second approver
	ChangeTwoPeople        ChangeSubject = "two people"        // TwoPeople
	ChangeGrantLimits      ChangeSubject = "grant limits"      // GrantRules
)

// ChangeSubjects are all subjects.
var ChangeSubjects = []ChangeSubject{ChangeCorrectionLimits, ChangeTwoPeople, ChangeGrantLimits}

// ChangeState is the state of a change request.
type ChangeState uint8

// States are stored; their numbers never change.
const (
	// ChangeWaiting waits for a second administrator.
	ChangeWaiting ChangeState = 1
	// ChangeApproved is in effect.
	ChangeApproved ChangeState = 2
	// ChangeRefused was refused by another administrator.
	ChangeRefused ChangeState = 3
	// ChangeWithdrawn was withdrawn by the requester.
	ChangeWithdrawn ChangeState = 4
)

var changeStateWords = words[ChangeState]{
	{ChangeWaiting, "waiting"},
	{ChangeApproved, "approved"},
	{ChangeRefused, "refused"},
	{ChangeWithdrawn, "withdrawn"},
}

// String returns the state in words.
func (s ChangeState) String() string { return changeStateWords.of(s, "unknown") }

// ChangeRequest is a request for a change that takes two administrators.
type ChangeRequest struct {
	ID        int64
	At        time.Time `gorm:"column:at_us;serializer:micros"`
	Subject   ChangeSubject
	Before    string `gorm:"column:value_before"` // the value when requested, as JSON; empty if it had never been set
	After     string `gorm:"column:value_after"`  // the requested value
	Reason    string
	Maker     Signature `gorm:"embedded;embeddedPrefix:mak"`
	State     ChangeState
	Checker   Signature `gorm:"embedded;embeddedPrefix:check"` // who approved or refused it
	DecidedAt time.Time `gorm:"column:decided_at_us;serializer:micros"`
	// why it was refused, of at most MaxChangeReason characters
	DecisionText string
}

// Why a change request is refused. Staff see these texts.
var (
	ErrChangeUnknown   = errors.New("there is no such change request")
	ErrOwnChange       = errors.New("you requested this change yourself: another administrator decides")
	ErrNotYourChange   = errors.New("only the administrator who requested a change can withdraw it")
	ErrChangesByAdmins = errors.New("only administrators can request and decide these changes")
	ErrChangeOvertaken = errors.New("the setting was changed after this request: refuse it and make a new one")
	ErrChangeInvalid   = errors.New("this value is not valid")
	ErrChangeReason    = errors.New("enter a reason for the change, of 1 to 2,000 characters")
	ErrChangeRefusal   = errors.New("say why you refuse the change, in at most 2,000 characters")
	ErrChangeSame      = errors.New("the setting already has this value")
	ErrNeedsTwo        = errors.New("this setting only changes after a second administrator approves it")
)

// ChangeDecidedError means that the request was already decided.
type ChangeDecidedError struct{ State ChangeState }

// Error says how it was decided.
func (e ChangeDecidedError) Error() string { return "this change is already " + e.State.String() }

// ChangePendingError refuses a second request about the same subject.
type ChangePendingError struct{ ID int64 }

// Error says what to do about it.
func (ChangePendingError) Error() string {
	return "another change of this setting is waiting: decide or withdraw it first"
}

// Approve records a second administrator's approval. It returns ErrOwnChange for the requester, a TiedError for somebody tied
// to the requester, ErrChangesByAdmins for other roles, or a ChangeDecidedError if the request was already decided.
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

// Refuse refuses the request and keeps why. It returns the errors of Approve except TiedError, or ErrChangeRefusal. Somebody tied
// to the requester may do this, because nobody gains from it.
func (r *ChangeRequest) Refuse(checker Signer, why string, at time.Time) error {
	if err := r.check(checker); err != nil {
		return err
	}
	if n := len([]rune(why)); n == 0 || n > MaxChangeReason {
		return ErrChangeRefusal
	}
	r.State, r.Checker, r.DecidedAt, r.DecisionText = ChangeRefused, checker.Signature(), at, why
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

// Withdraw withdraws the request. It returns ErrNotYourChange for anybody but the requester.
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
