package store

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Read replicas; models/store/db/replicas.go says how they are used.

// ErrOtherHistory means that a database is no replica of this one.
var ErrOtherHistory = db.ErrOtherHistory

// CheckReplicaURL returns what is wrong with the URL of replicas, without its password.
func CheckReplicaURL(raw string) error { return db.CheckReplicaURL(raw) }

// FromReplica calls read with a context whose reads come from a replica that has everything from before since, for which it
// waits as long as wait; without such a replica, or if read fails there, with one whose reads come from the primary.
func (s *Store) FromReplica(ctx context.Context, since time.Time, wait time.Duration,
	read func(context.Context) error) error {
	return s.db.FromReplica(ctx, since, wait, read)
}

// AsOf returns the time up to which what a context reads is complete, and whether it comes from a replica.
func (s *Store) AsOf(ctx context.Context) (at time.Time, replica bool) { return s.db.AsOf(ctx) }

// OnPrimary returns a context whose reads go to the primary.
func (*Store) OnPrimary(ctx context.Context) context.Context { return db.OnPrimary(ctx) }

// ReadingOnce returns a context for one request that changes nothing: settings, counts and the like that it asks for twice are
// read once.
func (*Store) ReadingOnce(ctx context.Context) context.Context { return db.ReadingOnce(ctx) }

// Now is the time that all instances share.
func (s *Store) Now() time.Time { return s.db.Now() }

// Replicas returns what is known of each replica.
func (s *Store) Replicas() []models.ReplicaState { return s.db.Replicas() }

// CheckReplicas looks at each replica of cfg, and returns what is in the way of using it. It writes nothing.
func (s *Store) CheckReplicas(ctx context.Context, cfg Config) (problems []error, err error) {
	return s.db.CheckReplicas(ctx, cfg)
}

var (
	replicasDesc = prometheus.NewDesc("pitboss_replicas",
		"Read replicas by state: those that are used, and those that do not answer, are too far behind or are not replicas.",
		[]string{"state"}, nil)
	replicaLagDesc = prometheus.NewDesc("pitboss_replica_lag_seconds",
		"How far the read replica that has come furthest is behind the primary, by a time that is written there every second; "+
			"0 without replicas.", nil, nil)
	replicaReadsDesc = prometheus.NewDesc("pitboss_replica_reads_total",
		"Pages, exports, verifications and searches for cases that a replica could serve, by what served them.",
		[]string{"source"}, nil)
	replicaFailuresDesc = prometheus.NewDesc("pitboss_replica_failures_total",
		"Reads that failed on a replica and were repeated on the primary.", nil, nil)
)

// ReplicaMetrics returns what is known of the replicas. Collecting it asks no database.
func (s *Store) ReplicaMetrics() prometheus.Collector { return replicaMetrics{s} }

type replicaMetrics struct{ *Store }

// Describe sends the descriptions.
func (s replicaMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{replicasDesc, replicaLagDesc, replicaReadsDesc, replicaFailuresDesc} {
		ch <- d
	}
}

// Collect sends the state and the counts.
func (s replicaMetrics) Collect(ch chan<- prometheus.Metric) {
	used, unused := 0, 0
	var newest time.Time
	for _, r := range s.Replicas() {
		if r.Why == "" {
			used++
		} else {
			unused++
		}
		if r.At.After(newest) {
			newest = r.At
		}
	}
	lag := 0.0
	if !newest.IsZero() {
		lag = s.Now().Sub(newest).Seconds()
	}
	replica, primary, failed := s.db.ReplicaCounts()
	ch <- prometheus.MustNewConstMetric(replicasDesc, prometheus.GaugeValue, float64(used), "used")
	ch <- prometheus.MustNewConstMetric(replicasDesc, prometheus.GaugeValue, float64(unused), "unused")
	ch <- prometheus.MustNewConstMetric(replicaLagDesc, prometheus.GaugeValue, lag)
	ch <- prometheus.MustNewConstMetric(replicaReadsDesc, prometheus.CounterValue, float64(replica), "replica")
	ch <- prometheus.MustNewConstMetric(replicaReadsDesc, prometheus.CounterValue, float64(primary), "primary")
	ch <- prometheus.MustNewConstMetric(replicaFailuresDesc, prometheus.CounterValue, float64(failed))
}
