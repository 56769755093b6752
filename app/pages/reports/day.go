package reports

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page of one day, in the zone of days: its report, what a signer should also see, and the signatures that close it.

type dayPage struct {
	web.Page
	Day           models.Day
	Before, After models.Day // the day before and after; After is empty today
	State         models.DayState
	Interval      models.ClosedDay
	From, To      string // when the day starts and ends, in the zone of days
	Zone, Counted string
	Generated     views.Moment
	UpTo          views.Moment
	Formulas      []models.Formula
	Groups        []models.DayGroup
	Figures       table               // the figures by group
	Control       *table              // nil until something is booked
	Seen          models.DaySignature // what a signer sees besides the following fields
	Cases         models.DayCases
	Statements    []dayStatement
	Verified      *models.VerificationRun // the last verification; nil if there is none
	Signatures    []signatureRow
	Cannot        string       // why a reader whose role may sign cannot sign: "tied", "early" or "unbalanced"
	Early         views.Moment // the earliest time at which the day can be signed
	Sign          bool         // the reader may sign the day now
	Digest        string
	Note          views.Field
	balanced      bool // Control found no difference
}

// CasesOf returns the address of the open cases about events between two times.
func (p *dayPage) CasesOf(from, until time.Time) string {
	return "/cases?happened-since=" + web.EscapeQuery(from.UTC().Format(time.RFC3339)) + "&happened-before=" +
		web.EscapeQuery(until.UTC().Format(time.RFC3339))
}

// CasesBefore returns the address of the open cases about events before a time.
func (p *dayPage) CasesBefore(at time.Time) string {
	return "/cases?happened-before=" + web.EscapeQuery(at.UTC().Format(time.RFC3339))
}

// dayStatement is a statement of the platform whose period covers the day or a part of it.
type dayStatement struct {
	models.Statement
	Badge views.Badge
	Whole bool // its period covers the whole day
	Early bool // it was uploaded before its period was over
}

type signatureRow struct {
	Role models.Role
	Is   bool
	models.DaySignature
	Since models.ClosedSince
}

// theDay returns the day in the address.
func theDay(c *fiber.Ctx) (models.Day, error) {
	day, err := models.ParseDay(c.Params("id"))
	if err != nil {
		return "", web.ErrNoDay
	}
	return day, nil
}

func (a *Area) Day(c *fiber.Ctx) error {
	f := web.NewForm(c)
	ctx := c.UserContext()
	day, err := theDay(c)
	if err != nil {
		return err
	}
	page := &dayPage{Page: a.Page(c, ""), Day: day, Before: day.Add(-1), Formulas: models.Formulas}
	today, err := a.Store.ReportToday(ctx)
	if err != nil {
		return err
	}
	if day > today {
		return web.ErrNoDay
	}
	if day < today {
		page.After = day.Add(1)
	}
	if page.Interval, err = a.Store.DayInterval(ctx, day); err != nil {
		return err
	}
	page.Zone, page.Counted = page.Interval.Zone, page.Interval.Zone
	zone, err := time.LoadLocation(page.Zone)
	if err != nil {
		return err
	}
	upTo, err := a.Store.DaysUpTo(ctx)
	if err != nil {
		return err
	}
	if page.State, err = a.Store.DayState(ctx, day); err != nil {
		return err
	}
	page.From, page.To = page.Interval.From.In(zone).Format(instant), page.Interval.Until.In(zone).Format(instant)
	page.Badges = []views.Badge{dayBadge(page.State)}
	page.Generated, page.UpTo = views.NewMoment(page.Now, page.Now, zone), views.NewMoment(upTo, page.Now, zone)
	err = atonce.Read(
		func() error { return a.dayFigures(ctx, page) },
		func() error { return a.dayStanding(ctx, page) })
	if err != nil {
		return err
	}
	if err := a.daySignatures(c, page, upTo); err != nil {
		return err
	}
	page.Note = f.Field(views.Field{Name: "note", Value: web.Posted(c, "note"), Autocomplete: "off"})
	return a.RenderForm(c, !f.Ok(), "reports/day", page)
}

