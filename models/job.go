package models

import (
	"errors"
	"time"
)

// Job is work that a person requests and that an instance does in the background: the comparison of a statement, or
// a verification. Each kind has a table of its own, whose rows embed Job.
type Job struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"` // when it was requested
	Actor      string    // who requested it
	State      JobState
	Tries      int       `covered:"-"` // how often it was begun: an instance that ends leaves it to another
	Failure    string    // why it failed, for people
	StartedAt  time.Time `gorm:"column:started_at_us;serializer:micros" covered:"-"` // zero before it was begun
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`            // zero before it has ended
}

// JobKind is a kind of work in the background: the name of its table.
type JobKind string

// The kinds. Campaigns are not Jobs, because they go on where they were cut off, but they have the same states.
const (
	ComparisonJobs   JobKind = "statement_runs"
	VerificationJobs JobKind = "verifications"
)

// ErrNoRoom means that the database has no space left for a file.
var ErrNoRoom = errors.New("the database has no space left")

// MaxJobTries is how often a job is started. A job that was interrupted this often may be what kills the instances.
const MaxJobTries = 5

// ErrJobTries ends a job that was started MaxJobTries times.
var ErrJobTries = errors.New("it was interrupted five times: Pitboss stopped or lost the database before it finished")

// Took returns how long the last try took, or 0 if the job has not ended.
func (j Job) Took() time.Duration {
	if j.StartedAt.IsZero() || j.FinishedAt.IsZero() {
		return 0
	}
	return j.FinishedAt.Sub(j.StartedAt)
}

// JobState is the state of a job. The numbers are stored.
type JobState uint8

const (
	// JobWaiting: an instance will begin it.
	JobWaiting JobState = 1
	// JobRunning: an instance works on it, or ended and leaves it to another.
	JobRunning JobState = 2
	// JobPaused: a person has paused it and can resume it. Only for campaigns.
	JobPaused JobState = 3
	// JobStopped: a person has ended it.
	JobStopped JobState = 4
	// JobFinished: it has a result.
	JobFinished JobState = 5
	// JobFailed: it has no result, and Failure says why.
	JobFailed JobState = 6
	// JobHeld: a campaign exceeds the limits, and runs once a second person approves it.
	JobHeld JobState = 8
	// JobDeclined: a campaign beyond the limits was not approved, so no line of it is ever sent.
	JobDeclined JobState = 9
)

var jobStateWords = words[JobState]{
	{JobWaiting, "waiting"},
	{JobRunning, "running"},
	{JobPaused, "paused"},
	{JobStopped, "stopped"},
	{JobFinished, "finished"},
	{JobFailed, "failed"},
	{JobHeld, "waiting for approval"},
	{JobDeclined, "not approved"},
}

// String returns the state in words.
func (s JobState) String() string { return jobStateWords.of(s, "unknown") }

// Open reports whether an instance works on the job, or will.
func (s JobState) Open() bool { return s == JobWaiting || s == JobRunning }

// OpenJobStates are the states for which Open is true.
var OpenJobStates = []JobState{JobWaiting, JobRunning}
