// Package callbacks has the pages of the callback log.
package callbacks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/platform"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

type callbacksPage = pages.PlayerList

// outcomes are the choices of the Result filter: one for the callbacks that were answered with each result code
// (models.Results), and some narrower ones.
var outcomes = func() []web.Option[models.CallbackFilter] {
	list := []web.Option[models.CallbackFilter]{
		{Word: "All results"},
		web.Offer("refused", "Only refused", models.CallbackFilter{Refused: true}),
		web.Offer("bets", "Refused bets", pages.RefusedBets()),
	}
	results := models.Results()
	for _, result := range slices.Sorted(maps.Keys(results)) {
		list = append(list, answered(strconv.Itoa(result), platform.ResultWords(result), results[result]...))
	}
	return append(list,
		answered("changed", "11, "+models.VerdictOtherContents.String(), models.VerdictOtherContents),
		answered("none", "No definite answer", models.VerdictNoAnswer),
		answered("strange", "No callback, or not allowed", models.VerdictNotACallback, models.VerdictForbidden))
}()

// answered returns the choice that selects callbacks with these verdicts.
func answered(value, word string, verdicts ...models.Verdict) web.Option[models.CallbackFilter] {
	return web.Offer(value, word, models.CallbackFilter{Verdicts: verdicts})
}

func (a *Area) List(c *fiber.Ctx) error { return a.Callbacks().Serve(a.Site.Site, c, "callbacks/list") }

type callback = models.Callback

// Callbacks is the list of callbacks.
func (a *Area) Callbacks() web.List[callbacksPage, callback] {
	return web.List[callbacksPage, callback]{
		Path: "/callbacks", Title: "Callbacks", Needs: web.ReadCallbacks, Select: a.selected, Load: pages.LoadHead[callback](a.Site),
		Columns: []web.Column[callbacksPage, callback]{
			{Name: "Time", Kind: export.Time, Value: func(c callback) any { return c.At }},
			{Head: "Received", Kind: export.Time, Order: web.ByTime, Block: "received", Value: func(c callback) any { return c.Request.Received }},
			{Head: "Callback", Name: "Endpoint", Class: "c-what", Value: func(c callback) any { return pages.CallbackWord(c) },
				Cell: func(_ *callbacksPage, c callback) views.Cell {
					return views.Cell{Text: pages.CallbackWord(c), Href: pages.CallbackPath(c),
						ID: views.ShortID(string(c.TransactionID), "transaction ID")}
				}},
			{Name: "Outcome", Value: func(c callback) any { return c.Verdict.String() }},
			{Name: "Cause", Value: func(c callback) any { return c.Cause }},
			{Name: "Result", Kind: export.Number, Value: func(c callback) any { return logged(c, c.Answered.Result) }},
			{Name: "HTTP status", Kind: export.Number, Value: func(c callback) any { return logged(c, c.Answered.Status) }},
			{Name: "IP address", Value: address},
			{Head: "Player", Class: "c-who tight", Value: func(c callback) any { return string(c.UserID) },
				When: func(p *callbacksPage) bool { return p.Player.ID == 0 },
				Cell: func(_ *callbacksPage, c callback) views.Cell { return pages.PlayerCell(c.PlayerID, c.UserID) }},
			{Name: "Transaction ID", Value: func(c callback) any { return string(c.TransactionID) }},
			{Name: "Round ID", Value: func(c callback) any { return string(c.RoundID) }},
			{Head: "Amount", Kind: export.Money, Class: "c-lead", Value: func(c callback) any { return sentAmount(c.Amount) },
				Cell: func(p *callbacksPage, c callback) (cell views.Cell) {
					if row := pages.NewCallbackRow(&p.Page, c); row.Amount.Text != "" {
						cell.Money = &row.Amount
					}
					return cell
				}},
			{Name: "Win of a BetWin", Kind: export.Money, Value: func(c callback) any { return sentAmount(c.WinAmount) }},
			{Name: "Sent in place of an amount", Value: unread},
			{Name: "Free spin", Kind: export.Flag, Value: func(c callback) any { return c.FreeSpin }},
			{Name: "Balance before", Kind: export.Money, Value: func(c callback) any { return export.AmountOrNone(cmp.Or(c.Before, c.Had)) }},
			{Name: "Balance after", Kind: export.Money, Value: func(c callback) any { return export.AmountOrNone(c.After) }},
			{Name: "Currency", Value: func(c callback) any { return string(c.Currency) }},
			{Name: "Ledger line", Kind: export.Number, Value: func(c callback) any { return export.NumberOrNone(c.Seq) }},
			{Name: "Left out of the log", Kind: export.Number, Value: func(c callback) any { return export.NumberOrNone(c.LeftOut) }},
			{Name: "Request ID", Value: func(c callback) any { return c.Request.String() }},
			{Head: "Answered", Class: "c-state", Cell: func(p *callbacksPage, c callback) views.Cell {
				return views.Cell{Block: "answered", Of: pages.NewCallbackRow(&p.Page, c)}
			}},
			{Head: "IP address", Class: "c-who tight c-spare", Cell: func(_ *callbacksPage, c callback) views.Cell {
				return views.Cell{ID: views.ID{Text: address(c).(string)}}
			}},
		},
	}
}

// address returns a callback's address, or nil if it is not known.
func address(c callback) any {
	if !c.Address.IsValid() {
		return ""
	}
	return c.Address.String()
}

// logged returns a number from a callback's answer, or nil for a line about callbacks that are not in the log.
func logged(c callback, n int) any {
	if c.LeftOut > 0 {
		return nil
	}
	return int64(n)
}

// sentAmount returns the amount in a text, or nil if the text is not an amount.
func sentAmount(text string) any {
	if a, err := models.ParseAmount(text); err == nil {
		return a
	}
	return nil
}

// unread returns what was sent in place of an amount.
func unread(c callback) any {
	var texts []string
	for _, text := range []string{c.Amount, c.WinAmount} {
		if text != "" && sentAmount(text) == nil {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// selected reads the filters from the address. The player in them need not exist, because a stranger's callback may name
// anybody.
func (a *Area) selected(ctx context.Context, page *callbacksPage) (list models.Listing[callback], err error) {
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
	return models.List(filter, a.Store.Callbacks, models.Callback.Cursor), nil
}

// playerFilter returns the player ID that callbacks must name. If a player has this ID, it records that the reader viewed their
// data.
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

// addressFilter returns the IP address in the filter, or the zero Addr if the filter is not set or not an IP address.
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

// FindCallbacks finds a callback by its request ID, which logs and answers have, and refused callbacks by their transaction ID.
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
