package models

import "time"

// Actor is who does something to the back office's data: a member of staff in a browser, a person at the command line, or the
// system by itself.
type Actor struct {
	Name    string // the staff member's username, the command line's --as, or System.Name
	Address string // where the request came from; empty at the command line
	Session string // a short name of the staff session; empty at the command line
}

// System is the actor of what Pitboss does by itself.
var System = Actor{Name: "system"}

// AuditEvent is what compliance reads: who did what to what, and why. It is written in the transaction of the change itself.
type AuditEvent struct {
	ID       int64
	At       time.Time // UTC, microseconds
	Actor    Actor
	Action   string // noun and verb in the past, such as "player blocked"
	Object   string // the kind of thing: "player", "grant", "staff"
	ObjectID string // our own number of the thing, in decimal
	Before   string // what changed, as JSON or plain words; empty where nothing was there
	After    string
	Reason   string
}
