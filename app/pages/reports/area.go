// Package reports has the pages of reports, liability and the closing of days.
package reports

import (
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store  Store
	Played PlayReader
	Staked StakesReader
}
