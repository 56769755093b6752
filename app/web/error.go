package web

import (
	"context"
	"errors"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/app/staffsession"
	"pitboss/callbacks/listener"
	"pitboss/models"
	"pitboss/views"
)

// strictly is how routes are matched, so that each page has one address.
var strictly = fiber.Config{CaseSensitive: true, StrictRouting: true}

// noPage answers a request that matches no route. Opening an address that only takes forms redirects to the nearest page above
// it, because a browser that shows a refused form has that address and may open it again.
func (s *Site) noPage(c *fiber.Ctx) error {
	at := c.Path()
	matches := func(method string) bool {
		return slices.ContainsFunc(s.Contents.Routes,
			func(r Route) bool { return r.Method == method && fiber.RoutePatternMatch(at, r.Path, strictly) })
	}
	if !Safe(c) || !matches(Post) {
		return NotFound("page")
	}
	for !matches(Get) {
		at = at[:max(1, strings.LastIndexByte(at, '/'))]
	}
	return c.Redirect(at, fiber.StatusSeeOther)
}

type errorPage struct {
	Page
	Problem   Problem
	RequestID views.ID
	Again     string // the page to try again; empty if trying again could do something twice
}

// errorPageTime is how long an error page waits for everything besides the error, such as the counts in the navigation.
const errorPageTime = 2 * time.Second

// fail is the one place where an error becomes a page. An unknown error is logged with the request's number, and the page shows
// only that number.
func (s *Site) fail(c *fiber.Ctx, err error) error {
	s.Uploads.End(&c.Request().Header)
	if listener.WasCut(c.Context().Conn()) {
		return nil
	}
	id := requestID(c)
	// A request that could not be read never reached the handler that sets headers. A request that failed may have used up its
	// time.
	s.setHeaders(c)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), errorPageTime)
	defer cancel()
	c.SetUserContext(ctx)
	p, expected := problemOf(err, &c.Request().Header)
	if tampered := (models.TamperedError{}); errors.As(err, &tampered) {
		s.Fault(ctx, 0, tampered.Object+" "+tampered.ObjectID, tampered.Error())
	}
	if !expected {
		s.Log.Error("page failed", "request", id, "method", c.Method(), "route", c.Route().Path, "err", err)
	}
	c.Status(p.Status)
	page := &errorPage{Page: s.Page(c, ""), Problem: p, RequestID: views.ID{Text: id, Kind: "request number"}}
	if Safe(c) && p.Status >= 500 {
		page.Again = here(c)
	}
	if err := c.Render("errors/problem", page, page.layout()); err != nil {
		s.Log.Error("An error page could not be shown.", "request", id, "err", err)
		return c.SendString("This page could not be shown. Request " + id)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return nil
}

// Fault records a fault that a page has found in the ledger, or in a row that the audit log covers. It opens a case, once, with
// a notice. player is 0 if it concerns none.
func (s *Site) Fault(ctx context.Context, player int64, where, fault string) {
	opened, err := s.Store.OpenFault(ctx, player, where, fault, "a page")
	if err != nil {
		s.Log.Error("A fault of the ledger could not be recorded.", "where", where, "fault", fault, "err", err)
	} else if opened {
		s.Log.Error("A page found a fault of the ledger.", "where", where, "fault", fault)
	}
}

// problemOf returns the page of an error, for a request with this header. Unless the error was expected, it has to be logged.
func problemOf(err error, header *fasthttp.RequestHeader) (p Problem, expected bool) {
	var tampered models.TamperedError
	var fiberError *fiber.Error
	switch {
	case errors.As(err, &p):
	case errors.As(err, &tampered):
		p = errTampered(tampered)
	case errors.Is(err, staffsession.ErrRevoked):
		p = errSessionRevoked
	case errors.Is(err, models.ErrSessionEnded):
		p = errSessionEnded
	case errors.As(err, &fiberError) && fiberError.Code < fiber.StatusInternalServerError,
		errors.As(err, &fiberError) && fiberError.Code == fiber.StatusBadGateway:
		p = unreached(fiberError.Code, header)
	case errors.Is(err, context.DeadlineExceeded):
		return errSlow, false
	default:
		return errFailed, false
	}
	return p, true
}

// unreached returns the problem of a request that Fiber answered itself, with this status.
func unreached(status int, header *fasthttp.RequestHeader) (p Problem) {
	switch status {
	case fiber.StatusNotFound, fiber.StatusMethodNotAllowed:
		return NotFound("page")
	case fiber.StatusRequestEntityTooLarge:
		if errors.As(unreadable(header), &p) {
			return p
		}
		return errTooLarge
	case fiber.StatusBadGateway: // Fiber's code for a connection that failed: it has no reader
		return errConnection
	}
	p = errIncomplete // for example when a browser's spare connection times out
	p.Status = status
	return p
}

// logPanic logs where a handler panicked; fail makes the page.
func (s *Site) logPanic(c *fiber.Ctx, panicked any) {
	s.Log.Error("page panicked", "request", c.Locals(requestIDKey), "route", c.Route().Path, "panic", panicked, "stack",
		string(debug.Stack()))
}

// here returns the request's own address: path and query.
func here(c *fiber.Ctx) string { return string(c.Request().URI().RequestURI()) }

// EscapeQuery returns a text as the value of a query parameter.
func EscapeQuery(s string) string { return url.QueryEscape(s) }
