package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NoticeKind is a kind of event about which Pitboss sends notices.
type NoticeKind string

// The kinds.
const (
	NoticeCase     NoticeKind = "case"      // a case was opened
	NoticeRequest  NoticeKind = "request"   // a correction, campaign, cash-out or end of a restriction waits for approval
	NoticeSync     NoticeKind = "sync"      // the games could not be synchronized
	NoticeStaff    NoticeKind = "staff"     // an account was created, reset, unlocked or given another role
	NoticeLimits   NoticeKind = "rules"     // limits or sign-in rules were changed, or a change was requested
	NoticeAssigned NoticeKind = "assigned"  // a case was assigned to a colleague
	NoticeToDecide NoticeKind = "to-decide" // a correction was assigned to a colleague
	NoticeDecided  NoticeKind = "decided"   // a request was decided, for whoever made it
	NoticeOverdue  NoticeKind = "overdue"   // a colleague's answer to a complaint is overdue
	NoticeCommand  NoticeKind = "command"   // somebody did something at the command line
	NoticeLeft     NoticeKind = "left"      // a colleague left open work when their account was disabled
	NoticeMistake  NoticeKind = "mistake"   // a self-exclusion was ended as a mistake
	NoticeRestore  NoticeKind = "restore"   // the database is in an older state than a checkpoint
	NoticeTest     NoticeKind = "test"      // a test was requested
	NoticeEvent    NoticeKind = "event"     // something happened that an API client is told about
)

// NoticeKinds are the kinds that an administrator can turn off. Notices about staff, rules, an older database, an
// ended self-exclusion and the command line are always sent, so that nobody can hide what they do.
var NoticeKinds = []NoticeKind{NoticeCase, NoticeRequest, NoticeSync}

var noticeKindWords = words[NoticeKind]{
	{NoticeCase, "A case was opened"},
	{NoticeRequest, "A request waits for approval"},
	{NoticeAssigned, "A case was assigned to you"},
	{NoticeToDecide, "A correction was assigned to you"},
	{NoticeDecided, "A request of yours was decided"},
	{NoticeOverdue, "Your answer to a complaint is overdue"},
	{NoticeSync, "The games could not be synchronized"},
	{NoticeStaff, "A staff account was changed"},
	{NoticeLimits, "Limits or rules were changed"},
	{NoticeLeft, "A colleague left open work"},
	{NoticeMistake, "A self-exclusion was ended as a mistake"},
	{NoticeRestore, "A backup of the database was restored"},
	{NoticeCommand, "Something was done at the command line"},
	{NoticeTest, "A test notice"},
	{NoticeEvent, "An event for an API client"},
}

// Word returns what happened, for people.
func (k NoticeKind) Word() string { return noticeKindWords.of(k, string(k)) }

// Path returns the page that shows what happened.
func (n Notice) Path() string {
	switch objectID := n.ObjectID; n.Kind {
	case NoticeCase, NoticeAssigned, NoticeOverdue:
		return strings.TrimSuffix("/cases/"+objectID, "/")
	case NoticeRequest:
		return "/" + n.Detail + "s/" + objectID
	case NoticeLeft:
		switch first, _, _ := strings.Cut(n.Detail, ","); first {
		case "corrections", "campaigns":
			return "/" + first
		case "requests":
			return "/yours"
		}
		return "/cases?owner=nobody"
	case NoticeMistake:
		return "/restrictions/" + objectID
	case NoticeToDecide:
		return "/corrections/" + objectID
	case NoticeDecided:
		return "/yours"
	case NoticeSync:
		return "/games"
	case NoticeStaff:
		return strings.TrimSuffix("/staff/"+objectID, "/")
	case NoticeLimits:
		if objectID != "" {
			return "/settings/changes/" + objectID
		}
		return "/settings"
	case NoticeCommand:
		return "/audit"
	case NoticeRestore:
		return "/integrity"
	}
	return "/settings/notices"
}

