package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pitboss/callbacks/listener"
)

// metricsServer serves /metrics on a separate listener. The back office may be behind a proxy, so that every request seems to
// come from the proxy's address. Here the peer is the client, and a peer that is not allowed is disconnected at accept.
type metricsServer struct {
	http.Server
	listener net.Listener
	watch    *watch
}

// newMetrics opens the metrics listener, or returns nil if the settings have no address.
func (s *Server) newMetrics() (*metricsServer, error) {
	settings := s.settings.Metrics
	if settings.Addr == "" {
		return nil, nil
	}
	guard := listener.New(listener.Config{Name: "metrics", Allow: settings.MetricsAllow, MaxConnections: 64, PerAddress: 16,
		Log: s.log})
	registry := prometheus.NewRegistry()
	watch := &watch{store: s.store, tasks: s.jobs.Names}
	guards, more := listener.Guards{s.callbacks.Guard(), s.site.Guard(), guard}, s.site.Metrics()
	if s.api != nil {
		guards, more = append(guards, s.api.Guard()), append(more, s.api.Metrics())
	}
	for _, c := range slices.Concat(more, s.services.platform.Metrics(), s.jobs.Metrics(), []prometheus.Collector{
		s.callbacks.Counters(), guards, s.readyGauge(), s.triggersGauge(),
		s.store.Metrics(),
		watch, buildInfo(),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}) {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	ln, err := net.Listen("tcp", settings.Addr)
	if err != nil {
		return nil, fmt.Errorf("metrics listener: %w", err)
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	return &metricsServer{
		Server: http.Server{
			Handler: routes, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
			MaxHeaderBytes: 8 << 10,
		},
		listener: guard.Listener(ln), watch: watch,
	}, nil
}

// buildInfo returns a metric that is always 1; its labels say what is running.
func buildInfo() prometheus.Collector {
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "pitboss_build_info",
		Help: "Always 1; the labels are the versions of the program and of Go.",
		ConstLabels: prometheus.Labels{
			"version": version, "goversion": runtime.Version(),
		},
	})
	build.Set(1)
	return build
}

// URL returns the address at which the metrics are served.
func (m *metricsServer) URL() string { return "http://" + m.listener.Addr().String() + "/metrics" }

// Close closes the listener and every connection.
func (m *metricsServer) Close() error { return errors.Join(m.Server.Close(), m.listener.Close()) }

func (m *metricsServer) serve() error {
	if err := m.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}
