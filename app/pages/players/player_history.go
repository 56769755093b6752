package players

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// PlayerHistory shows what staff did to a player.
func (a *Area) PlayerHistory(c *fiber.Ctx) error {
	return a.history().Serve(a.Site.Site, c, "players/history")
}

func (a *Area) history() web.List[pages.PlayerList, web.HistoryLine] {
	return web.List[pages.PlayerList, web.HistoryLine]{
		Title: "History", Select: a.selectedHistory, Load: pages.LoadHead[web.HistoryLine](a.Site),
		Columns: []web.Column[pages.PlayerList, web.HistoryLine]{
			{Head: "Time", Order: web.ByTime, Value: func(l web.HistoryLine) any { return l.At }},
			{Head: "Who", Class: "c-what", Cell: func(_ *pages.PlayerList, l web.HistoryLine) (cell views.Cell) {
				if cell.Text = l.Actor.Name; l.Actor.OSUser != "" {
					cell.Note = l.Actor.Via()
				}
				return cell
			}},
			{Head: "What", Class: "wrap", Block: "what"},
			{Head: "IP address", Class: "c-skip", Cell: func(_ *pages.PlayerList, l web.HistoryLine) views.Cell {
				return views.Cell{ID: views.ID{Text: l.Actor.Address}}
			}},
		},
	}
}

// selectedHistory reads the player and the filters from the address.
func (a *Area) selectedHistory(ctx context.Context, page *pages.PlayerList) (list models.Listing[web.HistoryLine], err error) {
	if err := a.ofPlayer(ctx, &page.Page, &page.PlayerHead); err != nil {
		return list, err
	}
	f := models.AuditFilter{PlayerID: page.Player.ID}
	f.Changes = page.Choice("views", "Views", []string{"", "Shown", "no", "Left out"}) == "no"
	f.Span = page.Period(&page.Page)
	return models.List(f, func(ctx context.Context, f models.AuditFilter) (models.Page[web.HistoryLine], error) {
		return a.History(ctx, &page.Page, f)
	}, web.HistoryLine.Place), nil
}
