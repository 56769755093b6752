package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"pitboss/models"
	"pitboss/views"
)

// Refused bets, among the transactions that they never became.

var refusedWords = []string{"", "Not shown", "with", "Shown", "only", "Only refused"}

// refusedRows is how many refused bets stand at most between the transactions of one page.
const refusedRows = 100

// isRefusedBet reports a callback that its player knows as a bet that was not accepted.
func isRefusedBet(c models.Callback) bool {
	return (c.Kind == models.Withdraw || c.Kind == models.BetWinCallback) && slices.Contains(models.BetRefusals(), c.Verdict)
}

// refusedBets is the filter of the callback log that selects the refused ones among what f selects; false where nothing refused
// can match.
func refusedBets(user models.UserID, f models.TransactionFilter) (models.CallbackFilter, bool) {
	refused := models.CallbackFilter{
		Bets: true, Verdicts: models.BetRefusals(), UserID: user, TransactionID: f.TransactionID,
		TransactionIDs: f.TransactionIDs, Since: f.Since, Until: f.Until,
	}
	switch f.Kind {
	case 0:
	case models.Bet:
		refused.Kind = models.Withdraw
	case models.BetWin:
		refused.Kind = models.BetWinCallback
	default:
		return refused, false
	}
	if f.State != 0 || f.OtherContents {
		return refused, false
	}
	if f.RoundID != "" || f.With != 0 || f.AmountFrom != nil || f.AmountTo != nil {
		refused.Only = func(c *models.Callback) bool {
			amount, err := models.ParseAmount(c.Amount)
			return err == nil && (f.RoundID == "" || c.RoundID == f.RoundID) &&
				(f.With == 0 || c.FreeSpin == (f.With == models.FreeSpins)) &&
				(f.AmountFrom == nil || amount >= *f.AmountFrom) && (f.AmountTo == nil || amount <= *f.AmountTo)
		}
	}
	return refused, true
}

// refusedRow is a refused bet as a line among transactions.
func (p *Page) refusedRow(c models.Callback) transactionRow {
	row := transactionRow{Href: callbackPath(c), PlayerHref: playerPath(c.PlayerID), Moment: p.Time(c.At), Word: "Bet",
		Badge: views.Refused("Refused"), Note: refusalNote(c), Tell: p.tellPlayer(c)}
	row.TransactionID, row.UserID, row.PlayerID, row.Currency, row.At = c.TransactionID, c.UserID, c.PlayerID, c.Currency, c.At
	if c.Kind == models.BetWinCallback {
		row.Word = "Bet + win"
	} else if c.FreeSpin {
		row.Word = "Free-spin bet"
	}
	row.Amount = views.Money{Text: c.Amount, Currency: string(c.Currency), Void: true}
	if bet, err := models.ParseAmount(c.Amount); err == nil {
		row.Amount.Text = bet.Grouped()
	}
	if c.Had != nil {
		row.Left = views.Money{Text: c.Had.Grouped(), Second: true}
	}
	return row
}

// refusalNote says why a bet was refused, in a few words.
func refusalNote(c models.Callback) string {
	switch c.Verdict {
	case models.VerdictInsufficientFunds:
		if bet, err := models.ParseAmount(c.Amount); err == nil && c.Had != nil {
			return "needed " + bet.Grouped() + ", had " + c.Had.Grouped()
		}
		return "the balance was too low"
	case models.VerdictPlayerBlocked:
		return "the player was blocked"
	case models.VerdictRolledBack:
		return "the platform had canceled it already"
	case models.VerdictOtherContents:
		return "its ID came before, with other contents"
	}
	return c.Verdict.String()
}

// tellPlayer is what support can send to the player about a refused bet.
func (p *Page) tellPlayer(c models.Callback) string {
	amount := c.Amount
	if bet, err := models.ParseAmount(c.Amount); err == nil {
		amount = bet.Grouped()
	}
	at := p.Time(c.Request.Received)
	_, offset := c.Request.Received.In(p.zone).Zone()
	zone := "UTC"
	if offset != 0 {
		zone = utcOffset(offset)
	}
	text := "Your bet of " + amount + " " + string(c.Currency) + " on " + at.Date() + " at " + at.Clock() + " (" + zone +
		") was not accepted, because "
	switch c.Verdict {
	case models.VerdictInsufficientFunds:
		text += "your balance was too low"
		if c.Had != nil {
			text = strings.TrimSuffix(text, "too low") + c.Had.Grouped() + " " + string(c.Currency) + " at that moment"
		}
	case models.VerdictPlayerBlocked:
		text += "bets were not possible on your account at that moment"
	case models.VerdictRolledBack:
		text += "the game had already canceled it"
	default:
		text += "of a technical problem"
	}
	return text + ". Nothing was taken from your balance."
}

