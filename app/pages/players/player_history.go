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
	about, err := a.about(c, p)
	if err != nil {
		return err
	}
	page := &playerHistoryPage{aboutPlayer: about}
	f := models.AuditFilter{PlayerID: p.ID, Span: models.Span{Limit: playerRows}}
	f.Changes = page.Choice("views", "Views", []string{"", "Shown", "no", "Left out"}) == "no"
	f.Span = page.Period(&page.Page)
	page.Instead = page.Unread()
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, models.List(f,
		func(ctx context.Context, f models.AuditFilter) (models.Page[web.HistoryLine], error) {
			return a.History(ctx, &page.Page, f)
		}, web.HistoryLine.Place))
	if err != nil {
		return err
	}
	page.History = found.Rows
	return a.Render(c, "players/history", page)
}
