package jobs

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Meter counts the runs of jobs. A nil *Meter counts nothing.
//
// The label is called task because Prometheus uses the label job for the scraped target.
type Meter struct {
	runs, spent       *prometheus.CounterVec
	success, interval *prometheus.GaugeVec

	mu    sync.Mutex
	names []string
}

// NewMeter returns a meter without jobs. Schedule.Run adds those that it runs.
func NewMeter() *Meter {
	return &Meter{
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pitboss_job_runs_total",
			Help: "Runs of background jobs by this instance, by outcome; elsewhere: another instance was running the job."},
			[]string{"task", "outcome"}),
		spent: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pitboss_job_seconds_total",
			Help: "Time that this instance has spent in runs of the job."}, []string{"task"}),
		success: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pitboss_job_last_success_timestamp_seconds",
			Help: "When this instance last ran the job successfully; 0: not since it started. Take the maximum over all instances."},
			[]string{"task"}),
		interval: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pitboss_job_interval_seconds", Help: "Time between two runs of a job."},
			[]string{"task"}),
	}
}

// Metrics returns the metrics to register.
func (m *Meter) Metrics() []prometheus.Collector {
	return []prometheus.Collector{m.runs, m.spent, m.success, m.interval}
}

// Names returns the names of the jobs.
func (m *Meter) Names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.names)
}

func (m *Meter) add(list []Job) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, job := range list {
		m.names = append(m.names, job.Name)
		m.interval.WithLabelValues(job.Name).Set(job.Every.Seconds())
		m.success.WithLabelValues(job.Name)
		m.spent.WithLabelValues(job.Name)
		for _, outcome := range []string{"succeeded", "failed", "elsewhere"} {
			m.runs.WithLabelValues(job.Name, outcome)
		}
	}
}

// ran counts a run that began at a time and has just ended. If held is false, another instance was running the job.
func (m *Meter) ran(name string, began time.Time, held bool, err error) {
	if m == nil {
		return
	}
	switch {
	case err == nil && !held:
		m.runs.WithLabelValues(name, "elsewhere").Inc()
		return
	case err != nil:
		m.runs.WithLabelValues(name, "failed").Inc()
	default:
		m.runs.WithLabelValues(name, "succeeded").Inc()
		m.success.WithLabelValues(name).SetToCurrentTime()
	}
	m.spent.WithLabelValues(name).Add(time.Since(began).Seconds())
}
