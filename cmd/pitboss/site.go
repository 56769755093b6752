package main

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"pitboss/app"
	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/gamesession"
	"pitboss/app/platform"
	"pitboss/cmd/pitboss/config"
	"pitboss/models/store"
)

// services are the services that use the platform, for pages and commands.
type services struct {
	platform  *platform.Client
	catalogue *catalogue.Service
	launcher  *gamesession.Service
	bonus     *bonus.Service
	holder    string // identifies this instance in leases
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
	}, nil
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
