// Package reports has the pages of reports, liability and the closing of days.
package reports

import (
	"cmp"
	"context"
	"fmt"
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

// Reports are made from the sums of days; models/report.go has the rules. There are reports by day, by player and by game, and
// a report of what is owed at an instant. One day's page is in day.go. Times and days are in the zone of days, not the
// reader's.

const (
	reportDays = 30  // shown by default
	maxDays    = 366 // in one report
	reportRows = 100 // players on the page; a file has all of them
	overdrawn  = 50  // the most players below zero that are listed

	playersAtOnce = 20_000 // read at once for an export: each read sorts all players of the days
)

// reportPage is the part that all reports have.
type reportPage struct {
	web.Page
	Dates     web.Dates
	Control   []controlRow
	From, To  string // when the first day starts and the last one ends
	Generated views.Moment
	UpTo      views.Moment
	Zone      string
	Formulas  []models.Formula
	Wrong     *views.Empty // what is wrong with the filters, in place of the report
	Many      int          // the most days that a report can have, if more were requested; otherwise 0
	Reversed  bool         // the first day is after the last
	ByMonth   bool         // its rows are months; a file has days
	Rates     models.Rates // of its days

	of    models.ReportFilter
	zoned *time.Location
	today models.Day
	upTo  time.Time
}

// DaysShown returns how many days a report has by default.
func (p *reportPage) DaysShown() int { return reportDays }

// Broken reports whether there is a message in place of the report.
func (p *reportPage) Broken() bool { return p.Wrong != nil || p.Many > 0 || p.Reversed }

// daysPath is the address of the report by day or by month.
const daysPath = "/reports"

// liabilityPath is the address of the one report that can be of an instant instead of days.
const liabilityPath = "/reports/liability"

var testOptions = []web.Option[models.TestPlayers]{
	{Word: "Excluded"},
	web.Offer("with", "Included", models.WithTest),
	web.Offer("only", "Only", models.OnlyTest),
}

// newReport returns a report with its days, its filters, and the time up to which the sums are complete.
func (a *Area) newReport(c *fiber.Ctx) (*reportPage, error) {
	page := &reportPage{Page: a.Page(c, "")}
	return page, a.readReport(c.UserContext(), page)
}

func (a *Area) readReport(ctx context.Context, page *reportPage) (err error) {
	page.Saveable, page.Formulas = true, models.Formulas
	if page.Zone, err = a.Store.ReportZone(ctx); err != nil {
		return err
	}
	if page.zoned, err = time.LoadLocation(page.Zone); err != nil {
		return err
	}
	if page.today, err = a.Store.ReportToday(ctx); err != nil {
		return err
	}
	if page.upTo, err = a.Store.DaysUpTo(ctx); err != nil {
		return err
	}
	page.Generated, page.UpTo = views.NewMoment(page.Now, page.Now, page.zoned),
		views.NewMoment(page.upTo, page.Now, page.zoned)
	f := &page.of
	page.Dates = page.DaysFilter(page.today, page.zoned)
	f.To = cmp.Or(page.Dates.Last, page.today)
	f.From = cmp.Or(page.Dates.First, f.To.Add(1-reportDays))
	words := fmt.Sprintf("Last %d days", reportDays)
	if page.Path == fundsPath && page.Dates.First == "" { // its rows are months
		f.From, words = f.To.Add(1-maxDays+31).Month(), "Last 12 months"
	}
	page.Dates.From.Value, page.Dates.To.Value = string(f.From), string(f.To)
	if page.Dates.First == "" && page.Dates.Last == "" {
		page.Dates.Words = words
	}
	if page.Reversed = f.Days() < 1; f.Days() > maxDays {
		page.Many = maxDays
	}
	if f.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return err
	}
	f.Test = web.Choose(&page.Page, "test", "Test players", testOptions)
	if page.Path != fundsPath && page.Path != rankedPath {
		player, err := a.PlayerFilter(ctx, &page.Page)
		if err != nil {
			return err
		}
		f.PlayerID = player.ID
	}
	if page.Path == fundsPath { // months are whole, as far as they have come
		f.From, f.To = f.From.Month(), min(f.To.Month().Add(31).Month().Add(-1), page.today)
	}
	if !page.Reversed && page.Many == 0 {
		if page.Rates, err = a.Store.Rates(ctx, f.From, f.To); err != nil {
			return err
		}
	}
	page.From, page.To = f.From.Begin(page.zoned).Format(instant), f.To.End(page.zoned).Format(instant)
	switch page.Path {
	case liabilityPath:
		page.Knows("at")
	case daysPath:
		page.Knows("by")
		if page.ByMonth = page.Params.Get("by") == "month"; page.ByMonth {
			page.Dates.Kept = append(page.Dates.Kept, views.Field{Name: "by", Value: "month"})
		}
	}
	page.Wrong = page.Unread()
	return nil
}

// instant is the layout of an instant in reports, in the zone of days.
const instant = "2 Jan 2006, 15:04 -07:00"

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

// about returns the remarks of an exported report. They say the same as its page, including default filters.
func (p *reportPage) about() (list []export.Remark) {
	if p.From != "" {
		list = append(list, export.Remark{Name: "Interval", Text: p.From + " to " + p.To})
	}
	upTo := "never"
	if !p.upTo.IsZero() {
		upTo = p.upTo.In(p.zoned).Format(time.RFC3339)
	}
	list = append(list, export.Remark{Name: "Days", Text: "of " + p.Zone + ", summed up until " + upTo})
	if p.of.PlayerID == 0 {
		for _, option := range testOptions {
			if option.Value == strings.TrimSpace(p.Params.Get("test")) {
				list = append(list, export.Remark{Name: "Test players", Text: option.Word})
			}
		}
	}
	for _, f := range p.Formulas {
		list = append(list, export.Remark{Name: f.Figure, Text: f.Words})
	}
	return list
}

const (
	sumTurnover, sumPayout, sumGGR, sumSpins, sumMoved = "Turnover", "Payout", "GGR", "Free-spin wins", "Moved"
	sumCounted, sumHeld                                = "Control total, all days together", "Sum of balances and what is held"
	sumAllGames                                        = "Turnover, including unknown games"
)
