package players

import (
	"context"
	"encoding/hex"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type ledgerRow struct {
	models.Entry
	What string
}

type ledgerPage struct {
	aboutPlayer
	web.Listed
	Rows []ledgerRow
}

// ledger returns the part of a player's money ledger that the filters in the address select. If one cannot be read, a message
// replaces it.
func (a *Area) ledger(page *web.Page, l *web.Listed, p models.Player) models.Listing[models.Entry] {
	span := l.Period(page, web.LargestWords...)
	span.Limit = playerRows
	l.Instead = page.Unread()
	return models.Listing[models.Entry]{
		Span: span,
		Read: func(ctx context.Context, s models.Span) (models.Page[models.Entry], error) {
			return a.Store.Entries(ctx, p.ID, s)
		},
		Place: models.Entry.Place,
	}
}

// ledgerAmounts adds up the lines of a ledger in a currency.
func ledgerAmounts(c models.Currency) web.Amounts[models.Entry] {
	return web.Amounts[models.Entry]{
		Of:   func(e models.Entry) (models.Amount, models.Currency) { return max(e.Amount, -e.Amount), c },
		Sums: []web.Sum[models.Entry]{{Word: "net", Of: func(e models.Entry) models.Amount { return e.Amount }}},
	}
}

func (a *Area) PlayerLedger(c *fiber.Ctx, p models.Player) error {
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &ledgerPage{aboutPlayer: about}
	list := a.ledger(&page.Page, &page.Listed, p)
	found, err := web.ReadAmounts(c.UserContext(), &page.Page, &page.Listed, list, ledgerAmounts(p.Wallet.Currency))
	if err != nil {
		return err
	}
	for _, e := range found.Rows {
		page.Rows = append(page.Rows, ledgerRow{e, pages.EntryWord(e.Kind)})
	}
	page.Exportable = page.Instead == nil && a.MayExport(&page.Page, page.Path)
	return a.Render(c, "players/ledger", page)
}

// ExportLedger reads a player's money ledger for a file. It is recorded as a view
// of the player.
func (a *Area) ExportLedger(ctx context.Context, page web.Page) (export.List, []views.Chip, *views.Empty, error) {
	var l web.Listed
	number, _ := web.Matched(web.LedgerList, page.Path)
	p, err := a.PlayerNumbered(ctx, number)
	if err == nil {
		err = a.ViewedOn(ctx, &page, "player", p.ID, p.ID)
	}
	if err != nil {
		return export.List{}, nil, nil, err
	}
	rows, err := web.AmountRows(ctx, &page, &l, a.ledger(&page, &l, p), ledgerAmounts(p.Wallet.Currency),
		export.Each(func(e models.Entry) export.Row {
			return export.Row{e.Seq, e.At, pages.EntryWord(e.Kind), string(e.TransactionID), string(e.RoundID), e.Amount, e.Before,
				e.After, string(p.Wallet.Currency), hex.EncodeToString(e.Hash[:])}
		}))
	return export.List{
		Columns: []export.Column{
			{Name: "Line", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "What"}, {Name: "Transaction ID"},
			{Name: "Round ID"}, {Name: "Amount", Kind: export.Money},
			{Name: "Balance before", Kind: export.Money}, {Name: "Balance after", Kind: export.Money}, {Name: "Currency"},
			{Name: "Hash"},
		},
		Read: rows,
	}, append([]views.Chip{{Label: "Player", Value: string(p.UserID)}}, page.Chips...), l.Instead, err
}
