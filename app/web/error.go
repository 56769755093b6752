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

// Problem is an error that a person reads. Its words are in views/errors/problem.html.
type Problem struct {
	Status int
	Is     string        // what the template calls it
	About  any           // what its words need to know
	Helped []models.Role // roles that can help
}

// Error returns what the template calls p, for the log.
func (p Problem) Error() string { return p.Is }

// NotFound returns the problem that there is nothing at an address. thing is a noun, such as "player" or "page".
func NotFound(thing string) error {
	return Problem{Status: fiber.StatusNotFound, Is: "not-found", About: thing}
}

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

// Forbidden returns the problem that the reader's role lacks a permission.
func Forbidden(role models.Role, p Permission) error {
	return Problem{Status: fiber.StatusForbidden, Is: "forbidden", Helped: Grants[p], About: struct {
		Role  models.Role
		Needs Permission
	}{role, p}}
}

const badAddress = "bad-address"

// BadAddress returns the problem that the address cannot be read, for example because of an invalid number.
func BadAddress(what string) error {
	return Problem{Status: fiber.StatusBadRequest, Is: badAddress, About: what}
}

// BadForm returns the problem that a form contains something that no page sends, such as an altered hidden value. Mistakes in
// what people type or choose are shown at the field instead.
func BadForm(what string) error {
	return Problem{Status: fiber.StatusBadRequest, Is: "bad-form", About: what}
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
	layout := "bare"
	if who := ReaderOf(c); who != nil && who.Stage == SignedIn {
		layout = "app"
	}
	if err := c.Render("errors/problem", page, layout); err != nil {
		s.Log.Error("error page failed", "request", id, "err", err)
		return c.SendString("This page could not be shown. Request " + id)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return nil
}

// Fault records a fault of the ledger, or of a row that the audit log covers, which a page has found. It opens a case, once, about which
// there is a notice. player is 0 if it concerns none.
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
	expected = true
	var fiberError *fiber.Error
	var tampered models.TamperedError
	as := func(status int, is string) Problem { return Problem{Status: status, Is: is} }
	switch {
	case errors.As(err, &p):
	case errors.As(err, &tampered):
		p = as(fiber.StatusConflict, "tampered")
		p.About, p.Helped = tampered, []models.Role{models.Compliance}
	case errors.Is(err, staffsession.ErrRevoked):
		p = as(fiber.StatusUnauthorized, "session-revoked")
	case errors.Is(err, models.ErrSessionEnded):
		p = as(fiber.StatusUnauthorized, "session-ended")
	case errors.As(err, &fiberError) && fiberError.Code == fiber.StatusNotFound,
		errors.As(err, &fiberError) && fiberError.Code == fiber.StatusMethodNotAllowed:
		errors.As(NotFound("page"), &p)
	case errors.As(err, &fiberError) && fiberError.Code == fiber.StatusRequestEntityTooLarge &&
		errors.As(unreadable(header), &p):
	case errors.As(err, &fiberError) && fiberError.Code == fiber.StatusRequestEntityTooLarge:
		p = as(fiberError.Code, "too-large")
	// Fiber's code for a connection that failed: it has no reader
	case errors.As(err, &fiberError) && fiberError.Code == fiber.StatusBadGateway:
		p = as(fiber.StatusBadRequest, "connection-failed")
	// for example when a browser's spare connection times out
	case errors.As(err, &fiberError) && fiberError.Code < fiber.StatusInternalServerError:
		p = as(fiberError.Code, "incomplete")
	case errors.Is(err, context.DeadlineExceeded):
		expected = false
		p = as(fiber.StatusServiceUnavailable, "database-slow")
	default:
		expected = false
		p = as(fiber.StatusInternalServerError, "failed")
	}
	return p, expected
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
