package simulator

import (
	"sync"
	"time"
)

// schedule says when calls are due, at even intervals from the first one on. It never skips a time: after an outage the calls
// that were due meanwhile follow at once, so that a slow wallet cannot make play slower.
type schedule struct {
	rate float64 // calls per second; 0 means that each is due when somebody asks

	mu    sync.Mutex
	begun time.Time
	given int
}

// next returns when the next call is due.
func (s *schedule) next() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rate == 0 {
		return time.Now()
	}
	if s.given == 0 {
		s.begun = time.Now()
	}
	at := s.begun.Add(time.Duration(float64(s.given) / s.rate * float64(time.Second)))
	s.given++
	return at
}

// await waits until the next call is due, or play is over, and returns when it was due.
func (r *run) await() time.Time {
	if r.playing == nil { // the balances with which the books open
		return time.Now()
	}
	due := r.due.next()
	select {
	case <-r.playing:
		return time.Now()
	case <-time.After(time.Until(due)):
		return due
	}
}
