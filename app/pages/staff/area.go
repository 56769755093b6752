// Package staff has the pages of staff, their roles, and links with which they choose a password.
package staff

import (
	"pitboss/app/notices"
	"pitboss/app/things"
)

// Area is this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Notices *notices.Service // sends e-mail; nil if none is sent
}
