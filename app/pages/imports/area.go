// Package imports has the pages of imports of many grants: the sheet in which their lines are prepared, and the run that grants
// them.
package imports

import (
	"pitboss/app/bonus"
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store  Store
	Bonus  *bonus.Service // grants free spins
	Sheets *bonus.Sheets  // keeps sheets of grants while they are prepared
}
