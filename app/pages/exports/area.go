// Package exports has the pages of exports: lists and packs that are written to files.
package exports

import (
	"pitboss/app/export"
	"pitboss/app/things"
	"pitboss/app/web"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store   Store
	Exports *export.Service // writes lists to files; nil if none can be requested
	Lists   []web.Exportable
}
