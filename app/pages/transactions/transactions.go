// Package transactions has the pages of transactions.
package transactions

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

type transactionsPage struct {
	pages.PlayerList
	ID         string // the transaction ID in the filter, as it was typed
	ByRollback bool   // times are those of the rollbacks
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
	web.Offer("cash-out-paid", "Cash-out paid", models.CashPaid),
	web.Offer("cash-out-returned", "Cash-out returned", models.CashReturned),
	web.Offer("cash-out-bounced", "Cash-out bounced", models.CashBounced),
}

var stateWords = []string{"", "All states", "applied", "Applied", "rolled-back",
	"Rolled back, by time of the transaction", "by-rollback", "Rolled back, by time of the rollback", "changed",
	"Resent with different data", "booked", "Transactions and rollbacks, each when it was booked"}

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
	return a.Transactions().Serve(a.Site.Site, c, "transactions/list")
}

// Transactions is the list of transactions. Those that were not rolled back add up to the sum of the ledger, because the lines
// of a rollback reverse those of its original.
func (a *Area) Transactions() web.List[transactionsPage, line] {
	return web.List[transactionsPage, line]{
		Path: "/transactions", Title: "Transactions", Needs: web.ReadTransactions, Select: a.selected, Amounts: amounts,
		Load: func(ctx context.Context, p *transactionsPage, _ []line) error {
			return a.ReadHead(ctx, &p.Page, &p.PlayerHead)
		},
		Columns: []web.Column[transactionsPage, line]{
			{Name: "Number", Kind: export.Number, Value: func(t line) any { return t.ID }},
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(t line) any { return t.At },
				When: func(p *transactionsPage) bool { return !p.ByRollback }},
			{Head: "Rolled back", Order: web.ByTime, When: func(p *transactionsPage) bool { return p.ByRollback },
				Cell: func(p *transactionsPage, t line) views.Cell { return views.Cell{Moment: new(p.Time(t.ReversedAt))} }},
			{Head: "Transaction", Name: "Transaction ID", Class: "c-what", Value: func(t line) any { return string(t.TransactionID) },
				Cell: func(_ *transactionsPage, t line) views.Cell {
					return views.Cell{Text: pages.TransactionWord(t.Transaction), Href: pages.TransactionPath(t.ID),
						ID: views.ShortID(string(t.TransactionID), "transaction ID"), Copy: true}
				}},
			{Name: "Kind", Value: func(t line) any { return t.Kind.String() }},
			{Name: "Played with", Value: playedWith},
			{Head: "Player", Class: "c-who tight", Value: func(t line) any { return string(t.UserID) },
				When: func(p *transactionsPage) bool { return p.Player.ID == 0 },
				Cell: func(_ *transactionsPage, t line) views.Cell { return pages.PlayerCell(t.PlayerID, t.UserID) }},
			{Name: "Test player", Kind: export.Flag, Value: func(t line) any { return t.Test }},
			{Head: "Round", Name: "Round ID", Class: "c-skip pb-nowrap", Value: func(t line) any { return string(t.RoundID) },
				Cell: func(_ *transactionsPage, t line) (cell views.Cell) {
					if t.RoundID != "" {
						cell = views.Cell{ID: views.ShortID(string(t.RoundID), "round ID"), Href: pages.RoundPath(t.ID)}
					}
					return cell
				}},
			{Name: "Bet", Kind: export.Money, Value: func(t line) any { return ofPlay(t, t.Bet) }},
			{Name: "Win", Kind: export.Money, Value: func(t line) any { return ofPlay(t, t.Win) }},
			{Head: "Amount", Name: "Moved", Kind: export.Money, Class: "c-lead", Order: web.Largest,
				Value: func(t line) any { return t.Effect() },
				Cell: func(p *transactionsPage, t line) views.Cell {
					return views.Cell{Money: new(pages.TransactionAmount(&p.Page, t))}
				}},
			{Name: "Cash-out paid", Kind: export.Money, Value: func(t line) any {
				if t.Kind != models.CashPaid && t.Kind != models.CashBounced {
					return nil
				}
				return paid(t)
			}},
			{Name: "Net amount after rollbacks", Kind: export.Money, Value: func(t line) any {
				if t.State == models.Reversed || t.FreeSpin {
					return models.Amount(0)
				}
				return t.Effect()
			}},
			{Head: "Balance after", Kind: export.Money, Class: "pb-2nd", Value: func(t line) any { return export.AmountOrNone(t.After) }},
			{Name: "Currency", Value: func(t line) any { return string(t.Currency) }},
			{Head: "State", Class: "c-state", Value: func(t line) any { return state(t).Word },
				Cell: func(p *transactionsPage, t line) views.Cell {
					cell := views.Cell{Badges: []views.Badge{state(t)}, Note: pages.TransactionNote(t)}
					if p.ByRollback {
						cell.Note = "booked " + p.Time(t.At).Brief()
					}
					return cell
				}},
			{Name: "Rolled back, or cash-out ended", Kind: export.Time, Value: func(t line) any { return t.ReversedAt }},
			{Name: "Resent with different data", Kind: export.Time, Value: func(t line) any { return t.OtherContents }},
		},
	}
}

