// Package account has the pages of the reader's own account: the password, the second factor, the sessions.
package account

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
