package listener

import "github.com/prometheus/client_golang/prometheus"

var (
	rejectedDesc = prometheus.NewDesc("pitboss_connections_rejected_total",
		"Connections (and, with reason busy, requests) turned away, by listener and reason.", []string{"listener", "reason"},
		nil)
	openDesc = prometheus.NewDesc("pitboss_connections_open", "Open connections, by listener.", []string{"listener"}, nil)
)

// Guards is a prometheus.Collector of the counts of several guards.
type Guards []*Guard

// Describe sends nothing: Collect says what there is.
func (Guards) Describe(chan<- *prometheus.Desc) {}

// Collect sends the counts.
func (list Guards) Collect(ch chan<- prometheus.Metric) {
	for _, g := range list {
		for r := range reasons {
			ch <- prometheus.MustNewConstMetric(rejectedDesc, prometheus.CounterValue, float64(g.Rejected(r)), g.Name,
				r.String())
		}
		ch <- prometheus.MustNewConstMetric(openDesc, prometheus.GaugeValue, float64(g.Open()), g.Name)
	}
}
