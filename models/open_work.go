package models

import "strings"

// OpenWork is what is left of somebody's work when their account is disabled. It is the Before of the event WorkUnassigned.
type OpenWork struct {
	Cases       []int64            `json:"open cases,omitempty"`            // become unassigned
	Corrections []int64            `json:"corrections to decide,omitempty"` // become unassigned
	Campaigns   []int64            `json:"campaigns,omitempty"`             // of theirs, that have not ended; they go on
	Requests    map[string][]int64 `json:"waiting requests,omitempty"`      // of theirs, by the Object of their events; they can be decided
}

// Words returns the kinds of work that are left: "cases, campaigns".
func (w OpenWork) Words() string {
	var words []string
	for _, k := range []struct {
		word string
		n    int
	}{{"cases", len(w.Cases)}, {"corrections", len(w.Corrections)}, {"campaigns", len(w.Campaigns)}, {"requests", len(w.Requests)}} {
		if k.n > 0 {
			words = append(words, k.word)
		}
	}
	return strings.Join(words, ", ")
}

// None reports whether nothing is left.
func (w OpenWork) None() bool {
	return len(w.Cases)+len(w.Corrections)+len(w.Campaigns)+len(w.Requests) == 0
}