// onlyRefused fills a page of transactions with refused bets alone.
func (a *App) onlyRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter) error {
	refused, possible := refusedBets(models.UserID(page.Player.Value), f)
	page.Empty = views.Empty{Title: "No refused bets match these filters",
		Text:  "A bet is listed here when it was refused, for example because the balance was too low.",
		Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}}}
	if !possible {
		return nil
	}
	refused.Page, refused.Limit = f.Page, transactionRows
	found, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return err
	}
	var first, last models.Cursor
	for i, c := range found.Rows {
		page.Rows = append(page.Rows, page.refusedRow(c))
		if last = c.Cursor(); i == 0 {
			first = last
		}
	}
	page.Paging = page.lookedAround(f.Page, first, last, found.More, found.Stopped, strconv.Itoa(len(page.Rows))+" shown")
	if !found.Stopped.IsZero() {
		page.Empty = soFar(page.Paging)
	}
	return nil
}

// addRefused puts the refused bets of the same time between the transactions of a page. A page goes from its oldest transaction
// up to the next newer one that it does not show, so that each refused bet is on one page.
func (a *App) addRefused(ctx context.Context, page *transactionsPage, f models.TransactionFilter,
	found models.Page[models.TransactionLine]) error {
	refused, possible := refusedBets(models.UserID(page.Player.Value), f)
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
		f.Page, f.Limit = transactionCursor(found.Rows[0]), 1
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
	refused.Limit = refusedRows
	list, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return err
	}
	for _, c := range list.Rows {
		page.Rows = append(page.Rows, page.refusedRow(c))
	}
	slices.SortStableFunc(page.Rows, func(a, b transactionRow) int { return b.At.Compare(a.At) })
	if len(list.Rows) > 0 {
		page.Paging.Note += ", and " + several(int64(len(list.Rows)), "refused bet", "refused bets")
	}
	if list.More || !list.Stopped.IsZero() {
		page.Paging.Note += "; there are more refused bets, choose Only refused to see them all"
	}
	return nil
}

// latestRefused puts a player's refused bets between their latest transactions, and returns so many of both.
func (a *App) latestRefused(ctx context.Context, p *Page, player models.Player, rows []transactionRow,
	limit int) ([]transactionRow, error) {
	refused, _ := refusedBets(player.UserID, models.TransactionFilter{})
	refused.Limit = limit
	list, err := a.Store.Callbacks(ctx, refused)
	if err != nil {
		return nil, err
	}
	for _, c := range list.Rows {
		rows = append(rows, p.refusedRow(c))
	}
	slices.SortStableFunc(rows, func(a, b transactionRow) int { return b.At.Compare(a.At) })
	return rows[:min(len(rows), limit)], nil
}

// refusedToday is the fact of how many bets of a player were refused since midnight.
func (a *App) refusedToday(ctx context.Context, p *Page, player models.Player, midnight time.Time) (views.Fact, error) {
	fact := views.Fact{Label: "Refused today", Value: "None"}
	refused, _ := refusedBets(player.UserID, models.TransactionFilter{Since: midnight})
	refused.Limit = refusedRows
	list, err := a.Store.Callbacks(ctx, refused)
	if err != nil || len(list.Rows) == 0 {
		return fact, err
	}
	fact.Value = several(int64(len(list.Rows)), "bet", "bets")
	if list.More {
		fact.Value = "Over " + fact.Value
	}
	fact.Note = "last: " + refusalNote(list.Rows[0])
	fact.Href = "/transactions?player=" + escapeQuery(string(player.UserID)) + "&refused=only&since=" +
		midnight.Format(time.DateOnly)
	return fact, nil
}

// idFilter reads the filter by transaction ID: the whole ID, its beginning, or the short form that pages show. No IDs and no
// error mean that the filter is not in force, or that only the ID as it was typed can match.
func (a *App) idFilter(ctx context.Context,
	p *Page) (id models.TransactionID, several []models.TransactionID, wrong error, err error) {
	text := p.filter("id", "Transaction", nil)
	if text == "" {
		return "", nil, nil, nil
	}
	several, err = a.Store.TransactionIDsLike(ctx, text)
	switch {
	case errors.Is(err, models.ErrManyIDs):
		return models.TransactionID(text), nil, models.ErrManyIDs, nil
	case err != nil:
		return "", nil, nil, err
	case len(several) == 0:
		return models.TransactionID(text), nil, nil, nil
	case len(several) == 1:
		return several[0], nil, nil, nil
	}
	return "", several, nil, nil
}
