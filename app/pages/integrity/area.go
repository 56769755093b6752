// Package integrity has the pages of verifications, checkpoints, purges and restored backups.
package integrity

import (
	"pitboss/app/evidence"
	"pitboss/app/things"
	"pitboss/app/web"
)

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store           Store
	Evidence        *evidence.Service    // writes checkpoints and verifies the ledger; nil if neither can be requested
	StorageSettings []web.SettingInForce // of the database and the ledger
}
