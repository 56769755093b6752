package store

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/models"
	"pitboss/models/store/db"
)

// Read replicas; models/store/db/replicas.go says how they are used.

// ErrOtherHistory means that a database is not a replica of this one.
var ErrOtherHistory = db.ErrOtherHistory

// CheckReplicaURL returns an error that says what is wrong with the URL of replicas, without its password.
func CheckReplicaURL(raw string) error { return db.CheckReplicaURL(raw) }

// FromReplica calls read with a context whose reads come from a replica. The replica must have everything from before since;
// FromReplica waits for such a replica, for wait at most. If there is none, or if read fails on it, FromReplica calls read with
// a context whose reads come from the primary.
func (s *Store) FromReplica(ctx context.Context, since time.Time, wait time.Duration,
	read func(context.Context) error) error {
	return s.db.FromReplica(ctx, since, wait, read)
}

// AsOf returns the time up to which reads with this context are complete, and reports whether they come from a replica.
func (s *Store) AsOf(ctx context.Context) (at time.Time, replica bool) { return s.db.AsOf(ctx) }

// OnPrimary returns a context whose reads go to the primary.
func (*Store) OnPrimary(ctx context.Context) context.Context { return db.OnPrimary(ctx) }

// ReadingOnce returns a context for one request that changes nothing: settings, counts and the like that the request asks for
// twice are only read once.
func (*Store) ReadingOnce(ctx context.Context) context.Context { return db.ReadingOnce(ctx) }

// Now returns the time that all instances share.
func (s *Store) Now() time.Time { return s.db.Now() }

// Replicas returns what is known of each replica.
func (s *Store) Replicas() []models.ReplicaState { return s.db.Replicas() }

// CheckReplicas checks each replica of cfg, and returns what prevents its use. It writes nothing.
func (s *Store) CheckReplicas(ctx context.Context, cfg Config) (problems []error, err error) {
	return s.db.CheckReplicas(ctx, cfg)
}

var (
	replicasDesc = prometheus.NewDesc("pitboss_replicas",
		"Read replicas by state: used, or unused because they do not answer, are too far behind or are not replicas.",
		[]string{"state"}, nil)
	replicaLagDesc = prometheus.NewDesc("pitboss_replica_lag_seconds",
		"How far the most up-to-date read replica is behind the primary, by a time that the primary writes every second; "+
			"0 without replicas.", nil, nil)
	replicaReadsDesc = prometheus.NewDesc("pitboss_replica_reads_total",
		"Pages, exports, verifications and searches for cases that a replica could serve, by the source that served them.",
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
