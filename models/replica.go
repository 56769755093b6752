package models

import "time"

// ReplicaState is the known state of a read replica.
type ReplicaState struct {
	Name string
	At   time.Time // it has everything committed before this time; zero if unknown
	Why  string    // why it is not used; empty if it is used
}
