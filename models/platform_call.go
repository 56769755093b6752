package models

import (
	"slices"
	"time"
)

// PlatformCalls summarizes recent calls of one kind to the platform: the newest stored ones, up to a thousand.
type PlatformCalls struct {
	Answered    int           // how many the platform answered, including refusals
	Failed      int           // how many got no readable answer
	P95         time.Duration // the 95th percentile of latency; 0 if unknown
	More        bool          // there were more: the figures are those of the latest calls
	LastAt      time.Time     // of the newest call; zero if there was none
	LastFailure string        // why the newest call failed; empty if it was answered
}

// PlatformCallLog summarizes the four kinds of calls (specification, Platform API).
type PlatformCallLog struct {
	GameList       PlatformCalls
	UserAuth       PlatformCalls
	AssignFreeSpin PlatformCalls
	FreeSpinStatus PlatformCalls
	Unasked        int64 // grants whose last poll got no answer
}

// Percentile95 returns the 95th percentile of latencies, or 0 if there are none. It sorts its argument.
func Percentile95(latencies []time.Duration) time.Duration {
	if len(latencies) == 0 {
		return 0
	}
	slices.Sort(latencies)
	return latencies[(len(latencies)*95+99)/100-1]
}
