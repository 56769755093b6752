// Package app is the back office: the site on which staff see what happened and act on it. routes.go is its table of contents,
// page.go says how a page is added.
package app

import (
	"cmp"
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
	fiberrecover "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/valyala/fasthttp"

	"pitboss/app/bonus"
	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/export"
	"pitboss/app/gamesession"
	"pitboss/app/notices"
	"pitboss/app/platform"
	"pitboss/app/reconcile"
	"pitboss/app/thumbnails"
	"pitboss/callbacks/listener"
	"pitboss/models"
	"pitboss/models/store"
	"pitboss/static"
	"pitboss/views"
)

// Config is how the site is set up.
type Config struct {
	// keys what the database knows of sessions and second factors; another one ends all sessions and makes second factors
	// unreadable
	SessionKey []byte
	PublicURL  *url.URL // where staff's browsers reach the site; over https, cookies are Secure and HSTS is sent
	GameHosts  []string // hosts, with a port where it is not the scheme's own, to which a launch may lead
	Version    string   // of the program, for the foot of every page

	TrustedProxies listener.Networks // in front of the site; X-Forwarded-For counts from them only
	Allow          listener.Networks // who may connect; empty: everybody
	MaxConnections int               // at a time; default 1024
	MaxPerAddress  int               // connections of one address, and requests under way of one behind a proxy; default 256
	HeaderTimeout  time.Duration     // for a request's header; default 5 s
	Warnings       []string          // what is set up less safely than it could be, for the platform's page

	Operator    string // whose back office this is, for the sign-in page
	Environment string // "Production" or the like, at the foot of the navigation
	AgentID     string // ours at the platform

	DecimalComma bool // staff may type amounts with a comma before the decimals

	CallbackPath string // that stands before the callbacks' own
	// IDFormats judges the formats of IDs by transactions that were seen, and proposes some; nil: nobody does.
	IDFormats func(seen []models.TransactionLine) platform.FormatsReport

	DoorSettings    []SettingInForce // of the callbacks, for the platform's page
	StorageSettings []SettingInForce // of the database and the ledger
}

// Deps are what the site works with.
type Deps struct {
	Store *store.Store
	Log   *slog.Logger     // nil discards
	Now   func() time.Time // the clock; nil means the system's
	Ready fiber.Handler    // answers /readyz; nil answers that the site is ready while its database answers

	Platform  *platform.Client     // its health
	Replays   *platform.Replays    // writes callbacks as commands; nil: none is shown
	Catalogue *catalogue.Service   // synchronises games
	Launcher  *gamesession.Service // opens games
	Bonus     *bonus.Service       // grants free spins
	Sheets    *bonus.Sheets        // keeps sheets of grants while they are prepared
	Exports   *export.Service      // writes lists to files; nil: none can be asked for

	Thumbnails *thumbnails.Service // fetches and keeps pictures of games; nil: none are shown

	Statements *reconcile.Service // keeps and compares the platform's statements; nil: none can be uploaded
	Notices    *notices.Service   // tells people outside; nil: nobody is told
	Evidence   *evidence.Service  // writes checkpoints and verifies the ledger; nil: neither can be asked for
}

// App is the site. It holds no state of its own but caches of seconds: several may run over one database.
type App struct {
	Config
	Deps
	fiber    *fiber.App
	guard    *listener.Guard
	meter    *meter
	views    *views.Engine
	cross    *http.CrossOriginProtection
	sessions *sessionStore
	sealer   sealer
	drafts   cipher.AEAD // seals what was typed; see draft.go
	uploads  uploads
	assets   map[string][]byte // the built files, by name
	hashing  chan struct{}     // a place in it is the right to hash a password
	finders  []finder
	counters map[string]counter
	table    []route
	lists    []exportable
	foot     func(*fiber.Ctx, *Page) error
	csp      string
	played   playReader
	staked   stakesReader

	rulesMu sync.Mutex
	rules   models.SignInRules
	rulesAt time.Time
}

// secure reports whether browsers reach the site over TLS.
func (a *App) secure() bool { return a.PublicURL != nil && a.PublicURL.Scheme == "https" }

