// Package games has the pages of games and their syncs.
package games

import (
	"pitboss/app/catalogue"
	"pitboss/app/things"
	"pitboss/app/thumbnails"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store      Store
	Catalogue  *catalogue.Service  // syncs games
	Thumbnails *thumbnails.Service // fetches and keeps pictures of games; nil if none are shown
}
