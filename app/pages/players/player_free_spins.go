package players

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/models"
	"pitboss/views"
)

type usedSpin struct {
	models.AttributedSpin
	What string
}

type playerSpinsPage struct {
	aboutPlayer
	Grants []things.GrantRow
	Rows   []usedSpin
	Paging views.Paging
}

// heldGrants is how many of a player's grants are shown above their free-spin ledger.
const heldGrants = 10

func (a *Area) PlayerFreeSpins(c *fiber.Ctx, p models.Player) error {
	ctx := c.UserContext()
	page := &playerSpinsPage{aboutPlayer: a.about(c, p)}
	at, err := seqPlace(&page.Page)
	if err != nil {
		return err
	}
	grants, _, err := a.Store.Grants(ctx, models.GrantFilter{PlayerID: p.ID, Limit: heldGrants})
	if err != nil {
		return err
	}
	if page.Grants, err = a.GrantRows(ctx, grants); err != nil {
		return err
	}
	spins, err := a.Store.PlayerSpins(ctx, p.ID, at, playerRows)
	if err != nil {
		return err
	}
	for _, s := range spins {
		page.Rows = append(page.Rows, usedSpin{s, things.EntryWord(s.Kind)})
	}
	if n := len(spins); n > 0 {
		page.Paging = seqPaging(&page.Page, at, spins[n-1].Seq, n, n == playerRows)
	}
	return a.Render(c, "players/free-spins", page)
}
