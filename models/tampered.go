package models

import (
	"errors"
	"fmt"
)

// ErrNothingToAccept means that the row matches the audit log.
var ErrNothingToAccept = errors.New("the row matches the audit log: there is nothing to accept")

// ErrAcceptDecided refuses to accept a row that records the decision of a second person.
var ErrAcceptDecided = errors.New("the row records the decision of a second person, so it cannot be accepted: restore the " +
	"row as it was, or delete it and accept that it is gone")

// ErrAcceptTwoPeople refuses to accept a row that is different, or gone, without what two people have decided.
var ErrAcceptTwoPeople = errors.New("only two people together change a signed day, or this setting, so one person cannot " +
	"accept that the row is different or gone: restore it as it was")

// TamperedError refuses an action on a row that does not match the audit log: somebody has changed, inserted or deleted it
// directly in the database. Nothing that the row would authorize is done.
type TamperedError struct {
	Object   string // as in audit events: "correction", "staff", "setting"
	ObjectID string
	Event    int64 // the latest audit event that says what the row must be, or 0 if there is none
}

// Error names the row, and says whom to ask for help.
func (e TamperedError) Error() string {
	known := "no audit event mentions it"
	if e.Event > 0 {
		known = fmt.Sprintf("it differs from audit event %d", e.Event)
	}
	return fmt.Sprintf("%s %s was changed directly in the database (%s), so nothing was done: ask compliance to run a "+
		"verification",
		e.Object, e.ObjectID, known)
}
