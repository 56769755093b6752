package models

// WriteError says why money cannot be written. Reason may be shown to anybody; Err has the database's own message.
type WriteError struct {
	Reason string
	Silent bool // the database did not answer
	Err    error
}

// Error returns the reason.
func (e *WriteError) Error() string { return e.Reason }

// Unwrap returns the database's error.
func (e *WriteError) Unwrap() error { return e.Err }
