package pages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// refusedCounted is how many callbacks of refused bets a player's page counts at most.
const refusedCounted = 100

// IsRefusedBet reports whether a callback looked to the player like a bet that was not accepted.
func IsRefusedBet(c models.Callback) bool {
	return (c.Kind == models.Withdraw || c.Kind == models.BetWinCallback) && slices.Contains(models.BetRefusals(), c.Verdict)
}

// RefusedBets selects refused bets in the callback log.
func RefusedBets() models.CallbackFilter {
	return models.CallbackFilter{Bets: true, Verdicts: models.BetRefusals()}
}

// refusedRow returns a refused bet as a row among transactions.
func refusedRow(p *web.Page, c models.Callback) TransactionRow {
	row := TransactionRow{Href: CallbackPath(c), PlayerHref: PlayerPath(c.PlayerID), Moment: p.Time(c.At), Word: "Bet",
		Badge: views.Refused("Refused"), Note: RefusalNote(c), Refused: true}
	if badge := c.Verdict.Bet().Badge; badge != "" {
		row.Badge = views.Refused("Refused: " + badge)
	}
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

// RefusalNote says why a bet was refused, in a few words.
func RefusalNote(c models.Callback) string {
	if bet, err := models.ParseAmount(c.Amount); err == nil && c.Verdict == models.VerdictInsufficientFunds && c.Had != nil {
		return "needed " + bet.Grouped() + ", had " + c.Had.Grouped()
	}
	return cmp.Or(c.Verdict.Bet().Note, c.Verdict.String())
}

// LatestRefused merges a player's refused bets into the player's latest transactions, and returns the latest limit rows of
// both.
func (s *Site) LatestRefused(ctx context.Context, p *web.Page, player models.Player, rows []TransactionRow,
	limit int) ([]TransactionRow, error) {
	refused := RefusedBets()
	refused.UserID, refused.Limit = player.UserID, limit
	list, err := s.Store.Callbacks(ctx, refused)
	if err != nil {
		return nil, err
	}
	for _, c := range oneEach(list.Rows) {
		rows = append(rows, refusedRow(p, c))
	}
	slices.SortStableFunc(rows, func(a, b TransactionRow) int { return b.At.Compare(a.At) })
	return rows[:min(len(rows), limit)], nil
}

// RefusedToday has the facts about refused bets on a player's page.
type RefusedToday struct {
	Count int        // bets refused since midnight
	More  bool       // more than Count were refused
	Since models.Day // today
	Last  views.Moment
	Why   string // why the last one was refused, today or earlier; empty if there is none
}

// RefusedToday returns how many bets of a player were refused since midnight, and the last refused bet. All callbacks with the
// same transaction ID are one bet, because the platform repeats a callback until it gets an answer.
func (s *Site) RefusedToday(ctx context.Context, p *web.Page, player models.Player, midnight time.Time) (RefusedToday, error) {
	today := RefusedToday{Since: models.DayOf(midnight, p.Zone)}
	refused := RefusedBets()
	refused.UserID, refused.Since, refused.Limit = player.UserID, midnight, refusedCounted
	found, err := s.Store.Callbacks(ctx, refused)
	if err != nil {
		return today, err
	}
	today.Count, today.More = len(oneEach(found.Rows)), found.More
	if len(found.Rows) == 0 {
		refused.Since, refused.Limit = time.Time{}, 1
		if found, err = s.Store.Callbacks(ctx, refused); err != nil {
			return today, err
		}
	}
	if len(found.Rows) > 0 {
		today.Last, today.Why = p.Time(found.Rows[0].At), RefusalNote(found.Rows[0])
	}
	return today, nil
}

// oneEach returns the first callback of each transaction ID, because callbacks that repeat it are the same bet.
func oneEach(list []models.Callback) (first []models.Callback) {
	seen := map[models.TransactionID]bool{}
	for _, c := range list {
		if !seen[c.TransactionID] {
			seen[c.TransactionID] = true
			first = append(first, c)
		}
	}
	return first
}

// IdFilter returns the transaction ID in the filter.
func (s *Site) IdFilter(ctx context.Context, p *web.Page) (models.TransactionID, error) {
	ids := web.Finder[models.TransactionID]{
		ByID: func(ctx context.Context, text string) (id models.TransactionID, there bool, err error) {
			id = models.TransactionID(text)
			applied, err := s.Store.Transactions(ctx, models.TransactionFilter{TransactionID: id, Span: models.Span{Limit: 1}})
			if err != nil || len(applied.Rows) > 0 {
				return id, err == nil, err
			}
			sent, err := s.Store.Callbacks(ctx, models.CallbackFilter{TransactionID: id, Span: models.Span{Limit: 1}})
			return id, len(sent.Rows) > 0, err
		},
		Of: func(id models.TransactionID) (int64, string) { return 0, string(id) },
	}
	_, _, id, err := ids.Filter(ctx, p, "id", "Transaction ID")
	return models.TransactionID(id), err
}
