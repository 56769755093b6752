// Package callbacks has the pages of the callback log.
package callbacks

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"strings"

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

type callbacksPage struct {
	web.Page
	web.Listed
	pages.PlayerHead
	Rows []pages.CallbackRow
}

// outcomes are the choices of the Result filter, and which callbacks they select. Most are the result code that usually answers
// these verdicts (specification, Errors 2).
var outcomes = []web.Option[models.CallbackFilter]{
	{Word: "All results"},
	web.Offer("refused", "Only refused", models.CallbackFilter{Refused: true}),
	web.Offer("bets", "Refused bets", pages.RefusedBets()),
	answered("0", "0, applied", models.Applied),
	answered("1", "1, general error", models.VerdictPlayerRestricted, models.VerdictLimitReached, models.VerdictHouseFrozen,
		models.VerdictBalanceOverflow, models.VerdictFault),
	answered("2", "2, wrong input", models.VerdictWrongInput, models.VerdictOtherAgent, models.VerdictUnknownPlayer),
	answered("3", "3, invalid sign", models.VerdictInvalidSign, models.VerdictSignReused),
	answered("6", "6, insufficient funds", models.VerdictInsufficientFunds),
	answered("8", "8, transaction not found", models.VerdictNotFound),
	answered("9", "9, already rolled back", models.VerdictRolledBack),
	answered("11", "11, duplicate", models.VerdictDuplicate, models.VerdictOtherContents),
	answered("changed", "11, changed contents", models.VerdictOtherContents),
	answered("none", "No definite answer", models.VerdictNoAnswer),
	answered("strange", "No callback, or not allowed", models.VerdictNotACallback, models.VerdictForbidden),
}

// answered returns the choice of the callbacks with these verdicts.
func answered(value, word string, verdicts ...models.Verdict) web.Option[models.CallbackFilter] {
	return web.Offer(value, word, models.CallbackFilter{Verdicts: verdicts})
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &callbacksPage{Page: a.Page(c, "")}
	page.Saveable = true
	list, err := a.listing(c.UserContext(), page)
	if err != nil {
		return err
	}
	if err := a.ReadHead(c.UserContext(), &page.Page, &page.PlayerHead); err != nil {
		return err
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, list)
	if err != nil {
		return err
	}
	for _, line := range found.Rows {
		page.Rows = append(page.Rows, pages.NewCallbackRow(&page.Page, line))
	}
	return a.Render(c, "callbacks/list", page)
}

// listing reads the filters from the address. If one cannot be read, a message replaces the list. The player need not
// exist: a stranger's callback may name any player.
func (a *Area) listing(ctx context.Context, page *callbacksPage) (list models.Listing[models.Callback], err error) {
	player, err := a.playerFilter(ctx, page)
	if err != nil {
		return list, err
	}
	id, err := a.IdFilter(ctx, &page.Page)
	if err != nil {
		return list, err
	}
	kind := web.Choose(&page.Page, "endpoint", "Endpoint", web.OptionsOf("All endpoints", models.CallbackKinds()))
	filter := web.Choose(&page.Page, "result", "Result", outcomes)
	filter.UserID, filter.TransactionID, filter.Kind = player, id, kind
	filter.Span = page.Period(&page.Page)
	page.MoreFilters()
	filter.Address = addressFilter(page)
	page.Instead = page.Unread()
	return models.List(filter, a.Store.Callbacks, models.Callback.Cursor), nil
}

// playerFilter returns the player's ID that callbacks must name. If a player has this ID, it records that the reader viewed
// their data.
func (a *Area) playerFilter(ctx context.Context, page *callbacksPage) (models.UserID, error) {
	if isTab, err := a.TabPlayer(ctx, &page.Page, &page.PlayerHead); isTab || err != nil {
		return page.Player.UserID, err
	}
	players := a.PlayerFinder()
	players.ByID = func(ctx context.Context, id string) (models.Player, bool, error) {
		p, there, err := a.Store.Player(ctx, models.UserID(id))
		if err != nil || there {
			return p, there, err
		}
		found, err := a.Store.Callbacks(ctx, models.CallbackFilter{UserID: models.UserID(id), Span: models.Span{Limit: 1}})
		return models.Player{UserID: models.UserID(id)}, len(found.Rows) > 0, err
	}
	p, _, id, err := players.Filter(ctx, &page.Page, "player", "Player")
	if err == nil && p.ID != 0 {
		err = a.ViewedOn(ctx, &page.Page, "player", p.ID, p.ID)
	}
	return models.UserID(id), err
}

