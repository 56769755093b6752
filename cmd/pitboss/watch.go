package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/models"
	"pitboss/models/store"
)

// watchEvery is how often metrics are read from the database, no matter how often they are scraped.
const watchEvery = 15 * time.Second

// watch reads metrics that only the database has: what waits for people, and when the ledger was last verified. Scrapes get the
// last values. It is a prometheus.Collector.
type watch struct {
	store *store.Store
	tasks func() []string // names of the jobs whose holders are reported
	log   *slog.Logger
	last  atomic.Pointer[watched] // nil before the first reading
}

// watched has the values of one reading.
type watched struct {
	store.Backlog
	at time.Time
}

// run reads immediately and then at intervals, until ctx ends.
func (w *watch) run(ctx context.Context) {
	every := time.NewTicker(watchEvery)
	defer every.Stop()
	failing := false
	for {
		err := w.read(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			w.log.Error("The metrics could not be read from the database; they keep their last values.", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

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

func gaugeDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pitboss_"+name, help, labels, nil)
}

var (
	readDesc = gaugeDesc("database_metrics_timestamp_seconds",
		"When the metrics that come from the database were last read; they are read every 15 seconds.")
	clockDesc = gaugeDesc("clock_difference_seconds",
		"By how much this instance's clock is ahead of the database's, compared every 10 seconds; negative: behind it.")
	casesDesc = gaugeDesc("cases_open",
		"Open cases, by the rule that found them, counted up to 1000.", "rule")
	oldestCaseDesc = gaugeDesc("cases_oldest_timestamp_seconds",
		"When the oldest open case of a rule was found; 0: none is open.", "rule")
	correctionsDesc = gaugeDesc("corrections_waiting",
		"Corrections that wait for a second person, counted up to 1000.")
	correctionDesc = gaugeDesc("corrections_oldest_timestamp_seconds",
		"When the oldest waiting correction was requested; 0: none waits.")
	unsignedDesc = gaugeDesc("days_unsigned",
		"Days that have ended and that a role has not signed, counted up to 31.", "role")
	grantsDesc = gaugeDesc("grants_unknown",
		"Unconfirmed grants that wait for a person.")
	noticesDesc = gaugeDesc("notices",
		"Notices that wait to be sent, and those that were given up (failed), counted up to 1000.", "state")
	checkpointDesc = gaugeDesc("checkpoint_timestamp_seconds",
		"When the newest checkpoint that reached its folder or webhook was written; 0: there is none.")
	verificationDesc = gaugeDesc("verification_timestamp_seconds",
		"When the newest verification of the whole ledger ended; 0: there is none.")
	faultsDesc = gaugeDesc("verification_faults",
		"Faults that the newest verification found in the ledger.")
	holderDesc = gaugeDesc("job_holder",
		"Which instance ran a job last: 1 while it is running the job, otherwise 0.", "task", "holder")
)

// Describe sends the descriptions of all metrics.
func (w *watch) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		readDesc, clockDesc, casesDesc, oldestCaseDesc, correctionsDesc, correctionDesc, unsignedDesc, grantsDesc, noticesDesc,
		checkpointDesc, verificationDesc, faultsDesc, holderDesc,
	} {
		ch <- d
	}
}

// Collect sends the last values. Before the first reading the time is 0, and everything else is left out.
func (w *watch) Collect(ch chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(clockDesc, w.store.ClockAhead().Seconds())
	last := w.last.Load()
	if last == nil {
		gauge(readDesc, 0)
		return
	}
	gauge(readDesc, unixSeconds(last.at))
	open := map[models.CaseRule]models.CaseBacklog{}
	for _, b := range last.Cases {
		open[b.Rule] = b
	}
	for _, rule := range models.CaseRules {
		gauge(casesDesc, float64(open[rule].N), rule.String())
		gauge(oldestCaseDesc, unixSeconds(open[rule].Oldest), rule.String())
	}
	gauge(correctionsDesc, float64(last.Corrections))
	gauge(correctionDesc, unixSeconds(last.CorrectionAt))
	for role, n := range last.UnsignedDays {
		gauge(unsignedDesc, float64(n), string(role))
	}
	gauge(grantsDesc, float64(last.UnknownGrants))
	gauge(noticesDesc, float64(last.Notices), "waiting")
	gauge(noticesDesc, float64(last.FailedNotices), "failed")
	gauge(checkpointDesc, unixSeconds(last.CheckpointAt))
	gauge(verificationDesc, unixSeconds(last.VerifiedAt))
	gauge(faultsDesc, float64(last.Faults))
	for _, lease := range last.Leases {
		held := 0.0
		if lease.Held {
			held = 1
		}
		gauge(holderDesc, held, lease.Name, lease.Holder)
	}
}

// unixSeconds returns a time in seconds since 1970; 0 for none.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMicro()) / 1e6
}
