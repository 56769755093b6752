// Package freespins has the pages of grants of free spins, and exceptions to their limits.
package freespins

import (
	"pitboss/app/bonus"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
	Bonus *bonus.Service // grants free spins
}
