// Package staff has the pages of staff, their roles, and the one-time links with which they set a password.
package staff

import (
	"pitboss/app/notices"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Notices *notices.Service // sends e-mail; nil if none is sent
}
