package players

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
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

// heldGrants is how many of a player's grants stand over their free-spin ledger.
const heldGrants = 10

func (a *Area) PlayerFreeSpins(c *fiber.Ctx) error {
	ctx := c.UserContext()
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
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
		page.Rows = append(page.Rows, usedSpin{s, things.EntryDeed(s.Kind)})
	}
	if n := len(spins); n > 0 {
		page.Paging = seqPaging(&page.Page, at, spins[n-1].Seq, n, n == playerRows)
	}
	return a.Render(c, "players/free-spins", page)
}

type playerSessionsPage struct {
	aboutPlayer
	Rows   []things.GameSessionRow
	Paging views.Paging
}

func (a *Area) PlayerSessions(c *fiber.Ctx) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerSessionsPage{aboutPlayer: a.about(c, p)}
	at, err := page.Place()
	if err != nil {
		return err
	}
	list, more, err := a.Store.GameSessions(c.UserContext(),
		models.GameSessionFilter{PlayerID: p.ID, Page: at, Limit: playerRows})
	if err != nil {
		return err
	}
	page.Rows = newGameSessionRows(list)
	if n := len(list); n > 0 {
		page.Paging = page.Around(at, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	return a.Render(c, "players/sessions", page)
}

type playerHistoryPage struct {
	aboutPlayer
	History []web.HistoryLine
	Paging  views.Paging
}

func (a *Area) PlayerHistory(c *fiber.Ctx) error {
	p, err := a.aPlayer(c)
	if err != nil {
		return err
	}
	page := &playerHistoryPage{aboutPlayer: a.about(c, p)}
	at, err := page.Place()
	if err != nil {
		return err
	}
	lines, more, err := a.History(c.UserContext(), &page.Page, "player", p.ID, at, playerRows)
	if err != nil {
		return err
	}
	page.History = lines
	if n := len(lines); n > 0 {
		page.Paging = page.Around(at, models.Cursor{At: lines[0].At, ID: lines[0].ID},
			models.Cursor{At: lines[n-1].At, ID: lines[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	return a.Render(c, "players/history", page)
}
