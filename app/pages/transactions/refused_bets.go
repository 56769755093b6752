package transactions

import (
	"context"
	"slices"
	"time"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// The list of transactions can include refused bets, which never became transactions.

var refusedWords = []string{"", "Not shown", "with", "Shown", "only", "Only refused"}

// onlyRefused fills a page of transactions with refused bets only.
func (a *Area) onlyRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter) error {
	refused, possible := pages.RefusedBets(page.player, f)
	if !possible {
		return nil
	}
	list := models.List(refused, transactionRows, a.Store.Callbacks, models.Callback.Cursor)
	found, err := web.ReadAmounts(ctx, &page.Page, &page.Listed, list, refusedAmounts)
	for _, c := range pages.OneEach(found.Rows) {
		page.Rows = append(page.Rows, pages.RefusedRow(&page.Page, c))
	}
	return err
}

// refusedAmounts do not add up, because the platform repeats a callback until it is answered.
var refusedAmounts = web.Amounts[models.Callback]{Of: func(c models.Callback) (models.Amount, models.Currency) {
	amount, err := models.ParseAmount(c.Amount)
	if err != nil {
		amount = 0
	}
	return amount, c.Currency
}}

// exportRefused reads refused bets for a file, each once.
func (a *Area) exportRefused(page *transactionsPage, f models.TransactionFilter) export.List {
	refused, possible := pages.RefusedBets(page.player, f)
	list := export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "Transaction ID"}, {Name: "Kind"}, {Name: "Player"}, {Name: "Round ID"},
			{Name: "Bet", Kind: export.Money}, {Name: "Balance at that moment", Kind: export.Money}, {Name: "Currency"}, {Name: "Why"},
		},
		Read: func(context.Context, func(export.Page) error) error { return nil },
	}
	if !possible {
		return list
	}
	seen := map[models.TransactionID]bool{}
	list.Read = export.NewestFirst(models.List(refused, web.ExportPage, a.Store.Callbacks, models.Callback.Cursor), web.ExportPage,
		func(_ context.Context, found []models.Callback) (rows []export.Row, err error) {
			for _, c := range found {
				if seen[c.TransactionID] {
					continue
				}
				seen[c.TransactionID] = true
				row := pages.RefusedRow(&page.Page, c)
				amount, _ := refusedAmounts.Of(c)
				rows = append(rows, export.Row{c.At, string(c.TransactionID), row.Word, string(c.UserID), string(c.RoundID), amount,
					export.AmountOrNone(c.Had), string(c.Currency), row.Note})
			}
			return rows, nil
		})
	return list
}

// addRefused puts refused bets between the transactions of a page, by time. A page has the refused bets from its oldest
// transaction up to the next newer transaction that is not on the page, so that each refused bet is on one page.
func (a *Area) addRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter,
	found models.Page[models.TransactionLine]) error {
	refused, possible := pages.RefusedBets(page.player, f)
	if !possible {
		return nil
	}
	later := func(t time.Time) {
		if refused.Since.Before(t) {
			refused.Since = t
		}
	}
	n := len(found.Rows)
	if at, err := page.Place(); err != nil {
		return err
	} else if n > 0 && !at.IsZero() {
		f.Page, f.Limit = f.Place(found.Rows[0]), 1
		f.Page.Newer = true
		next, err := a.Store.Transactions(ctx, f)
		if err != nil {
			return err
		}
		if len(next.Rows) > 0 && (refused.Until.IsZero() || next.Rows[0].At.Before(refused.Until)) {
			refused.Until = next.Rows[0].At
		}
	}
	switch {
	case n > 0 && page.Paging.Older != "":
		later(found.Rows[n-1].At)
	case !found.Stopped.IsZero() && !found.Stopped.Newer:
		later(found.Stopped.At)
	}
	refused.Limit = pages.RefusedRows
	list, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return err
	}
	bets := pages.OneEach(list.Rows)
	for _, c := range bets {
		page.Rows = append(page.Rows, pages.RefusedRow(&page.Page, c))
	}
	slices.SortStableFunc(page.Rows, func(a, b pages.TransactionRow) int { return b.At.Compare(a.At) })
	page.RefusedAmong, page.MoreRefused = len(bets), list.More || !list.Stopped.IsZero()
	return nil
}
