package db

import (
	"context"
	"errors"
	"sync/atomic"
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

// retryCause returns an index into RetryCauses.
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

// Retries counts what was tried again, by what it was and why.
type Retries [len(RetriedWork)][len(RetryCauses)]atomic.Uint64

// Count counts that something is tried again because of err.
func (r *Retries) Count(work retried, err error) { r[work][retryCause(err)].Add(1) }
