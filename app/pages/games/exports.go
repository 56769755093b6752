package games

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/views"
)

// ExportGames reads games for a file; see web.Exportable.
func (a *Area) ExportGames(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &gamesPage{Page: p}
	f, wrong, err := a.gameFilter(c.UserContext(), page)
	f.Limit = web.ExportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Game ID"}, {Name: "Name"}, {Name: "Formerly called"},
			{Name: "Provider"}, {Name: "Type"}, {Name: "Offered", Kind: export.Flag},
			{Name: "First offered", Kind: export.Time}, {Name: "Last offered", Kind: export.Time},
			{Name: "Gone since", Kind: export.Time},
		},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.Games(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, g := range list {
					rows[i] = export.Row{g.ID, string(g.GameID), g.Name, g.FormerName, g.Provider, g.Type, !g.Gone(),
						g.AddedAt, g.SeenAt, g.GoneAt}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.Next = list[len(list)-1].ID
			}
		},
	}, page.Chips, wrong, err
}
