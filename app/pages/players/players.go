// Package players has the pages of players: the list, a player's pages, and forms to create and import players.
package players

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

type playersPage struct {
	web.Page
	web.Listed
	filter    models.PlayerFilter
	Beginning string // what the player IDs begin with
	Count     int    // how many match; 0 without filters, above models.ManyPlayers if counting stopped
}

// Many reports whether more players match than were counted.
func (p *playersPage) Many() bool { return p.Count > models.ManyPlayers }

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

// List lists players.
func (a *Area) List(c *fiber.Ctx) error { return a.Players().Serve(a.Site.Site, c, "players/list") }

// playersAtOnce is how many players a file reads at once, because what they did is added up each time.
const playersAtOnce = 10 * web.ExportPage

type player = models.Player

// Players is the list of players.
func (a *Area) Players() web.List[playersPage, player] {
	return web.List[playersPage, player]{
		Path: "/players", Title: "Players", Needs: web.ReadPlayers, Select: a.selected, Load: a.count, AtOnce: playersAtOnce,
		Columns: []web.Column[playersPage, player]{
			{Head: "Select", Unseen: true, Class: "c-pick keep", Block: "pick", When: func(p *playersPage) bool { return p.Can(web.RestrictPlayers) }},
			{Name: "Number", Kind: export.Number, Value: func(p player) any { return p.ID }},
			{Head: "Player", Class: "c-what c-name", Value: func(p player) any { return string(p.UserID) },
				Cell: func(_ *playersPage, p player) views.Cell { return pages.PlayerCell(p.ID, p.UserID) }},
			{Name: "Test player", Kind: export.Flag, Value: func(p player) any { return p.Test }},
			{Name: "Restricted", Kind: export.Flag, Value: func(p player) any { return !p.Wallet.MayPlay(a.Now()) }},
			{Head: "Balance", Kind: export.Money, Class: "c-lead", Value: func(p player) any { return p.Wallet.Balance },
				Cell: func(page *playersPage, p player) views.Cell {
					return views.Cell{Money: new(page.Money(p.Wallet.Balance, p.Wallet.Currency))}
				}},
			{Name: "Currency", Value: func(p player) any { return string(p.Wallet.Currency) }},
			{Name: "Lines in the ledger", Kind: export.Number, Value: func(p player) any { return p.Wallet.Seq }},
			{Head: "Created", Kind: export.Time, Block: "created", Value: func(p player) any { return p.CreatedAt }},
			{Head: "State", Class: "c-state", Cell: func(page *playersPage, p player) views.Cell {
				return views.Cell{Badges: pages.PlayerBadges(p, page.Now)}
			}},
		},
	}
}

// count counts the matching players if there are filters.
func (a *Area) count(ctx context.Context, page *playersPage, _ []player) (err error) {
	if page.Instead == nil && len(page.Chips) > 0 {
		page.Count, err = a.Store.CountPlayers(ctx, page.filter)
	}
	return err
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *playersPage) (list models.Listing[player], err error) {
	page.By = "by player ID"
	f := &page.filter
	f.Beginning = page.SearchFilter("q", "Player ID begins with")
	page.Beginning = f.Beginning
	if f.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return list, err
	}
	f.Restricted = web.Choose(&page.Page, "state", "State", playerStates)
	f.Test = web.Choose(&page.Page, "kind", "Kind", playerKinds)
	err = a.readDeeds(ctx, page, f)
	return models.List(*f, a.Store.Players, player.Place), err
}

// Numbers of lines on a player's first page.
const (
	recentTransactions = 12
	recentRounds       = 6
	recentSessions     = 5
)

// FindPlayers finds players by any part of their user ID; case does not matter.
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
