// Package api is the third listener: the operator's own systems, such as the casino's website, cashier and CRM, call it over
// HTTP with JSON. Each is an API client (models.APIClient) with a secret and scopes.
//
// The description of the calls at /v1/openapi.json is made from the types here. A call that changes something has an
// Idempotency-Key and takes effect at most once: see once.go. A call that was not done is answered with a Problem: see
// problem.go.
package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/etag"
	fiberrecover "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"

	"pitboss/app/bonus"
	"pitboss/app/gamesession"
	"pitboss/callbacks/listener"
	"pitboss/models"
	"pitboss/models/store"
)

// Config configures a Server.
type Config struct {
	Store    *store.Store
	Launcher *gamesession.Service
	Bonus    *bonus.Service
	Proxies  listener.Networks // trusted proxies
	Log      *slog.Logger      // nil discards
}

// Server answers the calls of API clients.
type Server struct {
	Config
	app   *fiber.App
	api   huma.API
	about func() ([]byte, error) // the description of all calls
	guard *listener.Guard
	rate  rate

	clients clientReads
	calls   *prometheus.CounterVec
}

const (
	maxBody     = 64 << 10
	callTimeout = 30 * time.Second // of one call, with its calls of the platform
	maxConns    = 1024
)

// about is the introduction of the description.
const about = `Every POST has an Idempotency-Key, which belongs to this client. The same request with the same key is done once and gets the
first answer, for ever; with other contents it gets 409 key-reused. So after a lost answer, a 429 or a 5xx, send the same request again.

A refusal keeps no key: the same request may be done later. 401, 403 and 429 refuse the call, and say nothing about an earlier request. Before
you return a payment because its deposit was refused, read GET /v1/deposits/{id}, and never send that deposit again.

Paying, cancelling and returning a cash-out need no key of their own: each happens once, and the same call gets the same answer.

A problem has a type, such as urn:pitboss:key-reused, and a detail for people. Every answer has an X-Request-Id, which the audit log has too; a
429 and a 503 have a Retry-After in seconds.`

// New returns a server that is not listening yet.
func New(config Config) *Server {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{Config: config, calls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pitboss_api_calls_total",
		Help: "Calls of the API, by client (empty if none was recognized), HTTP status, and the type of the problem, empty if done."},
		[]string{"client", "status", "reason"})}
	s.clients.load = func(ctx context.Context, ids []int64) ([]models.APIClient, error) {
		return s.Store.APIClientsByID(ctx, ids) // read per call: a description is made without a store
	}
	s.app = fiber.New(fiber.Config{AppName: "Pitboss API", CaseSensitive: true, StrictRouting: true, Immutable: true,
		BodyLimit: maxBody, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		Concurrency: 4 * maxConns, ErrorHandler: s.fail, DisableStartupMessage: true, DisablePreParseMultipartForm: true})
	s.app.Use(s.count, fiberrecover.New(), s.receive)
	s.api = humafiber.New(s.app, huma.Config{
		OpenAPI: &huma.OpenAPI{OpenAPI: "3.1.0", Info: &huma.Info{Title: "Pitboss operator's API", Version: "1", Description: about},
			Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"client": {Type: "http", Scheme: "bearer",
					Description: "The token of an API client: pb_, its number, and its secret."}}},
			Security: []map[string][]string{{"client": {}}}},
		Formats: map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}, DefaultFormat: "application/json", RejectUnknownQueryParameters: true})
	s.api.UseMiddleware(s.authenticate)
	s.players()
	s.limits()
	s.cash()
	s.launches()
	s.freeSpins()
	s.ledger()
	s.about = sync.OnceValues(func() ([]byte, error) { return json.Marshal(s.api.OpenAPI()) })
	s.app.Get("/v1/openapi.json", etag.New(), s.description)
	server := s.app.Server()
	server.CloseOnShutdown = true
	s.guard = listener.New(listener.Config{Name: "api", Proxies: s.Proxies, MaxConnections: maxConns, PerAddress: maxConns / 2,
		Log: s.Log})
	s.guard.Serve(server, func(ctx *fasthttp.RequestCtx) {
		answer(ctx, newProblem(429, "too-many-requests", "This address has too many requests in progress."))
	})
	return s
}

// Listen serves ln until Shutdown, and then returns nil.
func (s *Server) Listen(ln net.Listener) error { return s.app.Listener(s.guard.Listener(ln)) }