// New sets the site up. It returns an error where a template or the configuration is wrong.
func New(cfg Config, deps Deps) (*App, error) {
	if deps.Store == nil || len(cfg.SessionKey) == 0 {
		return nil, errors.New("app: a store and a session key are needed")
	}
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	if deps.Now == nil {
		deps.Now = time.Now
	}
	cfg.MaxConnections, cfg.MaxPerAddress = cmp.Or(cfg.MaxConnections, 1024), cmp.Or(cfg.MaxPerAddress, 256)
	cfg.HeaderTimeout = cmp.Or(cfg.HeaderTimeout, 5*time.Second)
	assets, err := static.Manifest()
	if err != nil {
		return nil, err
	}
	engine, err := views.New(assets)
	if err != nil {
		return nil, err
	}
	a := &App{Config: cfg, Deps: deps, views: engine, cross: http.NewCrossOriginProtection(),
		hashing: make(chan struct{}, hashesAtOnce), meter: newMeter()}
	a.uploads.until = map[*fasthttp.RequestHeader]time.Time{}
	if cfg.PublicURL != nil {
		if err := a.cross.AddTrustedOrigin(cfg.PublicURL.Scheme + "://" + cfg.PublicURL.Host); err != nil {
			return nil, fmt.Errorf("app: the site's public address: %w", err)
		}
	}
	if a.csp, err = contentSecurityPolicy(cfg.GameHosts); err != nil {
		return nil, err
	}
	if a.sealer, err = newSealer(cfg.SessionKey); err != nil {
		return nil, err
	}
	if a.drafts, err = newDraftSealer(cfg.SessionKey); err != nil {
		return nil, err
	}
	if a.assets, err = readAssets(); err != nil {
		return nil, err
	}
	a.sessions = &sessionStore{app: a}
	a.finders = a.allFinders()
	a.counters = a.allCounters()
	a.table = a.routes()
	a.foot = a.footOf
	if deps.Exports != nil {
		a.lists = a.exportables()
	}
	a.fiber = fiber.New(fiber.Config{
		CaseSensitive: true, StrictRouting: true, Immutable: true, DisableStartupMessage: true,
		BodyLimit: anybodysBody, ReadBufferSize: longestHeader, ReadTimeout: a.HeaderTimeout, WriteTimeout: 2 * time.Minute,
		IdleTimeout: time.Minute,
		Views:       engine, ErrorHandler: a.fail,
	})
	server := a.fiber.Server()
	server.HeaderReceived, server.Handler = a.receive, a.meter.measure(a.knownMethods(a.screen(server.Handler)))
	a.guard = listener.New(listener.Config{
		Name: "admin", Allow: a.Allow, Proxies: a.TrustedProxies, MaxConnections: a.MaxConnections,
		PerAddress: a.MaxPerAddress, Log: a.Log,
	})
	a.guard.Serve(server, a.busy)
	server.Handler = a.countUploads(endAfterForm(server.Handler))
	a.fiber.Use(a.tag, fiberrecover.New(fiberrecover.Config{EnableStackTrace: true, StackTraceHandler: a.logPanic}), a.headers,
		compress.New(compress.Config{
			Level: compress.LevelBestSpeed,
			Next:  func(c *fiber.Ctx) bool { return isStatic(c) || isDownload(c) },
		}))
	a.fiber.Get("/static/:name", a.meter.area("/static", a.asset))
	a.fiber.Use(a.sameOrigin)
	for _, r := range a.table {
		if _, known := grants[r.needs]; !known && !doors[r.needs] {
			return nil, fmt.Errorf("app: %s %s needs %q, which is in no row of the table of permissions", r.method, r.path,
				r.needs)
		}
		serve := a.meter.area(r.path, a.serve(r))
		a.fiber.Add(r.method, r.path, serve)
		if r.method == get { // whoever looks whether a page is there asks with HEAD, load balancers among them
			a.fiber.Add(fiber.MethodHead, r.path, serve)
		}
	}
	a.fiber.Use(a.serve(route{needs: public, handle: a.noPage}))
	return a, nil
}

// Listen serves ln until Shutdown, and then returns nil.
func (a *App) Listen(ln net.Listener) error { return a.fiber.Listener(a.guard.Listener(ln)) }

// Shutdown stops accepting and lets the requests under way finish. If ctx ends first it returns ctx's error.
func (a *App) Shutdown(ctx context.Context) error { return a.fiber.ShutdownWithContext(ctx) }

// Guard decides who may connect, and counts who may not.
func (a *App) Guard() *listener.Guard { return a.guard }