// NoticeOf returns the kind of notice for an audit event, with details in words (the rule of a case, or what was done), or
// false for most events. Notices are derived from the audit log because it has every event, in the order of commits and without
// gaps.
func NoticeOf(e AuditEvent) (kind NoticeKind, detail string, ok bool) {
	switch e.Action {
	case "case opened":
		var opened struct {
			Rule string `json:"rule"`
		}
		json.Unmarshal([]byte(e.After), &opened) // if it cannot be read, the notice does not name the rule
		return NoticeCase, opened.Rule, true
	case "correction requested", "cash-out waiting", "campaign created", "restriction end requested":
		return NoticeRequest, e.Object, true
	case "case handed over": // taking a case oneself needs no notice
		return NoticeAssigned, "", e.After != "" && e.After != e.Actor.Name
	case "correction assigned":
		return NoticeToDecide, "", e.After != "" && e.After != e.Actor.Name
	case "case overdue":
		return NoticeOverdue, "", e.After != ""
	case "games not synchronized":
		return NoticeSync, "", true
	case "setting changed":
		return NoticeLimits, e.ObjectID, slices.Contains(GuardedSettings, e.ObjectID)
	}
	switch {
	case e.Action == WorkUnassigned:
		var left OpenWork
		json.Unmarshal([]byte(e.Before), &left) // if it cannot be read, the notice does not say what is left
		return NoticeLeft, left.Words(), true
	case e.Action == "restriction ended" && strings.Contains(e.After, `"kind":"`+SelfExclusion.String()+`"`):
		return NoticeMistake, "", true
	case slices.Contains(decisions, e.Action):
		return NoticeDecided, e.Action, true
	case slices.Contains(staffAlerts, e.Action):
		return NoticeStaff, e.Action, true
	case slices.Contains(changeAlerts, e.Action):
		var of struct {
			Subject ChangeSubject   `json:"subject"`
			Value   json.RawMessage `json:"value"`
		}
		json.Unmarshal([]byte(e.After), &of) // if it cannot be read, the notice does not name the client
		if name := (ChangeRequest{Subject: of.Subject, After: string(of.Value)}).Client(); name != "" {
			return NoticeLimits, e.Action + ": " + name, true
		}
		return NoticeLimits, e.Action, true
	case e.Action == OlderState:
		return NoticeRestore, "", true
	case e.Actor.Channel == ChannelCommandLine && !slices.Contains(routine, e.Action) && !e.IsView():
		return NoticeCommand, e.Action, true
	}
	return "", "", false
}

// WorkUnassigned is the action of unassigning the open work of a disabled account.
const WorkUnassigned = "work unassigned"

// OlderState is the action of finding a checkpoint of a later state than the database's.
const OlderState = "older state found"

// BreakGlass is the action of signing in with a password despite single sign-on.
const BreakGlass = "staff signed in with break-glass password"

// Actions of administrators about which other administrators are notified.
var (
	staffAlerts = []string{
		"staff created", "staff role changed", "staff disabled", "staff enabled", "staff unlocked", "staff password link made",
		"staff second factor reset", "staff e-mail address changed", "staff confirmed", "staff identity changed", BreakGlass, "staff passkey copied",
	}
	changeAlerts = []string{"change requested", "change approved", "change refused", "change withdrawn",
		"API client given a secret", "API client revoked"}
	// routine are the actions of timers at the command line, which change nothing.
	routine = []string{"ledger verified", "checkpoint written"}

	// decisions are the actions that decide a request, other than those of administrators.
	decisions = []string{"correction approved", "correction refused", "campaign approved", "campaign refused",
		"restriction ended", "restriction end refused", "cash-out approved", "cash-out refused"}

	// GuardedSettings are the settings that decide who can sign in and how much one person can do alone. The time zone is one
	// of them because daily limits reset at its midnight.
	GuardedSettings = []string{string(ChangeGrantLimits), SignInRulesSetting,
		ReportZoneSetting}
)

// SignInRulesSetting is the name of the setting with the SignInRules.
const SignInRulesSetting = "sign-in rules"

// NoticeRulesSetting is the name of the setting with the NoticeRules.
const NoticeRulesSetting = "notices"

// Setting is a row of the settings. Value is a single word, or JSON of the setting's type.
type Setting struct {
	Name      string `gorm:"primaryKey"`
	Value     string
	ChangedAt time.Time `gorm:"column:changed_at_us;serializer:micros"`
}

// ReportZoneSetting is the name of the setting with the time zone of reports and daily limits.
const ReportZoneSetting = "zone of days"

// NoticeActions are the actions for which NoticeOf returns a notice, besides those at the command line.
var NoticeActions = slices.Concat([]string{"case opened", "correction requested", "cash-out waiting",
	"campaign created", "restriction end requested", "case handed over", "correction assigned",
	"case overdue", "games not synchronized", "setting changed", OlderState, WorkUnassigned}, decisions, staffAlerts, changeAlerts)

// Personal reports whether a notice is for one colleague, and is sent by e-mail.
func (k NoticeKind) Personal() bool {
	return k == NoticeAssigned || k == NoticeToDecide || k == NoticeDecided || k == NoticeOverdue
}

// NoticeChannel is how a notice is sent.
type NoticeChannel string

// The channels.
const (
	NoticeMail   NoticeChannel = "e-mail"
	NoticeClient NoticeChannel = "API client" // the webhook of an API client
)