// line is a row of the list.
type line = models.TransactionLine

// state returns the badge for a transaction's state, or for a rollback with a row of its own.
func state(t line) views.Badge {
	if t.Claim == models.ClaimRolledBack && t.State == models.Processed && t.Kind < models.CashPaid {
		return views.Undone("Rollback")
	}
	return pages.TransactionState(t.Transaction)
}

// playedWith returns what was played with: money, a free spin, or a free spin's win.
func playedWith(t line) any {
	switch {
	case t.FreeSpin:
		return "free spin"
	case t.OfSpin:
		return "win of a free spin"
	}
	return "real money"
}

// ofPlay returns the bet or win of a transaction of play, and nil for opening balances, adjustments and cash.
func ofPlay(t line, amount models.Amount) any {
	if t.Kind >= models.Opening {
		return nil
	}
	return amount
}

var amounts = web.Amounts[line]{
	Of: func(t line) (models.Amount, models.Currency) { return t.Size(), t.Currency },
	Sums: []web.Sum[line]{
		{Word: "bets after rollbacks", Of: func(t line) models.Amount { bet, _ := t.Standing(); return bet }},
		{Word: "wins after rollbacks", Of: func(t line) models.Amount { return standingWin(t, false) }},
		{Word: "free-spin wins after rollbacks", Of: func(t line) models.Amount { return standingWin(t, true) }},
		{Word: "free-spin stakes after rollbacks", Of: func(t line) models.Amount {
			return when(t.FreeSpin && t.State != models.Reversed, t.Bet)
		}},
		{Word: "refunded bets", Of: func(t line) models.Amount { return when(rollback(t) && !t.FreeSpin, t.Bet) }},
		{Word: "reversed wins", Of: func(t line) models.Amount { return when(rollback(t), t.Win) }},
		{Word: "opening balances", Of: func(t line) models.Amount { return when(t.Kind == models.Opening, t.Effect()) }},
		{Word: "adjustments", Of: func(t line) models.Amount { return when(t.Kind == models.Adjustment, t.Effect()) }},
		{Word: "cash deposits", Of: func(t line) models.Amount { return when(t.Kind == models.CashIn, t.Effect()) }},
		{Word: "cash-outs requested", Of: func(t line) models.Amount { return when(t.Kind == models.CashOut, t.Bet) }},
		{Word: "cash-outs returned", Of: func(t line) models.Amount {
			return when(t.Kind == models.CashReturned, -t.Bet) + when(t.Kind == models.CashBounced, t.Win)
		}},
		{Word: "cash-outs paid", Of: paid},
		{Word: "balance change", Of: func(t line) models.Amount { return when(t.State != models.Reversed, t.Effect()) }},
	},
}

