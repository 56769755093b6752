package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const playerRows = 50

// playerBadges returns a player's state, and a badge for a test player.
func playerBadges(p models.Player) []views.Badge {
	badges := []views.Badge{views.Quiet("May play")}
	if p.Wallet.Blocked {
		badges = []views.Badge{views.Refused("Blocked")}
	}
	if p.Test {
		badges = append(badges, views.Plain("Test player"))
	}
	return badges
}

type playersPage struct {
	web.Page
	Beginning string // of the player IDs
	Rows      []models.Player
	Paging    views.Paging
	Wrong     *views.Empty
	Filtered  bool
}

var playerStates = []web.Option[*bool]{
	{Word: "All"},
	web.Offer("blocked", "Blocked", new(true)),
	web.Offer("free", "May play", new(false)),
}

var playerKinds = []web.Option[*bool]{
	{Word: "All"},
	web.Offer("real", "Real players", new(false)),
	web.Offer("test", "Test players", new(true)),
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &playersPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, wrong, err := a.filters(c.UserContext(), page)
	if err != nil {
		return err
	}
	if wrong != nil {
		page.Wrong = wrong
		return a.Render(c, "players/list", page)
	}
	list, more, err := a.Store.Players(c.UserContext(), filter)
	if err != nil {
		return err
	}
	page.Rows, page.Filtered = list, len(page.Chips) > 0 || filter.After != ""
	page.Paging = views.Paging{Count: len(list)}
	if more {
		page.Paging.Older = page.With("after", string(list[len(list)-1].UserID))
	}
	if filter.After != "" {
		page.Paging.Newer = web.WithQuery(page.Path, page.Query)
	}
	return a.Render(c, "players/list", page)
}

// filters reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) filters(ctx context.Context, page *playersPage) (filter models.PlayerFilter, wrong *views.Empty, err error) {
	filter = models.PlayerFilter{Beginning: page.SearchFilter("q", "Player ID begins with"),
		After: models.UserID(page.Params.Get("after")), Limit: playerRows}
	page.Beginning = filter.Beginning
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return filter, nil, err
	}
	filter.Blocked = web.Choose(&page.Page, "state", "State", playerStates)
	filter.Test = web.Choose(&page.Page, "kind", "Kind", playerKinds)
	return filter, page.Unread(), nil
}

// Lines shown on a player's first page.
const (
	recentTransactions = 12
	recentRounds       = 6
	recentSessions     = 5
)

// FindPlayers finds players by any part of their user ID, in upper or lower case.
func (a *Area) FindPlayers(ctx context.Context, text string, limit int) (models.Found[things.Hit], error) {
	found, err := a.Store.SearchPlayers(ctx, text, limit)
	return things.HitsOf(found, func(p models.Player) things.Hit { return PlayerHit(p, text) }), err
}

// PlayerHit returns a player as a search result.
func PlayerHit(p models.Player, text string) things.Hit {
	state := playerBadges(p)[0]
	kind := ", "
	if p.Test {
		kind = ", test player, "
	}
	return things.Hit{
		Text: string(p.UserID) + kind + p.Wallet.Balance.Grouped() + " " + string(p.Wallet.Currency), Value: string(p.UserID),
		Href: things.PlayerPath(p.ID), State: &state, Exact: string(p.UserID) == text,
	}
}
