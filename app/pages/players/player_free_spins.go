package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type playerSpinsPage struct {
	pages.PlayerList
	Grants []pages.GrantRow
}

// heldGrants is how many of a player's grants are shown above the free-spin ledger.
const heldGrants = 10

// PlayerFreeSpins shows a player's newest grants and free-spin ledger.
func (a *Area) PlayerFreeSpins(c *fiber.Ctx) error {
	return a.spins().Serve(a.Site.Site, c, "players/free-spins")
}

type spin = models.AttributedSpin

// spins is the list of lines in a player's free-spin ledger.
func (a *Area) spins() web.List[playerSpinsPage, spin] {
	return web.List[playerSpinsPage, spin]{
		Title: "Free-spin ledger",
		Select: func(ctx context.Context, page *playerSpinsPage) (models.Listing[spin], error) {
			return models.Listing[spin]{Place: spin.Place, Read: func(ctx context.Context, s models.Span) (models.Page[spin], error) {
				return a.Store.PlayerSpins(ctx, page.Player.ID, s)
			}}, a.ofPlayer(ctx, &page.Page, &page.PlayerHead)
		},
		Load: func(ctx context.Context, page *playerSpinsPage, _ []spin) error {
			grants, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: page.Player.ID, Span: models.Span{Limit: heldGrants}})
			if err == nil {
				page.Grants, err = a.GrantRows(ctx, grants.Rows)
			}
			if err != nil {
				return err
			}
			return a.ReadHead(ctx, &page.Page, &page.PlayerHead)
		},
		Columns: []web.Column[playerSpinsPage, spin]{
			{Head: "Line", Class: "num c-line", Value: func(s spin) any { return s.Seq }},
			{Head: "Time", Class: "c-time", Value: func(s spin) any { return s.At }},
			{Head: "What", Class: "c-what", Value: func(s spin) any { return pages.EntryWord(s.Kind) }},
			{Head: "Transaction", Class: "pb-nowrap", Cell: func(_ *playerSpinsPage, s spin) views.Cell { return soughtCell(s.TransactionID) }},
			{Head: "Worth", Class: "num c-lead", Cell: func(p *playerSpinsPage, s spin) views.Cell {
				worth := p.Money(s.Stake, p.Player.Wallet.Currency)
				worth.Second = true
				return views.Cell{Money: &worth}
			}},
			{Head: "Grant", Class: "wrap", Block: "grant"},
		},
	}
}
