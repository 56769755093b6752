// Package pages has what pages of several parts of the site show: players, transactions, callbacks, cases and the rest, with their
// addresses, badges, rows in lists, and histories in sentences. The pages themselves are in its folders, one for each part of the
// site, which do not import each other.
package pages

import (
	"pitboss/app/web"
)

// Site is the web.Site with the functions that show things.
type Site struct{ *web.Site }
