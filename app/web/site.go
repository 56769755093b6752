// Package web has what every page of the back office shares: the site with its listener and sessions, Page and its parts, forms
// and drafts, permissions, filters, errors, and the words for numbers and times.
package web

import (
	"cmp"
	"context"
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

	"pitboss/app/assets"
	"pitboss/app/credentials"
	"pitboss/app/gamehosts"
	"pitboss/app/meter"
	"pitboss/app/passkeys"
	"pitboss/app/signon"
	"pitboss/app/staffsession"
	"pitboss/app/uploads"
	"pitboss/callbacks/listener"
	"pitboss/models/store"
	"pitboss/static"
	"pitboss/views"
)

// Config configures the site.
type Config struct {
	// SessionKey protects sessions and second factors in the database; a new one invalidates both.
	SessionKey []byte
	PublicURL  *url.URL // where staff's browsers reach the site; over https, cookies are Secure and HSTS is sent
	GameHosts  []string // on which games may be opened, with a port if it is not the scheme's default
	Thumbnails []string // hosts from which browsers may load pictures of games; empty if none are shown
	Version    string   // of the program, for the foot of every page

	TrustedProxies listener.Networks // in front of the site; X-Forwarded-For is read from them only
	Allow          listener.Networks // who may connect; empty means all networks
	MaxConnections int               // at a time, and a quarter of them from one address; default 1024
	HeaderTimeout  time.Duration     // for a request's header; default 5 s

	Operator      string // whose back office this is, for the sign-in page and statements for players
	PostalAddress string // of the operator, for statements; its parts are separated by semicolons
	Support       string // how players reach the operator, for statements
	Environment   string // "Production" or the like, at the foot of the navigation
	AgentID       string // our agent ID at the platform
	Contact       string // how staff reach the platform's support; empty if it is not set

	SignOn *signon.Provider // the identity provider of single sign-on; nil without one

	DecimalComma bool // staff may type amounts with a comma before the decimals
}

// Contents are the site's pages, and the parts they share.
type Contents struct {
	Routes     []Route
	Navigation []MenuGroup
	Lists      []Exportable // what can be exported
	// Foot fills in the page's foot: the history of the object that the page shows.
	Foot func(*fiber.Ctx, *Page) error
}

// Site is what all pages share. Its only state is caches of a few seconds, so several sites can run on one database.
type Site struct {
	Config
	credentials.Hasher
	Log *slog.Logger
	Now func() time.Time

	Contents Contents
	needs    map[string]Permission // of pages, by their paths
	Store    *store.Store
	fiber    *fiber.App
	guard    *listener.Guard
	*meter.Meter
	views    *views.Engine
	cross    *http.CrossOriginProtection
	Sessions *staffsession.Store
	Sealer   credentials.Sealer
	Passkeys *passkeys.Site // nil if the site's public address does not allow any
	Uploads  uploads.Places
	assets   assets.Files
	csp      string
}

// templates are parsed once. They are part of the program, so all sites of a process share them.
var templates = sync.OnceValues(func() (*views.Engine, error) {
	names, err := static.Manifest()
	if err != nil {
		return nil, err
	}
	return views.New(names)
})

