package games

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The log of each game's availability, which regulators ask for (58 Pa. Code 811a.7(f)).

type gameChangesPage struct {
	web.Page
	web.Listed
	Rows []gameChangeRow
}

type gameChangeRow struct {
	models.GameChange
	Href string
}

// GameChanges lists changes in the availability of games.
func (a *Area) GameChanges(c *fiber.Ctx) error {
	page := &gameChangesPage{Page: a.Page(c, "")}
	page.Saveable = true
	list, err := a.changeListing(c.UserContext(), page)
	if err != nil {
		return err
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, list)
	if err != nil {
		return err
	}
	page.Rows = gameChangeRows(found.Rows)
	return a.Render(c, "games/changes", page)
}

func gameChangeRows(list []models.GameChange) []gameChangeRow {
	rows := make([]gameChangeRow, len(list))
	for i, change := range list {
		rows[i] = gameChangeRow{change, web.PathOf("/games", change.GameNumber)}
	}
	return rows
}

// changeListing reads the filters from the address. If one cannot be read, or names an unknown game, a message replaces the
// list.
func (a *Area) changeListing(ctx context.Context, page *gameChangesPage) (models.Listing[models.GameChange], error) {
	game, err := a.GameFilter(ctx, &page.Page)
	filter := models.GameChangeFilter{Game: game.ID,
		Kind: web.Choose(&page.Page, "change", "Change", web.OptionsOf("All", models.GameChangeKinds))}
	filter.Span = page.Period(&page.Page)
	page.Instead = page.Unread()
	return models.List(filter, GameRows, a.Store.GameChanges, models.GameChange.Place), err
}

// ExportGameChanges reads the availability of games for a file; see web.Exportable.
func (a *Area) ExportGameChanges(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &gameChangesPage{Page: p}
	list, err := a.changeListing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Game ID"}, {Name: "Change"},
			{Name: "Name"}, {Name: "Former name"}, {Name: "Provider"},
			{Name: "Sync", Kind: export.Number},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage, export.Each(func(g models.GameChange) export.Row {
			return export.Row{g.ID, g.At, string(g.GameID), g.Kind.String(), g.Name, g.FormerName, g.Provider, g.SyncID}
		})),
	}, page.Chips, page.Instead, err
}
