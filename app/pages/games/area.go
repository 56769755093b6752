// Package games has the pages of games and their syncs.
package games

import (
	"pitboss/app/catalogue"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store     Store
	Catalogue *catalogue.Service // syncs games
}
