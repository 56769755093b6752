package models

import (
	"errors"
	"slices"
	"time"
)

// A restriction stops play. It is about a player, or freezes the house, a provider's games or one game.
//
// One person sets it, and it is in effect for every callback that is decided after its commit. It ends by itself, or earlier if
// one person requests that and another approves (Approval). A self-exclusion ends early only if it was a mistake: within
// MistakeFor, and if one of the two people is from compliance. Restrictions are never changed: to make one longer, add another.
// Wins and rollbacks are booked in any case, so that rounds in play end properly.
//
//	of a player, from play      bets and cash deposits are refused; no launches, no free spins. Because of money laundering,
//	                            new cash-outs are refused too (cash.go)
//	of a player, from deposits  cash deposits are refused
//	of a player, from bonuses   no free spins
//	of the house                bets are refused; no launches, no free spins
//	of a provider or a game     no launches, no free spins. A callback does not name the game, so bets are not refused

// RestrictionSubject is what a restriction is about.
type RestrictionSubject uint8

// Subjects are stored; their numbers never change.
const (
	OfPlayer   RestrictionSubject = 1
	OfHouse    RestrictionSubject = 2
	OfProvider RestrictionSubject = 3
	OfGame     RestrictionSubject = 4
)

var restrictionSubjectWords = words[RestrictionSubject]{
	{OfPlayer, "player"}, {OfHouse, "house"}, {OfProvider, "provider"}, {OfGame, "game"},
}

// RestrictionSubjects lists the subjects.
var RestrictionSubjects = restrictionSubjectWords.values()

// String returns the subject in words.
func (s RestrictionSubject) String() string { return restrictionSubjectWords.of(s, "unknown") }

// RestrictionKind is why a player is restricted, as reports to a regulator distinguish it.
type RestrictionKind uint8

// Kinds are stored; their numbers never change.
const (
	SelfExclusion    RestrictionKind = 1
	CoolOff          RestrictionKind = 2
	MoneyLaundering  RestrictionKind = 3
	Abuse            RestrictionKind = 4
	OtherRestriction RestrictionKind = 5
	// AccountClosed: the player has left. It takes a balance of 0.00, with nothing held, and has no end.
	AccountClosed RestrictionKind = 6
)

var restrictionKindWords = words[RestrictionKind]{
	{SelfExclusion, "self-exclusion"}, {CoolOff, "cool-off"}, {MoneyLaundering, "money laundering"}, {Abuse, "abuse"},
	{OtherRestriction, "other"}, {AccountClosed, "account closed"},
}

// RestrictionKinds lists the kinds.
var RestrictionKinds = restrictionKindWords.values()

// String returns the kind in words.
func (k RestrictionKind) String() string { return restrictionKindWords.of(k, "unknown") }

// RestrictionScope is what a player's restriction stops.
type RestrictionScope uint8

// Scopes are stored; their numbers never change.
const (
	FromPlay     RestrictionScope = 1
	FromBonuses  RestrictionScope = 2
	FromDeposits RestrictionScope = 3
)

var restrictionScopeWords = words[RestrictionScope]{
	{FromPlay, "play, deposits and bonuses"}, {FromDeposits, "deposits only"}, {FromBonuses, "bonuses only"},
}

// RestrictionScopes lists the scopes.
var RestrictionScopes = restrictionScopeWords.values()

// String returns the scope in words.
func (s RestrictionScope) String() string { return restrictionScopeWords.of(s, "unknown") }

// Permanent is the end of a restriction that does not end by itself.
var Permanent = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// RestrictionTerm is a length of time as players and laws name it.
type RestrictionTerm struct {
	Name                string
	Hours, Days, Months int
}

// RestrictionTerms are the usual terms.
var RestrictionTerms = []RestrictionTerm{{Name: "24 hours", Hours: 24}, {Name: "7 days", Days: 7}, {Name: "6 months", Months: 6},
	{Name: "1 year", Months: 12}, {Name: "5 years", Months: 60}}

// End returns when a restriction set at this time ends. A term of days or months ends with its last day in the player's zone,
// so it is never shorter than its name.
func (t RestrictionTerm) End(at time.Time, zone *time.Location) time.Time {
	if t.Hours > 0 {
		return at.Add(time.Duration(t.Hours) * time.Hour)
	}
	return Day(DayOf(at, zone).civil().AddDate(0, t.Months, t.Days).Format(time.DateOnly)).End(zone)
}

// Restriction is a restriction, with the request to end it early. Its State is 0 until that request is made.
type Restriction struct {
	ID       int64
	Subject  RestrictionSubject
	PlayerID int64  // of a player's; otherwise 0
	UserID   UserID `gorm:"->"`
	About    string // the provider's name or the platform's ID of the game; otherwise empty
	Kind     RestrictionKind
	Scope    RestrictionScope
	At       time.Time `gorm:"column:at_us;serializer:micros"`
	Until    time.Time `gorm:"column:until_us;serializer:micros"` // Permanent if it does not end by itself
	Reason   string
	Setter   Signature `gorm:"embedded;embeddedPrefix:sett"`

	Approval
	EndReason string // of the request to end it
}

