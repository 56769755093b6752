package models

import "time"

// How often the platform is asked how many free spins of a grant have been used.

// firstPoll is how long after the grant the platform is first asked. Each further poll waits twice as long, up to longestPoll.
const (
	firstPoll   = time.Minute
	longestPoll = 6 * time.Hour
)

// PollAfter returns how long to wait for the next poll after this many answered polls.
func PollAfter(polls int) time.Duration {
	if polls > 16 {
		return longestPoll
	}
	return min(firstPoll<<max(polls, 0), longestPoll)
}
