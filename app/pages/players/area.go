// Package players has the pages of players: the list, a player's pages, creating, importing and blocking.
package players

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
