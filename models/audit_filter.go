package models

import "strconv"

// AuditFilter selects audit events, newest first. Zero values select all.
type AuditFilter struct {
	Span            // Page is by number
	Actor    string // by name
	Action   string // such as "player created"
	Object   string // the kind of thing
	ObjectID string
	PlayerID int64 // events about the player, or about anything that belongs to the player
	Address  string
	Session  string
	Reason   string         // part of the reason, ignoring case
	Changes  bool           // only events that change something: no views
	Timeline []TimelineKind // only events of these kinds; nil for all
}

// HistoryOf selects up to limit events about a thing.
func HistoryOf(object string, id int64, limit int) AuditFilter {
	return AuditFilter{Object: object, ObjectID: strconv.FormatInt(id, 10), Span: Span{Limit: limit}}
}