// New returns a site without pages; Serve adds them. A nil log discards everything, and a nil now is the system's clock. It
// returns an error if a template or the configuration is wrong.
func New(cfg Config, s *store.Store, log *slog.Logger, now func() time.Time) (*Site, error) {
	if len(cfg.SessionKey) == 0 {
		return nil, errors.New("a session key is needed")
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	cfg.MaxConnections = cmp.Or(cfg.MaxConnections, 1024)
	cfg.HeaderTimeout = cmp.Or(cfg.HeaderTimeout, 5*time.Second)
	engine, err := templates()
	if err != nil {
		return nil, err
	}
	site := &Site{Config: cfg, Log: log, Now: now, Store: s, views: engine, cross: http.NewCrossOriginProtection(),
		Hasher: credentials.NewHasher(), Meter: meter.New()}
	site.Uploads.Until = map[*fasthttp.RequestHeader]time.Time{}
	if cfg.PublicURL != nil {
		if err := site.cross.AddTrustedOrigin(cfg.PublicURL.Scheme + "://" + cfg.PublicURL.Host); err != nil {
			return nil, fmt.Errorf("the site's public address: %w", err)
		}
	}
	if site.csp, err = gamehosts.Policy(cfg.GameHosts, cfg.Thumbnails); err != nil {
		return nil, err
	}
	if site.Sealer, err = credentials.NewSealer(cfg.SessionKey); err != nil {
		return nil, err
	}
	if site.Passkeys, err = passkeys.New(cfg.PublicURL, cfg.Operator); err != nil {
		return nil, err
	}
	if site.assets, err = assets.Read(); err != nil {
		return nil, err
	}
	site.Sessions = &staffsession.Store{Key: cfg.SessionKey, Rows: s, Secure: site.Secure(), CookieName: site.CookieName,
		Rules: s.SignInRules, Now: now, Log: log}
	return site, nil
}

// Serve sets up the server with its pages. It returns an error if a page needs a permission that no role has.
func (s *Site) Serve(contents Contents) error {
	s.Contents, s.needs = contents, map[string]Permission{}
	s.fiber = fiber.New(fiber.Config{
		CaseSensitive: true, StrictRouting: true, Immutable: true, DisableStartupMessage: true,
		BodyLimit: AnybodysBody, ReadBufferSize: longestHeader, ReadTimeout: s.HeaderTimeout, WriteTimeout: 2 * time.Minute,
		IdleTimeout: time.Minute,
		// Of no proxies: Fiber never takes a forwarded host. The host of the site is PublicURL's, or the request's own.
		EnableTrustedProxyCheck: true,
		Views:                   s.views, ErrorHandler: s.fail,
	})
	server := s.fiber.Server()
	server.HeaderReceived, server.Handler = s.receive, s.Measure(s.screen(server.Handler))
	s.guard = listener.New(listener.Config{
		Name: "admin", Allow: s.Allow, Proxies: s.TrustedProxies, MaxConnections: s.MaxConnections,
		PerAddress: max(1, s.MaxConnections/4), Log: s.Log,
	})
	s.guard.Serve(server, s.busy)
	server.Handler = s.countUploads(endAfterForm(server.Handler))
	s.fiber.Use(s.tag, fiberrecover.New(fiberrecover.Config{EnableStackTrace: true, StackTraceHandler: s.logPanic}), s.headers,
		compress.New(compress.Config{
			Level: compress.LevelBestSpeed,
			Next:  func(c *fiber.Ctx) bool { return assets.Asked(c) || isDownload(c) },
		}))
	s.fiber.Get("/static/:name", s.Area("/static", s.assets.Serve))
	s.fiber.Use(s.sameOrigin)
	for _, r := range contents.Routes {
		if _, known := Grants[r.Needs]; !known && !needNoRole[r.Needs] {
			return fmt.Errorf("%s %s needs %q, which no role has", r.Method, r.Path, r.Needs)
		}
		serve := s.Area(r.Path, s.serve(r))
		s.fiber.Add(r.Method, r.Path, serve)
		if r.Method == Get { // load balancers use HEAD to check that a page exists
			s.fiber.Add(fiber.MethodHead, r.Path, serve)
			s.needs[r.Path] = r.Needs
		}
	}
	s.fiber.Use(s.serve(Route{Needs: Public, Handle: s.noPage}))
	return nil
}

// Listen serves ln until Shutdown, and then returns nil. After Shutdown it returns at once.
func (s *Site) Listen(ln net.Listener) error { return s.fiber.Listener(s.guard.Listener(ln)) }

// Shutdown stops accepting and lets the requests under way finish. If ctx ends first it returns ctx's error.
func (s *Site) Shutdown(ctx context.Context) error {
	s.guard.Close()
	return s.fiber.ShutdownWithContext(ctx)
}

// Guard returns the guard, which decides who may connect and counts refused connections.
func (s *Site) Guard() *listener.Guard { return s.guard }
