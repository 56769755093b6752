package main

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pitboss/callbacks"
	"pitboss/models/store"
)

// admin is the back office's door: health and metrics for machines, pages for people.
type admin struct {
	app *fiber.App
}

func newAdmin(settings serverSettings, s *store.Store, counters *callbacks.Counters, log *slog.Logger) (*admin, error) {
	app := fiber.New(fiber.Config{
		AppName: "Pitboss", DisableStartupMessage: true, CaseSensitive: true, StrictRouting: true,
		ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	})
	registry := prometheus.NewRegistry()
	if err := registry.Register(counters); err != nil {
		return nil, err
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics := adaptor.HTTPHandler(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	app.Get("/healthz", func(c *fiber.Ctx) error { return c.SendString("alive\n") })
	app.Get("/readyz", func(c *fiber.Ctx) error { return ready(c, s) })
	app.Get("/metrics", func(c *fiber.Ctx) error {
		if addr, ok := netip.AddrFromSlice(c.Context().RemoteIP()); !ok || !settings.Metrics.Contains(addr.Unmap()) {
			return c.Status(fiber.StatusForbidden).SendString("The metrics are not for this address: see PITBOSS_METRICS_ALLOW.\n")
		}
		return metrics(c)
	})
	return &admin{app}, nil
}

// ready answers 200 when callbacks can be served: the database answers and its schema is this program's. Otherwise 503, and why.
func ready(c *fiber.Ctx, s *store.Store) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), 2*time.Second)
	defer cancel()
	checks := fiber.Map{"database": "answers", "migrations": "applied"}
	status := fiber.StatusOK
	if err := s.Ping(ctx); err != nil {
		checks["database"], checks["migrations"] = "does not answer", "not known"
		status = fiber.StatusServiceUnavailable
	} else if ok, err := s.Migrated(ctx); err != nil || !ok {
		checks["migrations"] = "pending: run pitboss migrate up"
		if err != nil {
			checks["migrations"] = "not known"
		}
		status = fiber.StatusServiceUnavailable
	}
	return c.Status(status).JSON(checks)
}

func (a *admin) listen(l net.Listener) error { return a.app.Listener(l) }

func (a *admin) shutdown(ctx context.Context) error { return a.app.ShutdownWithContext(ctx) }
