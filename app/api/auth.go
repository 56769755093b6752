package api

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"pitboss/callbacks/listener"
	"pitboss/models"
)

// caller is the calling client, and the number of the request in the audit log.
type caller struct {
	models.APIClient
	models.Actor
	list string // the path and the parameters, except those that choose the part of a list
}

type callerKey struct{}

// clientName is the key of the calling client's name, for the counts.
const clientName = "client"

func callerIn(ctx context.Context) caller { return ctx.Value(callerKey{}).(caller) }

// receive refuses requests whose body must not be read, and gives each a number and a deadline.
func (s *Server) receive(c *fiber.Ctx) error {
	c.Set(fiber.HeaderXRequestID, rand.Text())
	c.Set(fiber.HeaderCacheControl, "no-store")
	switch err := listener.CheckBody(&c.Request().Header); {
	case errors.Is(err, listener.ErrFraming):
		c.Context().SetConnectionClose()
		return newProblem(400, "invalid", sentence(err.Error()))
	case err != nil:
		return newProblem(415, "media-type", sentence(err.Error())+" Send it as it is.")
	}
	if !utf8.Valid(c.Request().Body()) {
		return newProblem(400, "invalid", "The body is not valid UTF-8.")
	}
	ctx, cancel := context.WithTimeout(c.UserContext(), callTimeout)
	defer cancel()
	c.SetUserContext(ctx)
	return c.Next()
}

// authenticate finds the calling client. The client is read for each call, so that every instance refuses a revoked one at
// once.
func (s *Server) authenticate(ctx huma.Context, next func(huma.Context)) {
	c := humafiber.Unwrap(ctx)
	client, problem := s.client(ctx.Context(), c)
	if problem == nil {
		c.Locals(clientName, client.Name)
		problem = s.admit(c, client, ctx.Operation())
	}
	var list string
	if problem == nil {
		list, problem = parameters(c)
	}
	if problem != nil {
		if problem.Status == http.StatusUnauthorized {
			c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
		}
		answer(c.Context(), problem)
		return
	}
	actor := client.Actor()
	actor.Session = string(c.Response().Header.Peek(fiber.HeaderXRequestID))
	if address, ok := s.address(c); ok {
		actor.Address = address
	}
	next(huma.WithValue(ctx, callerKey{}, caller{client, actor, list}))
}

var unauthorized = newProblem(401, "unauthorized", "The Authorization header has no valid token of an API client. Send Bearer, a "+
	"blank and the token. If it worked before, the client was revoked or has a new secret.")

func (s *Server) client(ctx context.Context, c *fiber.Ctx) (models.APIClient, *Problem) {
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	id, secret, ok := models.ParseAPIToken(strings.TrimLeft(token, " "))
	if !strings.EqualFold(scheme, "Bearer") || !ok {
		return models.APIClient{}, unauthorized
	}
	client, found, err := s.clients.read(ctx, id)
	if err != nil {
		s.Log.Error("An API client could not be read.", "client", id, "error", err)
		p := newProblem(503, "unavailable", "The client cannot be checked now. Nothing was done. Send the same request again.")
		p.retryAfter = 1
		return client, p
	}
	if !found || !client.Accepts(secret, s.Store.Now()) {
		return client, unauthorized
	}
	return client, nil
}

// admit checks a call against the client's terms.
func (s *Server) admit(c *fiber.Ctx, client models.APIClient, op *huma.Operation) *Problem {
	if client.Networks != "" {
		var networks listener.Networks
		at, known := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, s.Proxies)
		if err := networks.UnmarshalText([]byte(client.Networks)); err != nil || !known || !networks.Contains(at) {
			return newProblem(403, "network", "This client does not call from "+at.String()+". Its terms name its networks.")
		}
	}
	if scope, _ := op.Metadata["scope"].(models.APIScope); !client.May(scope) {
		return newProblem(403, "scope", "This client does not have the scope "+string(scope)+". Administrators change its terms.")
	}
	if wait := s.rate.take(client, time.Now()); wait > 0 {
		p := newProblem(429, "rate", "This client has made all of its calls for this minute. Wait as many seconds as Retry-After says.")
		p.retryAfter = wait
		return p
	}
	if key := c.Get("Idempotency-Key"); op.Method == http.MethodPost && key == "" {
		return newProblem(400, "idempotency-key", "Send an Idempotency-Key: a text of up to 64 characters that is new for each "+
			"request, and the same when you send a request again.")
	}
	return nil
}

// parameters refuses a parameter that comes twice or has no value, because an empty filter would select everything. It returns
// the path and the parameters, except those that choose the part of a list.
func parameters(c *fiber.Ctx) (list string, problem *Problem) {
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		return "", newProblem(422, "invalid", "The parameters are not percent-encoded as in a URL.")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if values := query[name]; len(values) > 1 || values[0] == "" {
			p := newProblem(422, "invalid", "A parameter has no value, or comes twice. Give it one value, or leave it out.")
			p.Errors = []*huma.ErrorDetail{{Message: "expected one value that is not empty", Location: "query." + name}}
			return "", p
		}
	}
	query.Del("after")
	query.Del("limit")
	return c.Path() + "?" + query.Encode(), nil
}

func (s *Server) address(c *fiber.Ctx) (string, bool) {
	at, known := listener.Client(listener.Peer(c.Context().RemoteAddr()), &c.Request().Header, s.Proxies)
	return at.String(), known
}

// rate counts the calls of each client in the current minute, on this instance.
type rate struct {
	mu     sync.Mutex
	minute int64
	calls  map[int64]int
}

// take counts a call, or returns in how many seconds the next minute begins if the client has made all of its calls.
func (r *rate) take(client models.APIClient, now time.Time) (wait int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if minute := now.Unix() / 60; minute != r.minute {
		r.minute, r.calls = minute, map[int64]int{}
	}
	if r.calls[client.ID] >= client.PerMinute {
		return 60 - int(now.Unix()%60)
	}
	r.calls[client.ID]++
	return 0
}
