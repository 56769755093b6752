package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/views"
)

// ExportPlayers reads players for a file; see web.Exportable.
func (a *Area) ExportPlayers(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &playersPage{Page: p}
	f, wrong, err := a.filters(c.UserContext(), page)
	f.Limit = web.ExportPage
	const balances = "Balances"
	total := export.NewSums(balances)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Player"}, {Name: "Test player", Kind: export.Flag},
			{Name: "Blocked", Kind: export.Flag},
			{Name: "Balance", Kind: export.Money}, {Name: "Currency"}, {Name: "Lines in the ledger", Kind: export.Number},
			{Name: "Created", Kind: export.Time},
		},
		Sums: total.List,
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.Players(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, p := range list {
					total.AddAmount(p.Wallet.Currency, balances, p.Wallet.Balance)
					rows[i] = export.Row{p.ID, string(p.UserID), p.Test, p.Wallet.Blocked, p.Wallet.Balance,
						string(p.Wallet.Currency), p.Wallet.Seq, p.CreatedAt}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.After = list[len(list)-1].UserID
			}
		},
	}, page.Chips, wrong, err
}
