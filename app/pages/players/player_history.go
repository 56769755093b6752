package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/models"
)

type playerHistoryPage struct {
	aboutPlayer
	web.Listed
	History []web.HistoryLine
}

func (a *Area) PlayerHistory(c *fiber.Ctx, p models.Player) error {
	page := &playerHistoryPage{aboutPlayer: a.about(c, p)}
	f := models.HistoryOf("player", p.ID, playerRows)
	f.Changes = page.Choice("views", "Views", []string{"", "Shown", "no", "Left out"}) == "no"
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, models.Listing[web.HistoryLine]{
		Span: models.Span{Limit: f.Limit},
		Read: func(ctx context.Context, s models.Span) (models.Page[web.HistoryLine], error) {
			f.Page, f.Limit = s.Page, s.Limit
			return models.Paged(a.History(ctx, &page.Page, f))
		},
		Place: func(l web.HistoryLine) models.Cursor { return models.Cursor{At: l.At, ID: l.ID} },
	})
	if err != nil {
		return err
	}
	page.History = found.Rows
	return a.Render(c, "players/history", page)
}
