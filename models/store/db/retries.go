package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// What is tried again.
type retried int

const (
	RetriedOperations retried = iota // batches of operations
	RetriedReads                     // balances, and numbers of players
	retriedChanges                   // what staff and jobs change
)

// RetriedWork names them.
var RetriedWork = [...]string{"operations", "reads", "changes"}

// RetryCauses are why something was tried again. The last is any cause that is not in the list.
var RetryCauses = [...]string{"deadlock", "lock_wait", "locked", "duplicate_key", "deadline", "connection", "other"}

const causeLocked = 2 // in RetryCauses

// retryCause returns an index into RetryCauses.
func retryCause(err error) int {
	switch number := MySQLNumber(err); {
	case number == MySQLDeadlock, errors.Is(err, errOvertakenElsewhere):
		return 0
	case number == MySQLLockWait:
		return 1
	case IsContention(err):
		return causeLocked
	case IsDuplicate(err):
		return 3
	case errors.Is(err, context.DeadlineExceeded):
		return 4
	case IsDown(err):
		return 5
	}
	return len(RetryCauses) - 1
}

// Retries counts what was tried again, by what it was and why.
type Retries [len(RetriedWork)][len(RetryCauses)]atomic.Uint64

// Count counts that something is tried again because of err.
func (r *Retries) Count(work retried, err error) { r[work][retryCause(err)].Add(1) }

// Locked returns how often something was tried again because another program had locked the database.
func (r *Retries) Locked() (n uint64) {
	for work := range r {
		n += r[work][causeLocked].Load()
	}
	return n
}

// Pause waits before another try, longer each time, and reports false when ctx ends first.
func Pause(ctx context.Context, try int) bool {
	t := time.NewTimer(backoff(try))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// backoff is how long to wait before try number try+1: about 5 ms at first, doubled each time up to 200 ms, with jitter so that
// those who collided do not meet again.
func backoff(try int) time.Duration {
	d := min(5*time.Millisecond<<min(try, 10), 200*time.Millisecond)
	return d/2 + rand.N(d/2+1)
}
