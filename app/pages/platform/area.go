// Package platform has the page of the platform's health, and the health card and callback charts of the overview.
package platform

import (
	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
)

// Config is the part of the program's configuration that the platform's page shows.
type Config struct {
	CallbackPath string // the path in front of the callbacks' own paths
	// IDFormats compares the formats of IDs with IDs of past transactions, and proposes formats. It is nil if no formats are
	// checked.
	IDFormats        func(seen models.SeenIDs) platform.FormatsReport
	Warnings         []string             // about settings that are less safe than they could be
	ListenerSettings []web.SettingInForce // of the callback listener
	StorageSettings  []web.SettingInForce // of the database and the ledger
}

// Area has the handlers of this part of the site.
type Area struct {
	*things.Site
	Store Store
	Config
	Platform  *platform.Client   // calls the platform; nil if it cannot be called
	Catalogue *catalogue.Service // syncs games
	Evidence  *evidence.Service  // verifies the ledger; nil if it is never verified
}
