package transactions

import (
	"context"
	"slices"
	"time"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
)

// The list of transactions can include refused bets, which never became transactions.

var refusedWords = []string{"", "Not shown", "with", "Shown", "only", "Only refused"}

// onlyRefused fills a page of transactions with refused bets only.
func (a *Area) onlyRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter) error {
	refused, possible := things.RefusedBets(models.UserID(page.Player.Value), f)
	if !possible {
		return nil
	}
	refused.Page, refused.Limit = f.Page, transactionRows
	found, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return err
	}
	var first, last models.Cursor
	for _, c := range things.OneEach(found.Rows) {
		page.Rows = append(page.Rows, things.RefusedRow(&page.Page, c))
	}
	if n := len(found.Rows); n > 0 {
		first, last = found.Rows[0].Cursor(), found.Rows[n-1].Cursor()
	}
	page.Paging = page.LookedAround(f.Page, first, last, found.More, found.Stopped, "")
	if !found.Stopped.IsZero() {
		empty := web.SoFar(page.Paging)
		page.SoFar = &empty
	} else if len(page.Rows) == 0 && f.Page.IsZero() {
		return page.OfferNearest(&page.Nearest, page.Dates,
			func(since, until time.Time, at models.Cursor) (time.Time, error) {
				refused := refused
				refused.Since, refused.Until, refused.Page, refused.Limit = since, until, at, 1
				found, err := a.Store.Callbacks(ctx, refused)
				return web.TimeOfFirst(found.Rows, func(c models.Callback) time.Time { return c.At }), err
			})
	}
	return nil
}

// addRefused puts refused bets between the transactions of a page, by time. A page has the refused bets from its oldest
// transaction up to the next newer transaction that is not on the page, so that each refused bet is on one page.
func (a *Area) addRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter,
	found models.Page[models.TransactionLine]) error {
	refused, possible := things.RefusedBets(models.UserID(page.Player.Value), f)
	if !possible {
		return nil
	}
	later := func(t time.Time) {
		if refused.Since.Before(t) {
			refused.Since = t
		}
	}
	n := len(found.Rows)
	if n > 0 && !f.Page.IsZero() {
		f.Page, f.Limit = things.TransactionCursor(found.Rows[0]), 1
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
	refused.Limit = things.RefusedRows
	list, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return err
	}
	bets := things.OneEach(list.Rows)
	for _, c := range bets {
		page.Rows = append(page.Rows, things.RefusedRow(&page.Page, c))
	}
	slices.SortStableFunc(page.Rows, func(a, b things.TransactionRow) int { return b.At.Compare(a.At) })
	page.RefusedAmong, page.MoreRefused = len(bets), list.More || !list.Stopped.IsZero()
	return nil
}
