// Package signin has the pages for signing in, and the page on which staff with a one-time link set a password.
package signin

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
