// Package reports has the pages of reports, of the figures from outside on which they depend, and of closing days.
package reports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Staked StakesReader
}

// Reports are made from the sums of days; models/report.go has the rules. Each report is a table, which its page and its file
// share (table.go). The page may have more tables. One day's page is in day.go. Times and days are in the zone of days, not the
// reader's.

const (
	reportDays = 30  // days in a report by default
	maxDays    = 366 // days in a report at most
	reportRows = 100 // players on the page; the file has all of them

	playersAtOnce = 20_000 // players per read of an export, because each read sorts all players of the days
)

// The addresses of reports.
const (
	daysPath      = "/reports"
	comparedPath  = "/reports/compared"
	playersPath   = "/reports/players"
	gamesPath     = "/reports/games"
	liabilityPath = "/reports/liability"
	fundsPath     = "/reports/funds"
	rankedPath    = "/reports/ranked"
)

// report describes how one report is made.
type report struct {
	title   string
	lede    string // {zone} stands for the zone of days
	note    string // below the table; rankings have notes of their own
	columns func(p *reportPage) []column
	// rows calls next with the rows, as many at a time as it likes. For a page it stops after p.of.Limit rows.
	rows func(ctx context.Context, p *reportPage, next func([][]cell) error) error
	more func(ctx context.Context, p *reportPage) error // adds the charts and tables of the page; nil for none
}

func (a *Area) report(path string) report {
	return map[string]report{
		daysPath: {"Days", "Play and liability to players, by {zone} day. A rollback counts on the day it arrived.", "",
			dayColumns, a.dayRows, a.daysTogether},
		comparedPath: {"Compared periods", "A period beside an earlier one, by {zone} day, with the difference.",
			"The period before has as many days. A month, or this month so far, is compared with the month before; this week with the same " +
				"days of the week before. The same weekdays before are one or several weeks earlier.",
			comparedColumns, a.comparedRows, drawCompared},
		playersPath: {"Players", "What each player bet and won. By currency, the largest turnover first.", "",
			playerColumns, a.playerRows, a.playersTogether},
		gamesPath: {"Games, inferred", "The platform doesn’t say which game was played, so this report covers only games " +
			"that staff or API clients opened, for up to four hours each. The rest is in the rows without a session.", "",
			gameColumns, a.gameRows, drawn("Game", "Turnover")},
		liabilityPath: {"Liability", "What players could withdraw now; balances below zero; stakes in play. What was owed at " +
			"the end of an earlier day is in the report by day.",
			"Liability is the sum of all balances, including those below zero, and of cash-outs that are neither paid nor " +
				"returned. Stakes in play have left the balances, and a win may still come: the last bet is less than five " +
				"minutes old, and the player has not started another round. Ask the platform whether it refunded the stakes " +
				"of interrupted rounds or finished the rounds.",
			liabilityColumns, a.liabilityRows, drawn("What", "Amount")},
		fundsPath: {"Player funds", "What was owed to players at the end of each month: balances, and cash-outs that were " +
			"neither paid nor returned.",
			"Currencies are converted at the rate of the month’s last day, and rounded to two decimals, halves away from " +
				"zero. Without a base currency, there is no sum. A partial sum leaves out currencies without a rate: finance and " +
				"compliance enter the rates under Rates.",
			fundsColumns, a.fundsRows, drawFunds},
		rankedPath: {"Ranking", "What stands out: up to 100 rows of each currency, the highest first. Test players are " +
			"excluded unless you include them.", "",
			rankColumns, a.rankRows, drawRanking},
	}[path]
}

// drawn adds a chart of the column of by the column by.
func drawn(by, of string) func(context.Context, *reportPage) error {
	return func(_ context.Context, p *reportPage) error {
		p.drawRows(by, of)
		return nil
	}
}

// reportPage is a report, for its page or its file.
type reportPage struct {
	web.Page
	Dates     web.Dates
	Lede      string
	Note      string // below Main
	Main      table
	Tables    []table // below Main
	Charts    []chart
	From, To  string // when the first day starts and the last one ends; empty for a report of the present
	Generated views.Moment
	UpTo      views.Moment
	Zone      string
	Counted   string // the zones of its days in words
	Formulas  []models.Formula
	Wrong     *views.Empty // shown instead of the report if the filters or days are wrong
	ByMonth   bool         // its rows are months
	More      bool         // there are more rows, or more data for them
	Rates     models.Rates // the rates of its days
	Ranking   models.Ranking
	Returns   models.GameReturns // if the ranking needs them

	of      models.ReportFilter
	before  models.ReportFilter // the period with which of is compared
	zoned   *time.Location
	today   models.Day
	upTo    time.Time
	opens   func(path string) bool // whether the reader may open a page
	days    []models.DayReport     // shared by the rows and tables of a page
	missing missingRates
}

var testOptions = []web.Option[models.TestPlayers]{
	{Word: "Excluded"},
	web.Offer("with", "Included", models.WithTest),
	web.Offer("only", "Only", models.OnlyTest),
}

