// Package pages shows players, transactions, callbacks, cases and the like on pages of several parts of the site: their
// addresses, badges, rows in lists, and histories in sentences. The pages themselves are in its folders, one for each part of
// the site. These folders do not import each other.
package pages

import (
	"pitboss/app/web"
)

// Site is the web.Site with functions that several parts of the site share.
type Site struct{ *web.Site }
