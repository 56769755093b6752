package statements

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/reconcile"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type readingPage struct {
	web.Page
	Statement              models.Statement
	Columns                []views.Select
	Decimal, Times         views.Select
	Zone, From, To, Margin views.Field
	Header                 []string
	Raw                    [][]rawField
	Read                   []readRow
	Wrong                  string
	Notes                  []string // sentences about how the file is read
	NoState                bool     // no column says which transactions failed or were rolled back
	IgnoreCase             bool
	Others                 []statementRow // other statements of the same period
	Remembered             bool           // the layout comes from the last file with the same columns
	Suggested              bool           // the layout was inferred from the file
}

// rawField is an unchanged field from the file, with the name of its column.
type rawField struct{ Column, Text string }

// readRow is a line of the preview as it was read.
type readRow struct {
	Line   int64
	What   string
	ID     string
	Amount string
	Player string
	Moment views.Moment
	State  string
	Wrong  string
}

func (a *Area) StatementReading(c *fiber.Ctx, st models.Statement) error {
	return a.showReading(c, web.NewForm(c), st, false)
}

// LookAgain shows how the file would be read with the settings in the form.
func (a *Area) LookAgain(c *fiber.Ctx, st models.Statement) error {
	f := web.NewForm(c)
	if f.Downloads() {
		return a.sendBadLines(c, st)
	}
	return a.showReading(c, f, st, true)
}

// sendBadLines sends the lines of a file that its newest comparison could not use. Nobody can go on without them: a statement
// is compared as a whole or not at all, because without these lines, their transactions would look like differences.
func (a *Area) sendBadLines(c *fiber.Ctx, st models.Statement) error {
	file, err := a.openStatement(c, st)
	if err != nil {
		return err
	}
	bad, err := reconcile.BadLines(c.UserContext(), file, st)
	if err != nil {
		return err
	}
	for _, b := range st.Run.Bad { // including contradictions, which only a comparison finds
		if !slices.ContainsFunc(bad, func(l models.LineError) bool { return l.Line == b.Line }) {
			bad = append(bad, models.LineError{Line: b.Line, Err: errors.New(b.Why)})
		}
	}
	read := web.ReadFile{Name: st.FileName}
	read.Refuse(bad)
	read.Lines = func(wrong map[int]string) (sheet.Table, error) {
		return sheet.BadLines(c.UserContext(), file, sheet.OfStatement(st.Layout), wrong)
	}
	return a.SendBadLines(c, read)
}

// openStatement opens a statement's file, or returns an error that says that the file was deleted.
func (a *Area) openStatement(c *fiber.Ctx, st models.Statement) (io.ReadSeeker, error) {
	file, err := a.Store.OpenStatement(c.UserContext(), st)
	if errors.Is(err, models.ErrStatementGone) {
		return nil, web.StatementDeleted(st.ID)
	}
	return file, err
}

// readingForm reads a layout and a period from the form and marks its wrong fields.
func readingForm(f *web.Form, st *models.Statement) {
	l := models.StatementLayout{Decimal: f.Text("decimal"), Times: models.TimeShape(f.Text("times")), Zone: f.Text("zone"),
		Columns: map[models.StatementField]string{}}
	for _, field := range models.StatementFields {
		if name := f.Text("column-" + string(field)); name != "" {
			l.Columns[field] = name
		}
	}
	l.IgnoreCase = f.Text("ignore_case") == "yes"
	st.Layout = l
	zone, err := time.LoadLocation(l.Zone)
	if err != nil || l.Zone == "" {
		f.Refuse("zone", "Enter a time zone such as UTC or Europe/Vienna.")
		zone = time.UTC
	}
	var wrong models.LayoutError
	if st.Since, st.Until, err = models.ParsePeriod(f.Text("from"), f.Text("to"), zone); errors.As(err, &wrong) {
		f.Refuse(wrong.Part, wrong.Why)
	}
	minutes, err := strconv.Atoi(f.Text("margin"))
	if err != nil {
		f.Refuse("margin", "Enter 0 to 60 minutes.")
	}
	st.Margin = time.Duration(minutes) * time.Minute
	if err == nil && f.Ok() {
		if err := models.CheckPeriod(st.Since, st.Until, st.Margin); errors.As(err, &wrong) {
			part := wrong.Part
			if part == "period" {
				part = "to"
			}
			f.Refuse(part, wrong.Why)
		}
	}
}

