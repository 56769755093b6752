package store

import (
	"context"
	"errors"
	"sync/atomic"
)

// What is tried again.
type retried int

const (
	retriedOperations retried = iota // batches of operations
	retriedReads                     // balances, and numbers of players
	retriedChanges                   // what staff and jobs change
)

var retriedWork = [...]string{"operations", "reads", "changes"}

// retryCauses are why something was tried again. The last is any cause that is not in the list.
var retryCauses = [...]string{"deadlock", "lock_wait", "locked", "duplicate_key", "deadline", "connection", "other"}

// retryCause returns an index into retryCauses.
func retryCause(err error) int {
	switch number := mysqlNumber(err); {
	case number == mysqlDeadlock:
		return 0
	case number == mysqlLockWait:
		return 1
	case isContention(err):
		return 2
	case isDuplicate(err):
		return 3
	case errors.Is(err, context.DeadlineExceeded):
		return 4
	case isDown(err):
		return 5
	}
	return len(retryCauses) - 1
}

// retries counts what was tried again, by what it was and why.
type retries [len(retriedWork)][len(retryCauses)]atomic.Uint64

// count counts that something is tried again because of err.
func (r *retries) count(work retried, err error) { r[work][retryCause(err)].Add(1) }
