package models

import "time"

// ReplicaState is what is known of a read replica.
type ReplicaState struct {
	Name string
	At   time.Time // everything that was committed before is there; zero: nothing is known
	Why  string    // it is not used; empty where it is
}
