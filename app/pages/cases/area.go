// Package cases has the pages of cases: the queue, one case with its guide, and closing many at once.
package cases

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
}
