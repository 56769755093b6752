package web

import (
	"errors"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"pitboss/models"
)

// HasPage reports whether a path is one of the site's pages.
func (s *Site) HasPage(path string) bool {
	_, there := s.needs[path]
	return there
}

// Opens reports whether there is a page at this path that the reader may open.
func (s *Site) Opens(c *fiber.Ctx, path string) bool {
	needs, there := s.needs[path]
	return there && May(ReaderOf(c).Role, needs)
}

// Route is one row of the table of contents: the request, the permission that it needs, and its handler.
type Route struct {
	Method, Path string
	Needs        Permission
	Handle       fiber.Handler
	Form         string // the page of the form sent here, if somebody whose session has ended finds it again after signing in
}

const (
	Get  = fiber.MethodGet
	Post = fiber.MethodPost
)

// pageAt returns the row of the page at a path, or false if there is none.
func (s *Site) pageAt(path string) (Route, bool) {
	i := slices.IndexFunc(s.Contents.Routes,
		func(r Route) bool { return r.Method == Get && fiber.RoutePatternMatch(path, r.Path, strictly) })
	if i < 0 {
		return Route{}, false
	}
	return s.Contents.Routes[i], true
}

// trial is what Render records about a list instead of rendering it.
type trial struct {
	list  bool // its filters can be saved
	wrong []string
}

// TryFilters makes the list at a path read the filters of a query, and returns what is wrong with them, in sentences. It
// returns an empty string if the list accepts them. A path that is not a list, or that the reader may not open, is also wrong.
func (s *Site) TryFilters(c *fiber.Ctx, path, query string) (wrong string, err error) {
	r, there := s.pageAt(path)
	if !there || r.Path != path || !May(ReaderOf(c).Role, r.Needs) { // a path with variable parts is not a list
		return "There is no such list.", nil
	}
	var request fasthttp.RequestCtx
	request.Init(&fasthttp.Request{}, c.Context().RemoteAddr(), nil)
	c.Request().Header.CopyTo(&request.Request.Header)
	request.Request.Header.SetMethod(Get)
	request.Request.SetRequestURI(WithQuery(path, query))
	asked := s.fiber.AcquireCtx(&request)
	defer s.fiber.ReleaseCtx(asked)
	asked.SetUserContext(c.UserContext())
	tried := &trial{}
	asked.Locals(readerKey, ReaderOf(c))
	asked.Locals(trialKey, tried)
	var p Problem
	switch err := r.Handle(asked); {
	case errors.As(err, &p) && p.Is == badAddress:
		return p.About.(string), nil
	case err != nil:
		return "", err
	case !tried.list:
		return "This page has no filters that can be saved.", nil
	}
	return strings.Join(tried.wrong, " "), nil
}

// above returns the nearest page above a path that a role may open. Above the page that blocks a player is the player's page.
func (s *Site) above(path string, role models.Role) string {
	for path != "/" {
		path = path[:max(1, strings.LastIndexByte(path, '/'))]
		if r, there := s.pageAt(path); there && May(role, r.Needs) {
			break
		}
	}
	return path
}
