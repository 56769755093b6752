// Package meter counts the requests of the back office.
package meter

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"
)

// Meter counts requests. Its label area is the first part of a route's path, never of an address that somebody has typed:
// /players/12/ledger is in the area players, and / in the area overview.
type Meter struct {
	seconds  *prometheus.HistogramVec
	requests *prometheus.CounterVec
}

// noArea is the area of requests that reached no page.
const noArea = "none"

// New returns a meter with a count of zero for every class of HTTP status.
func New() *Meter {
	m := &Meter{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "pitboss_admin_request_duration_seconds",
			Help:    "Time to answer a request of the back office, by area: the first part of a page's path.",
			Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
		}, []string{"area"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "pitboss_admin_requests_total", Help: "Requests that the back office answered, by class of HTTP status.",
		}, []string{"status"}),
	}
	for class := 2; class <= 5; class++ {
		m.requests.WithLabelValues(statusClass(class * 100))
	}
	return m
}

func statusClass(status int) string { return strconv.Itoa(status/100) + "xx" }

type areaKey struct{}

// Area makes requests of a route count in its area.
func (m *Meter) Area(path string, next fiber.Handler) fiber.Handler {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if name == "" {
		name = "overview"
	}
	m.seconds.WithLabelValues(name)
	return func(c *fiber.Ctx) error {
		c.Context().SetUserValue(areaKey{}, name)
		return next(c)
	}
}

// Measure counts every request that next answers.
func (m *Meter) Measure(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		began := time.Now()
		next(ctx)
		area, ok := ctx.UserValue(areaKey{}).(string)
		if !ok {
			area = noArea
		}
		m.seconds.WithLabelValues(area).Observe(time.Since(began).Seconds())
		m.requests.WithLabelValues(statusClass(ctx.Response.StatusCode())).Inc()
	}
}

// Metrics returns the metrics to register.
func (m *Meter) Metrics() []prometheus.Collector {
	return []prometheus.Collector{m.seconds, m.requests}
}