// checkLayout marks the field because of which the file cannot be read.
func checkLayout(f *web.Form, st models.Statement, sample sheet.Sample) {
	var wrong models.LayoutError
	if err := st.Layout.Check(sample.Header); errors.As(err, &wrong) {
		name := wrong.Part
		if _, is := columnParts[models.StatementField(name)]; is {
			name = "column-" + name
		}
		f.Refuse(name, wrong.Why)
	}
}

var columnParts = func() map[models.StatementField]bool {
	parts := map[models.StatementField]bool{}
	for _, f := range models.StatementFields {
		parts[f] = true
	}
	return parts
}()

const previewed = 10

// showReading shows a file's first lines, how they are read, and the form for changing that. again means that the form was
// sent.
func (a *Area) showReading(c *fiber.Ctx, f *web.Form, st models.Statement, again bool) error {
	file, err := a.openStatement(c, st)
	if err != nil {
		return err
	}
	sample, err := sheet.SampleStatement(c.UserContext(), file)
	if err != nil {
		return err
	}
	page := &readingPage{Page: a.Page(c, ""), Statement: st, Header: sample.Header, Notes: sample.Notes}
	if again {
		readingForm(f, &st)
	} else if st.Since.IsZero() {
		if err := a.suggestReading(c, page, &st); err != nil {
			return err
		}
	}
	if !again && st.Since.IsZero() {
		st.Since, st.Until = firstDay(sample, st.Layout)
	}
	if again {
		checkLayout(f, st, sample)
	}
	for _, row := range sample.Rows {
		var fields []rawField
		for i, cell := range row {
			fields = append(fields, rawField{sample.Header[i], cell.Text})
		}
		page.Raw = append(page.Raw, fields)
	}
	page.read(c.UserContext(), file, st)
	page.fields(f, st, sample)
	page.IgnoreCase = st.Layout.IgnoreCase
	if page.Others, err = a.samePeriod(c.UserContext(), st); err != nil {
		return err
	}
	page.NoState = st.Layout.Columns[models.StatementStateOf] == ""
	return a.RenderForm(c, !f.Ok(), "statements/reading", page)
}

// suggestReading fills in the layout from the last file with the same columns or, if there is none, the one inferred from the
// file itself.
func (a *Area) suggestReading(c *fiber.Ctx, page *readingPage, st *models.Statement) error {
	known, found, err := a.Store.LayoutOf(c.UserContext(), *st)
	if err != nil {
		return err
	}
	if found {
		st.Layout, page.Remembered = known, true
	} else {
		st.Layout.Zone, page.Suggested = page.Page.Zone.String(), true
	}
	return nil
}

// firstDay returns the start and end of the day in the first line with a readable time.
func firstDay(sample sheet.Sample, l models.StatementLayout) (since, until time.Time) {
	at, zone := sample.FirstTime(l)
	if at.IsZero() {
		return since, until
	}
	day := models.DayOf(at, zone)
	return day.Begin(zone), day.End(zone)
}