// Report shows the report at the address.
func (a *Area) Report(c *fiber.Ctx) error {
	ctx, page := c.UserContext(), &reportPage{Page: a.Page(c, ""), opens: func(path string) bool { return a.Opens(c, path) }}
	if err := a.readReport(ctx, page); err != nil || page.Wrong != nil {
		return cmp.Or(err, a.Render(c, "reports/report", page))
	}
	page.of.Limit = reportRows
	of := a.report(page.Path)
	err := of.rows(ctx, page, func(rows [][]cell) error {
		page.Main.Rows = append(page.Main.Rows, rows...)
		return nil
	})
	if err == nil && of.more != nil && len(page.Main.Rows) > 0 {
		err = of.more(ctx, page)
	}
	if err == nil && len(page.Main.Rows) > 0 && !slices.Contains([]string{comparedPath, gamesPath, rankedPath}, page.Path) {
		err = a.addControl(ctx, page)
	}
	if err != nil {
		return err
	}
	return a.Render(c, "reports/report", page)
}

// Export reads the report at a page's address for its file; see web.Exportable.
func (a *Area) Export(ctx context.Context, p web.Page) (list export.List, _ []views.Chip, _ *views.Empty, err error) {
	page := &reportPage{Page: p, opens: func(string) bool { return false }}
	if err := a.readReport(ctx, page); err != nil {
		return list, nil, nil, err
	}
	page.of.Limit = playersAtOnce
	for _, column := range page.Main.Columns {
		if !column.Paged {
			list.Columns = append(list.Columns, column.Column)
		}
	}
	list.About = page.about()
	list.Read = func(ctx context.Context, next func([]export.Row) error) error {
		return a.report(page.Path).rows(ctx, page, func(rows [][]cell) error {
			return next(page.Main.exported(rows))
		})
	}
	return list, page.Chips, page.Wrong, nil
}

// readReport reads the filters of a report, and the time up to which its sums are complete.
func (a *Area) readReport(ctx context.Context, page *reportPage) (err error) {
	page.Saveable, page.Formulas, page.missing = true, models.Formulas, missingRates{}
	if page.today, page.zoned, err = a.CasinoToday(ctx); err != nil {
		return err
	}
	page.Zone = page.zoned.String()
	if page.upTo, err = a.Store.DaysUpTo(ctx); err != nil {
		return err
	}
	page.Generated, page.UpTo = views.NewMoment(page.Now, page.Now, page.zoned),
		views.NewMoment(page.upTo, page.Now, page.zoned)
	f := &page.of
	f.From, f.To = page.today, page.today
	switch page.Path {
	case rankedPath:
		if err := a.readRanking(ctx, page); err != nil {
			return err
		}
		page.readDays("")
	case fundsPath: // whole months; the current one so far
		page.readDays(page.today.Add(1 - maxDays + 31).Month())
		f.From, f.To = f.From.Month(), min(f.To.Month().Add(31).Month().Add(-1), page.today)
	case liabilityPath:
	case comparedPath:
		page.readBeside()
	default:
		page.readDays("")
	}
	if f.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return err
	}
	f.Test = web.Choose(&page.Page, "test", "Test players", testOptions)
	if slices.Contains([]string{daysPath, comparedPath, playersPath, gamesPath}, page.Path) {
		player, err := a.PlayerFilter(ctx, &page.Page)
		if err != nil {
			return err
		}
		f.PlayerID = player.ID
	}
	if page.Path == daysPath {
		page.Knows("by")
		if page.ByMonth = page.Params.Get("by") == "month"; page.ByMonth {
			page.Dates.Kept = append(page.Dates.Kept, views.Field{Name: "by", Value: "month"})
		}
	}
	if page.Wrong = cmp.Or(page.Unread(), page.Wrong); page.Wrong == nil {
		first := f.From
		if page.Path == comparedPath {
			first = page.before.From
		}
		if page.Rates, err = a.Store.Rates(ctx, first, f.To); err != nil {
			return err
		}
	}
	if page.Counted = page.Zone; page.Wrong == nil && page.Path != liabilityPath {
		if err := a.countedHours(ctx, page); err != nil {
			return err
		}
	}
	of := a.report(page.Path)
	page.Main = table{Title: of.title, Columns: of.columns(page)}
	page.Lede, page.Note = strings.ReplaceAll(of.lede, "{zone}", page.Zone), cmp.Or(of.note, rankings[page.Ranking].note)
	return nil
}

// countedHours fills in when the report's days start and end. Closed days keep the zone in which they were closed.
func (a *Area) countedHours(ctx context.Context, page *reportPage) error {
	of := func(day models.Day) (interval models.ClosedDay, zone *time.Location, err error) {
		if interval, err = a.Store.DayInterval(ctx, day); err == nil {
			zone, err = time.LoadLocation(interval.Zone)
		}
		return interval, zone, err
	}
	first, zone, err := of(page.of.From)
	if err != nil {
		return err
	}
	page.From = first.From.In(zone).Format(instant)
	last, zone, err := of(page.of.To)
	if err != nil {
		return err
	}
	page.To = last.Until.In(zone).Format(instant)
	zones, err := a.Store.ZonesOfDays(ctx, page.of.From, page.of.To)
	if err != nil {
		return err
	}
	words := make([]string, len(zones))
	for i, z := range zones {
		if words[i] = z.Zone; i < len(zones)-1 {
			words[i] += " until " + z.Last.Format("2 Jan 2006")
		}
	}
	page.Counted = strings.Join(words, ", then ")
	return nil
}

