package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NoticeKind is an occasion of which people outside the back office are told.
type NoticeKind string

// The kinds.
const (
	NoticeCase       NoticeKind = "case"       // a case was opened
	NoticeCorrection NoticeKind = "correction" // a correction waits for a second person
	NoticeSync       NoticeKind = "sync"       // the games could not be synchronised
	NoticeStaff      NoticeKind = "staff"      // somebody's account was created, reset, unlocked or given another role
	NoticeLimits     NoticeKind = "rules"      // limits, or the rules of sign-in, were changed or are to be
	NoticeAssigned   NoticeKind = "assigned"   // a case was assigned to a colleague
	NoticeToDecide   NoticeKind = "to-decide"  // a correction was assigned to a colleague
	NoticeRestore    NoticeKind = "restore"    // somebody has declared that a backup was restored, or confirmed it
	NoticeTest       NoticeKind = "test"       // somebody asked for one, to see whether it arrives
)

// NoticeKinds are the kinds that an administrator chooses from. Of staff, rules and restored backups everybody is always told,
// or an administrator could silence what they do.
var NoticeKinds = []NoticeKind{NoticeCase, NoticeCorrection, NoticeSync}

var noticeKindWords = words[NoticeKind]{
	{NoticeCase, "A case was opened"},
	{NoticeCorrection, "A correction waits for approval"},
	{NoticeAssigned, "A case was assigned to you"},
	{NoticeToDecide, "A correction was assigned to you"},
	{NoticeSync, "The games could not be synchronized"},
	{NoticeStaff, "A staff account was changed"},
	{NoticeLimits, "Limits or rules were changed"},
	{NoticeRestore, "A backup was restored"},
	{NoticeTest, "A test notice"},
}

// Word says what happened, for people.
func (k NoticeKind) Word() string { return noticeKindWords.of(k, string(k)) }

// Path is the page on which one sees what happened, by the number of the thing.
func (k NoticeKind) Path(objectID string) string {
	switch k {
	case NoticeCase, NoticeAssigned:
		return strings.TrimSuffix("/cases/"+objectID, "/")
	case NoticeCorrection, NoticeToDecide:
		return "/corrections/" + objectID
	case NoticeSync:
		return "/games/syncs"
	case NoticeStaff:
		return strings.TrimSuffix("/staff/"+objectID, "/")
	case NoticeLimits:
		if objectID != "" {
			return "/settings/changes/" + objectID
		}
		return "/settings"
	case NoticeRestore:
		return strings.TrimSuffix("/integrity/restores/"+objectID, "/")
	}
	return "/settings/notices"
}

// NoticeOf returns of which kind of notice an audit event is the occasion, with more about it in words: the rule that has found
// a case, or what was done; false for most events. Notices follow the audit log since it holds whatever happened, in the order
// of its commits and without a gap.
func NoticeOf(e AuditEvent) (kind NoticeKind, detail string, ok bool) {
	switch e.Action {
	case "case opened":
		var opened struct {
			Rule string `json:"rule"`
		}
		json.Unmarshal([]byte(e.After), &opened) // of one whose text cannot be read people are told without its rule
		return NoticeCase, opened.Rule, true
	case "correction asked for":
		return NoticeCorrection, "", true
	case "case handed over": // who takes one knows
		return NoticeAssigned, "", e.After != "" && e.After != e.Actor.Name
	case "correction assigned":
		return NoticeToDecide, "", e.After != "" && e.After != e.Actor.Name
	case "games not synchronised":
		return NoticeSync, "", true
	case "setting changed":
		return NoticeLimits, SettingWord(e.ObjectID), slices.Contains(GuardedSettings, e.ObjectID)
	}
	switch {
	case slices.Contains(staffAlerts, e.Action):
		return NoticeStaff, lowerFirst(ActionWord(e.Action)), true
	case slices.Contains(changeAlerts, e.Action):
		return NoticeLimits, lowerFirst(ActionWord(e.Action)), true
	case slices.Contains(restoreAlerts, e.Action):
		return NoticeRestore, lowerFirst(ActionWord(e.Action)), true
	}
	return "", "", false
}

// What administrators are told that other administrators do.
var (
	staffAlerts = []string{
		"staff created", "staff role changed", "staff disabled", "staff enabled", "staff unlocked", "staff password link made",
		"staff second factor reset", "staff e-mail address changed",
	}
	changeAlerts  = []string{"change requested", "change approved", "change refused", "change withdrawn"}
	restoreAlerts = []string{"restore declared", "restore confirmed"}

	// GuardedSettings are the settings that say who gets in, and how much one person may do alone. The zone is among them
	// because limits a day renew at its midnight.
	GuardedSettings = []string{string(ChangeCorrectionLimits), string(ChangeGrantLimits), string(ChangeTwoPeople),
		SignInRulesSetting, ReportZoneSetting}
)

