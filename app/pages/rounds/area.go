// Package rounds has the pages of rounds.
package rounds

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