// Shutdown stops accepting and lets the requests in progress finish. If ctx ends first, it returns ctx's error.
func (s *Server) Shutdown(ctx context.Context) error {
	s.guard.Close()
	return s.app.ShutdownWithContext(ctx)
}

// Guard returns the guard that decides who may connect.
func (s *Server) Guard() *listener.Guard { return s.guard }

// Metrics returns the counts of calls.
func (s *Server) Metrics() prometheus.Collector { return s.calls }

// count answers errors, and counts the call by its answer. HEAD is GET, and fasthttp leaves out the body.
func (s *Server) count(c *fiber.Ctx) error {
	if c.Method() == fiber.MethodHead {
		c.Method(fiber.MethodGet)
	}
	if err := c.Next(); err != nil {
		if err := s.fail(c, err); err != nil {
			return err
		}
	}
	client, _ := c.Locals(clientName).(string)
	status, reason := c.Response().StatusCode(), ""
	if status >= http.StatusBadRequest {
		var p Problem
		if err := json.Unmarshal(c.Response().Body(), &p); err == nil {
			reason = strings.TrimPrefix(p.Type, "urn:pitboss:")
		}
	}
	s.calls.WithLabelValues(client, strconv.Itoa(status), reason).Inc()
	return nil
}

// Description returns the description of all calls, in OpenAPI 3.1.
func (s *Server) Description() ([]byte, error) { return s.about() }

func (s *Server) description(c *fiber.Ctx) error {
	text, err := s.Description()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/openapi+json")
	c.Set(fiber.HeaderCacheControl, "no-cache") // caches may keep it, and check its ETag
	return c.Send(text)
}

// fail answers a request that no handler has answered.
func (s *Server) fail(c *fiber.Ctx, err error) error {
	p := newProblem(500, "internal", "An unexpected error; it is in the log.")
	var known *Problem
	var status *fiber.Error
	switch {
	case errors.As(err, &known):
		p = known
	case errors.As(err, &status) && status.Code == http.StatusNotFound:
		p = newProblem(404, "no-such-call", "There is no such call. /v1/openapi.json describes all of them.")
	case errors.As(err, &status) && status.Code < 500:
		p = newProblem(status.Code, "invalid", sentence(status.Message)+" /v1/openapi.json describes all calls.")
	default:
		s.Log.Error("A request to the API failed.", slog.Any("error", err))
	}
	answer(c.Context(), p)
	return nil
}

// answer writes a problem.
func answer(ctx *fasthttp.RequestCtx, p *Problem) {
	text, err := json.Marshal(p)
	if err != nil {
		text = nil // cannot happen: it consists of texts and numbers
	}
	if p.retryAfter > 0 {
		ctx.Response.Header.Set(fiber.HeaderRetryAfter, strconv.Itoa(p.retryAfter))
	}
	ctx.SetStatusCode(p.Status)
	ctx.SetContentType(p.ContentType(""))
	ctx.Response.SetBody(text)
}

// call registers a call: its name in clients, its method and path, its scope, its purpose, and the statuses of its problems
// besides those of all calls.
func call[In, Out any](s *Server, name, method, path string, scope models.APIScope, summary string, statuses []int,
	handle func(context.Context, *In) (*Out, error)) {
	op := huma.Operation{Method: method, Path: path, Summary: summary, OperationID: name,
		Description: "Scope: " + string(scope) + ".", Metadata: map[string]any{"scope": scope}, MaxBodyBytes: maxBody,
		BodyReadTimeout: -1, Errors: append([]int{401, 403, 422, 429, 503}, statuses...)}
	if method == http.MethodPost {
		op.Errors, op.DefaultStatus = append(op.Errors, 400, 409), http.StatusCreated
	}
	huma.Register(s.api, op, func(ctx context.Context, in *In) (*Out, error) {
		out, err := handle(ctx, in)
		if err != nil {
			err = s.problem(err)
			if p, ok := err.(*Problem); ok && p.retryAfter > 0 {
				err = huma.ErrorWithHeaders(p, http.Header{fiber.HeaderRetryAfter: {strconv.Itoa(p.retryAfter)}})
			}
			return nil, err
		}
		return out, nil
	})
}

// instant is a time in answers; nil if there is none.
func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
