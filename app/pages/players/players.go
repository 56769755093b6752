// Package players has the pages of players: the list, a player's pages, creating, and importing.
package players

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

const playerRows = 50

type playersPage struct {
	web.Page
	web.Listed
	Beginning string // of the player IDs
	Rows      []playerRow
}

// playerRow is a player in the list.
type playerRow struct {
	models.Player
	Badges []views.Badge
}

var playerStates = []web.Option[*bool]{
	{Word: "All"},
	web.Offer("restricted", "Restricted from play", new(true)),
	web.Offer("playing", "May play", new(false)),
}

var playerKinds = []web.Option[*bool]{
	{Word: "All"},
	web.Offer("real", "Real players", new(false)),
	web.Offer("test", "Test players", new(true)),
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &playersPage{Page: a.Page(c, "")}
	page.Saveable = true
	list, err := a.listing(c.UserContext(), page)
	if err != nil {
		return err
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, list)
	if err != nil {
		return err
	}
	for _, p := range found.Rows {
		page.Rows = append(page.Rows, playerRow{p, pages.PlayerBadges(p, page.Now)})
	}
	return a.Render(c, "players/list", page)
}

// listing reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) listing(ctx context.Context, page *playersPage) (list models.Listing[models.Player], err error) {
	filter := models.PlayerFilter{Beginning: page.SearchFilter("q", "Player ID begins with")}
	page.Beginning = filter.Beginning
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return list, err
	}
	filter.Restricted = web.Choose(&page.Page, "state", "State", playerStates)
	filter.Test = web.Choose(&page.Page, "kind", "Kind", playerKinds)
	page.Instead = page.Unread()
	return models.List(filter, playerRows, a.Store.Players, models.Player.Place), nil
}

// Lines shown on a player's first page.
const (
	recentTransactions = 12
	recentRounds       = 6
	recentSessions     = 5
)

// FindPlayers finds players by any part of their user ID, in upper or lower case.
func (a *Area) FindPlayers(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	found, err := a.Store.SearchPlayers(ctx, text, limit)
	return pages.HitsOf(found, func(p models.Player) pages.Hit { return PlayerHit(p, text, a.Now()) }), err
}

// PlayerHit returns a player as a search result.
func PlayerHit(p models.Player, text string, at time.Time) pages.Hit {
	state := pages.PlayerBadges(p, at)[0]
	kind := ", "
	if p.Test {
		kind = ", test player, "
	}
	return pages.Hit{
		Text: string(p.UserID) + kind + p.Wallet.Balance.Grouped() + " " + string(p.Wallet.Currency), Value: string(p.UserID),
		Href: pages.PlayerPath(p.ID), State: &state, Exact: string(p.UserID) == text,
	}
}
