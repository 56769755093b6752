package models

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Requests that take two people: a maker requests, and a checker approves or refuses. Corrections, campaigns beyond the
// free-spin limits, and changes of settings and accounts differ in what happens on approval; the rule about who may decide is
// here, for all of them.
//
//	waiting -> approved   by a second person
//	        -> refused    by a second person, who says why
//	        -> withdrawn  by the maker
//	        -> expired    not decided in time

// ApprovalState is the state of a request. Only a waiting one can still change.
type ApprovalState uint8

// States are stored; their numbers never change.
const (
	ApprovalWaiting   ApprovalState = 1
	ApprovalApproved  ApprovalState = 2
	ApprovalRefused   ApprovalState = 3
	ApprovalWithdrawn ApprovalState = 4
	ApprovalExpired   ApprovalState = 5
)

var approvalStateWords = words[ApprovalState]{
	{ApprovalWaiting, "waiting"},
	{ApprovalApproved, "approved"},
	{ApprovalRefused, "refused"},
	{ApprovalWithdrawn, "withdrawn"},
	{ApprovalExpired, "expired"},
}

// ApprovalStates lists the states.
var ApprovalStates = approvalStateWords.values()

// String returns the state in words.
func (s ApprovalState) String() string { return approvalStateWords.of(s, "unknown") }

// Approval is the part of a request that says who made it and who decided it.
type Approval struct {
	Maker        Signature `gorm:"embedded;embeddedPrefix:mak"`
	State        ApprovalState
	Checker      Signature `gorm:"embedded;embeddedPrefix:check"` // who approved or refused it
	DecidedAt    time.Time `gorm:"column:decided_at_us;serializer:micros"`
	DecisionText string    `gorm:"column:decision_note"` // why it was refused or withdrawn, see CheckDecisionText
}

// ApprovalRule says who requests and who decides one kind of request.
type ApprovalRule struct {
	Makers   []Role
	Checkers []Role
	Until    time.Time // when it expires; zero if it does not
}

// ApprovalError is why a person may not request, decide or withdraw something. Unwrap returns one of the errors below or a
// DecidedError. Staff see its text.
type ApprovalError struct{ Why error }

// Error returns the reason.
func (e ApprovalError) Error() string { return e.Why.Error() }

// Unwrap returns the reason.
func (e ApprovalError) Unwrap() error { return e.Why }

// The reasons of an ApprovalError.
var (
	ErrMakerRole      = errors.New("staff with your role cannot request this")
	ErrCheckerRole    = errors.New("staff with your role cannot approve or refuse this")
	ErrOwnRequest     = errors.New("you requested this yourself: a colleague must decide")
	ErrNotYourRequest = errors.New("only the person who requested this can withdraw it")
	ErrRequestExpired = errors.New("this request has expired: make it again if it is still needed")
	ErrRequestRuns    = errors.New("this request has not expired yet")
	ErrDecisionText   = errors.New("enter a reason of 1 to 500 characters")
	ErrUnconfirmed    = errors.New("your account is not confirmed yet: ask another administrator to confirm it under Staff")
	ErrUnproven       = errors.New("enter your password")
	ErrSignerChanged  = errors.New("your account was changed just now: open the page again")
)

// DecidedError means that a request was already decided.
type DecidedError struct{ State ApprovalState }

// Error says how it was decided.
func (e DecidedError) Error() string { return "this request is already " + e.State.String() }

// MaxDecisionText is the maximum length of the reason of a refusal or withdrawal, in characters.
const MaxDecisionText = 500

// CheckDecisionText returns ErrDecisionText unless the text can be the reason of a refusal or withdrawal.
func CheckDecisionText(text string) error {
	if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > MaxDecisionText || !utf8.ValidString(text) ||
		strings.ContainsRune(text, 0) {
		return ErrDecisionText
	}
	return nil
}

// MayRequest returns an ApprovalError if staff with this role do not make such requests.
func (r ApprovalRule) MayRequest(maker Signer) error {
	if !slices.Contains(r.Makers, maker.Role) {
		return ApprovalError{ErrMakerRole}
	}
	return nil
}

// Undecided returns an ApprovalError if the request was decided or has ended.
func (a *Approval) Undecided() error {
	if a.State != ApprovalWaiting {
		return ApprovalError{DecidedError{a.State}}
	}
	return nil
}

// MayDecide returns an ApprovalError if this person may neither approve nor refuse the request now. Pages name the people for
// whom it returns nil.
func (a *Approval) MayDecide(rule ApprovalRule, checker Signer, at time.Time) error {
	if err := a.Undecided(); err != nil {
		return err
	}
	switch {
	case !rule.Until.IsZero() && !at.Before(rule.Until):
		return ApprovalError{ErrRequestExpired}
	case checker.StaffID == a.Maker.StaffID, checker.Name != "" && checker.Name == a.Maker.Username:
		return ApprovalError{ErrOwnRequest}
	case !slices.Contains(rule.Checkers, checker.Role):
		return ApprovalError{ErrCheckerRole}
	case checker.Unconfirmed:
		return ApprovalError{ErrUnconfirmed}
	}
	return nil
}

// MayWithdraw returns an ApprovalError if this person may not withdraw the request.
func (a *Approval) MayWithdraw(maker Signer) error {
	if err := a.Undecided(); err != nil {
		return err
	}
	switch {
	case maker.StaffID != a.Maker.StaffID:
		return ApprovalError{ErrNotYourRequest}
	case maker.Unconfirmed:
		return ApprovalError{ErrUnconfirmed}
	}
	return nil
}

