// Package platform has the page of the platform's health, and the card and charts of the overview that tell of it.
package platform

import (
	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/platform"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
)

// Config is what the platform's page shows of how the program is set up.
type Config struct {
	CallbackPath string // that stands before the callbacks' own
	// IDFormats checks the formats of IDs against transactions that were seen, and proposes some; nil if nothing checks them.
	IDFormats        func(seen []models.SeenIDs) platform.FormatsReport
	Warnings         []string             // what is set up less safely than it could be
	ListenerSettings []web.SettingInForce // of the callback listener
	StorageSettings  []web.SettingInForce // of the database and the ledger
}

// Area is this part of the site.
type Area struct {
	*things.Site
	Store Store
	Config
	Platform  *platform.Client   // its health
	Catalogue *catalogue.Service // syncs games
	Evidence  *evidence.Service  // verifies the ledger; nil if it is never verified
}
