// Package sessions has the pages of sessions in which staff open games.
package sessions

import (
	"pitboss/app/gamesession"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store    Store
	Launcher *gamesession.Service // opens games
}
