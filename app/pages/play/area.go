// Package play has the pages of games with their syncs, and sessions.
package play

import (
	"pitboss/app/catalogue"
	"pitboss/app/gamesession"
	"pitboss/app/things"
	"pitboss/app/thumbnails"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store      Store
	Catalogue  *catalogue.Service   // syncs games
	Launcher   *gamesession.Service // opens games
	Thumbnails *thumbnails.Service  // fetches and keeps pictures of games; nil: none are shown
}
