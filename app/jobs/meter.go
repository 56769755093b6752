package jobs

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Meter counts the runs of jobs. It is a prometheus.Collector. A nil *Meter counts nothing.
//
// The label is called task because Prometheus uses the label job for the scraped target.
type Meter struct {
	mu    sync.Mutex
	tasks map[string]*task
}

type task struct {
	every                        time.Duration
	succeeded, failed, elsewhere uint64
	spent                        time.Duration
	lastSuccess                  time.Time
}

// NewMeter returns a meter without jobs. Schedule.Run adds those that it runs.
func NewMeter() *Meter { return &Meter{tasks: map[string]*task{}} }

// Names returns the names of the jobs.
func (m *Meter) Names() (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.tasks {
		names = append(names, name)
	}
	return names
}

func (m *Meter) add(list []Job) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, job := range list {
		m.tasks[job.Name] = &task{every: job.Every}
	}
}

// ran counts a run that began at a time and has just ended. If held is false, another instance was running the job.
func (m *Meter) ran(name string, began time.Time, held bool, err error) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t, now := m.tasks[name], time.Now()
	switch {
	case err != nil:
		t.failed++
	case !held:
		t.elsewhere++
		return
	default:
		t.succeeded++
		t.lastSuccess = now
	}
	t.spent += now.Sub(began)
}

var (
	runsDesc = prometheus.NewDesc("pitboss_job_runs_total",
		"Runs of background jobs by this instance, by outcome; elsewhere: another instance was running the job.",
		[]string{"task", "outcome"}, nil)
	successDesc = prometheus.NewDesc("pitboss_job_last_success_timestamp_seconds",
		"When this instance last ran the job successfully; 0: not since it started. Take the maximum over all instances.",
		[]string{"task"}, nil)
	intervalDesc = prometheus.NewDesc("pitboss_job_interval_seconds",
		"Time between two runs of a job.", []string{"task"}, nil)
	spentDesc = prometheus.NewDesc("pitboss_job_seconds_total",
		"Time that this instance has spent in runs of the job.", []string{"task"}, nil)
)

// Describe sends the descriptions of all metrics.
func (m *Meter) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{runsDesc, successDesc, intervalDesc, spentDesc} {
		ch <- d
	}
}

// Collect sends the counts.
func (m *Meter) Collect(ch chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, t := range m.tasks {
		for outcome, n := range map[string]uint64{"succeeded": t.succeeded, "failed": t.failed, "elsewhere": t.elsewhere} {
			ch <- prometheus.MustNewConstMetric(runsDesc, prometheus.CounterValue, float64(n), name, outcome)
		}
		last := 0.0
		if !t.lastSuccess.IsZero() {
			last = float64(t.lastSuccess.UnixMilli()) / 1000
		}
		ch <- prometheus.MustNewConstMetric(successDesc, prometheus.GaugeValue, last, name)
		ch <- prometheus.MustNewConstMetric(intervalDesc, prometheus.GaugeValue, t.every.Seconds(), name)
		ch <- prometheus.MustNewConstMetric(spentDesc, prometheus.CounterValue, t.spent.Seconds(), name)
	}
}
