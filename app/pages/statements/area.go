// Package statements has the pages of the platform's statements, and of how they differ from our ledger.
package statements

import (
	"pitboss/app/reconcile"
	"pitboss/app/things"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store      Store
	Statements *reconcile.Service // keeps and compares the platform's statements; nil if none can be uploaded
}
