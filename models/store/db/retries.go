package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Retries counts retries by kind of work and cause. The last cause is for all that are not in the list.
type Retries struct{ *prometheus.CounterVec }

func newRetries() Retries {
	r := Retries{prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pitboss_database_retries_total",
		Help: "Database transactions and reads that failed and were tried again, by what was tried and by cause.",
	}, []string{"work", "cause"})}
	for _, work := range []string{"operations", "reads", "changes"} {
		for _, cause := range []string{"deadlock", "lock_wait", "locked", "duplicate_key", "deadline", "connection", "other"} {
			r.WithLabelValues(work, cause)
		}
	}
	return r
}

// Count counts a retry of some work because of err.
func (r Retries) Count(work string, err error) { r.WithLabelValues(work, retryCause(err)).Inc() }

func retryCause(err error) string {
	switch number := MySQLNumber(err); {
	case number == MySQLDeadlock, errors.Is(err, errOvertakenElsewhere):
		return "deadlock"
	case number == MySQLLockWait:
		return "lock_wait"
	case IsContention(err):
		return "locked"
	case IsDuplicate(err):
		return "duplicate_key"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case IsDown(err):
		return "connection"
	}
	return "other"
}

// Pause waits before another try: about 5 ms at first, doubled each time up to 200 ms, with jitter so that transactions that
// collided do not collide again. It returns false if ctx ends first.
func Pause(ctx context.Context, try int) bool {
	d := min(5*time.Millisecond<<min(try, 10), 200*time.Millisecond)
	t := time.NewTimer(d/2 + rand.N(d/2+1))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
