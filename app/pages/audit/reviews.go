package audit

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The log is reviewed one casino day at a time. The list shows the latest days and, if it is filtered to a day, that day's
// review.

const (
	dayName   = "casino-day"
	daysShown = 6
)

// reviewedDay is a day of the log. Review is nil if the day was not reviewed.
type reviewedDay struct {
	Day    models.Day
	Review *models.LogReview
	Empty  bool         // it has no events, and was not reviewed
	At     views.Moment // when it was reviewed; of today, when it ends
	Href   string
}

// dayReview is the review of a day, or the form for it.
type dayReview struct {
	reviewedDay
	Page  *web.Page
	hours models.ClosedDay
	Hours string
	Runs  bool
	Form  bool
	Path  string
	Note  views.Field
}

func dayPath(day models.Day) string {
	return web.WithQuery("/audit", url.Values{dayName: {string(day)}}.Encode())
}

// dayFilter reads the filter by casino day. Its hours differ from the reader's day if the casino is in another time zone.
func (a *Area) dayFilter(ctx context.Context, page *auditPage, span *models.Span) error {
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	day := page.DayFilter(dayName, "Casino day", today)
	if day == "" {
		return nil
	}
	c, err := a.Store.DayInterval(ctx, day)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return err
	}
	hour := func(at time.Time) string { return at.In(zone).Format("2 Jan 15:04") }
	page.OfDay = &dayReview{Page: &page.Page, reviewedDay: reviewedDay{Day: c.Day}, hours: c, Path: dayPath(c.Day),
		Runs: page.Now.Before(c.Until), Hours: hour(c.From) + " to " + hour(c.Until) + ", " + c.Zone}
	page.OfDay.At = page.Time(c.Until)
	if c.From.After(span.Since) {
		span.Since = c.From
	}
	span.Until = models.Earliest(span.Until, c.Until)
	return nil
}

// readReviews reads the reviews of the latest days, and of the day that the list is filtered to.
func (a *Area) readReviews(c *fiber.Ctx, f *web.Form, page *auditPage) error {
	ctx := c.UserContext()
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	first, begun, err := a.Store.AuditEvent(ctx, 1)
	if err != nil {
		return err
	}
	var days []models.ClosedDay
	for day := today.Add(-daysShown); begun && day < today; day = day.Add(1) {
		c, err := a.Store.DayInterval(ctx, day)
		if err != nil {
			return err
		}
		if c.Until.After(first.At) {
			days = append(days, c)
		}
	}
	for _, c := range days {
		day := reviewedDay{Day: c.Day, Href: dayPath(c.Day)}
		if err := a.readReview(ctx, page, &day, c); err != nil {
			return err
		}
		page.Days = append(page.Days, day)
	}
	if of := page.OfDay; of != nil {
		if err := a.readReview(ctx, page, &of.reviewedDay, of.hours); err != nil {
			return err
		}
		if of.Review != nil {
			of.Href = pages.AuditPath(of.Review.EventID)
		}
		of.Form = page.Can(web.ReviewAudit)
		of.Note = f.Field(views.Field{Name: "note", Autocomplete: "off", Max: models.MaxChangeReason})
	}
	return nil
}

// readReview reads a day's review or, if there is none, whether the day has events to review.
func (a *Area) readReview(ctx context.Context, page *auditPage, d *reviewedDay, of models.ClosedDay) error {
	r, reviewed, err := a.Store.LogReview(ctx, d.Day)
	if err != nil {
		return err
	}
	if reviewed {
		d.Review, d.At = &r, page.Time(r.At)
		return nil
	}
	events, err := a.Store.AuditEvents(ctx, models.AuditFilter{Span: models.Span{Since: of.From, Until: of.Until, Limit: 1}})
	d.Empty = len(events.Rows) == 0
	return err
}

// Review marks the day that the list is filtered to as reviewed.
func (a *Area) Review(c *fiber.Ctx) error {
	f := web.NewForm(c)
	day, err := models.ParseDay(c.Query(dayName))
	if err != nil {
		return web.BadForm("The form names no day. Open the day in the audit log again.")
	}
	err = a.Store.ReviewLog(c.UserContext(), a.Signer(c), day, f.Text("note"))
	var reviewed models.LogReviewedError
	switch {
	case err == nil:
		return a.Done(c, dayPath(day), "The log of "+day.Format("2 Jan 2006")+" is marked as reviewed.")
	case errors.Is(err, models.ErrLogNote):
		f.Refuse("note", err.Error())
		return a.List(c)
	case errors.As(err, &reviewed), errors.Is(err, models.ErrLogRuns), errors.Is(err, models.ErrLogEmpty),
		errors.Is(err, models.ErrLogReviewer), errors.Is(err, models.ErrSignerChanged):
		return a.Flash(c, dayPath(day), views.Warning("Not marked", web.Sentence(pages.RootText(err))))
	}
	return err
}