// SignInRulesSetting is the name of the setting that keeps SignInRules.
const SignInRulesSetting = "sign-in rules"

// ReportZoneSetting is the name of the setting that says whose days reports and limits are of.
const ReportZoneSetting = "zone of days"

// AlertActions are the actions of which administrators are told on their pages. Not every one of these events is an alert: see
// IsAlert.
var AlertActions = slices.Concat(staffAlerts, changeAlerts, restoreAlerts, []string{"setting changed"})

// IsAlert reports whether administrators other than the actor are to see the event.
func IsAlert(e AuditEvent) bool {
	kind, _, ok := NoticeOf(e)
	return ok && (kind == NoticeStaff || kind == NoticeLimits || kind == NoticeRestore)
}

// NoticeActions are the actions of which NoticeOf knows.
var NoticeActions = slices.Concat([]string{"case opened", "correction asked for", "case handed over", "correction assigned",
	"games not synchronised"}, AlertActions)

// Personal reports that a notice is for one colleague alone, and goes by e-mail.
func (k NoticeKind) Personal() bool { return k == NoticeAssigned || k == NoticeToDecide }

// NoticeChannel is the way that a notice goes.
type NoticeChannel string

// The channels.
const (
	NoticeWebhook NoticeChannel = "webhook"
	NoticeMail    NoticeChannel = "e-mail"
)

// NoticeRules say of what to tell.
type NoticeRules struct {
	Kinds []NoticeKind `json:"kinds"`
	Quiet []CaseRule   `json:"quiet,omitempty"` // whose cases are not told: a rule that is new is told
}

// DefaultNoticeRules tell of everything there is.
var DefaultNoticeRules = NoticeRules{Kinds: NoticeKinds}

// Tells reports whether a notice of this kind is wanted.
func (r NoticeRules) Tells(k NoticeKind) bool {
	return k == NoticeTest || k == NoticeStaff || k == NoticeLimits || k == NoticeRestore || k.Personal() ||
		slices.Contains(r.Kinds, k)
}

// TellsCase reports whether cases that this rule finds are wanted, where cases are at all.
func (r NoticeRules) TellsCase(rule CaseRule) bool { return !slices.Contains(r.Quiet, rule) }

// Quiets reports whether cases of the rule with these words are not wanted.
func (r NoticeRules) Quiets(words string) bool {
	return slices.ContainsFunc(r.Quiet, func(rule CaseRule) bool { return rule.String() == words })
}

// ErrNoticeKind is returned for rules that name a kind, or a rule of cases, that there is not.
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

// NoticeState is how far a notice has come.
type NoticeState uint8

const (
	// NoticeWaiting: it is sent at Next.
	NoticeWaiting NoticeState = 1
	// NoticeSent: the other side has taken it.
	NoticeSent NoticeState = 2
	// NoticeFailed: it was tried MostNoticeTries times and is not tried again.
	NoticeFailed NoticeState = 3
)

// Notice is one occasion on its way through one channel. It names things by our own numbers and holds nobody's data.
type Notice struct {
	ID       int64
	At       time.Time `gorm:"column:at_us;serializer:micros"` // of the occasion
	EventID  int64     // of the audit event
	Kind     NoticeKind
	ObjectID string // empty where there is none, or several
	Detail   string // the words of the rule that found a case; empty for other kinds
	Many     int64  `gorm:"column:occasions"` // how many cases it tells of, where one notice stands for several; else 1
	Channel  NoticeChannel
	State    NoticeState
	Tries    int
	Next     time.Time `gorm:"column:next_us;serializer:micros"`    // when it is sent, or sent again
	SentAt   time.Time `gorm:"column:sent_at_us;serializer:micros"` // zero unless NoticeSent
	Error    string    // of the last try
}

// CasesToldEach is how many cases of one rule that come at once are told of one by one: of more there is one notice, since a
// statement may hold a hundred thousand.
const CasesToldEach = 10

// MostNoticeTries is how often a notice is tried: for a little over a day.
const MostNoticeTries = 14

// NoticeBackoff is how long to wait after so many tries that failed: half a minute at first, doubled each time up to six hours.
func NoticeBackoff(tries int) time.Duration {
	return min(30*time.Second<<min(max(tries-1, 0), 20), 6*time.Hour)
}

// Text says what happened, for people.
func (n Notice) Text() string {
	if n.Many > 1 {
		return fmt.Sprintf("%d cases were opened: %s", n.Many, n.Detail)
	}
	if n.Detail == "" {
		return n.Kind.Word()
	}
	return n.Kind.Word() + ": " + n.Detail
}

// NoticeFilter selects notices, the newest first.
type NoticeFilter struct {
	State NoticeState // 0 for all
	Page  Cursor
	Limit int
}

// ErrNoticeUnknown is returned by RetryNotice for a notice that there is not, or that was sent.
var ErrNoticeUnknown = errors.New("there is no such notice to send")
