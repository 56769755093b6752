package models

import (
	"slices"
	"time"
)

// PlatformCalls tells how one of the platform's calls went lately, by what we keep of each: the newest thousand at most.
type PlatformCalls struct {
	Answered    int           // the platform answered, be it with a refusal
	Failed      int           // there was no answer that could be read
	P95         time.Duration // 95 of 100 answers took no longer; 0 where it is not known
	LastAt      time.Time     // of the newest call; zero where there was none
	LastFailure string        // why the newest call failed, in words; empty where it was answered
}

// PlatformCallLog is how the four calls went (specification, Platform API).
type PlatformCallLog struct {
	GameList       PlatformCalls
	UserAuth       PlatformCalls
	AssignFreeSpin PlatformCalls
	FreeSpinStatus PlatformCalls
	Unasked        int64 // grants about which the last question had no answer
}

// Percentile95 returns the latency that 95 of 100 did not exceed, and 0 of none. It sorts its argument.
func Percentile95(latencies []time.Duration) time.Duration {
	if len(latencies) == 0 {
		return 0
	}
	slices.Sort(latencies)
	return latencies[(len(latencies)*95+99)/100-1]
}