// readDays reads the days of a report. By default, it starts on first or, if that is empty, reportDays before its end.
func (p *reportPage) readDays(first models.Day) {
	f := &p.of
	p.Dates = p.DaysFilter(p.today, p.zoned)
	f.To = cmp.Or(p.Dates.Last, p.today)
	words := "Last 12 months"
	if first == "" {
		first, words = f.To.Add(1-reportDays), fmt.Sprintf("Last %d days", reportDays)
	}
	f.From = cmp.Or(p.Dates.First, first)
	p.Dates.From.Value, p.Dates.To.Value = string(f.From), string(f.To)
	if p.Dates.First == "" && p.Dates.Last == "" {
		p.Dates.Words = words
	}
	refuse := func(text string) {
		p.Wrong = &views.Empty{Title: "Choose other days", Text: text,
			Links: []views.Link{{Word: fmt.Sprintf("Show the last %d days", reportDays), Href: p.Path, Main: true}}}
	}
	if days := f.Days(); days < 1 {
		refuse("The first day is after the last.")
	} else if days > maxDays {
		refuse(fmt.Sprintf("A report has at most %d days.", maxDays))
	}
}

// instant is the layout of times in reports, in the zone of days.
const instant = "2 Jan 2006, 15:04 -07:00"

// between returns the part of an address that selects what happened from the start of one day to the end of another.
func (p *reportPage) between(first, last models.Day) string {
	return since(first.Begin(p.zoned), last.End(p.zoned))
}

// transactions returns the address of the transactions of these days in a currency, with the report's other filters, or "" if
// the reader may not open it.
func (p *reportPage) transactions(first, last models.Day, c models.Currency, player int64) string {
	if !p.opens("/transactions") {
		return ""
	}
	address := transactionsOf(p.between(first, last), c, p.of.Test)
	if player != 0 {
		address = "/transactions?" + p.between(first, last) + "&currency=" + string(c) + "&" + pages.PlayerOf(player)
	}
	return address
}

// transactionsOf returns the address of transactions in a currency. when is the part of the address that selects their time.
func transactionsOf(when string, c models.Currency, test models.TestPlayers) string {
	return "/transactions?" + when + "&currency=" + string(c) +
		map[models.TestPlayers]string{models.WithoutTest: "&test=without", models.OnlyTest: "&test=only"}[test]
}

// account returns a statement of account for a period. Its figures link to the transactions.
func (p *reportPage) account(title string, groups []models.DayGroup) table {
	return newAccount(title, account, groups, func(g models.DayGroup) string {
		return p.transactions(p.of.From, p.of.To, g.Currency, p.of.PlayerID)
	})
}

// since returns the part of an address that selects what happened between two times.
func since(from, until time.Time) string {
	at := func(t time.Time) string { return web.EscapeQuery(t.UTC().Format(time.RFC3339)) }
	return "since=" + at(from) + "&until=" + at(until)
}

// DayPath returns the address of a day's page.
func DayPath(d models.Day) string { return "/reports/days/" + string(d) }

func dayBadge(s models.DayState) views.Badge {
	switch s {
	case models.DayRunning:
		return views.Active("Running")
	case models.DayClosed:
		return views.Quiet("Closed")
	case models.DaySigned:
		return views.Quiet("Signed")
	}
	return views.Plain("Open")
}

// about returns the remarks of an exported report, which say what the page says, including default filters.
func (p *reportPage) about() (list []export.Remark) {
	if p.From != "" {
		list = append(list, export.Remark{Name: "Interval", Text: p.From + " to " + p.To})
	}
	upTo := "never"
	if !p.upTo.IsZero() {
		upTo = p.upTo.In(p.zoned).Format(time.RFC3339)
	}
	list = append(list, export.Remark{Name: "Days", Text: "of " + p.Counted + ", summed up until " + upTo})
	if p.of.PlayerID == 0 {
		for _, option := range testOptions {
			if option.Value == strings.TrimSpace(p.Params.Get("test")) {
				list = append(list, export.Remark{Name: "Test players", Text: option.Word})
			}
		}
	}
	switch p.Path {
	case gamesPath:
		list = append(list, export.Remark{Name: "Inferred",
			Text: "Callbacks name no game. This report counts what was played within four " +
				"hours of opening a session from this back office."})
	case rankedPath:
		list = append(list, export.Remark{Name: "Ranking", Text: p.Ranking.Title()})
	}
	for _, f := range p.Formulas {
		list = append(list, export.Remark{Name: f.Figure, Text: f.Words})
	}
	return list
}
