package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Some settings decide how much a person can do alone, or which figures reports have. Changing them takes two people: one
// requests the change, another approves it. ChangeSubject.Rule says who they are.

// MaxChangeReason is the maximum length of a change's reason, in characters.
const MaxChangeReason = 2000

// ChangeSubject is the subject of a change request.
type ChangeSubject string

// The subjects. They are stored.
const (
	ChangeGrantLimits  ChangeSubject = "grant limits"     // GrantRules
	ChangeSignInRules  ChangeSubject = SignInRulesSetting // SignInRules
	ChangeReportZone   ChangeSubject = ReportZoneSetting  // the zone's name
	ChangeAPIClient    ChangeSubject = "API client"       // an APITermsRequest
	ChangeAPISecret    ChangeSubject = "API secret"       // an APISecretRequest
	ChangeBaseCurrency ChangeSubject = "base currency"    // a Currency
	ChangeRates        ChangeSubject = "exchange rates"   // a RateSheet: the approved request is what reports read
	ChangeGameReturns  ChangeSubject = "game returns"     // GameReturns
	ChangeThresholds   ChangeSubject = "case thresholds"  // Thresholds
	ChangeAccounts     ChangeSubject = "account review"   // every ReviewedAccount
)

// ChangeSubjects are all subjects.
var ChangeSubjects = []ChangeSubject{ChangeGrantLimits, ChangeSignInRules, ChangeReportZone,
	ChangeAPIClient, ChangeAPISecret, ChangeBaseCurrency, ChangeRates, ChangeGameReturns, ChangeThresholds, ChangeAccounts}

// ChangeRule says who requests and who approves changes of what a person can do alone.
var ChangeRule = ApprovalRule{Makers: []Role{Administrator}, Checkers: []Role{Administrator}}

// FigureRule says who requests and who approves changes of what reports are calculated with, and of what opens cases in them:
// those who sign days.
var FigureRule = ApprovalRule{Makers: DaySigners, Checkers: DaySigners}

// FigureSubjects are those of FigureRule.
var FigureSubjects = []ChangeSubject{ChangeBaseCurrency, ChangeRates, ChangeGameReturns, ChangeThresholds}

// Rule says who requests and who approves changes of this subject.
func (s ChangeSubject) Rule() ApprovalRule {
	if slices.Contains(FigureSubjects, s) {
		return FigureRule
	}
	return ChangeRule
}

// ChangeRequest is a request for a change that takes two people.
type ChangeRequest struct {
	ID      int64
	At      time.Time `gorm:"column:at_us;serializer:micros"`
	Subject ChangeSubject
	Before  string `gorm:"column:value_before"` // the value when requested, as JSON; empty if it had never been set
	After   string `gorm:"column:value_after"`  // the requested value
	Reason  string
	Day     Day // of exchange rates, the first; otherwise empty
	Approval

	Half string `gorm:"-"` // the second half of a new API secret; only set for the one who has just approved it
}

// Rule implements Requested.
func (r ChangeRequest) Rule() ApprovalRule { return r.Subject.Rule() }

// Concerns implements Requested.
func (ChangeRequest) Concerns() int64 { return 0 }

// Client returns the name of the API client that the change is about, or nothing.
func (r ChangeRequest) Client() string {
	var of struct {
		Name string `json:"name"`
	}
	if r.Subject == ChangeAPIClient || r.Subject == ChangeAPISecret {
		json.Unmarshal([]byte(r.After), &of) // if it cannot be read, the change is shown without it
	}
	return of.Name
}

// AppliedReason is the reason recorded when the change takes effect.
func (r ChangeRequest) AppliedReason() string {
	return fmt.Sprintf("Change request %d of %s: %s", r.ID, r.Maker.Username, r.Reason)
}

// Why a change request is refused. Staff see these texts.
var (
	ErrChangeUnknown   = errors.New("there is no such change request")
	ErrChangeOvertaken = errors.New("the setting was changed after this request: refuse it and make a new one")
	ErrChangeInvalid   = errors.New("this value is not valid")
	ErrChangeReason    = errors.New("enter a reason for the change, of 1 to 2,000 characters")
	ErrChangeSame      = errors.New("the setting already has this value")
	ErrNeedsTwo        = errors.New("this setting only changes after a second person approves it")
)

// ChangePendingError refuses a second request about the same subject.
type ChangePendingError struct{ ID int64 }

// Error says what to do about it.
func (ChangePendingError) Error() string {
	return "another change of this setting is waiting: decide or withdraw it first"
}
