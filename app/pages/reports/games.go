package reports

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
)

// gamesInferred is the remark in an exported report; the report's page says the same.
const gamesInferred = "Callbacks name no game. This report counts what was played within four hours of opening a session " +
	"from this back office."

type gamesReportPage struct {
	*reportPage
	Rows      []gameFigures
	Providers []gameFigures
	Known     []knownRow
	More      bool
}

type gameFigures struct {
	figureRow
	Provider, Sessions string
	SessionsHref       string
}

// knownRow says how much of a currency's turnover has a known game.
type knownRow struct{ Currency, All, Known, Other string }

func newGameFigures(g models.GameReport) gameFigures {
	return gameFigures{figureRow: newFigureRow(models.DayFigures{MoneySums: g.MoneySums}, g.Currency), Provider: g.Provider,
		Sessions: web.Grouped(g.Sessions)}
}

func (a *Area) GamesReport(c *fiber.Ctx) error {
	report, err := a.newReport(c)
	if err != nil {
		return err
	}
	page := &gamesReportPage{reportPage: report}
	if page.Broken() {
		return a.Render(c, "reports/games", page)
	}
	f := page.of
	list, more, err := a.Store.GamesReport(c.UserContext(), f, f.From.Begin(page.zoned), f.To.End(page.zoned))
	if err != nil {
		return err
	}
	days, err := a.Store.DayReports(c.UserContext(), f)
	if err != nil {
		return err
	}
	for _, total := range together(days) {
		page.Known = append(page.Known, newKnownRow(total, list))
	}
	var providers []models.GameReport
	for _, g := range list {
		row := newGameFigures(g)
		row.What, row.Href = g.Name, web.PathOf("/games", g.GameID)
		if a.Opens(c, "/sessions") {
			row.SessionsHref = page.sessionsOf(g)
		}
		page.Rows = append(page.Rows, row)
		i := slices.IndexFunc(providers,
			func(p models.GameReport) bool { return p.Provider == g.Provider && p.Currency == g.Currency })
		if i < 0 {
			i, providers = len(providers), append(providers, models.GameReport{Provider: g.Provider, Currency: g.Currency})
		}
		sum := models.DayFigures{MoneySums: providers[i].MoneySums}
		sum.Add(models.DayFigures{MoneySums: g.MoneySums})
		providers[i].MoneySums, providers[i].Sessions = sum.MoneySums, providers[i].Sessions+g.Sessions
	}
	slices.SortStableFunc(providers, func(a, b models.GameReport) int { return cmp.Compare(b.Turnover(), a.Turnover()) })
	for _, p := range providers {
		row := newGameFigures(p)
		row.What = p.Provider
		page.Providers = append(page.Providers, row)
	}
	page.More = more
	return a.Render(c, "reports/games", page)
}

// newKnownRow compares the turnover of known games with all turnover of a currency.
func newKnownRow(total *models.DayReport, list []models.GameReport) knownRow {
	var known models.Amount
	for _, g := range list {
		if g.Currency == total.Currency {
			known = known.Add(g.Turnover())
		}
	}
	return knownRow{string(total.Currency), total.Turnover().Grouped(), known.Grouped(),
		total.Turnover().Sub(known).Grouped()}
}

// sessionsOf returns the address of the sessions behind a game's figures, including those that may have started the evening
// before. The page of each session shows what was played in it.
func (p *gamesReportPage) sessionsOf(g models.GameReport) string {
	at := func(t time.Time) string { return web.EscapeQuery(t.UTC().Format(time.RFC3339)) }
	path := "/sessions?game-number=" + strconv.FormatInt(g.GameID, 10) + "&state=opened&since=" +
		at(p.of.From.Begin(p.zoned).Add(-models.GameSessionLasts)) + "&until=" + at(p.of.To.End(p.zoned))
	if p.of.PlayerID != 0 {
		path += "&" + pages.PlayerOf(p.of.PlayerID)
	}
	return path
}
