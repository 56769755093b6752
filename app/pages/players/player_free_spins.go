package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

type usedSpin struct {
	models.AttributedSpin
	What string
}

type playerSpinsPage struct {
	aboutPlayer
	web.Listed
	Grants []pages.GrantRow
	Rows   []usedSpin
}

// heldGrants is how many of a player's grants are shown above their free-spin ledger.
const heldGrants = 10

func (a *Area) PlayerFreeSpins(c *fiber.Ctx, p models.Player) error {
	ctx := c.UserContext()
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &playerSpinsPage{aboutPlayer: about}
	grants, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: p.ID, Span: models.Span{Limit: heldGrants}})
	if err != nil {
		return err
	}
	if page.Grants, err = a.GrantRows(ctx, grants.Rows); err != nil {
		return err
	}
	spins, err := web.ReadPage(ctx, &page.Page, &page.Listed, models.Listing[models.AttributedSpin]{
		Span: models.Span{Limit: playerRows},
		Read: func(ctx context.Context, s models.Span) (models.Page[models.AttributedSpin], error) {
			return a.Store.PlayerSpins(ctx, p.ID, s)
		},
		Place: models.AttributedSpin.Place,
	})
	if err != nil {
		return err
	}
	for _, s := range spins.Rows {
		page.Rows = append(page.Rows, usedSpin{s, pages.EntryWord(s.Kind)})
	}
	return a.Render(c, "players/free-spins", page)
}
