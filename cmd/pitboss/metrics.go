package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pitboss/callbacks/listener"
)

// metricsServer serves /metrics on a listener of its own. The back office may be behind a proxy, where every request seems to come from
// the proxy's address; here the peer is whoever asks, and a peer that is not allowed is cut off at accept.
type metricsServer struct {
	http.Server
	listener net.Listener
}

// newMetrics listens where the settings say; nil means that they say nothing.
func (s *Server) newMetrics() (*metricsServer, error) {
	settings := s.settings.Metrics
	if settings.Addr == "" {
		return nil, nil
	}
	guard := listener.New(listener.Config{Name: "metrics", Allow: settings.MetricsAllow, MaxConnections: 64, PerAddress: 16, Log: s.log})
	registry := prometheus.NewRegistry()
	for _, c := range slices.Concat(s.roundTrip.gauges(), []prometheus.Collector{
		s.callbacks.Counters(), listener.Guards{s.callbacks.Guard(), s.site.Guard(), guard}, s.readyGauge(),
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
			Handler: routes, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		},
		listener: guard.Listener(ln),
	}, nil
}

// URL is where the metrics are served.
func (m *metricsServer) URL() string { return "http://" + m.listener.Addr().String() + "/metrics" }

// Close closes the listener and every connection.
func (m *metricsServer) Close() error { return errors.Join(m.Server.Close(), m.listener.Close()) }

func (m *metricsServer) serve() error {
	if err := m.Serve(m.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}
