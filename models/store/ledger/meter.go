package ledger

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// meter counts the store's work. Attempts are counted per batch rather than per callback. Values such as the length of a queue
// are read when they are collected and cost callbacks nothing.
type meter struct {
	size, seconds prometheus.Histogram
}

func newMeter() *meter {
	return &meter{
		size: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "pitboss_batch_operations", Help: "Operations in one database transaction, committed or not.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, batchCap},
		}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "pitboss_batch_duration_seconds",
			Help:    "Time from the beginning of a database transaction of operations to its commit or failure.",
			Buckets: []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5},
		}),
	}
}

// Metrics returns the store's counts. Collecting them does not use the database.
func (s *Store) Metrics() prometheus.Collector { return metrics{s} }

type metrics struct{ *Store }

// Describe sends nothing: Collect says what there is.
func (metrics) Describe(chan<- *prometheus.Desc) {}

// Collect sends the counts, and the state of queues and pools.
func (s metrics) Collect(ch chan<- prometheus.Metric) {
	s.db.Retries.Collect(ch)
	s.meter.size.Collect(ch)
	s.meter.seconds.Collect(ch)
	send := func(kind prometheus.ValueType, value float64, name, help string, labels ...string) { // each label's name, then its value
		of := prometheus.Labels{}
		for i := 0; i < len(labels); i += 2 {
			of[labels[i]] = labels[i+1]
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("pitboss_"+name, help, nil, of), kind, value)
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	queue := func(name string, waiting, most int, full uint64) {
		send(gauge, float64(waiting), "queue_waiting",
			"Callers that wait in a queue of the store: for a committer, for a read, or set aside until their wallet is free.",
			"queue", name)
		send(gauge, float64(most), "queue_capacity",
			"How many callers a queue has room for. Callers beyond that get no definite answer.", "queue", name)
		send(counter, float64(full), "queue_full_total", "Callers refused because the queue was full.", "queue", name)
	}
	waiting, full := s.operations.waiting.state()
	queue("committers", waiting, s.operations.waiting.length, full)
	waiting, full = s.reader.waiting.state()
	queue("balances", waiting, s.reader.waiting.length, full)
	waiting, full = s.wallets.lookUp.waiting.state()
	queue("players", waiting, s.wallets.lookUp.waiting.length, full)
	_, full = s.operations.aside.state()
	queue("set_aside", int(s.operations.asideNow.Load()), s.operations.aside.length, full)
	send(counter, float64(s.operations.asideAll.Load()), "operations_set_aside_total",
		"Operations that left their batch because another transaction had locked the wallet, or because the batch failed.")
	for name, pool := range map[string]*sql.DB{"money": s.db.Pools.Money, "general": s.db.Pools.Read} {
		stats := pool.Stats()
		for state, n := range map[string]int{"in_use": stats.InUse, "idle": stats.Idle} {
			send(gauge, float64(n), "database_connections",
				"Open connections to the database, by pool: money has the wallets' operations, general has everything else.",
				"pool", name, "state", state)
		}
		send(gauge, float64(stats.MaxOpenConnections), "database_connections_max", "How many connections a pool may open.",
			"pool", name)
		send(counter, float64(stats.WaitCount), "database_connection_waits_total",
			"How often a caller had to wait because all connections of the pool were in use.", "pool", name)
		send(counter, stats.WaitDuration.Seconds(), "database_connection_wait_seconds_total", "Total time of these waits.",
			"pool", name)
	}
}