// Decide approves, refuses or withdraws the request, or returns the error of MayDecide, MayWithdraw or CheckDecisionText. do is
// ApprovalApproved, ApprovalRefused or ApprovalWithdrawn.
func (a *Approval) Decide(rule ApprovalRule, by Signer, do ApprovalState, why string, at time.Time) error {
	if err := a.May(do, rule, by, at); err != nil {
		return err
	}
	if do == ApprovalRefused {
		if err := CheckDecisionText(why); err != nil {
			return ApprovalError{err}
		}
	}
	if do != ApprovalWithdrawn {
		a.Checker = by.Signature()
	}
	a.State, a.DecidedAt, a.DecisionText = do, at, why
	return nil
}

// May returns an ApprovalError if this person may not decide the request so.
func (a *Approval) May(do ApprovalState, rule ApprovalRule, by Signer, at time.Time) error {
	if do == ApprovalWithdrawn {
		return a.MayWithdraw(by)
	}
	return a.MayDecide(rule, by, at)
}

// Expire ends the request if its time is over, and otherwise returns an ApprovalError.
func (a *Approval) Expire(rule ApprovalRule, at time.Time) error {
	if err := a.Undecided(); err != nil {
		return err
	}
	if rule.Until.IsZero() || at.Before(rule.Until) {
		return ApprovalError{ErrRequestRuns}
	}
	a.State, a.DecidedAt = ApprovalExpired, at
	return nil
}

// Void refuses the request without naming a second person, or returns an ApprovalError if it was decided.
func (a *Approval) Void(why string, at time.Time) error {
	if err := a.Undecided(); err != nil {
		return err
	}
	a.State, a.DecidedAt, a.DecisionText = ApprovalRefused, at, why
	return nil
}

// Asked returns the part of a request that all kinds have. Rows that take two people embed it.
func (a *Approval) Asked() *Approval { return a }

// Requested is a row that takes two people. The Object of its audit events is its kind.
type Requested interface {
	Asked() *Approval
	Rule() ApprovalRule
	Concerns() (playerID int64) // 0 if it is not about a player
}

// Decision is a person's decision about a request.
type Decision struct {
	Kind  string // the Object of the request's audit events
	ID    int64
	Do    ApprovalState // ApprovalApproved, ApprovalRefused or ApprovalWithdrawn
	Why   string        // of a refusal, see CheckDecisionText
	Seen  string        // identifies the request and the player whom it concerns, as they saw them
	Basis CorrectionBasis
}

// SeenChangedError refuses a decision because the request, or its player, changed after the page was shown.
type SeenChangedError struct{ Latest AuditEvent } // the change

// Error says who changed what.
func (e SeenChangedError) Error() string {
	return fmt.Sprintf("this %s was changed after you opened the page (%s, by %s): check it and decide again", e.Latest.Object,
		e.Latest.Action, e.Latest.Actor.Name)
}

// Request is a request of any kind in a list.
type Request struct {
	Kind     string // the Object of its audit events
	About    string // what it is about, if that decides who approves it
	ID       int64
	At       time.Time `gorm:"column:at_us;serializer:micros"` // of a restriction's end: when the restriction was set
	PlayerID int64     // 0 if it is not about a player
	UserID   UserID
	Amount   Amount `gorm:"column:amount_minor"` // 0 if it is not about an amount
	Currency Currency
	Reason   string // why it was requested, if its maker said so
	Approval
}

// Rule says who approves the request.
func (r Request) Rule() ApprovalRule { return WaitingRequests{Kind: r.Kind, About: r.About}.Rule() }

// WaitingRequests counts the requests of a kind that one person made and that wait for another.
type WaitingRequests struct {
	Kind       string // as in Request
	About      string // what they are about, if that decides who approves them
	MakerID, N int64
}

// Rule says who approves the requests.
func (w WaitingRequests) Rule() ApprovalRule {
	switch w.Kind {
	case "correction":
		return CorrectionRule
	case "campaign":
		return ExceptionRule
	case "cash-out":
		return CashReviewRule
	case "restriction":
		if w.About == "compliance" {
			return Restriction{Kind: MoneyLaundering, Setter: Signature{Role: Compliance}, Until: Permanent}.Rule()
		}
		subject, _ := strconv.Atoi(w.About)
		return Restriction{Subject: RestrictionSubject(subject), Until: Permanent}.Rule()
	}
	return ChangeSubject(w.About).Rule()
}

// Signer is a staff member who requests or approves something, with the role in which they act.
type Signer struct {
	Actor
	StaffID     int64
	Role        Role
	Unconfirmed bool // see Staff.Unconfirmed
	Unproven    bool // their password was asked for, and is missing or wrong: they sign nothing
}

// Signature returns the signer's name and role for a request.
func (s Signer) Signature() Signature {
	return Signature{StaffID: s.StaffID, Username: s.Name, Role: s.Role}
}

// Signature is the name and role of a maker or second approver. Its columns are maker, maker_id and maker_role, or checker and
// so on, so its prefix in a row is the part before "er".
type Signature struct {
	StaffID  int64  `gorm:"column:er_id"`
	Username string `gorm:"column:er"`
	Name     string `gorm:"column:er_name;->"` // the current one; empty if the staff member is gone
	Role     Role   `gorm:"column:er_role"`    // at that time
}
