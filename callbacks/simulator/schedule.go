package simulator

import (
	"sync"
	"time"
)

// schedule determines when calls are due: at even intervals from the first. It never skips a call: after an outage, the calls
// that became due during it follow immediately, so a slow wallet does not reduce the number of calls.
type schedule struct {
	rate float64 // calls per second; 0 means that a call is due as soon as next is called

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

// await waits until the next call is due or play is over, and returns the time at which it was due.
func (r *run) await() time.Time {
	if r.playing == nil { // opening balances are read before play begins
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
