package players

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// playersAtOnce is how many players of the list are read at once, because what they did is added up each time.
const playersAtOnce = 10 * web.ExportPage

// ExportPlayers reads players for a file; see web.Exportable.
func (a *Area) ExportPlayers(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &playersPage{Page: p}
	filter, err := a.filter(ctx, page)
	now := a.Now()
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Player"}, {Name: "Test player", Kind: export.Flag},
			{Name: "Restricted", Kind: export.Flag},
			{Name: "Balance", Kind: export.Money}, {Name: "Currency"}, {Name: "Lines in the ledger", Kind: export.Number},
			{Name: "Created", Kind: export.Time},
		},
		Read: web.Rows(&page.Page, &page.Listed, a.listing(filter), playersAtOnce, export.Each(func(p models.Player) export.Row {
			return export.Row{p.ID, string(p.UserID), p.Test, !p.Wallet.MayPlay(now), p.Wallet.Balance, string(p.Wallet.Currency),
				p.Wallet.Seq, p.CreatedAt}
		})),
	}, page.Chips, page.Instead, err
}
