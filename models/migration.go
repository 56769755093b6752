package models

import "time"

// Migration is one numbered change of the schema.
type Migration struct {
	Number    int64
	File      string
	AppliedAt time.Time // zero while it is pending
}
