// Package transactions has the pages of transactions.
package transactions

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

const transactionRows = 50

type transactionsPage struct {
	web.Page
	web.Listed
	pages.PlayerHead
	Rows       []pages.TransactionRow
	ID         string // the filter by transaction ID, as it was typed
	ByRollback bool   // the times are those of the rollbacks
}

var kindOptions = []web.Option[models.OperationKind]{
	{Word: "All kinds"},
	web.Offer("bet", "Bet alone", models.Bet),
	web.Offer("win", "Win alone", models.Win),
	web.Offer("bet-win", "Bet + win", models.BetWin),
	web.Offer("opening", "Opening", models.Opening),
	web.Offer("adjustment", "Adjustment", models.Adjustment),
	web.Offer("cash-deposit", "Cash deposit", models.CashIn),
	web.Offer("cash-out", "Cash-out", models.CashOut),
	web.Offer("cash-out-bounced", "Cash-out bounced", models.CashBounced),
}

var stateWords = []string{"", "All states", "applied", "Applied", "rolled-back",
	"Rolled back, by time of the transaction", "by-rollback", "Rolled back, by time of the rollback", "changed",
	"Resent with different data"}

var withOptions = []web.Option[models.PlayedWith]{
	{Word: "All"},
	web.Offer("money", "Real money", models.RealMoney),
	web.Offer("free-spins", "Free spins", models.FreeSpins),
	web.Offer("free-spin-wins", "Wins of free spins", models.FreeSpinWins),
}

var testOptions = []web.Option[*bool]{
	{Word: "Included"}, web.Offer("without", "Excluded", new(false)), web.Offer("only", "Only", new(true)),
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &transactionsPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, err := a.transactionFilter(c.UserContext(), page)
	if err != nil {
		return err
	}
	if err := a.ReadHead(c.UserContext(), &page.Page, &page.PlayerHead); err != nil {
		return err
	}
	found, err := web.ReadAmounts(c.UserContext(), &page.Page, &page.Listed, a.listing(filter), amounts)
	if err != nil {
		return err
	}
	page.Rows = pages.TransactionRows(&page.Page, found.Rows)
	if page.ByRollback {
		for i := range page.Rows {
			row := &page.Rows[i]
			row.Moment, row.Note = page.Time(row.ReversedAt), "booked "+row.Moment.Brief()
		}
	}
	return a.Render(c, "transactions/list", page)
}

func (a *Area) listing(filter models.TransactionFilter) models.Listing[models.TransactionLine] {
	return models.List(filter, transactionRows, a.Store.Transactions, filter.Place)
}

var amounts = web.Amounts[models.TransactionLine]{
	Of: func(t models.TransactionLine) (models.Amount, models.Currency) { return t.Size(), t.Currency },
	Sums: []web.Sum[models.TransactionLine]{
		{Word: "bets after rollbacks", Of: func(t models.TransactionLine) models.Amount { bet, _ := t.Standing(); return bet }},
		{Word: "wins after rollbacks", Of: func(t models.TransactionLine) models.Amount { return standingWin(t, false) }},
		{Word: "free-spin wins after rollbacks", Of: func(t models.TransactionLine) models.Amount { return standingWin(t, true) }},
	},
}

// standingWin returns the win of a transaction that was not rolled back, of a free spin or of money, and otherwise 0.00.
func standingWin(t models.TransactionLine, ofSpin bool) models.Amount {
	if t.OfSpin != ofSpin {
		return 0
	}
	_, win := t.Standing()
	return win
}

// transactionFilter reads the filters from the address. If one cannot be read, or names an unknown player, a message replaces
// the list.
func (a *Area) transactionFilter(ctx context.Context, page *transactionsPage) (f models.TransactionFilter, err error) {
	player, err := a.PlayerOrTab(ctx, &page.Page, &page.PlayerHead)
	if err != nil {
		return f, err
	}
	f.PlayerID = player.ID
	if f.TransactionID, err = a.IdFilter(ctx, &page.Page); err != nil {
		return f, err
	}
	page.ID = page.Params.Get("id")
	f.Kind = web.Choose(&page.Page, "kind", "Kind", kindOptions)
	switch page.Choice("state", "State", stateWords) {
	case "applied":
		f.State = models.Processed
	case "rolled-back":
		f.State = models.Reversed
	case "by-rollback":
		f.ByRollback, page.ByRollback = true, true
	case "changed":
		f.OtherContents = true
	}
	f.Span = page.Period(&page.Page, web.LargestWords...)
	page.MoreFilters()
	if f.RoundID, err = a.roundFilter(ctx, page, player.ID); err != nil {
		return f, err
	}
	f.With = web.Choose(&page.Page, "with", "Played with", withOptions)
	if f.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return f, err
	}
	f.Test = web.Choose(&page.Page, "test", "Test players", testOptions)
	f.Bet = models.AmountRange{From: page.AmountFilter("bet-from", "Bet from"), To: page.AmountFilter("bet-to", "Bet to")}
	f.Win = models.AmountRange{From: page.AmountFilter("win-from", "Win from"), To: page.AmountFilter("win-to", "Win to")}
	page.Instead = page.Unread()
	return f, nil
}

// roundFilter returns the round that the filter names, by its ID or by the number of one of its transactions.
func (a *Area) roundFilter(ctx context.Context, page *transactionsPage, player int64) (models.RoundID, error) {
	rounds := web.Finder[models.TransactionLine]{
		ByNumber: a.Store.Transaction,
		ByID: func(ctx context.Context, id string) (t models.TransactionLine, there bool, err error) {
			found, err := a.Store.Transactions(ctx,
				models.TransactionFilter{RoundID: models.RoundID(id), PlayerID: player, Span: models.Span{Limit: 1}})
			if err != nil || len(found.Rows) == 0 {
				return t, false, err
			}
			return found.Rows[0], true, nil
		},
		Like: func(ctx context.Context, shortened string, limit int) (found models.Found[models.TransactionLine], err error) {
			like, err := a.Store.SearchRounds(ctx, shortened, limit)
			for _, r := range like.Rows {
				t := models.TransactionLine{Transaction: models.Transaction{ID: r.ID, RoundID: r.RoundID, PlayerID: r.PlayerID}}
				if player == 0 || player == r.PlayerID {
					found.Rows = append(found.Rows, t)
				}
			}
			found.More = like.More
			return found, err
		},
		Of: func(t models.TransactionLine) (int64, string) { return t.ID, string(t.RoundID) },
	}
	_, _, id, err := rounds.Filter(ctx, &page.Page, "round", "Round ID")
	return models.RoundID(id), err
}

// FindTransactions finds transactions by their ID: whole, shortened, or only its beginning.
func (a *Area) FindTransactions(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	found, err := a.Store.SearchTransactions(ctx, text, limit)
	return pages.HitsOf(found, func(t models.TransactionLine) pages.Hit { return TransactionHit(t, text) }), err
}

// TransactionHit returns a transaction as a search result.
func TransactionHit(t models.TransactionLine, text string) pages.Hit {
	state := pages.TransactionState(t.Transaction)
	amount := t.Size().Grouped()
	if t.Kind == models.BetWin {
		amount = t.Bet.Grouped() + " and " + t.Win.Grouped()
	}
	return pages.Hit{
		Text: pages.TransactionWord(t.Transaction) + " of " + amount + " " + string(t.Currency) + ", " +
			string(t.UserID),
		ID: views.ID{Text: string(t.TransactionID), Kind: "transaction ID", Short: true}, Value: string(t.TransactionID),
		Href: pages.TransactionPath(t.ID), State: &state, Exact: string(t.TransactionID) == text,
	}
}
