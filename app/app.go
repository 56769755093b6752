// Package app is the back office: the site on which staff see what happened and act on it. Start at routes.go, the table of
// contents. Each part of the site is a package in pages. Package pages itself shows transactions, cases and the like the same
// way on every page, and package web is the machinery of all pages.
package app

import (
	"errors"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/gamesession"
	"pitboss/app/notices"
	"pitboss/app/pages"
	"pitboss/app/pages/account"
	"pitboss/app/pages/audit"
	"pitboss/app/pages/callbacks"
	"pitboss/app/pages/campaigns"
	"pitboss/app/pages/cases"
	"pitboss/app/pages/cashouts"
	"pitboss/app/pages/clients"
	"pitboss/app/pages/corrections"
	"pitboss/app/pages/exports"
	"pitboss/app/pages/freespins"
	"pitboss/app/pages/games"
	"pitboss/app/pages/help"
	"pitboss/app/pages/integrity"
	platformpages "pitboss/app/pages/platform"
	"pitboss/app/pages/players"
	"pitboss/app/pages/reports"
	"pitboss/app/pages/restrictions"
	"pitboss/app/pages/rounds"
	"pitboss/app/pages/sessions"
	"pitboss/app/pages/settings"
	"pitboss/app/pages/signin"
	"pitboss/app/pages/staff"
	"pitboss/app/pages/statements"
	"pitboss/app/pages/transactions"
	"pitboss/app/platform"
	"pitboss/app/reconcile"
	"pitboss/app/web"
	"pitboss/models/store"
)

// Config configures the site.
type Config struct {
	web.Config
	Platform platformpages.Config // for the platform page
}

// Deps are the services that the site uses.
type Deps struct {
	Store *store.Store
	Log   *slog.Logger     // nil discards
	Now   func() time.Time // the clock; nil means the system's
	Ready fiber.Handler    // answers /readyz; nil means ready as long as the database answers

	Platform  *platform.Client     // for its health
	Catalogue *catalogue.Service   // syncs games
	Launcher  *gamesession.Service // opens games
	Bonus     *bonus.Service       // grants free spins

	Statements *reconcile.Service // keeps and compares the platform's statements
	Notices    *notices.Service   // sends notices and e-mail; nil if none are sent
	Evidence   *evidence.Service  // writes checkpoints and verifies the ledger; nil if neither can be requested
}

// App is the site with all its pages.
type App struct {
	*pages.Site
	ready   fiber.Handler
	finders []finder

	signin       *signin.Area
	account      *account.Area
	players      *players.Area
	transactions *transactions.Area
	rounds       *rounds.Area
	corrections  *corrections.Area
	cashouts     *cashouts.Area
	games        *games.Area
	sessions     *sessions.Area
	freespins    *freespins.Area
	restrictions *restrictions.Area
	campaigns    *campaigns.Area
	cases        *cases.Area
	callbacks    *callbacks.Area
	statements   *statements.Area
	audit        *audit.Area
	integrity    *integrity.Area
	reports      *reports.Area
	exports      *exports.Area
	clients      *clients.Area
	staff        *staff.Area
	platform     *platformpages.Area
	settings     *settings.Area
	help         *help.Area
}

// New returns the site. It returns an error if a template or the configuration is wrong.
func New(cfg Config, deps Deps) (*App, error) {
	if deps.Store == nil {
		return nil, errors.New("a store is needed")
	}
	base, err := web.New(cfg.Config, deps.Store, deps.Log, deps.Now)
	if err != nil {
		return nil, err
	}
	s := &pages.Site{Site: base}
	a := &App{
		Site: s, ready: deps.Ready,

		signin:       &signin.Area{Site: s},
		account:      &account.Area{Site: s},
		players:      &players.Area{Site: s},
		transactions: &transactions.Area{Site: s},
		rounds:       &rounds.Area{Site: s},
		corrections:  &corrections.Area{Site: s},
		cashouts:     &cashouts.Area{Site: s},
		games:        &games.Area{Site: s, Catalogue: deps.Catalogue},
		sessions:     &sessions.Area{Site: s, Launcher: deps.Launcher},
		freespins:    &freespins.Area{Site: s, Bonus: deps.Bonus},
		restrictions: &restrictions.Area{Site: s},
		campaigns:    &campaigns.Area{Site: s, Bonus: deps.Bonus},
		cases:        &cases.Area{Site: s},
		callbacks:    &callbacks.Area{Site: s},
		statements:   &statements.Area{Site: s, Statements: deps.Statements},
		audit:        &audit.Area{Site: s},
		integrity:    &integrity.Area{Site: s, Evidence: deps.Evidence},
		reports:      &reports.Area{Site: s},
		exports:      &exports.Area{Site: s},
		clients:      &clients.Area{Site: s},
		staff:        &staff.Area{Site: s, Notices: deps.Notices},
		platform: &platformpages.Area{Site: s, Config: cfg.Platform, Platform: deps.Platform,
			Catalogue: deps.Catalogue, Evidence: deps.Evidence},
		settings: &settings.Area{Site: s, Notices: deps.Notices},
	}
	if a.help, err = help.New(s); err != nil {
		return nil, err
	}
	a.finders = a.allFinders()
	contents := web.Contents{Routes: a.Routes(), Navigation: a.navigation(), Foot: s.FootOf, Lists: a.exportables()}
	return a, base.Serve(contents)
}
