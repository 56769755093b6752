package games

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportGames reads games for a file; see web.Exportable.
func (a *Area) ExportGames(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &gamesPage{Page: p}
	list, err := a.gameListing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Game ID"}, {Name: "Name"}, {Name: "Formerly called"},
			{Name: "Provider"}, {Name: "Type"}, {Name: "Offered", Kind: export.Flag},
			{Name: "First offered", Kind: export.Time}, {Name: "Last offered", Kind: export.Time},
			{Name: "Gone since", Kind: export.Time},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage, export.Each(func(g models.Game) export.Row {
			return export.Row{g.ID, string(g.GameID), g.Name, g.FormerName, g.Provider, g.Type, !g.Gone(), g.AddedAt, g.SeenAt,
				g.GoneAt}
		})),
	}, page.Chips, page.Instead, err
}
