package db

import (
	"context"
	"fmt"
	"time"
)

// One clock for all instances: the database's.
//
// What is booked carries a time, and sums, rules and reports look along these times, whichever instance wrote them. An instance
// whose own clock is wrong would move them past what others have not written yet, or write where nobody looks any more. So each
// instance asks the database for its time, every few seconds and before it looks along the ledger, and follows it where its own
// clock is off by more than a second. Between two questions time goes on by the machine's monotonic clock, which nobody sets.
//
// SQLite has no clock of its own: there the machine's is the only one.

const (
	clockTolerance = time.Second // less is no reason to leave the machine's clock
	clockEvery     = 10 * time.Second
)

// clockReading is one comparison of the machine's clock with the database's.
type clockReading struct {
	local  time.Time     // by the machine's clock
	shared time.Time     // by the database's, or the same where the two agree
	ahead  time.Duration // how far the machine's clock is ahead; behind, where it is below zero
}

// Now is the time that all instances share: UTC, microseconds.
func (s *DB) Now() time.Time {
	local := s.localTime()
	if r := s.clock.Load(); r != nil {
		local = r.shared.Add(local.Sub(r.local))
	}
	return local.UTC().Truncate(time.Microsecond)
}

// ClockAhead is how far this machine's clock is ahead of the database's, below zero where it is behind, as it was last
// compared. The program goes by the database's.
func (s *DB) ClockAhead() time.Duration {
	if r := s.clock.Load(); r != nil {
		return r.ahead
	}
	return 0
}

// ReadClock compares the machine's clock with the database's.
func (s *DB) ReadClock(ctx context.Context) error {
	if s.Dialect == SQLite || s.fixedClock {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, clockEvery)
	defer cancel()
	asked := s.localTime()
	var us int64
	if err := s.Pools.Write.QueryRowContext(ctx, "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)").
		Scan(&us); err != nil {
		return fmt.Errorf("read the database's clock: %w", err)
	}
	took := s.localTime().Sub(asked)
	r := clockReading{local: asked.Add(took / 2)}
	r.ahead = r.local.Sub(time.UnixMicro(us))
	r.shared = r.local.Round(0)
	off := r.ahead.Abs() > clockTolerance+took/2
	if off {
		r.shared = time.UnixMicro(us)
	}
	before := s.clock.Swap(&r)
	switch was := before != nil && before.ahead.Abs() > clockTolerance; {
	case off && !was:
		s.Log.Warn("this machine's clock is not the database's; Pitboss goes by the database's", "ahead",
			r.ahead.Round(time.Millisecond).String())
	case was && !off:
		s.Log.Info("this machine's clock agrees with the database's again")
	}
	return nil
}

// followClock reads the database's clock until ctx ends.
func (s *DB) followClock(ctx context.Context) {
	every := time.NewTicker(clockEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			_ = s.ReadClock(ctx) // a database that does not answer is noticed elsewhere
		}
	}
}
