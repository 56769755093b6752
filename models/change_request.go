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
	ChangeGrantLimits  ChangeSubject = "grant limits"
	ChangeSignInRules  ChangeSubject = SignInRulesSetting
	ChangeReportZone   ChangeSubject = ReportZoneSetting
	ChangeAPIClient    ChangeSubject = "API client"
	ChangeAPISecret    ChangeSubject = "API secret"
	ChangeBaseCurrency ChangeSubject = "base currency"
	ChangeRates        ChangeSubject = "exchange rates"
	ChangeGameReturns  ChangeSubject = "game returns"
	ChangeThresholds   ChangeSubject = "case thresholds"
	ChangeAccounts     ChangeSubject = "account review"
)

// ChangeRule says who requests and who approves changes of what a person can do alone.
var ChangeRule = ApprovalRule{Makers: []Role{Administrator}, Checkers: []Role{Administrator}}

// FigureRule says who requests and who approves changes of what reports are calculated with, and of what opens cases in them:
// those who sign days.
var FigureRule = ApprovalRule{Makers: DaySigners, Checkers: DaySigners}

// ChangeKind is what is known about a subject of change requests.
type ChangeKind struct {
	Subject ChangeSubject
	Title   string // the subject in a few words
	Figures bool   // FigureRule applies; otherwise ChangeRule
	// New makes an empty value, if the change is shown field by field.
	New func() any
	// Preset is the value, as JSON, until the first change, and Check says whether another is valid. Only for a setting of the
	// subject's name; models/store/staff/change_requests.go applies the others.
	Preset string
	Check  func(value string) error
}

// ChangeKinds has every kind of change. A new setting needs a row here, a form and its route.
var ChangeKinds = []ChangeKind{
	changeOf(ChangeGrantLimits, "Free-spin limits", DefaultGrantRules, GrantRules.Check),
	changeOf(ChangeSignInRules, "Sign-in rules", DefaultSignInRules, func(rules SignInRules) error {
		if rules.Check() != nil {
			return ErrChangeInvalid
		}
		return nil
	}),
	{Subject: ChangeReportZone, Title: "Time zone of reports", New: func() any { return new(string) }},
	{Subject: ChangeAPIClient, Title: "API client", New: func() any { return new(APITermsRequest) }},
	{Subject: ChangeAPISecret, Title: "New secret of an API client"}, // an APISecretRequest
	figuresOf(changeOf(ChangeBaseCurrency, "Base currency", "", func(base Currency) error {
		_, err := ParseCurrency(string(base))
		return err
	})),
	{Subject: ChangeRates, Title: "Exchange rates", Figures: true}, // a RateSheet: the approved request is what reports read
	figuresOf(changeOf(ChangeGameReturns, "Theoretical returns of games", GameReturns{}, GameReturns.Check)),
	figuresOf(changeOf(ChangeThresholds, "Thresholds that open cases", Thresholds{}, Thresholds.Check)),
	{Subject: ChangeAccounts, Title: "Review of accounts"}, // every ReviewedAccount
}

// changeOf returns the kind of changes of a setting, which has the value preset until its first change.
func changeOf[T any](subject ChangeSubject, title string, preset T, check func(T) error) ChangeKind {
	text, err := json.Marshal(preset)
	if err != nil {
		panic(err) // a preset of the program
	}
	return ChangeKind{Subject: subject, Title: title, New: func() any { return new(T) }, Preset: string(text), Check: func(text string) error {
		var value T
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			return err
		}
		return check(value)
	}}
}

func figuresOf(k ChangeKind) ChangeKind {
	k.Figures = true
	return k
}

// Kind returns what is known about the subject, or false if there is no such subject.
func (s ChangeSubject) Kind() (ChangeKind, bool) {
	i := slices.IndexFunc(ChangeKinds, func(k ChangeKind) bool { return k.Subject == s })
	if i < 0 {
		return ChangeKind{}, false
	}
	return ChangeKinds[i], true
}

// Rule says who requests and who approves changes of this subject.
func (s ChangeSubject) Rule() ApprovalRule {
	if kind, _ := s.Kind(); kind.Figures {
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
