package players

import (
	"context"

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
	page := &playerSessionsPage{aboutPlayer: a.about(c, p)}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, models.Listing[models.GameSession]{
		Span: models.Span{Limit: playerRows},
		Read: func(ctx context.Context, s models.Span) (models.Page[models.GameSession], error) {
			return models.Paged(a.Store.GameSessions(ctx,
				models.GameSessionFilter{PlayerID: p.ID, Page: s.Page, Limit: s.Limit}))
		},
		Place: func(s models.GameSession) models.Cursor { return models.Cursor{At: s.At, ID: s.ID} },
	})
	if err != nil {
		return err
	}
	page.Rows = newGameSessionRows(found.Rows)
	return a.Render(c, "players/sessions", page)
}
