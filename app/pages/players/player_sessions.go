package players

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

type playerSessionsPage struct {
	aboutPlayer
	web.Listed
	Rows []pages.GameSessionRow
}

func (a *Area) PlayerSessions(c *fiber.Ctx, p models.Player) error {
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &playerSessionsPage{aboutPlayer: about}
	filter := models.GameSessionFilter{PlayerID: p.ID, Span: page.Period(&page.Page)}
	page.Instead = page.Unread()
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed,
		models.List(filter, a.Store.GameSessions, models.GameSession.Place))
	if err != nil {
		return err
	}
	page.Rows = newGameSessionRows(found.Rows)
	return a.Render(c, "players/sessions", page)
}
