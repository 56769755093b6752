package rounds

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportRounds reads rounds for a file; see web.Exportable.
func (a *Area) ExportRounds(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &roundsPage{Page: p}
	list, err := a.listing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Started", Kind: export.Time},
			{Name: "Last transaction", Kind: export.Time}, {Name: "Round ID"}, {Name: "Player"},
			{Name: "Test player", Kind: export.Flag}, {Name: "State"}, {Name: "Transactions", Kind: export.Number},
			{Name: "Bets", Kind: export.Number},
			{Name: "Free spins", Kind: export.Number}, {Name: "Wins", Kind: export.Number},
			{Name: "Rolled back", Kind: export.Number}, {Name: "Staked", Kind: export.Money},
			{Name: "Won", Kind: export.Money}, {Name: "Net", Kind: export.Money},
			{Name: "Stakes without a result", Kind: export.Money}, {Name: "Stake of free spins", Kind: export.Money},
			{Name: "Currency"},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage, export.Each(func(r models.Round) export.Row {
			return export.Row{
				r.ID, r.At, r.LastAt, string(r.RoundID), string(r.UserID), r.Test, r.State().String(), r.Transactions, r.Bets,
				r.Spins, r.Wins, r.Reversed,
				r.Staked, r.Won, r.Net(), r.Funds(), r.SpinStake, string(r.Currency),
			}
		})),
	}, page.Chips, page.Instead, err
}
