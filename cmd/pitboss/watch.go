package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/models"
	"pitboss/models/store"
)

// watchEvery is how often metrics are read from the database, no matter how often they are scraped.
const watchEvery = 15 * time.Second

// watch reads metrics that only the database has, such as waiting work and the time of the last verification. Scrapes get the
// last values. It is a prometheus.Collector.
type watch struct {
	store *store.Store
	tasks func() []string         // names of the jobs whose holders are reported
	last  atomic.Pointer[watched] // nil before the first reading
}

// watched has the values of one reading.
type watched struct {
	store.Backlog
	at time.Time
}

// read reads the values. If that fails, the last ones stay.
func (w *watch) read(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchEvery)
	defer cancel()
	backlog, err := w.store.Backlog(ctx, w.tasks())
	if err != nil {
		return err
	}
	w.last.Store(&watched{Backlog: backlog, at: time.Now()})
	return nil
}

// Describe sends nothing, so the metrics of Collect are unchecked.
func (w *watch) Describe(chan<- *prometheus.Desc) {}

// Collect sends the last values. Before the first reading the time is 0, and everything else is left out.
func (w *watch) Collect(ch chan<- prometheus.Metric) {
	gauge := func(value float64, name, help string, labels ...string) { // each label's name, then its value
		of := prometheus.Labels{}
		for i := 0; i < len(labels); i += 2 {
			of[labels[i]] = labels[i+1]
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("pitboss_"+name, help, nil, of), prometheus.GaugeValue, value)
	}
	gauge(w.store.ClockAhead().Seconds(), "clock_difference_seconds",
		"By how much this instance's clock is ahead of the database's, compared every 10 seconds; negative: behind it.")
	last, at := w.last.Load(), time.Time{}
	if last != nil {
		at = last.at
	}
	gauge(unixSeconds(at), "database_metrics_timestamp_seconds",
		"When the metrics that come from the database were last read; they are read every 15 seconds.")
	if last == nil {
		return
	}
	open := map[models.CaseRule]models.CaseBacklog{}
	for _, b := range last.Cases {
		open[b.Rule] = b
	}
	for _, rule := range models.CaseRules {
		gauge(float64(open[rule].N), "cases_open", "Open cases, by the rule that found them, counted up to 1000.", "rule", rule.String())
		gauge(unixSeconds(open[rule].Oldest), "cases_oldest_timestamp_seconds",
			"When the oldest open case of a rule was found; 0: none is open.", "rule", rule.String())
	}
	gauge(float64(last.Corrections), "corrections_waiting", "Corrections that wait for a second person, counted up to 1000.")
	gauge(unixSeconds(last.CorrectionAt), "corrections_oldest_timestamp_seconds",
		"When the oldest waiting correction was requested; 0: none waits.")
	for role, n := range last.UnsignedDays {
		gauge(float64(n), "days_unsigned", "Days that have ended and that a role has not signed, counted up to 31.", "role", string(role))
	}
	gauge(float64(last.UnknownGrants), "grants_unknown", "Unconfirmed grants that wait for a person.")
	for state, n := range map[string]int{"waiting": int(last.Notices), "failed": int(last.FailedNotices)} {
		gauge(float64(n), "notices", "Notices that wait to be sent, and those that were given up (failed), counted up to 1000.",
			"state", state)
	}
	gauge(unixSeconds(last.CheckpointAt), "checkpoint_timestamp_seconds",
		"When the newest checkpoint that was delivered to the folder was written; 0: there is none.")
	gauge(unixSeconds(last.VerifiedAt), "verification_timestamp_seconds",
		"When the newest verification of the whole ledger ended; 0: there is none.")
	gauge(float64(last.Faults), "verification_faults", "Faults that the newest verification found in the ledger.")
	for _, lease := range last.Leases {
		held := 0.0
		if lease.Held {
			held = 1
		}
		gauge(held, "job_holder", "Which instance ran a job last: 1 while it is running the job, otherwise 0.", "task", lease.Name,
			"holder", lease.Holder)
	}
}

// unixSeconds returns a time in seconds since 1970; 0 for none.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMicro()) / 1e6
}
