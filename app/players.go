package app

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

const playerRows = 50

func playerPath(id int64) string { return "/players/" + strconv.FormatInt(id, 10) }

// playerBadges are a player's state and, for a test player, that.
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

type playerRow struct {
	models.Player
	Href    string
	Balance views.Money
	Badges  []views.Badge
}

type playersPage struct {
	Page
	Text, Currency views.Field
	States, Kinds  []views.Choice
	Rows           []playerRow
	Paging         views.Paging
	Empty          views.Empty
}

var playerStateWords = []string{"", "All", "blocked", "Blocked", "free", "May play"}

var playerKindWords = []string{"", "All", "real", "Real players", "test", "Test players"}

func (a *App) players(c *fiber.Ctx) error {
	page := &playersPage{Page: a.page(c, "Players")}
	page.Lede = "Everybody who has a wallet here, by user ID."
	page.Saveable = true
	manage, err := page.Can(managePlayers)
	if err != nil {
		return err
	}
	if manage {
		page.Actions = []views.Link{
			{Word: "Import", Href: "/players/imports/new", Icon: "upload"},
			{Word: "New player", Href: "/players/new", Icon: "plus", Main: true},
		}
	}
	filter := page.filters()
	list, more, err := a.Store.Players(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, p := range list {
		page.Rows = append(page.Rows,
			playerRow{p, playerPath(p.ID), page.Money(p.Wallet.Balance, p.Wallet.Currency), playerBadges(p)})
	}
	page.Paging = views.Paging{Note: strconv.Itoa(len(list)) + " shown", NewerWord: "First", OlderWord: "Next"}
	if more {
		page.Paging.Older = page.with("after", string(list[len(list)-1].UserID))
	}
	if filter.After != "" {
		page.Paging.Newer = withQuery(page.Path, page.Query)
	}
	page.Empty = views.Empty{
		Title: "No players match these filters",
		Text: "This list looks for the beginning of a player ID and is case-sensitive. The search finds any part of one, " +
			"in any case.",
		Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}},
	}
	if text := page.Text.Value; text != "" {
		page.Empty.Links = append(page.Empty.Links,
			views.Link{Word: "Search for “" + text + "”", Href: "/search?q=" + escapeQuery(text)})
	}
	if len(page.Chips) == 0 && filter.After == "" {
		page.Empty = views.Empty{Title: "There are no players yet",
			Text: "A player needs a wallet here before the platform can play with it. Import those that you have, or create " +
				"a test player."}
		if manage {
			page.Empty.Links = []views.Link{
				{Word: "Import", Href: "/players/imports/new", Main: true}, {Word: "New player", Href: "/players/new"},
			}
		}
	}
	return a.render(c, "players/list", page)
}

// filters reads the filters from the address.
func (page *playersPage) filters() models.PlayerFilter {
	page.Text, page.Currency = page.filterField("q", "User ID begins with"), page.filterField("currency", "Currency")
	page.States = choices(page.params.Get("state"), playerStateWords...)
	page.Kinds = choices(page.params.Get("kind"), playerKindWords...)
	filter := models.PlayerFilter{
		Beginning: page.filter("q", "Begins with", nil), Currency: models.Currency(page.filter("currency", "Currency", nil)),
		After: models.UserID(page.params.Get("after")), Limit: playerRows,
	}
	filter.Blocked = page.flagFilter("state", "State", playerStateWords, "blocked", "free")
	filter.Test = page.flagFilter("kind", "Kind", playerKindWords, "test", "real")
	return filter
}

// Lines shown on a player's first page.
const (
	recentTransactions = 12
	recentRounds       = 6
	recentSessions     = 5
)

// findPlayers finds players by any part of their user ID, whatever its case.
func (a *App) findPlayers(ctx context.Context, text string, limit int) (models.Found[hit], error) {
	found, err := a.Store.SearchPlayers(ctx, text, limit)
	return hitsOf(found, func(p models.Player) hit { return playerHit(p, text) }), err
}

func playerHit(p models.Player, text string) hit {
	state := playerBadges(p)[0]
	kind := ", "
	if p.Test {
		kind = ", test player, "
	}
	return hit{
		Text: string(p.UserID) + kind + p.Wallet.Balance.Grouped() + " " + string(p.Wallet.Currency), Value: string(p.UserID),
		Href: playerPath(p.ID), State: &state, Exact: string(p.UserID) == text,
	}
}