// Why a restriction is refused. Staff see these texts.
var (
	ErrRestrictionUnknown = errors.New("there is no such restriction")
	ErrRestrictionEnded   = errors.New("this restriction has ended")
	ErrNeverEndsEarly     = errors.New("a self-exclusion never ends early once it is 24 hours old")
	ErrEndRequested       = errors.New("the end of this restriction has already been requested")
	ErrRestrictionUntil   = errors.New("enter an end in the future, at most 100 years from now, or none")
	ErrRestrictionSubject = errors.New("choose what to freeze")
	ErrRestrictionKind    = errors.New("choose a kind of restriction")
	ErrSelfExcludedScope  = errors.New("a self-exclusion stops play, not only deposits or bonuses")
	ErrClosedOpenEnd      = errors.New("closing an account stops play, and has no end")
	ErrCloseNotEmpty      = errors.New("an account is closed at a balance of 0.00, with nothing held")
	ErrRestrictionStands  = errors.New("this is already frozen")
	ErrRestrictedMany     = errors.New("one person or API client can restrict at most 1,000 players an hour: ask a colleague in support or " +
		"compliance, or go on later")
)

// MistakeFor is how long after it was set a self-exclusion can be ended because it was a mistake.
const MistakeFor = 24 * time.Hour

// MaxRestrictedAnHour is how many restrictions of players one person or API client can set within an hour, so that a stolen
// session or token cannot exclude everybody.
const MaxRestrictedAnHour = 1000

// Restrictors are the roles that restrict players; Freezers are those that freeze the house, a provider or a game.
var (
	Restrictors = []Role{Support, Compliance}
	Freezers    = []Role{Administrator, Support, Compliance}
)

// Check returns an error if the restriction cannot be set at this time.
func (r Restriction) Check(at time.Time) error {
	switch {
	case CheckDecisionText(r.Reason) != nil:
		return ErrDecisionText
	case !r.Until.After(at), !r.Until.Equal(Permanent) && r.Until.After(at.AddDate(100, 0, 0)):
		return ErrRestrictionUntil
	case !slices.Contains(RestrictionKinds, r.Kind) || !slices.Contains(RestrictionScopes, r.Scope):
		return ErrRestrictionKind
	case r.Kind == AccountClosed && (r.Scope != FromPlay || !r.Until.Equal(Permanent)):
		return ErrClosedOpenEnd
	case r.Kind == SelfExclusion && r.Scope != FromPlay:
		return ErrSelfExcludedScope
	case r.Subject != OfPlayer && !r.Until.Equal(Permanent):
		return ErrRestrictionUntil // a callback asks only whether a freeze has been ended
	case !slices.Contains(RestrictionSubjects, r.Subject), (r.Subject == OfPlayer) != (r.PlayerID != 0),
		(r.Subject == OfProvider || r.Subject == OfGame) != (r.About != ""):
		return ErrRestrictionSubject
	}
	return nil
}

// Rule returns who requests and who approves an early end: the roles that set such restrictions. Only compliance ends what it
// has set because of money laundering. One of the two people who end a self-exclusion is from compliance.
func (r Restriction) Rule() ApprovalRule {
	if r.Kind == SelfExclusion && r.State == ApprovalWaiting && r.Maker.Role != Compliance {
		return ApprovalRule{Makers: Restrictors, Checkers: []Role{Compliance}, Until: r.Until}
	}
	if r.Kind == MoneyLaundering && r.Setter.Role == Compliance {
		return ApprovalRule{Makers: []Role{Compliance}, Checkers: []Role{Compliance}, Until: r.Until}
	}
	if r.Subject == OfPlayer {
		return ApprovalRule{Makers: Restrictors, Checkers: Restrictors, Until: r.Until}
	}
	return ApprovalRule{Makers: Freezers, Checkers: []Role{Administrator, Compliance}}
}

// Concerns implements Requested.
func (r Restriction) Concerns() int64 { return r.PlayerID }

// StopsCashOuts reports whether new cash-outs are refused while the restriction is in effect.
func (r Restriction) StopsCashOuts() bool { return r.Kind == MoneyLaundering && r.Scope == FromPlay }

// Active reports whether the restriction is in effect.
func (r Restriction) Active(at time.Time) bool {
	return r.State != ApprovalApproved && at.Before(r.Until)
}

// EndsEarly returns an error if the restriction cannot be ended early now.
func (r Restriction) EndsEarly(at time.Time) error {
	switch {
	case !r.Active(at):
		return ErrRestrictionEnded
	case r.Kind == SelfExclusion && !at.Before(r.At.Add(MistakeFor)):
		return ErrNeverEndsEarly
	}
	return nil
}

// MayEnd returns an error if this person may not request an early end now.
func (r Restriction) MayEnd(by Signer, at time.Time) error {
	switch {
	case r.EndsEarly(at) != nil:
		return r.EndsEarly(at)
	case r.State == ApprovalWaiting:
		return ErrEndRequested
	}
	return r.Rule().MayRequest(by)
}

// Stops reports whether a freeze stops launches of the game, and free spins on it.
func (r Restriction) Stops(g Game) bool {
	return r.Subject == OfHouse || r.Subject == OfProvider && r.About == g.Provider || r.Subject == OfGame && r.About == string(g.GameID)
}

// FrozenError refuses a launch or a grant because of a freeze.
type FrozenError struct{ Restriction }

// Error says what is frozen.
func (e FrozenError) Error() string {
	switch e.Subject {
	case OfHouse:
		return "all play is frozen"
	case OfProvider:
		return "the games of " + e.About + " are frozen"
	}
	return "this game is frozen"
}

// RestrictionFilter selects restrictions, newest first.
type RestrictionFilter struct {
	Span
	Subject  RestrictionSubject // 0 for all
	Kind     RestrictionKind    // 0 for all
	PlayerID int64              // 0 for all
	Active   *bool              // in effect now, or not
	Waiting  bool               // only those whose early end is requested
}
