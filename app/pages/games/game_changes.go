package games

import (
	"cmp"
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The log of when each game was available, which regulators ask for (58 Pa. Code 811a.7(f)).

type gameChangeRow struct {
	models.GameChange
	Href string
}

// GameChanges lists changes in the availability of games.
func (a *Area) GameChanges(c *fiber.Ctx) error {
	return a.Changes().Serve(a.Site.Site, c, "games/changes")
}

// Changes is the list of changes in the availability of games.
func (a *Area) Changes() web.List[web.ListPage, models.GameChange] {
	return web.List[web.ListPage, models.GameChange]{
		Path: "/games/changes", Title: "Availability of games", Needs: web.ReadGames, Select: a.selectedChanges,
		Columns: []web.Column[web.ListPage, models.GameChange]{
			{Name: "Number", Kind: export.Number, Value: func(g models.GameChange) any { return g.ID }},
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(g models.GameChange) any { return g.At }},
			{Head: "Game", Class: "c-what c-name", Cell: func(_ *web.ListPage, g models.GameChange) views.Cell {
				return views.Cell{Text: cmp.Or(g.Name, string(g.GameID)), Href: web.PathOf("/games", g.GameNumber)}
			}},
			{Head: "Game ID", Value: func(g models.GameChange) any { return string(g.GameID) },
				Cell: func(_ *web.ListPage, g models.GameChange) views.Cell {
					return views.Cell{ID: views.ID{Text: string(g.GameID)}}
				}},
			{Head: "Change", Class: "wrap", Block: "what", Value: func(g models.GameChange) any { return g.Kind.String() }},
			{Name: "Name", Value: func(g models.GameChange) any { return g.Name }},
			{Name: "Former name", Value: func(g models.GameChange) any { return g.FormerName }},
			{Name: "Provider", Value: func(g models.GameChange) any { return g.Provider }},
			{Head: "Sync", Kind: export.Number, Value: func(g models.GameChange) any { return g.SyncID },
				Cell: func(_ *web.ListPage, g models.GameChange) (cell views.Cell) {
					if g.SyncID != 0 {
						cell.Text = strconv.FormatInt(g.SyncID, 10)
					}
					return cell
				}},
		},
	}
}

func gameChangeRows(list []models.GameChange) []gameChangeRow {
	rows := make([]gameChangeRow, len(list))
	for i, change := range list {
		rows[i] = gameChangeRow{change, web.PathOf("/games", change.GameNumber)}
	}
	return rows
}

// selectedChanges reads the filters from the address.
func (a *Area) selectedChanges(ctx context.Context, page *web.ListPage) (models.Listing[models.GameChange], error) {
	game, err := a.GameFilter(ctx, &page.Page)
	filter := models.GameChangeFilter{Game: game.ID,
		Kind: web.Choose(&page.Page, "change", "Change", web.OptionsOf("All", models.GameChangeKinds))}
	filter.Span = page.Period(&page.Page)
	return models.List(filter, a.Store.GameChanges, models.GameChange.Place), err
}
