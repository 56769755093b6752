// Package account has the pages of the door and one's own account: signing in, the password, the second factor, the sessions.
package account

import (
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store Store
}
