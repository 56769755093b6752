package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"pitboss/app"
	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/gamesession"
	"pitboss/app/jobs"
	"pitboss/app/platform"
	"pitboss/cmd/pitboss/config"
	"pitboss/models"
	"pitboss/models/store"
)

// services are the services that use the platform, for pages and commands.
type services struct {
	platform  *platform.Client
	catalogue *catalogue.Service
	launcher  *gamesession.Service
	bonus     *bonus.Service
	holder    string // identifies this instance in leases
	jobs      *jobs.Meter
}

// instance returns a name for this instance in leases.
func instance() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%.20s/%d", host, os.Getpid())
}

func newServices(settings config.API, ids config.Platform, s *store.Store, now func() time.Time,
	log *slog.Logger) (*services, error) {
	client, err := platform.New(settings.Config(ids, log))
	if err != nil {
		return nil, err
	}
	return &services{
		platform:  client,
		catalogue: catalogue.New(catalogue.Config{Store: s, Platform: client, Every: settings.SyncEvery, Now: now, Log: log}),
		launcher:  gamesession.New(gamesession.Config{Store: s, Platform: client}),
		bonus:     bonus.New(bonus.Config{Store: s, Platform: client, Now: now, Log: log}),
		holder:    instance(),
		jobs:      jobs.NewMeter(),
	}, nil
}

// work runs the background jobs until ctx ends, each on only one of several instances.
func (v *services) work(ctx context.Context, s *store.Store, log *slog.Logger, more ...jobs.Job) {
	schedule := jobs.Schedule{Leases: s, Holder: v.holder, Log: log, Meter: v.jobs}
	schedule.Run(ctx, slices.Concat(v.bonus.Jobs(), []jobs.Job{v.catalogue.Job()}, more)...)
}

// purgeCallbacks is the job that deletes old callbacks from the log.
func purgeCallbacks(s *store.Store, days int) jobs.Job {
	return jobs.Job{Name: "callback log", Every: time.Hour, Work: func(ctx context.Context) error {
		_, err := s.PurgeCallbacks(ctx, time.Now().AddDate(0, 0, -days))
		return err
	}}
}

// findCases is the job that runs the rules for cases.
func findCases(s *store.Store, openRoundHours int) jobs.Job {
	return jobs.Job{Name: "cases", Every: 5 * time.Second, Rest: 20, Work: func(ctx context.Context) error {
		_, err := s.FindCases(ctx, models.CaseRulesConfig{OpenRound: time.Duration(openRoundHours) * time.Hour})
		return err
	}}
}

// followDays is the job that keeps the sums of the ledger up to date.
func followDays(s *store.Store) jobs.Job {
	return jobs.Job{Name: "figures", Every: 5 * time.Second, Rest: 20, Work: func(ctx context.Context) error {
		_, err := s.FollowDays(ctx)
		return err
	}}
}

// disableUnused is the job that disables unused accounts.
func disableUnused(s *store.Store, log *slog.Logger) jobs.Job {
	return jobs.Job{Name: "unused accounts", Every: time.Hour, Work: func(ctx context.Context) error {
		n, err := s.DisableAllUnused(ctx)
		if n > 0 {
			log.Info("Unused accounts were disabled.", "staff", n)
		}
		return err
	}}
}

// newSite sets up the back office. The rest of the server must be open already.
func (s *Server) newSite() (*app.App, error) {
	cfg := s.settings.SiteConfig(version)
	if s.settings.Callbacks.PreviousSecretKey != "" {
		cfg.Platform.KeyUse = s.callbacks.Counters().Keys
	}
	return app.New(cfg, app.Deps{
		Store: s.store, Log: s.log,
		Ready:    s.ready,
		Platform: s.services.platform, Catalogue: s.services.catalogue, Launcher: s.services.launcher, Bonus: s.services.bonus,
		Evidence: s.evidence, Statements: s.statements, Notices: s.notices,
	})
}
