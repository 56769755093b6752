package players

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// ofPlayer reads the player in the page's path, and records that the reader viewed their data.
func (a *Area) ofPlayer(ctx context.Context, page *web.Page, head *pages.PlayerHead) (err error) {
	if head.Player, err = a.PlayerNumbered(ctx, strings.Split(page.Path, "/")[2]); err != nil {
		return err
	}
	return a.ViewedOn(ctx, page, "player", head.Player.ID, head.Player.ID)
}

// playerChip names the player in a list's file.
func playerChip(p models.Player) []views.Chip {
	return []views.Chip{{Label: "Player", Value: string(p.UserID)}}
}

type entry = models.Entry

// PlayerLedger shows a player's money ledger.
func (a *Area) PlayerLedger(c *fiber.Ctx) error {
	return a.Ledger().Serve(a.Site.Site, c, "players/ledger")
}

// Ledger is the list of lines in a player's money ledger.
func (a *Area) Ledger() web.List[pages.PlayerList, entry] {
	return web.List[pages.PlayerList, entry]{
		Path: web.LedgerList, Title: "Money ledger", Needs: web.ReadPlayers, Select: a.selectedLedger, Load: pages.LoadHead[entry](a.Site),
		Implied: func(p *pages.PlayerList) []views.Chip { return playerChip(p.Player) },
		Amounts: web.Amounts[entry]{
			Of:   func(e entry) (models.Amount, models.Currency) { return max(e.Amount, -e.Amount), e.Currency },
			Sums: []web.Sum[entry]{{Word: "net", Of: func(e entry) models.Amount { return e.Amount }}},
		},
		Columns: []web.Column[pages.PlayerList, entry]{
			{Head: "Line", Kind: export.Number, Class: "c-line", Value: func(e entry) any { return e.Seq }},
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(e entry) any { return e.At }},
			{Head: "What", Class: "c-what", Value: func(e entry) any { return pages.EntryWord(e.Kind) }},
			{Head: "Transaction", Name: "Transaction ID", Class: "pb-nowrap", Value: func(e entry) any { return string(e.TransactionID) },
				Cell: func(_ *pages.PlayerList, e entry) views.Cell { return soughtCell(e.TransactionID) }},
			{Name: "Round ID", Value: func(e entry) any { return string(e.RoundID) }},
			{Head: "Amount", Kind: export.Money, Class: "c-lead", Order: web.Largest, Value: func(e entry) any { return e.Amount },
				Cell: func(p *pages.PlayerList, e entry) views.Cell {
					return views.Cell{Money: new(p.Signed(e.Amount, e.Currency))}
				}},
			{Name: "Balance before", Kind: export.Money, Value: func(e entry) any { return e.Before }},
			{Head: "Balance after", Kind: export.Money, Class: "pb-2nd", Value: func(e entry) any { return e.After }},
			{Name: "Currency", Value: func(e entry) any { return string(e.Currency) }},
			{Head: "Hash", Class: "c-skip", Value: func(e entry) any { return hex.EncodeToString(e.Hash[:]) },
				When: func(p *pages.PlayerList) bool { return p.Can(web.ReadIntegrity) },
				Cell: func(_ *pages.PlayerList, e entry) views.Cell {
					return views.Cell{ID: views.ShortID(hex.EncodeToString(e.Hash[:]), "hash"), Copy: true}
				}},
		},
	}
}

// soughtCell returns the cell of a transaction ID, with a link that searches for the ID.
func soughtCell(id models.TransactionID) views.Cell {
	return views.Cell{ID: views.ShortID(string(id), "transaction ID"), Href: "/search?q=" + web.EscapeQuery(string(id))}
}

// selectedLedger reads the player and the filters from the address.
func (a *Area) selectedLedger(ctx context.Context, page *pages.PlayerList) (list models.Listing[entry], err error) {
	if err := a.ofPlayer(ctx, &page.Page, &page.PlayerHead); err != nil {
		return list, err
	}
	return models.Listing[entry]{Span: page.Period(&page.Page, web.LargestWords...), Place: entry.Place,
		Read: func(ctx context.Context, s models.Span) (models.Page[entry], error) {
			found, err := a.Store.Entries(ctx, page.Player.ID, s)
			for i := range found.Rows {
				found.Rows[i].Currency = page.Player.Wallet.Currency
			}
			return found, err
		}}, nil
}
