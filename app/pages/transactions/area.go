// Package transactions has the pages of transactions and of bets that were refused.
package transactions

import (
	"pitboss/app/platform"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Replays *platform.Replays // writes callbacks as commands; nil if none are shown
}