// NoticeRules say which notices are sent.
type NoticeRules struct {
	Kinds []NoticeKind `json:"kinds"`
	Quiet []CaseRule   `json:"quiet,omitempty"` // case rules without notices; rules added later have them
}

// DefaultNoticeRules send everything.
var DefaultNoticeRules = NoticeRules{Kinds: NoticeKinds}

// Tells reports whether notices of this kind are sent.
func (r NoticeRules) Tells(k NoticeKind) bool {
	return k == NoticeTest || k == NoticeStaff || k == NoticeLimits || k == NoticeRestore || k == NoticeMistake || k == NoticeLeft || k == NoticeCommand || k.Personal() ||
		slices.Contains(r.Kinds, k)
}

// TellsCase reports whether notices about cases of this rule are sent, provided that notices about cases are sent at all.
func (r NoticeRules) TellsCase(rule CaseRule) bool { return !slices.Contains(r.Quiet, rule) }

// Quiets reports whether notices about cases of the rule with these words are turned off.
func (r NoticeRules) Quiets(words string) bool {
	return slices.ContainsFunc(r.Quiet, func(rule CaseRule) bool { return rule.String() == words })
}

// ErrNoticeKind refuses rules with an unknown kind or case rule.
var ErrNoticeKind = errors.New("there is no such kind of notice")

// Check returns ErrNoticeKind unless all kinds and rules are known.
func (r NoticeRules) Check() error {
	for _, k := range r.Kinds {
		if !slices.Contains(NoticeKinds, k) {
			return ErrNoticeKind
		}
	}
	for _, rule := range r.Quiet {
		if !slices.Contains(CaseRules, rule) {
			return ErrNoticeKind
		}
	}
	return nil
}

// NoticeState is the state of a notice.
type NoticeState uint8

const (
	// NoticeWaiting: it will be sent at Next.
	NoticeWaiting NoticeState = 1
	// NoticeSent: the receiving server has accepted it.
	NoticeSent NoticeState = 2
	// NoticeFailed: sending failed MaxNoticeTries times and is not tried again.
	NoticeFailed NoticeState = 3
)

// Notice is a notice for one channel. It has only internal IDs and no personal data.
type Notice struct {
	ID       int64
	At       time.Time `gorm:"column:at_us;serializer:micros"` // of the event
	EventID  int64     // of the audit event
	Kind     NoticeKind
	ObjectID string // empty if there is none, or several
	Detail   string // the words of a case's rule, what was requested or what was done; or empty
	Many     int64  `gorm:"column:occasions"` // how many cases it is about, usually 1
	Channel  NoticeChannel
	ClientID int64 // of NoticeClient
	State    NoticeState
	Tries    int
	Next     time.Time `gorm:"column:next_us;serializer:micros"`    // when it is sent, or sent again
	SentAt   time.Time `gorm:"column:sent_at_us;serializer:micros"` // zero unless NoticeSent
	Error    string    // of the last attempt
}

// CasesToldEach is the maximum number of simultaneous cases of one rule that get separate notices. If there are more, they
// share one notice, because a statement may open a hundred thousand.
const CasesToldEach = 10

// MaxNoticeTries is how often sending a notice is attempted: for a little over a day.
const MaxNoticeTries = 14

// NoticeBackoff returns how long to wait after a number of failed attempts: half a minute at first, doubled each time up to six
// hours.
func NoticeBackoff(tries int) time.Duration {
	return min(30*time.Second<<min(max(tries-1, 0), 20), 6*time.Hour)
}

// Text returns what happened, for people.
func (n Notice) Text() string {
	if n.Many > 1 {
		return fmt.Sprintf("%d cases were opened: %s", n.Many, n.Detail)
	}
	if n.Detail == "" {
		return n.Kind.Word()
	}
	return n.Kind.Word() + ": " + n.Detail
}

// Retries reports whether the notice will be sent again automatically, after a failure.
func (n Notice) Retries() bool { return n.State == NoticeWaiting && n.Tries > 0 }

// NoticeFilter selects notices, newest first.
type NoticeFilter struct {
	Span
	ClientID int64       // whose deliveries; 0 for the notices to people
	State    NoticeState // 0 for all
}

// PartlySentError means that a notice was sent, but not to all of its recipients.
type PartlySentError struct {
	Refused, Of int
	Err         error
}

// Error says how many recipients were refused, and why.
func (e PartlySentError) Error() string {
	return fmt.Sprintf("%d of %d recipients were refused: %v", e.Refused, e.Of, e.Err)
}

// Unwrap returns what the mail server said.
func (e PartlySentError) Unwrap() error { return e.Err }

// ErrNoticeUnknown means that there is no such notice, or that it was already sent to people.
var ErrNoticeUnknown = errors.New("there is no such notice to send")
