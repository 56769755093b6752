// Package things is what a player, a transaction, a callback, a case or any other thing looks like on every page that shows it:
// its address, its badge, its row in a list, and its history in sentences. A page that shows things of several kinds takes them
// from here, so that the packages of pages do not know each other.
package things

import (
	"pitboss/app/web"
)

// Site is what all pages share, and what they show of things.
type Site struct {
	*web.Site
	store Store
}

// New returns a site that reads things from s.
func New(site *web.Site, s Store) *Site { return &Site{site, s} }
