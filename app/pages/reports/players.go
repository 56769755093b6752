package reports

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

type playersReportPage struct {
	*reportPage
	Rows   []playerFigures
	Totals []figureRow // of all players, including those on other pages
	Next   string
}

type playerFigures struct {
	figureRow
	PlayerHref string
}

// playerPlace parses the place after which a list of players by turnover continues.
func playerPlace(text string) (p models.PlayerPlace, err error) {
	turnover, player, _ := strings.Cut(text, ".")
	minor, err := strconv.ParseInt(turnover, 10, 64)
	if err == nil {
		p.Turnover = models.Amount(minor)
		p.PlayerID, err = strconv.ParseInt(player, 10, 64)
	}
	return p, err
}

func playerPlaceText(r models.PlayerReport) string {
	return strconv.FormatInt(int64(r.Turnover()), 10) + "." + strconv.FormatInt(r.PlayerID, 10)
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
	if text := page.Params.Get("after"); text != "" {
		if f.After, err = playerPlace(text); err != nil {
			return web.BadAddress("It names a place in the list that does not exist.")
		}
	}
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
	if list.More {
		page.Next = page.With("after", playerPlaceText(list.Rows[len(list.Rows)-1]))
	}
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
