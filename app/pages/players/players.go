// Package players has the pages of players: the list, a player's pages, creating, and importing.
package players

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
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
	Count     int    // of all that match; 0 without filters, and above models.ManyPlayers if there are more than that
	Rows      []playerRow
}

// Many reports whether more players match than are counted.
func (p *playersPage) Many() bool { return p.Count > models.ManyPlayers }

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
	filter, err := a.filter(c.UserContext(), page)
	if err != nil {
		return err
	}
	var found models.Page[models.Player]
	err = atonce.Read(
		func() (err error) {
			found, err = web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(filter))
			return err
		},
		func() (err error) {
			if page.Instead == nil && len(page.Chips) > 0 {
				page.Count, err = a.Store.CountPlayers(c.UserContext(), filter)
			}
			return err
		})
	if err != nil {
		return err
	}
	for _, p := range found.Rows {
		page.Rows = append(page.Rows, playerRow{p, pages.PlayerBadges(p, page.Now)})
	}
	return a.Render(c, "players/list", page)
}

func (a *Area) listing(filter models.PlayerFilter) models.Listing[models.Player] {
	return models.List(filter, a.Store.Players, models.Player.Place)
}

// filter reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) filter(ctx context.Context, page *playersPage) (filter models.PlayerFilter, err error) {
	filter = models.PlayerFilter{Beginning: page.SearchFilter("q", "Player ID begins with")}
	page.Beginning = filter.Beginning
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return filter, err
	}
	filter.Restricted = web.Choose(&page.Page, "state", "State", playerStates)
	filter.Test = web.Choose(&page.Page, "kind", "Kind", playerKinds)
	if err := a.readDeeds(ctx, page, &filter); err != nil {
		return filter, err
	}
	page.Instead = page.Unread()
	return filter, nil
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
