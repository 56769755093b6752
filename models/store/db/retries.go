package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// retried is a kind of work that is tried again.
type retried int

const (
	RetriedOperations retried = iota // batches of operations
	RetriedReads                     // balances, and numbers of players
	retriedChanges                   // changes by staff and jobs
)

// RetriedWork has the name of each kind of work.
var RetriedWork = [...]string{"operations", "reads", "changes"}

// RetryCauses are the causes of retries. The last is for causes that are not in the list.
var RetryCauses = [...]string{"deadlock", "lock_wait", "locked", "duplicate_key", "deadline", "connection", "other"}

// retryCause returns the cause of err, as an index into RetryCauses.
func retryCause(err error) int {
	switch number := MySQLNumber(err); {
	case number == MySQLDeadlock, errors.Is(err, errOvertakenElsewhere):
		return 0
	case number == MySQLLockWait:
		return 1
	case IsContention(err):
		return 2
	case IsDuplicate(err):
		return 3
	case errors.Is(err, context.DeadlineExceeded):
		return 4
	case IsDown(err):
		return 5
	}
	return len(RetryCauses) - 1
}

// Retries counts retries by kind of work and cause.
type Retries [len(RetriedWork)][len(RetryCauses)]atomic.Uint64

// Count counts a retry because of err.
func (r *Retries) Count(work retried, err error) { r[work][retryCause(err)].Add(1) }

// Pause waits before another try, longer each time. It returns false if ctx ends first.
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

// backoff returns how long to wait before try number try+1: about 5 ms at first, doubled each time up to 200 ms, with jitter so
// that transactions that collided do not collide again.
func backoff(try int) time.Duration {
	d := min(5*time.Millisecond<<min(try, 10), 200*time.Millisecond)
	return d/2 + rand.N(d/2+1)
}
