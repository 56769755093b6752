// Package callbacks has the pages of the callback log.
package callbacks

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
