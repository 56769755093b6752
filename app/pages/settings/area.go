// Package settings has the pages of settings and limits, changes that a second administrator approves, and notices.
package settings

import (
	"pitboss/app/notices"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Notices *notices.Service // sends notices; nil if none are sent
}
