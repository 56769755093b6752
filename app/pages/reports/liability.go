package reports

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type liabilityPage struct {
	*reportPage
	Asked    string // the instant, in words; empty for now
	Day      models.Day
	Rows     []liabilityRow
	Negative []negativeRow
	InPlay   []stakesRow

	Interrupted     []stakesRow // now
	MoreInterrupted bool
}

type liabilityRow struct{ Currency, Sum, Held, Negative, Owing, Wallets string }

type negativeRow struct {
	UserID, Href string
	Balance      views.Money
	Cases        string
}

func (a *Area) Liability(c *fiber.Ctx) error {
	report, err := a.newReport(c)
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	page := &liabilityPage{reportPage: report}
	at := page.instant()
	if page.Wrong != nil {
		return a.Render(c, "reports/liability", page)
	}
	owed, err := a.owed(ctx, page, at)
	if err != nil {
		return err
	}
	for _, l := range owed {
		page.Rows = append(page.Rows,
			liabilityRow{string(l.Currency), l.Sum.Grouped(), l.Held.Grouped(), l.Negative.Grouped(), web.Grouped(l.Owing),
				web.Grouped(l.Wallets)})
	}
	if page.Control, err = a.controlRows(ctx); err != nil {
		return err
	}
	if page.Day = page.today; !at.IsZero() {
		page.Day = models.DayOf(at, page.zoned)
	}
	if at.IsZero() {
		list, err := a.Store.NegativeBalances(ctx, page.of.Test, overdrawn)
		if err != nil {
			return err
		}
		for _, p := range list {
			page.Negative = append(page.Negative,
				negativeRow{string(p.UserID), pages.PlayerPath(p.ID), page.Signed(p.Wallet.Balance, p.Wallet.Currency),
					"/cases?state=all&" + pages.PlayerOf(p.ID)})
		}
	}
	stakes, err := a.stakesAt(ctx, page, at)
	if err != nil {
		return err
	}
	if page.InPlay = stakesRows(stakes); at.IsZero() {
		interrupted, more, err := a.interrupted(ctx, page.of)
		if err != nil {
			return err
		}
		page.Interrupted, page.MoreInterrupted = stakesRows(interrupted), more
	}
	return a.Render(c, "reports/liability", page)
}

// instant reads the time for which liability is requested; zero for now.
func (p *liabilityPage) instant() (at time.Time) {
	p.From, p.Many, p.Reversed = "", 0, false
	others := slices.DeleteFunc(p.Filters, func(f views.Filter) bool { return f.Days || f.Name == "player" })
	p.Filters = nil
	text := p.TextFilter("at", "At")
	p.Filters[0].Placeholder = "2026-03-14 15:09"
	p.Filters = append(p.Filters, others...)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime,
		time.DateOnly, time.RFC3339} {
		var err error
		if at, err = time.ParseInLocation(layout, text, p.zoned); err == nil && at.Year() >= 2000 && !at.After(p.Now) {
			p.Asked = at.In(p.zoned).Format("2 Jan 2006, 15:04:05 -07:00")
			return at
		}
	}
	p.Wrong = cmp.Or(p.Wrong, &views.Empty{Title: "No such time",
		Text:  "Enter a time in the past such as 2026-03-14 15:09, in " + p.Zone + ".",
		Links: []views.Link{{Word: "Show liability now", Href: p.Path, Main: true}}})
	return time.Time{}
}

// owed returns what is owed to players now, or at an instant, in the requested currencies.
func (a *Area) owed(ctx context.Context, p *liabilityPage, at time.Time) (list []models.Liability, err error) {
	if at.IsZero() {
		list, err = a.Store.LiabilityNow(ctx, p.of.Test)
	} else {
		list, err = a.Store.LiabilityAt(ctx, at, p.of.Test)
	}
	return slices.DeleteFunc(list,
		func(l models.Liability) bool { return p.of.Currency != "" && p.of.Currency != l.Currency }), err
}
