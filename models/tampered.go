package models

import "fmt"

// TamperedError refuses an action on a row that does not match the audit log: somebody has changed, inserted or deleted it
// directly in the database.
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
