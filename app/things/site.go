// Package things shows players, transactions, callbacks, cases and all other things the same way on every page: their
// addresses, badges, rows in lists, and histories in sentences. Pages that show several kinds of things take them from here, so
// that the packages of pages do not import each other.
package things

import (
	"pitboss/app/web"
)

// Site is the web.Site with the functions that show things.
type Site struct {
	*web.Site
	store Store
}

// New returns a site that reads things from s.
func New(site *web.Site, s Store) *Site { return &Site{site, s} }
