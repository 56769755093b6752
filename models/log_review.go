package models

import (
	"errors"
	"fmt"
	"time"
)

// LogReviewers are the roles that mark a day of the audit log as reviewed.
var LogReviewers = []Role{Administrator, Compliance}

// The audit event of a review: its action, and the kind of thing that it is about, whose ID is the day.
const (
	LogReviewed = "log reviewed"
	DayOfLog    = "log"
)

// LogReview is the mark that a person has reviewed the audit log of a casino day. It is the After of its audit event.
type LogReview struct {
	Day    Day    `json:"day"`
	Events int64  `json:"events"` // of the day
	Own    int64  `json:"own"`    // how many of these the reviewer caused
	Head   int64  `json:"head"`   // the last event of the chain when the day was marked, and its hash
	Hash   string `json:"hash"`

	EventID int64     `json:"-"` // of the review itself
	At      time.Time `json:"-"`
	By      string    `json:"-"`
	Note    string    `json:"-"`
}

// Mostly reports whether the reviewer caused more than half of the day's events.
func (r LogReview) Mostly() bool { return 2*r.Own > r.Events }

// Why a day of the audit log is not marked as reviewed. Staff see these texts.
var (
	ErrLogReviewer = errors.New("administrators and compliance mark days of the audit log as reviewed")
	ErrLogRuns     = errors.New("the day has not ended yet in the casino’s time zone: review it when it has")
	ErrLogEmpty    = errors.New("the audit log has no events of this day, so there is nothing to review: check the date")
	ErrLogNote     = errors.New("enter at most 2,000 characters")
)

// LogReviewedError refuses a second review of the same day.
type LogReviewedError struct{ LogReview }

// Error says who reviewed the day.
func (e LogReviewedError) Error() string {
	return fmt.Sprintf("the log of %s was already marked as reviewed, by %s", e.Day.Format("2 Jan 2006"), e.By)
}
