// Package signin has the pages of signing in, and of the links with which staff choose a password.
package signin

import (
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store Store
}
