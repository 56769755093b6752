package main

import (
	"slices"

	"pitboss/models"
)

const (
	agentID   = "bench"
	secretKey = "the benchmark's secret key"
	ledgerKey = "the benchmark's ledger key" // chains are keyed, as in production

	openingBalance models.Amount = 1_000_000_00
)

// Rates that no machine reaches, in callbacks per second: without writes, and with a write for each.
const (
	fastest       = 150_000
	fastestWrites = 45_000
)

// job returns a measurement of the callbacks at addr.
func (o options) job(addr string, w workload, connections int) job {
	j := job{
		Address: addr, Workload: w, Connections: connections, Duration: o.duration, Players: o.players, Most: fastestWrites,
		AgentID: agentID, SecretKey: secretKey,
	}
	if w == balances {
		j.Most = fastest
	}
	return j
}

// median returns the median of a list that is not empty.
func median(list []float64) float64 {
	values := slices.Sorted(slices.Values(list))
	middle := len(values) / 2
	if len(values)%2 == 0 {
		return (values[middle-1] + values[middle]) / 2
	}
	return values[middle]
}
