package db

import (
	"context"
	"fmt"
	"time"
)

// One clock for all instances: the database's.
//
// Sums, rules and reports follow the times of postings, whichever instance wrote them. An instance with a wrong clock would
// move them past times at which others have yet to write, or write at times that they have already passed. So each instance
// asks the database for its time, every few seconds and before it reads along the ledger, and uses the database's time if its
// own clock is off by more than a second. In between, it counts with the machine's monotonic clock, which nobody can set.
//
// SQLite has no clock of its own, so the machine's clock is used.

const (
	clockTolerance = time.Second // the machine's clock is used if it differs by no more
	clockEvery     = 10 * time.Second
)

// clockReading is one comparison of the machine's clock with the database's.
type clockReading struct {
	local  time.Time     // the time by the machine's clock
	shared time.Time     // the time by the database's clock, or local if they agree
	ahead  time.Duration // how far the machine's clock is ahead; negative if it is behind
	theirs time.Time     // the time by the database's clock
	moved  string        // whose clock jumped so that they differ: "database", "machine", or "" if unknown
}

// jumped returns whose clock has jumped since an earlier reading, by the machine's monotonic clock, or what that reading knew.
func (r *clockReading) jumped(before *clockReading) string {
	passed := r.local.Sub(before.local) // monotonic
	switch {
	case r.ahead.Abs() <= clockTolerance:
		return ""
	case (r.theirs.Sub(before.theirs) - passed).Abs() > clockTolerance:
		return "database"
	case (r.local.Round(0).Sub(before.local.Round(0)) - passed).Abs() > clockTolerance:
		return "machine"
	}
	return before.moved
}

// Now returns the time by the clock that all instances share, in UTC and microseconds.
func (s *DB) Now() time.Time {
	local := s.localTime()
	if r := s.clock.Load(); r != nil {
		local = r.shared.Add(local.Sub(r.local))
	}
	return local.UTC().Truncate(time.Microsecond)
}

// ClockAhead returns how far this machine's clock was ahead of the database's when they were last compared; it is negative if
// the machine's clock was behind. The program uses the database's clock.
func (s *DB) ClockAhead() time.Duration {
	if r := s.clock.Load(); r != nil {
		return r.ahead
	}
	return 0
}

// ClockFault returns in words how the machine's clock and the database's differ and which of them to set, or "" if they agree.
func (s *DB) ClockFault() string {
	r := s.clock.Load()
	if r == nil || r.ahead.Abs() <= clockTolerance {
		return ""
	}
	by, which := r.ahead.Round(time.Millisecond), "ahead of"
	if by < 0 {
		by, which = -by, "behind"
	}
	set := "one of the two is wrong: compare both machines with a time server (timedatectl), and set that one"
	switch r.moved {
	case "database":
		set = "the database's clock has jumped: set it"
	case "machine":
		set = "this machine's clock has jumped: set it"
	}
	return fmt.Sprintf("%v %s the database's, which Pitboss goes by; %s", by, which, set)
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
	r := clockReading{local: asked.Add(took / 2), theirs: time.UnixMicro(us)}
	r.ahead = r.local.Sub(r.theirs)
	r.shared = r.local.Round(0)
	if r.ahead.Abs() > clockTolerance+took/2 { // the platform page, /readyz and a metric show it
		r.shared = r.theirs
	}
	if before := s.clock.Load(); before != nil {
		r.moved = r.jumped(before)
	}
	s.clock.Store(&r)
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
			_ = s.ReadClock(ctx) // if the database does not answer, that shows elsewhere
		}
	}
}
