// Package pages shows players, transactions, callbacks, cases and other objects that appear in several parts of the site: it
// has their addresses, badges, rows in lists, and histories in sentences. The pages themselves are in its folders, one for each
// part of the site. These folders do not import each other.
package pages

import (
	"pitboss/app/web"
)

// Site extends web.Site with functions that several parts of the site share.
type Site struct{ *web.Site }
