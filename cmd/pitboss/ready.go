package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"pitboss/app/pages/integrity"
	"pitboss/models"
)

// ready answers /readyz: 200 if this instance can serve callbacks, otherwise 503 and the reason. It can serve them if it is not
// about to stop, money can be written, and the schema is the program's. It answers within two seconds: a check without a result
// by then has failed. The answer also names missing triggers, without which the ledger can be changed, and settings that are
// less safe than they could be.
func (s *Server) ready(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), 1900*time.Millisecond)
	defer cancel()
	if s.stopping.Load() {
		return c.Status(fiber.StatusServiceUnavailable).
			JSON(fiber.Map{"stopping": "this instance is about to stop; send requests to another"})
	}
	checks := fiber.Map{"database": "answers", "money": "can be written", "migrations": "not known"}
	status := fiber.StatusServiceUnavailable
	var refused *models.WriteError
	if err := s.store.Writable(ctx); errors.As(err, &refused) {
		checks["money"] = "cannot be written: " + refused.Reason
		if refused.Silent {
			checks["database"] = "does not answer"
		}
	} else if applied, err := s.store.Migrated(ctx); err != nil {
		checks["database"], checks["money"] = "does not answer", "not known: the database does not answer"
	} else if !applied {
		checks["migrations"] = "pending: run pitboss migrate up"
	} else if err := s.checkSchema(ctx); err != nil {
		checks["migrations"] = "applied, but " + err.Error()
	} else {
		checks["migrations"], checks["triggers"] = "applied", s.triggers(ctx)
		status = fiber.StatusOK
	}
	if fault := s.store.ClockFault(); fault != "" {
		checks["clock"] = fault
	}
	if f := s.evidence.Newer(); f != nil {
		checks["restored"] = fmt.Sprintf("checkpoint %d of %s has a later state than the database: an older one was restored, or the "+
			"newest rows were deleted. Compare them: pitboss verify --checkpoint %s", f.Number,
			f.At.Format("2006-01-02 15:04:05 UTC"), f.Name)
	}
	if faults, err := s.store.WatcherFaults(ctx); err == nil && len(faults) > 0 {
		checks["watchers"] = faults
	}
	if warnings := s.settings.Warnings(); len(warnings) > 0 {
		checks["warnings"] = warnings
	}
	return c.Status(status).JSON(checks)
}

// schemaEvery is how long /readyz relies on a whole schema: comparing it takes the database some 10 ms.
const schemaEvery = 20 * time.Second

func (s *Server) checkSchema(ctx context.Context) error {
	if time.Since(time.Unix(0, s.schemaSeen.Load())) < schemaEvery {
		return nil
	}
	err := s.store.CheckSchema(ctx)
	if err == nil {
		s.schemaSeen.Store(time.Now().UnixNano())
	}
	return err
}

// triggers returns whether the database refuses to change append-only tables.
func (s *Server) triggers(ctx context.Context) string {
	open, err := s.store.Unguarded(ctx)
	switch {
	case err != nil:
		return "not known"
	case len(open) > 0:
		return "missing, so the database lets this account do: " + strings.Join(open, ", ") + ". " +
			integrity.TriggersRemedy
	}
	return "refuse changes of the ledger and the audit log"
}

// triggersGauge returns a metric of how many kinds of changes of append-only tables the database would let this account make.
// It is not a number while the database does not answer.
func (s *Server) triggersGauge() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "pitboss_triggers_missing", Help: "Triggers that should protect the ledger and are missing; /readyz names them.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		open, err := s.store.Unguarded(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(len(open))
	})
}

// readyGauge returns a metric that is 1 while money can be written, and 0 otherwise.
func (s *Server) readyGauge() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "pitboss_money_writable", Help: "1 while the database accepts writes of money, otherwise 0; /readyz says why.",
	}, func() float64 {
		if s.store.Writable(context.Background()) != nil {
			return 0
		}
		return 1
	})
}