func (a *Area) dayFigures(ctx context.Context, page *dayPage) (err error) {
	if page.Groups, err = a.Store.DayGroups(ctx, page.Day); err != nil {
		return err
	}
	page.Digest = models.ReportDigest(page.Interval, page.Groups)
	page.Figures = newAccount("The day’s figures", append(slices.Clone(account), atDayEnd...), page.Groups,
		func(g models.DayGroup) string {
			test := models.WithoutTest
			if g.Test {
				test = models.OnlyTest
			}
			return transactionsOf(since(page.Interval.From, page.Interval.Until), g.Currency, test)
		})
	control, balanced, err := a.control(ctx)
	if page.balanced = balanced; len(control.Rows) > 0 {
		page.Control = &control
	}
	return err
}

// dayStanding reads what a signer needs to know beyond the figures.
func (a *Area) dayStanding(ctx context.Context, page *dayPage) (err error) {
	from, until := page.Interval.From, page.Interval.Until
	if page.Seen, page.Cases, err = a.Store.DayStanding(ctx, page.Interval); err != nil {
		return err
	}
	statements, err := a.Store.Statements(ctx, models.StatementFilter{From: from, To: until,
		Span: models.Span{Limit: models.StatementsOfDay}})
	if err != nil {
		return err
	}
	for _, st := range statements.Rows {
		page.Statements = append(page.Statements, dayStatement{st, pages.StatementBadge(st.Run), st.Covers(page.Interval),
			st.Ends().Before(st.Until)})
	}
	run, verified, err := a.LastVerification(ctx)
	if verified {
		page.Verified = &run
	}
	return err
}

// daySignatures reads who has signed the day, and whether the reader can sign it.
func (a *Area) daySignatures(c *fiber.Ctx, page *dayPage, upTo time.Time) error {
	may := page.Can(web.SignDays)
	for _, role := range models.DaySigners {
		s, signed := page.Interval.SignedBy(role)
		row := signatureRow{Role: role, Is: signed, DaySignature: s}
		if signed {
			var err error
			if row.Since, err = a.Store.ClosedSince(c.UserContext(), page.Interval, s); err != nil {
				return err
			}
		}
		page.Signatures = append(page.Signatures, row)
		if signed && (s.By == page.Reader.Username || role == page.Reader.Role) {
			may = false
		}
	}
	early := page.Interval.Until.Add(models.DayRest)
	switch {
	case !may:
	case upTo.Before(early):
		page.Cannot, page.Early = "early", page.Time(early)
	case !page.balanced:
		page.Cannot = "unbalanced"
	default:
		page.Sign = true
	}
	return nil
}

// SignDay signs the figures that the reader saw.
func (a *Area) SignDay(c *fiber.Ctx) error {
	day, err := theDay(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if !f.Ok() {
		return a.Day(c)
	}
	seen := models.DaySeen{Figures: web.Posted(c, "digest"), Standing: web.Posted(c, "standing")}
	_, err = a.Store.SignDay(c.UserContext(), a.Signer(c), day, seen, f.Text("note"))
	path := DayPath(day)
	refused := func(title, do string) error {
		return a.Flash(c, path, views.Warning(title, web.Sentence(err.Error())+" "+do))
	}
	switch {
	case err == nil:
		return a.Done(c, path, "Signed for "+string(web.ReaderOf(c).Role)+". The day’s figures no longer change.")
	case errors.Is(err, models.ErrDayNote), errors.Is(err, models.ErrDayNoteLong):
		f.Refuse("note", err.Error())
		return a.Day(c)
	case errors.Is(err, models.ErrDayMoved), errors.Is(err, models.ErrDayKnown):
		return refused("Not signed", "Check the day as it is now.")
	case errors.Is(err, models.ErrSignerChanged), errors.Is(err, models.ErrDayBefore), errors.Is(err, models.ErrDayRuns),
		errors.Is(err, models.ErrDaySigned), errors.Is(err, models.ErrDaySigner), errors.Is(err, models.ErrDayGap),
		errors.Is(err, models.ErrDayUnbalanced):
		return refused("Not signed", "Nothing has changed.")
	}
	return err
}
