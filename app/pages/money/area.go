// Package money has the pages of transactions, bets that were refused, and rounds.
package money

import (
	"pitboss/app/platform"
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Replays *platform.Replays // writes callbacks as commands; nil: none is shown
}
