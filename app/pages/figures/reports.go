package figures

import (
	"cmp"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Reports, made from the sums of days (models/report.go has their rules): by day, by player, by game, and what is owed at an
// instant. One day's page is in day.go. Times and days here are those of the operator's zone, not of the reader's.

const (
	reportDays = 30  // shown unless the reader says which
	mostDays   = 366 // at once
	reportRows = 50  // players on a page
	overdrawn  = 50  // players below zero, listed

	playersAtOnce = 20_000 // in an export: each time all players of the days are put in their order
)

// reportPage is what every report has.
type reportPage struct {
	web.Page
	Tabs       []views.Tab
	Dates      web.Dates
	Player     views.Field
	Currencies []views.Choice
	Tests      []views.Choice
	Control    []controlRow
	Interval   string
	Complete   *views.Note // what is missing
	Generated  views.Moment
	UpTo       views.Moment
	Zone       string
	Formulas   []models.Formula
	Empty      views.Empty

	of    models.ReportFilter
	zoned *time.Location
	today models.Day
	upTo  time.Time
}

// liabilityPath is the report that is of an instant besides.
const liabilityPath = "/reports/liability"

var testWords = []string{"", "Left out", "with", "Included", "only", "Alone"}

var testFilters = map[string]models.TestPlayers{"with": models.WithTest, "only": models.OnlyTest}

// newReport begins a report: its days, its filters, and how far the sums are.
func (a *Area) newReport(c *fiber.Ctx, title string) (*reportPage, *views.Empty, error) {
	page := &reportPage{Page: a.Page(c, title)}
	wrong, err := a.readReport(c, page)
	return page, wrong, err
}

func (a *Area) readReport(c *fiber.Ctx, page *reportPage) (wrong *views.Empty, err error) {
	ctx := c.UserContext()
	page.Heading, page.Saveable, page.Formulas = "Reports", true, models.Formulas
	for _, tab := range []struct{ word, path string }{
		{"Days", "/reports"}, {"Players", "/reports/players"}, {"Games", "/reports/games"}, {"Liability", liabilityPath},
	} {
		page.Tabs = append(page.Tabs, views.Tab{Word: tab.word, Href: tab.path, Current: page.Path == tab.path})
	}
	if page.Zone, err = a.Store.ReportZone(ctx); err != nil {
		return nil, err
	}
	if page.zoned, err = time.LoadLocation(page.Zone); err != nil {
		return nil, err
	}
	if page.today, err = a.Store.ReportToday(ctx); err != nil {
		return nil, err
	}
	if page.upTo, err = a.Store.DaysUpTo(ctx); err != nil {
		return nil, err
	}
	page.Generated, page.UpTo = views.NewMoment(page.Now, page.Now, page.zoned),
		views.NewMoment(page.upTo, page.Now, page.zoned)
	if page.upTo.IsZero() {
		page.Complete = &views.Note{Kind: "wait", Icon: "warning", Title: "Days are being summed up",
			Text: "What stands here is not whole yet: the sums are made for the first time, or anew after a change. Look " +
				"again in a while; if it stays so, verify the ledger."}
	}
	page.Player = page.FilterField("player", "Player")
	page.Player.Picker = "player"
	f := &page.of
	page.Dates = page.DaysFilter(page.today, page.zoned)
	f.To = cmp.Or(page.Dates.Last, page.today)
	f.From = cmp.Or(page.Dates.First, f.To.Add(1-reportDays))
	page.Dates.From.Value, page.Dates.To.Value = string(f.From), string(f.To)
	if page.Dates.First == "" && page.Dates.Last == "" {
		page.Dates.Words = "Last " + strconv.Itoa(reportDays) + " days"
	}
	switch days := f.Days(); {
	case days < 1:
		wrong = &views.Empty{Title: "The first day is after the last", Text: "Choose days in their order.",
			Links: []views.Link{{Word: "Show the last " + strconv.Itoa(reportDays) + " days", Href: page.Path, Main: true}}}
	case days > mostDays:
		wrong = &views.Empty{Title: "Too many days at once",
			Text:  "A report holds at most " + strconv.Itoa(mostDays) + " days.",
			Links: []views.Link{{Word: "Show the last " + strconv.Itoa(reportDays) + " days", Href: page.Path, Main: true}}}
	}
	if f.Currency, page.Currencies, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return nil, err
	}
	var test string
	test, page.Tests = page.Choice("test", "Test players", testWords)
	f.Test = testFilters[test]
	player, nobody, err := a.PlayerFilter(c, &page.Page)
	if err != nil {
		return nil, err
	}
	if f.PlayerID = player.ID; nobody != nil {
		wrong = nobody
	}
	page.Interval = page.interval(f.From.Begin(page.zoned), f.To.End(page.zoned))
	if page.Path == liabilityPath {
		page.Knows("at")
	}
	return cmp.Or(page.Unread(), wrong), nil
}

// interval writes from when to when a report is.
func (p *reportPage) interval(from, until time.Time) string {
	const at = "2 Jan 2006, 15:04 -07:00"
	return from.In(p.zoned).Format(at) + " to " + until.In(p.zoned).Format(at)
}

// DayPath is the address of a day's page.
func DayPath(d models.Day) string { return "/reports/days/" + string(d) }

func dayBadge(s models.DayState) views.Badge {
	switch s {
	case models.DayRunning:
		return views.Active("Running")
	case models.DayClosed:
		return views.Waiting("Closed")
	case models.DaySigned:
		return views.Quiet("Signed")
	}
	return views.Plain("Open")
}

// about is what every exported report says of itself: what its page says, whatever stands at its default included.
func (p *reportPage) about() (list []export.Remark) {
	if p.Interval != "" {
		list = append(list, export.Remark{Name: "Interval", Text: p.Interval})
	}
	upTo := "never"
	if !p.upTo.IsZero() {
		upTo = p.upTo.In(p.zoned).Format(time.RFC3339)
	}
	list = append(list, export.Remark{Name: "Days", Text: "of " + p.Zone + ", summed up until " + upTo})
	if p.Params.Get("player") == "" {
		list = append(list, export.Remark{Name: "Test players", Text: web.WordOf(testWords)(p.Params.Get("test"))})
	}
	for _, f := range p.Formulas {
		list = append(list, export.Remark{Name: f.Figure, Text: f.Words})
	}
	return list
}

const (
	sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved = "Turnover", "Payout", "GGR", "Free-spin wins", "Moved"
	sumCounted, sumHeld                                = "Control total, all days together", "Control total, what wallets hold"
	sumAllGames                                        = "Turnover, of no known game too"
)
