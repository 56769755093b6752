package money

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ExportTransactions reads transactions for a file; see web.Exportable.
func (a *Area) ExportTransactions(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &transactionsPage{Page: p}
	f, wrong, err := a.transactionFilter(c, page)
	f.Limit = web.ExportPage
	// What stands of all transactions is the sum of the ledger: a rollback's lines take back those of its original.
	const bets, wins, openings, adjustments, net = "Bets that stand", "Wins that stand", "Opening balances", "Adjustments", "Sum of what stands"
	total := export.NewSums(bets, wins, openings, adjustments, net)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Transaction ID"}, {Name: "Kind"},
			{Name: "Played with"}, {Name: "Player"},
			{Name: "Test player", Kind: export.Flag}, {Name: "Round ID"}, {Name: "Bet", Kind: export.Money},
			{Name: "Win", Kind: export.Money},
			{Name: "Moved", Kind: export.Money}, {Name: "Of it stands", Kind: export.Money},
			{Name: "Balance after", Kind: export.Money}, {Name: "Currency"}, {Name: "State"},
			{Name: "Rolled back", Kind: export.Time}, {Name: "Came again, changed", Kind: export.Time},
		},
		Sums: total.List,
		Read: export.NewestFirst(f.Since,
			func(ctx context.Context, at models.Cursor) (models.Page[models.TransactionLine], error) {
				f := f
				f.Page = at
				return a.Store.Transactions(ctx, f)
			}, things.TransactionCursor, export.Each(func(t models.TransactionLine) export.Row {
				var stands models.Amount
				if t.State == models.Processed && !t.FreeSpin {
					stands = t.Effect()
					switch t.Kind {
					case models.Opening:
						total.AddAmount(t.Currency, openings, stands)
					case models.Adjustment:
						total.AddAmount(t.Currency, adjustments, stands)
					default:
						total.AddAmount(t.Currency, bets, t.Bet)
						total.AddAmount(t.Currency, wins, t.Win)
					}
				}
				total.AddAmount(t.Currency, net, stands)
				with := "real money"
				if t.FreeSpin {
					with = "free spin"
				}
				return export.Row{
					t.ID, t.At, string(t.TransactionID), t.Kind.String(), with, string(t.UserID), t.Test, string(t.RoundID),
					t.Bet,
					t.Win, t.Effect(), stands,
					export.AmountOrNone(t.After), string(t.Currency), things.TransactionState(t.Transaction).Word, t.ReversedAt,
					t.OtherContents,
				}
			})),
	}, page.Chips, wrong, err
}

// ExportRounds reads rounds for a file; see web.Exportable.
func (a *Area) ExportRounds(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &roundsPage{Page: p}
	f, wrong, err := a.roundFilter(c, page)
	f.Limit = web.ExportPage
	const staked, won, funds = "Bets that stand", "Wins that stand", "Stakes without a result"
	total := export.NewSums(staked, won, funds)
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
		Sums: total.List,
		Read: export.NewestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.Round], error) {
			f := f
			f.Page = at
			return a.Store.Rounds(ctx, f)
		}, f.Place, export.Each(func(r models.Round) export.Row {
			total.Add(r.Currency, staked, r.Staked)
			total.Add(r.Currency, won, r.Won)
			total.Add(r.Currency, funds, r.Funds())
			return export.Row{
				r.ID, r.At, r.LastAt, string(r.RoundID), string(r.UserID), r.Test, r.State().String(), r.Transactions, r.Bets,
				r.Spins, r.Wins, r.Reversed,
				r.Staked, r.Won, r.Net(), r.Funds(), r.SpinStake, string(r.Currency),
			}
		})),
	}, page.Chips, wrong, err
}
