package callbacks

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// maxResult is the highest result code.
const maxResult = wire.DuplicateTransaction

// Counters counts answers since the start of the program. It is a prometheus.Collector whose labels are endpoints, never paths.
type Counters struct {
	byEndpoint  [5]endpointCounters
	keys        [2]keyCounters     // the secret key and the previous one
	refusals    [600]atomic.Uint64 // requests that were not callbacks, by HTTP status
	unjournaled atomic.Uint64
}

type endpointCounters struct {
	results [maxResult + 1]atomic.Uint64
	outages atomic.Uint64
	seconds prometheus.Histogram
}

type keyCounters struct {
	signed atomic.Uint64
	last   atomic.Int64 // when the latest of them arrived, in microseconds since 1970; 0 for never
}

func newCounters() *Counters {
	c := &Counters{}
	for _, e := range wire.Endpoints() {
		c.byEndpoint[e].seconds = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "pitboss_callback_duration_seconds",
			Help: "Time from a callback's arrival to its answer, by endpoint.", ConstLabels: prometheus.Labels{"endpoint": e.String()},
			Buckets: []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5}})
	}
	return c
}

// Keys returns how the secret key and the previous secret key were used.
func (c *Counters) Keys() (current, previous models.KeyUse) {
	use := func(k *keyCounters) models.KeyUse {
		u := models.KeyUse{Signed: k.signed.Load()}
		if us := k.last.Load(); us != 0 {
			u.Last = time.UnixMicro(us).UTC()
		}
		return u
	}
	return use(&c.keys[0]), use(&c.keys[1])
}

// Answered returns how many callbacks of this endpoint got this result as a definite answer.
func (c *Counters) Answered(e wire.Endpoint, r wire.Result) uint64 {
	return c.byEndpoint[e].results[r].Load()
}

// Outages returns how many callbacks of this endpoint got no definite answer.
func (c *Counters) Outages(e wire.Endpoint) uint64 { return c.byEndpoint[e].outages.Load() }

// Counts returns all counts as they are now.
func (c *Counters) Counts() models.CallbackCounts {
	counts := models.CallbackCounts{Answers: map[models.CallbackAnswer]uint64{}}
	answered := func(endpoint string, result int, n uint64) {
		if n > 0 {
			counts.Answers[models.CallbackAnswer{Endpoint: endpoint, Result: result}] = n
		}
	}
	for _, e := range wire.Endpoints() {
		counters := &c.byEndpoint[e]
		for r := range counters.results {
			answered(e.String(), r, counters.results[r].Load())
		}
		answered(e.String(), models.NoAnswer, counters.outages.Load())
	}
	for status := range c.refusals {
		answered("", status, c.refusals[status].Load())
	}
	return counts
}

// answered counts one callback and its latency.
func (c *Counters) answered(e wire.Endpoint, said reply, took time.Duration) {
	counters := &c.byEndpoint[e]
	if said.verdict != models.VerdictNoAnswer {
		counters.results[said.result].Add(1)
	} else {
		counters.outages.Add(1)
	}
	counters.seconds.Observe(took.Seconds())
}

// refused counts one request that was not a callback.
func (c *Counters) refused(status int) { c.refusals[status].Add(1) }

// Refused returns how many requests that were not callbacks got this HTTP status.
func (c *Counters) Refused(status int) uint64 { return c.refusals[status].Load() }

var (
	answersDesc = prometheus.NewDesc("pitboss_callback_answers_total",
		"Callbacks answered, by endpoint and result code; result none: there was no definite answer.",
		[]string{"endpoint", "result"}, nil)
	refusalsDesc = prometheus.NewDesc("pitboss_callback_refusals_total",
		"Requests to the callback listener that were not callbacks, by HTTP status.", []string{"status"}, nil)
	signedDesc = prometheus.NewDesc("pitboss_callback_signatures_total",
		"Callbacks with a valid signature, by key: the secret key (current) or PITBOSS_SECRET_KEY_PREVIOUS (previous).",
		[]string{"key"}, nil)
	unjournaledDesc = prometheus.NewDesc("pitboss_callback_journal_left_out_total",
		"Callbacks, or answers to them, missing from the callback log because too many arrived at once.", nil, nil)
)

// Describe sends nothing: Collect says what there is.
func (c *Counters) Describe(chan<- *prometheus.Desc) {}

// Collect sends the current counts.
func (c *Counters) Collect(ch chan<- prometheus.Metric) {
	counter := func(desc *prometheus.Desc, n uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(n), labels...)
	}
	for _, e := range wire.Endpoints() {
		counters := &c.byEndpoint[e]
		for r := range counters.results {
			if n := counters.results[r].Load(); n > 0 {
				counter(answersDesc, n, e.String(), strconv.Itoa(r))
			}
		}
		counter(answersDesc, counters.outages.Load(), e.String(), "none")
		ch <- counters.seconds
	}
	for status := range c.refusals {
		if n := c.refusals[status].Load(); n > 0 {
			counter(refusalsDesc, n, strconv.Itoa(status))
		}
	}
	counter(signedDesc, c.keys[0].signed.Load(), "current")
	counter(signedDesc, c.keys[1].signed.Load(), "previous")
	counter(unjournaledDesc, c.unjournaled.Load())
}
