package players

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

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
