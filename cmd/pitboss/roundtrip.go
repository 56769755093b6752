package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/models/store"
)

// An attempt consists of several consecutive round trips, so if each takes long, callbacks miss their deadline however fast the
// database is.

// roundTrip is the last measured time of a message to the database and its answer.
type roundTrip struct {
	store    *store.Store
	log      *slog.Logger
	deadline time.Duration // of a callback
	last     atomic.Int64  // nanoseconds; 0 if not measured
	warned   bool
}

func newRoundTrip(s *store.Store, deadline time.Duration, log *slog.Logger) *roundTrip {
	return &roundTrip{store: s, log: log, deadline: deadline}
}

// longest returns the longest round trip with which callbacks still meet their deadline.
func (r *roundTrip) longest() time.Duration { return r.store.LongestRoundTrip(r.deadline) }

// watch measures immediately and then every minute, until ctx ends.
func (r *roundTrip) watch(ctx context.Context) {
	for every := time.NewTicker(time.Minute); ; {
		r.measure(ctx)
		select {
		case <-ctx.Done():
			every.Stop()
			return
		case <-every.C:
		}
	}
}

// measure measures, and logs when callbacks can no longer meet their deadline, or can again. /readyz reports a database that
// does not answer.
func (r *roundTrip) measure(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	d, err := r.store.RoundTrip(ctx)
	if err != nil || d == 0 {
		return
	}
	first := r.last.Swap(int64(d)) == 0
	longest := r.longest()
	switch far := d > longest; {
	case far && !r.warned:
		r.log.Warn("The round trip to the database is too long for PITBOSS_CALLBACK_DEADLINE: callbacks will fail when many "+
			"arrive at once.",
			"round trip", d, "longest", longest)
	case !far && (first || r.warned):
		r.log.Info("Round trip to the database.", "round trip", d, "longest", longest)
	}
	r.warned = d > longest
}

// String returns how long the round trip is and how long it may be, or an empty string before the first measurement.
func (r *roundTrip) String() string {
	d, longest := time.Duration(r.last.Load()), r.longest()
	switch {
	case d == 0:
		return ""
	case d > longest:
		return fmt.Sprintf("%v, too long: with PITBOSS_CALLBACK_DEADLINE it may be %v", rounded(d), rounded(longest))
	}
	return fmt.Sprintf("%v, of at most %v", rounded(d), rounded(longest))
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// gauges returns metrics of the round trip and its limit.
func (r *roundTrip) gauges() []prometheus.Collector {
	gauge := func(name, help string, value func() time.Duration) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value().Seconds() })
	}
	return []prometheus.Collector{
		gauge("pitboss_database_round_trip_seconds",
			"How long a message to the database and its answer take, measured every minute.",
			func() time.Duration { return time.Duration(r.last.Load()) }),
		gauge("pitboss_database_round_trip_limit_seconds",
			"The longest round trip with which callbacks can meet their deadline.",
			r.longest),
	}
}
