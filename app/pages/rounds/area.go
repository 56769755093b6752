// Package rounds has the pages of rounds.
package rounds

import (
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store Store
}
