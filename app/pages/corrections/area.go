// Package corrections has the pages of corrections: requesting one, and the queue in which a second person decides.
package corrections

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