// read fills in the preview with the first lines.
func (p *readingPage) read(ctx context.Context, file io.ReadSeeker, st models.Statement) {
	in, err := sheet.NewStatementReader(ctx, file, st.Layout, st.ClientID != 0)
	if err != nil {
		var wrong models.LayoutError
		p.Wrong = web.Sentence(err.Error())
		if errors.As(err, &wrong) {
			p.Wrong = web.Sentence(wrong.Why)
		}
		return
	}
	for _, note := range in.Notes {
		if !slices.Contains(p.Notes, note) {
			p.Notes = append(p.Notes, note)
		}
	}
	for len(p.Read) < previewed {
		l, err := in.Next()
		var bad models.LineError
		switch {
		case errors.As(err, &bad):
			p.Read = append(p.Read, readRow{Line: int64(bad.Line), Wrong: web.Sentence(bad.Err.Error())})
			continue
		case err != nil:
			return
		}
		row := readRow{Line: l.Line, ID: string(l.TransactionID), Player: string(l.UserID),
			State: web.FirstUpper(l.Standing.String()), Moment: p.Time(l.At), What: "Bet or win"}
		if l.At.IsZero() {
			row.Moment = views.Moment{}
		}
		if l.Kind != 0 {
			row.What = web.FirstUpper(l.Kind.String())
		}
		if l.FreeSpin != nil && *l.FreeSpin {
			row.What = "Free spin"
		}
		if !l.NoAmount {
			row.Amount = models.StatementSide{Bet: l.Bet, Win: l.Win}.Amounts() + " " + string(l.Currency)
		}
		p.Read = append(p.Read, row)
	}
}

// columnHints say what columns mean whose names do not.
var columnHints = map[models.StatementField]string{
	models.StatementTransaction: "Used to match the lines of both books.",
	models.StatementKind:        "Bet, win, bet and win, or rollback.",
	models.StatementAmount:      "The amount of a bet or a win. If no column has the kind, bets must be negative.",
	models.StatementBet:         "If bets and wins have separate columns.",
	models.StatementStateOf:     "Applied, rolled back or failed.",
	models.StatementPlayer:      "Our player ID.",
	models.StatementFreeSpin:    "Yes or no.",
}

// fields fills in the form.
func (p *readingPage) fields(f *web.Form, st models.Statement, sample sheet.Sample) {
	for _, field := range models.StatementFields {
		s := views.Select{ID: "f-column-" + string(field), Name: "column-" + string(field), Label: field.Word(),
			Hint: columnHints[field], Wrong: web.Sentence(f.Wrong["column-"+string(field)])}
		s.Choices = append(s.Choices, views.Choice{Word: "Not in the file"})
		for _, name := range sample.Header {
			if name != "" {
				s.Choices = append(s.Choices, views.Choice{Value: name, Word: name, Chosen: st.Layout.Columns[field] == name})
			}
		}
		p.Columns = append(p.Columns, s)
	}
	p.Decimal = views.Select{ID: "f-decimal", Name: "decimal",
		Wrong:   web.Sentence(f.Wrong["decimal"]),
		Choices: web.Choices(st.Layout.Decimal, "", "Choose", ".", "Point: 1,234.50", ",", "Comma: 1.234,50")}
	p.Times = views.Select{ID: "f-times", Name: "times", Wrong: web.Sentence(f.Wrong["times"]),
		Choices: web.Choices(string(st.Layout.Times), "", "Choose")}
	for _, shape := range models.TimeShapes {
		p.Times.Choices = append(p.Times.Choices,
			views.Choice{Value: string(shape), Word: shape.Word(), Chosen: shape == st.Layout.Times})
	}
	p.Zone = f.Field(views.Field{Name: "zone", Value: st.Layout.Zone, Required: true, Autocomplete: "off"})
	zone := zoneOf(st)
	day := func(at time.Time, end bool) string {
		switch at = at.In(zone); {
		case at.IsZero() || st.Since.IsZero():
			return ""
		case at.Format("15:04:05") == "00:00:00" && end:
			return at.AddDate(0, 0, -1).Format(time.DateOnly)
		case at.Format("15:04:05") == "00:00:00":
			return at.Format(time.DateOnly)
		}
		return at.Format("2006-01-02 15:04")
	}
	p.From = f.Field(views.Field{Name: "from", Value: day(st.Since, false), Required: true, Autocomplete: "off"})
	p.To = f.Field(views.Field{Name: "to", Value: day(st.Until, true), Required: true, Autocomplete: "off"})
	p.Margin = f.Field(views.Field{Name: "margin", Value: strconv.Itoa(int(st.Margin.Minutes())), InputMode: "numeric",
		Required: true})
}
