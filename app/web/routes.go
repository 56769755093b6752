package web

import (
	"slices"

	"github.com/gofiber/fiber/v2"
)

// HasPage reports whether a path is one of the site's pages.
func (s *Site) HasPage(path string) bool {
	return slices.ContainsFunc(s.Contents.Routes, func(r Route) bool { return r.Method == Get && r.Path == path })
}

// Opens reports whether there is a page of this path, and its reader may open it.
func (s *Site) Opens(c *fiber.Ctx, path string) bool {
	for _, r := range s.Contents.Routes {
		if r.Method == Get && r.Path == path {
			return May(ReaderOf(c).Role, r.Needs)
		}
	}
	return false
}

// Route is one row of the table of contents: what is asked, the permission that it needs, and who answers.
type Route struct {
	Method, Path string
	Needs        Permission
	Handle       fiber.Handler
}

const (
	Get  = fiber.MethodGet
	Post = fiber.MethodPost
)
