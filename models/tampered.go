package models

import (
	"errors"
	"fmt"
)

// ErrNothingToAccept is returned for a row that is what the audit log says.
var ErrNothingToAccept = errors.New("the row is what the audit log says: there is nothing to accept")

// ErrAcceptDecided refuses to accept a row whose state is the word of a second person.
var ErrAcceptDecided = errors.New("the row says that a second person has decided it, which only that person can say: put it " +
	"back as " +
	"it was, or take it out and accept that it is gone")

// TamperedError refuses an action on a row that is not what the audit log says: somebody has changed, inserted or deleted it in
// the database, past the program. Whatever the row would have authorized is not done.
type TamperedError struct {
	Object   string // as audit events call it: "correction", "staff", "setting"
	ObjectID string
	Event    int64 // the latest audit event that says what the row must be; 0: none does
}

// Error names the row, and who can help.
func (e TamperedError) Error() string {
	known := "no audit event knows it"
	if e.Event > 0 {
		known = fmt.Sprintf("audit event %d says otherwise", e.Event)
	}
	return fmt.Sprintf("%s %s was changed in the database and not by Pitboss (%s), so nothing was done: ask compliance to "+
		"run a verification",
		e.Object, e.ObjectID, known)
}