// addressFilter returns the IP address in the address, or the zero Addr if the filter is not set or not an IP address.
func addressFilter(page *callbacksPage) (from netip.Addr) {
	text := page.TextFilter("address", "IP address")
	if text == "" {
		return from
	}
	from, err := netip.ParseAddr(text)
	if err != nil {
		page.Refuse(fmt.Errorf("the address has address=%s, but “%[1]s” is not an IP address: write an address like "+
			"203.0.113.7 or 2001:db8::7", text))
	}
	return from.Unmap()
}

// ExportCallbacks reads callbacks for a file; see web.Exportable.
func (a *Area) ExportCallbacks(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &callbacksPage{Page: p}
	list, err := a.listing(ctx, page)
	return export.List{
		Columns: []export.Column{
			{Name: "Time", Kind: export.Time}, {Name: "Received", Kind: export.Time}, {Name: "Endpoint"},
			{Name: "Outcome"}, {Name: "Cause"}, {Name: "Result", Kind: export.Number},
			{Name: "HTTP status", Kind: export.Number}, {Name: "IP address"},
			{Name: "Player"}, {Name: "Transaction ID"}, {Name: "Round ID"},
			{Name: "Amount", Kind: export.Money}, {Name: "Win of a BetWin", Kind: export.Money},
			{Name: "Sent in place of an amount"}, {Name: "Free spin", Kind: export.Flag},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}, {Name: "Currency"},
			{Name: "Ledger line", Kind: export.Number},
			{Name: "Left out of the log", Kind: export.Number}, {Name: "Request ID"},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage, export.Each(callbackCells)),
	}, page.Chips, page.Instead, err
}

// callbackCells returns a callback as a row of an exported file.
func callbackCells(c models.Callback) export.Row {
	var result, status any
	if c.LeftOut == 0 {
		result, status = int64(c.Answered.Result), int64(c.Answered.Status)
	}
	from := ""
	if c.Address.IsValid() {
		from = c.Address.String()
	}
	var unread []string
	amount := func(text string) any {
		a, err := models.ParseAmount(text)
		if err == nil {
			return a
		}
		if text != "" {
			unread = append(unread, text)
		}
		return nil
	}
	bet, win := amount(c.Amount), amount(c.WinAmount)
	return export.Row{
		c.At, c.Request.Received, pages.CallbackWord(c), c.Verdict.String(), c.Cause, result, status, from,
		string(c.UserID),
		string(c.TransactionID), string(c.RoundID),
		bet, win, strings.Join(unread, ", "), c.FreeSpin, export.AmountOrNone(cmp.Or(c.Before, c.Had)), export.AmountOrNone(c.After),
		string(c.Currency),
		export.NumberOrNone(c.Seq), export.NumberOrNone(c.LeftOut), c.Request.String(),
	}
}

// FindCallbacks finds a callback by its request ID, which is in logs and answers, and refused callbacks by their transaction
// ID.
func (a *Area) FindCallbacks(ctx context.Context, text string, limit int) (found models.Found[pages.Hit], err error) {
	if id, err := models.ParseRequestID(text); err == nil {
		c, known, err := a.Store.CallbackByRequest(ctx, id)
		if err != nil {
			return found, err
		}
		if known {
			h := CallbackHit(c, text)
			h.ID, h.Exact = views.ID{Text: text, Kind: "request ID"}, true
			return models.Found[pages.Hit]{Rows: []pages.Hit{h}}, nil
		}
	}
	refused, err := a.Store.SearchRefused(ctx, text, limit)
	return pages.HitsOf(refused, func(c models.Callback) pages.Hit { return CallbackHit(c, text) }), err
}

// CallbackHit returns a callback as a search result.
func CallbackHit(c models.Callback, text string) pages.Hit {
	state, what, amount := pages.CallbackBadge(c), pages.CallbackWord(c), c.Amount
	if pages.IsRefusedBet(c) {
		what = "Refused bet"
		if bet, err := models.ParseAmount(amount); err == nil {
			amount = bet.Grouped()
		}
	}
	if amount != "" {
		what += " of " + amount
		if c.Currency != "" {
			what += " " + string(c.Currency)
		}
	}
	if c.UserID != "" {
		what += ", " + string(c.UserID)
	}
	return pages.Hit{
		Text: what, ID: views.ID{Text: string(c.TransactionID), Kind: "transaction ID", Short: true},
		Value: string(c.TransactionID),
		Href:  pages.CallbackPath(c), State: &state, Exact: text != "" && string(c.TransactionID) == text,
	}
}
