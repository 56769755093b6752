// Package platform has the page of the platform's health, and the overview's health card and callback charts.
package platform

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/catalogue"
	"pitboss/app/evidence"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
)

// Config is the part of the program's configuration that the platform's page shows.
type Config struct {
	CallbackPath string // the prefix of the callbacks' paths
	// KeyUse says which of two secret keys the platform signs with, as far as this instance has seen; nil if there is only one
	// key.
	KeyUse   func() (current, previous models.KeyUse)
	Warnings []string // about settings that are less safe than they could be
	Settings []web.SettingInForce
}

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Config
	Platform  *platform.Client   // calls the platform; nil if it cannot be called
	Catalogue *catalogue.Service // syncs games
	Evidence  *evidence.Service  // verifies the ledger; nil if this server does not
}

type platformPage struct {
	web.Page
	Warnings  []string // about settings that are less safe than they could be
	Health    Health
	Called    bool // Pitboss is set up to call the platform
	All       int64
	Endpoints []endpointRow
	Strangers []strangers
	Settings  []web.SettingInForce
	Keys      []models.KeyUse // use of the secret key and the previous one; empty if there is only one key
	AgentID   string
	Address   string // an example of an address that the platform calls
}

// endpointRow counts the answers of one of the five callbacks, by result.
type endpointRow struct {
	Name                                           string
	All, Success, Funds, Duplicate, Other, Outages int64
}

// strangers counts requests that were not callbacks, by the status with which they were answered.
type strangers struct {
	Status int
	N      int64
	What   string // what these requests did
}

// rejected says what a request did to be answered with a status.
var rejected = map[int]string{
	400: "could not be read as HTTP",
	403: "came from an address that is not allowed",
	404: "had an unknown path",
	405: "had a method other than POST",
	408: "timed out",
	431: "had headers that were too long",
}

// callbackEndpoints lists the five callbacks in the specification's order (Endpoints, Callback service).
var callbackEndpoints = []string{"GetBalance", "Withdraw", "Deposit", "BetWin", "RollbackTransaction"}

// lately is the period that the platform's page covers.
const lately = 24 * time.Hour

func (a *Area) PlatformHealth(c *fiber.Ctx) error {
	page := &platformPage{Page: a.Page(c, ""), AgentID: a.AgentID, Warnings: a.Warnings, Settings: a.Settings, Called: a.Platform != nil,
		Address: "https://wallet.casino.example" + a.CallbackPath}
	page.Live = true
	ctx, now := c.UserContext(), page.Now
	last, _, err := a.Store.LastCallback(ctx)
	if err != nil {
		return err
	}
	counts, err := a.Store.CallbackCounts(ctx, now.Add(-lately), now)
	if err != nil {
		return err
	}
	if page.Health, err = a.Health(ctx, last); err != nil {
		return err
	}
	page.All = int64(counts.Callbacks(nil))
	page.Endpoints, page.Strangers = endpointRows(counts)
	if a.KeyUse != nil {
		current, previous := a.KeyUse()
		page.Keys = []models.KeyUse{current, previous}
	}
	return a.Render(c, "platform/platform", page)
}

// endpointRows counts the answers of each callback, and the requests to the listener that were not callbacks.
func endpointRows(counts models.CallbackCounts) (rows []endpointRow, others []strangers) {
	for _, name := range callbackEndpoints {
		n := func(match func(models.CallbackAnswer) bool) int64 {
			return int64(counts.Callbacks(func(a models.CallbackAnswer) bool { return a.Endpoint == name && match(a) }))
		}
		row := endpointRow{
			Name: name, All: n(func(models.CallbackAnswer) bool { return true }), Success: n(withResult(resultSuccess)),
			Funds:     n(withResult(resultFunds)),
			Duplicate: n(withResult(resultDuplicate)), Outages: n(withResult(models.NoAnswer)),
			Other: n(func(a models.CallbackAnswer) bool { return withOtherResult(a) && a.Result != models.NoAnswer }),
		}
		rows = append(rows, row)
	}
	for _, a := range slices.SortedFunc(maps.Keys(counts.Answers),
		func(a, b models.CallbackAnswer) int { return cmp.Compare(a.Result, b.Result) }) {
		if a.Endpoint == "" {
			others = append(others, strangers{a.Result, int64(counts.Answers[a]),
				cmp.Or(rejected[a.Result], "failed for another reason")})
		}
	}
	return rows, others
}
