package transactions

import (
	"context"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportTransactions reads transactions for a file; see web.Exportable.
func (a *Area) ExportTransactions(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &transactionsPage{Page: p}
	filter, err := a.transactionFilter(ctx, page)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	read, err := web.AmountRows(ctx, &page.Page, &page.Listed, a.listing(filter), amounts,
		export.Each(func(t models.TransactionLine) export.Row {
			// The transactions that were not rolled back add up to the sum of the ledger, because the lines of a rollback
			// reverse those of its original.
			var stands models.Amount
			if t.State != models.Reversed && !t.FreeSpin {
				stands = t.Effect()
			}
			with := "real money"
			switch {
			case t.FreeSpin:
				with = "free spin"
			case t.OfSpin:
				with = "win of a free spin"
			}
			var bet, win any // of play: opening balances, adjustments and cash are only in Moved
			if t.Kind < models.Opening {
				bet, win = t.Bet, t.Win
			}
			return export.Row{
				t.ID, t.At, string(t.TransactionID), t.Kind.String(), with, string(t.UserID), t.Test, string(t.RoundID),
				bet, win, t.Effect(), stands,
				export.AmountOrNone(t.After), string(t.Currency), pages.TransactionState(t.Transaction).Word, t.ReversedAt,
				t.OtherContents,
			}
		}))
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Transaction ID"}, {Name: "Kind"},
			{Name: "Played with"}, {Name: "Player"},
			{Name: "Test player", Kind: export.Flag}, {Name: "Round ID"}, {Name: "Bet", Kind: export.Money},
			{Name: "Win", Kind: export.Money},
			{Name: "Moved", Kind: export.Money}, {Name: "Net amount after rollbacks", Kind: export.Money},
			{Name: "Balance after", Kind: export.Money}, {Name: "Currency"}, {Name: "State"},
			{Name: "Rolled back, or cash-out ended", Kind: export.Time}, {Name: "Resent with different data", Kind: export.Time},
		},
		Read: read,
	}, page.Chips, page.Instead, err
}
