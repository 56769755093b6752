package players

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/models"
	"pitboss/views"
)

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
