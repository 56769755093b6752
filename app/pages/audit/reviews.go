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

// Reviews of the log, a day of the casino at a time. The list shows the latest days, and the review of the day that it is filtered to.

const (
	dayName   = "casino-day"
	daysShown = 6
)

// reviewedDay is a day of the log. Review is nil if nobody has reviewed it.
type reviewedDay struct {
	Day    models.Day
	Review *models.LogReview
	At     views.Moment // when it was reviewed or, while it runs, when it ends
	Href   string
}

// dayReview is the review of a day, or the form for it.
type dayReview struct {
	reviewedDay
	Page  *web.Page
	Hours string
	Runs  bool
	Form  bool
	Path  string
	Note  views.Field
}

func dayPath(day models.Day) string {
	return web.WithQuery("/audit", url.Values{dayName: {string(day)}}.Encode())
}

// dayFilter reads the filter by a day of the casino, whose hours are not the reader's if their zones differ.
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
	const layout = "2 Jan 15:04"
	page.OfDay = &dayReview{Page: &page.Page, reviewedDay: reviewedDay{Day: c.Day}, Path: dayPath(c.Day), Runs: page.Now.Before(c.Until),
		Hours: c.From.In(zone).Format(layout) + " to " + c.Until.In(zone).Format(layout) + ", " + c.Zone}
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
	var days []models.Day
	for day := today.Add(-daysShown); begun && day < today; day = day.Add(1) {
		c, err := a.Store.DayInterval(ctx, day)
		if err != nil {
			return err
		}
		if c.Until.After(first.At) {
			days = append(days, day)
		}
	}
	sought := days
	if page.OfDay != nil {
		sought = append(sought, page.OfDay.Day)
	}
	reviews, err := a.Store.LogReviews(ctx, sought...)
	if err != nil {
		return err
	}
	for _, day := range days {
		page.Days = append(page.Days, newReviewedDay(page, reviewedDay{Day: day, Href: dayPath(day)}, reviews))
	}
	if of := page.OfDay; of != nil {
		of.reviewedDay = newReviewedDay(page, of.reviewedDay, reviews)
		if of.Review != nil {
			of.Href = pages.AuditPath(of.Review.EventID)
		}
		of.Form = page.Can(web.ReviewAudit)
		of.Note = f.Field(views.Field{Name: "note", Autocomplete: "off", Max: models.MaxChangeReason})
	}
	return nil
}

func newReviewedDay(page *auditPage, d reviewedDay, reviews map[models.Day]models.LogReview) reviewedDay {
	if r, reviewed := reviews[d.Day]; reviewed {
		d.Review, d.At = &r, page.Time(r.At)
	}
	return d
}

// Review marks the day that the list is filtered to as reviewed.
func (a *Area) Review(c *fiber.Ctx) error {
	f := web.NewForm(c)
	day, err := models.ParseDay(c.Query(dayName))
	if err != nil {
		return web.BadForm("It does not name the day that was reviewed. Open the day in the audit log again.")
	}
	err = a.Store.ReviewLog(c.UserContext(), a.Signer(c), day, f.Text("note"))
	var reviewed models.LogReviewedError
	switch {
	case err == nil:
		return a.Done(c, dayPath(day), "The log of "+day.Format("2 Jan 2006")+" is marked as reviewed.")
	case errors.Is(err, models.ErrLogNote):
		f.Refuse("note", err.Error())
		return a.showList(c, f)
	case errors.As(err, &reviewed), errors.Is(err, models.ErrLogRuns), errors.Is(err, models.ErrLogEmpty),
		errors.Is(err, models.ErrLogReviewer), errors.Is(err, models.ErrSignerChanged):
		return a.Flash(c, dayPath(day), views.Warning("Not marked", web.Sentence(pages.RootText(err))))
	}
	return err
}
