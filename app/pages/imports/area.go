// Package imports has the pages of imports, which grant free spins to many players: the sheet in which lines are prepared, and
// the import that grants them.
package imports

import (
	"pitboss/app/bonus"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store  Store
	Bonus  *bonus.Service // grants free spins
	Sheets *bonus.Sheets  // keeps sheets of grants while they are prepared
}
