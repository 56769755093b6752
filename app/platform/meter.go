package platform

import (
	"errors"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// meter counts the outcomes of calls.
type meter struct {
	calls   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

// outcomes are the values of the label: how an attempt may end.
var outcomes = map[Kind]string{
	"": "answered", Refused: "refused", Status: "http_status", Unreadable: "unreadable", Timeout: "timeout",
	Connection: "connection", CircuitOpen: "circuit_open", Cancelled: "cancelled",
}

func newMeter() *meter {
	m := &meter{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pitboss_platform_calls_total",
			Help: "Attempts to call the platform, by call and outcome; circuit_open: nothing was sent.",
		}, []string{"call", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "pitboss_platform_call_duration_seconds", Help: "Time from sending a call to the platform until its outcome.",
			Buckets: []float64{0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30},
		}, []string{"call"}),
	}
	for _, call := range calls {
		for _, outcome := range outcomes {
			m.calls.WithLabelValues(call.label(), outcome)
		}
		m.seconds.WithLabelValues(call.label())
	}
	return m
}

func (c Call) label() string { return strings.TrimPrefix(string(c), "/") }

// sent counts an attempt that was sent.
func (m *meter) sent(call Call, failure *Error, took time.Duration) {
	var kind Kind
	if failure != nil {
		kind = failure.Kind
	}
	m.calls.WithLabelValues(call.label(), outcomes[kind]).Inc()
	m.seconds.WithLabelValues(call.label()).Observe(took.Seconds())
}

// notSent counts a call that failed with err before anything was sent.
func (m *meter) notSent(err error) {
	var e *Error
	if errors.As(err, &e) && e.Kind == CircuitOpen {
		m.calls.WithLabelValues(e.Call.label(), outcomes[e.Kind]).Inc()
	}
}

// Metrics returns the client's metrics.
func (c *Client) Metrics() []prometheus.Collector {
	list := []prometheus.Collector{c.meter.calls, c.meter.seconds}
	for call, circuit := range c.circuits {
		list = append(list, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pitboss_platform_circuit_open",
			Help:        "1 while a call has failed several times in a row, so that it is not sent; otherwise 0.",
			ConstLabels: prometheus.Labels{"call": call.label()}}, func() float64 {
			if circuit.IsClosed() {
				return 0
			}
			return 1
		}))
	}
	return list
}
