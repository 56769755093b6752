package models

import (
	"slices"
	"strings"
)

// TimelineKind is what an event in a player's timeline is about.
type TimelineKind uint8

// The kinds, in the order of forms. Postings are TimelinePlay, TimelineSpins, TimelineCash or TimelineCorrections, callbacks
// are TimelineRefused, and audit events are all others.
const (
	TimelinePlay TimelineKind = iota + 1
	TimelineRefused
	TimelineSpins
	TimelineCash
	TimelineCorrections
	TimelineSessions
	TimelineLimits
	TimelineCases
	TimelineAnswers
	TimelineAccount
	TimelineOther
	TimelineViews
)

var timelineKindWords = words[TimelineKind]{
	{TimelinePlay, "bets, wins and rollbacks"}, {TimelineRefused, "refused bets"}, {TimelineSpins, "free spins"},
	{TimelineCash, "deposits and cash-outs"}, {TimelineCorrections, "corrections"}, {TimelineSessions, "game sessions"},
	{TimelineLimits, "limits and restrictions"}, {TimelineCases, "cases"}, {TimelineAnswers, "answers and comments"},
	{TimelineAccount, "player account"},
	{TimelineOther, "other work of staff"}, {TimelineViews, "views of player data"},
}

// TimelineKinds lists the kinds.
var TimelineKinds = timelineKindWords.values()

// String returns the kind in words.
func (k TimelineKind) String() string { return timelineKindWords.of(k, "unknown") }

// TimelineObjects maps kinds to the objects of their audit events. TimelineOther has all other objects, TimelineViews the views
// of all objects, TimelineLimits also PlayerLimitsSet and PlayerRestriction, and TimelineAnswers PlayerTold.
var TimelineObjects = map[TimelineKind][]string{
	TimelineSpins: {"grant", "campaign"}, TimelineCash: {"cash-out"}, TimelineCorrections: {"correction"},
	TimelineSessions: {"game session"}, TimelineLimits: {"restriction"}, TimelineCases: {"case"}, TimelineAccount: {"player"},
	TimelineAnswers: {"transaction", "round", "callback"}, // that staff commented on
}

// Timeline returns the kind of an audit event in a player's timeline.
func (e AuditEvent) Timeline() TimelineKind {
	switch {
	case e.IsView():
		return TimelineViews
	case e.Action == PlayerLimitsSet || strings.HasPrefix(e.Action, PlayerRestriction):
		return TimelineLimits
	case e.Action == PlayerTold:
		return TimelineAnswers
	}
	for kind, objects := range TimelineObjects {
		if slices.Contains(objects, e.Object) {
			return kind
		}
	}
	return TimelineOther
}

// Timeline returns the kind of a posting in a player's timeline.
func (p *Posting) Timeline() TimelineKind {
	switch {
	case p.FreeSpin:
		return TimelineSpins
	case p.Kind.IsCash():
		return TimelineCash
	case p.Kind == Opening || p.Kind == Adjustment:
		return TimelineCorrections
	}
	return TimelinePlay
}
