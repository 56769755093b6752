package reports

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
)

type playersReportPage struct {
	*reportPage
	Rows   []playerFigures
	Totals []figureRow // of all players
	More   bool        // there are more players than Rows, which a file has
}

type playerFigures struct {
	figureRow
	PlayerHref string
}

func (a *Area) PlayersReport(c *fiber.Ctx) error {
	report, err := a.newReport(c)
	if err != nil {
		return err
	}
	page := &playersReportPage{reportPage: report}
	if page.Broken() {
		return a.Render(c, "reports/players", page)
	}
	f := page.of
	f.Limit = reportRows
	list, err := a.Store.PlayersReport(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, p := range list.Rows {
		row := playerFigures{figureRow: newFigureRow(p.DayFigures, p.Currency), PlayerHref: pages.PlayerPath(p.PlayerID)}
		row.What, row.Test = string(p.UserID), p.Test
		row.Href = "/reports?" + pages.PlayerOf(p.PlayerID) + "&from=" + string(f.From) + "&to=" + string(f.To)
		page.Rows = append(page.Rows, row)
	}
	page.More = list.More
	days, err := a.Store.DayReports(c.UserContext(), page.of)
	if err != nil {
		return err
	}
	page.Totals = totalRows(together(days))
	if page.Control, err = a.controlRows(c.UserContext()); err != nil {
		return err
	}
	return a.Render(c, "reports/players", page)
}