// paid returns what left the house when a cash-out was paid or, as a negative amount, what came back when it bounced.
func paid(t line) models.Amount {
	return when(t.Kind == models.CashPaid, t.Bet) - when(t.Kind == models.CashBounced, t.Win)
}

// when returns the amount if it counts, and 0.00 otherwise.
func when(counts bool, a models.Amount) models.Amount {
	if counts {
		return a
	}
	return 0
}

// rollback reports whether the row of a transaction of play is about its rollback.
func rollback(t line) bool {
	return t.Claim == models.ClaimRolledBack && t.State == models.Reversed && t.Kind < models.Opening
}

// standingWin returns a transaction's win if it was not rolled back and is of the requested kind, of a free spin or of money,
// and 0.00 otherwise.
func standingWin(t line, ofSpin bool) models.Amount {
	if t.OfSpin != ofSpin {
		return 0
	}
	_, win := t.Standing()
	return win
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *transactionsPage) (list models.Listing[line], err error) {
	player, err := a.PlayerOrTab(ctx, &page.Page, &page.PlayerHead)
	if err != nil {
		return list, err
	}
	var f models.TransactionFilter
	f.PlayerID = player.ID
	if f.TransactionID, err = a.IdFilter(ctx, &page.Page); err != nil {
		return list, err
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
	case "booked":
		f.Booked = true
	}
	f.Booked = f.Booked || f.Kind == models.CashPaid || f.Kind == models.CashReturned
	f.Span = page.Period(&page.Page, web.LargestWords...)
	page.MoreFilters()
	if f.RoundID, err = a.roundFilter(ctx, page, player.ID); err != nil {
		return list, err
	}
	f.With = web.Choose(&page.Page, "with", "Played with", withOptions)
	if f.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return list, err
	}
	f.Test = web.Choose(&page.Page, "test", "Test players", testOptions)
	f.Bet = models.AmountRange{From: page.AmountFilter("bet-from", "Bet from"), To: page.AmountFilter("bet-to", "Bet to")}
	f.Win = models.AmountRange{From: page.AmountFilter("win-from", "Win from"), To: page.AmountFilter("win-to", "Win to")}
	return models.List(f, a.Store.Transactions, f.Place), nil
}

// roundFilter returns the round in the filter, which has the round's ID or the number of one of its transactions.
func (a *Area) roundFilter(ctx context.Context, page *transactionsPage, player int64) (models.RoundID, error) {
	rounds := web.Finder[line]{
		ByNumber: a.Store.Transaction,
		ByID: func(ctx context.Context, id string) (t line, there bool, err error) {
			found, err := a.Store.Transactions(ctx,
				models.TransactionFilter{RoundID: models.RoundID(id), PlayerID: player, Span: models.Span{Limit: 1}})
			if err != nil || len(found.Rows) == 0 {
				return t, false, err
			}
			return found.Rows[0], true, nil
		},
		Like: func(ctx context.Context, shortened string, limit int) (found models.Found[line], err error) {
			like, err := a.Store.SearchRounds(ctx, shortened, limit)
			for _, r := range like.Rows {
				t := line{Transaction: models.Transaction{ID: r.ID, RoundID: r.RoundID, PlayerID: r.PlayerID}}
				if player == 0 || player == r.PlayerID {
					found.Rows = append(found.Rows, t)
				}
			}
			found.More = like.More
			return found, err
		},
		Of: func(t line) (int64, string) { return t.ID, string(t.RoundID) },
	}
	_, _, id, err := rounds.Filter(ctx, &page.Page, "round", "Round ID")
	return models.RoundID(id), err
}

// FindTransactions finds transactions by their ID: whole, shortened, or its beginning.
func (a *Area) FindTransactions(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	found, err := a.Store.SearchTransactions(ctx, text, limit)
	return pages.HitsOf(found, func(t line) pages.Hit { return TransactionHit(t, text) }), err
}

// TransactionHit returns a transaction as a search result.
func TransactionHit(t line, text string) pages.Hit {
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
