package web

import (
	"slices"

	"github.com/gofiber/fiber/v2"
)

// HasPage reports whether a path is one of the site's pages.
func (s *Site) HasPage(path string) bool {
	_, there := s.needs[path]
	return there
}

// Opens reports whether there is a page at this path that the reader may open.
func (s *Site) Opens(c *fiber.Ctx, path string) bool {
	needs, there := s.needs[path]
	return there && ReaderOf(c).May(needs)
}

// Route is one row of the table of contents: the request, the permission that it needs, and its handler.
type Route struct {
	Method, Path string
	Needs        Permission
	Handle       fiber.Handler
	Form         string                // the form's page, if the form is kept while a reader whose session has ended signs in again
	Asks         func(*fiber.Ctx) bool // whether a form asks for the reader's password; nil if none does
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
