// Package statements has the pages of the platform's statements, and of how they differ from our ledger.
package statements

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/reconcile"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Statements *reconcile.Service // keeps and compares the platform's statements
}

const runRows = 20

// zoneOf returns the time zone in which a statement is read.
func zoneOf(st models.Statement) *time.Location {
	zone, err := time.LoadLocation(st.Layout.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// periodDays returns the days of a statement, such as "21 Nov 2026", or "" before they are entered.
func periodDays(st models.Statement) string {
	if st.Since.IsZero() {
		return ""
	}
	const day = "2 Jan 2006"
	first, last := st.Since.In(zoneOf(st)).Format(day), st.Until.In(zoneOf(st)).Add(-time.Microsecond).Format(day)
	if first == last {
		return first
	}
	return first + " to " + last
}

// periodTimes returns a statement's period in its zone, or "" before it is entered.
func periodTimes(st models.Statement) string {
	if st.Since.IsZero() {
		return ""
	}
	const exact = "2 Jan 2006, 15:04"
	return st.Since.In(zoneOf(st)).Format(exact) + " to " + st.Until.In(zoneOf(st)).Format(exact) + " " + st.Layout.Zone
}

// samePeriod returns the newest other statements of the same side whose periods overlap with that of a statement.
func (a *Area) samePeriod(ctx context.Context, st models.Statement) (rows []statementRow, err error) {
	if st.Since.IsZero() {
		return nil, nil
	}
	found, err := a.Store.Statements(ctx, models.StatementFilter{From: st.Since, To: st.Until, ClientID: st.ClientID,
		Span: models.Span{Limit: mostSamePeriod + 1}})
	for _, other := range found.Rows {
		if other.ID != st.ID && len(rows) < mostSamePeriod {
			rows = append(rows, statementRow{other, periodDays(other), periodTimes(other), pages.StatementBadge(other.Run)})
		}
	}
	return rows, err
}

// mostSamePeriod is how many statements of the same period a page names.
const mostSamePeriod = 5

type statementRow struct {
	models.Statement
	Days, Times string
	Badge       views.Badge
}

// List lists the platform's statements.
func (a *Area) List(c *fiber.Ctx) error { return a.list().Serve(a.Site.Site, c, "statements/list") }

func (a *Area) list() web.List[web.ListPage, models.Statement] {
	return web.List[web.ListPage, models.Statement]{
		Title: "Statements",
		Select: func(context.Context, *web.ListPage) (models.Listing[models.Statement], error) {
			return models.List(models.StatementFilter{}, a.Store.Statements, models.Statement.Place), nil
		},
		Columns: []web.Column[web.ListPage, models.Statement]{
			{Head: "Uploaded", Class: "c-time", Value: func(st models.Statement) any { return st.At }},
			{Head: "Statement", Class: "c-what wrap", Cell: func(_ *web.ListPage, st models.Statement) views.Cell {
				cell := views.Cell{Text: "Statement, not read yet", Href: pages.StatementPath(st.ID)}
				if days := periodDays(st); days != "" {
					cell.Text = "Statement of " + days
				}
				return cell
			}},
			{Head: "Period", Class: "wrap", Value: func(st models.Statement) any { return periodTimes(st) }},
			{Head: "File", Class: "c-name", Cell: func(_ *web.ListPage, st models.Statement) views.Cell {
				cell := views.Cell{Text: st.FileName}
				if st.Client != "" {
					cell.Note = "of " + st.Client
				}
				return cell
			}},
			{Head: "Lines", Class: "num", Cell: func(_ *web.ListPage, st models.Statement) (cell views.Cell) {
				if st.Run.Lines != 0 {
					cell.Text = web.Grouped(st.Run.Lines)
				}
				return cell
			}},
			{Head: "By", Value: func(st models.Statement) any { return st.Actor }},
			{Head: "Result",
				Badge: func(_ *web.ListPage, st models.Statement) views.Badge { return pages.StatementBadge(st.Run) }},
		},
	}
}

type newStatementPage struct {
	web.Page
	FileWrong string
	Whose     views.Select // without choices if no client moves cash
}

func (a *Area) NewStatementForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newStatementPage{Page: a.Page(c, ""), FileWrong: web.Sentence(f.Wrong["file"])}
	clients, err := a.cashiers(c)
	if err != nil {
		return err
	}
	if len(clients) > 0 {
		choices := []string{"", "The platform’s"}
		for _, client := range clients {
			choices = append(choices, strconv.FormatInt(client.ID, 10), "API client "+client.Name)
		}
		page.Whose = views.Select{ID: "f-client", Name: "client", Wrong: f.Wrong["client"],
			Choices: web.Choices(f.Text("client"), choices...)}
	}
	return a.RenderForm(c, !f.Ok(), "statements/new", page)
}

// mostCashiers is how many clients the form offers, the newest first.
const mostCashiers = 100

// cashiers returns the API clients that move cash, or have moved it.
func (a *Area) cashiers(c *fiber.Ctx) ([]models.APIClient, error) {
	found, err := a.Store.APIClients(c.UserContext(), models.APIClientFilter{Span: models.Span{Limit: mostCashiers}})
	return slices.DeleteFunc(found.Rows, func(c models.APIClient) bool { return c.Cash == "" }), err
}

// whose returns the number of the client that is chosen, or 0 for the platform.
func (a *Area) whose(c *fiber.Ctx, f *web.Form) (int64, error) {
	clients, err := a.cashiers(c)
	i := slices.IndexFunc(clients, func(one models.APIClient) bool { return strconv.FormatInt(one.ID, 10) == f.Text("client") })
	switch {
	case i >= 0:
		return clients[i].ID, err
	case f.Text("client") != "":
		f.Refuse("client", "Choose the platform or an API client.")
	}
	return 0, err
}

// UploadStatement saves a file, and redirects to the page that shows what is in it.
func (a *Area) UploadStatement(c *fiber.Ctx) error {
	f := web.NewForm(c)
	chosen, err := c.FormFile("file")
	if err != nil || chosen.Size == 0 {
		f.Refuse("file", "Choose a file.")
		return a.NewStatementForm(c)
	}
	file, err := chosen.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	client, err := a.whose(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.NewStatementForm(c)
	}
	st, err := a.Statements.Keep(c.UserContext(), a.Actor(c), client, web.FileName(chosen.Filename), file)
	var unreadable sheet.Unreadable
	if errors.As(err, &unreadable) || errors.Is(err, reconcile.ErrTooLarge) || errors.Is(err, models.ErrStatementsFull) {
		f.Refuse("file", err.Error())
		return a.NewStatementForm(c)
	}
	if errors.Is(err, models.ErrNoRoom) {
		f.Refuse("file", "The database has no space left for this file. Ask an administrator to free space, then upload it again.")
		return a.NewStatementForm(c)
	}
	if err != nil {
		return err
	}
	return c.Redirect(pages.StatementPath(st.ID)+"/reading", fiber.StatusSeeOther)
}

// LoadStatement reads the statement that the address names.
func (a *Area) LoadStatement(c *fiber.Ctx) (models.Statement, error) {
	return web.Find(c, "statement", a.Store.Statement)
}

// CompareStatement requests a comparison: with the settings in the form, or like the last one if there is no form.
func (a *Area) CompareStatement(c *fiber.Ctx, st models.Statement) error {
	f := web.NewForm(c)
	file, err := a.openStatement(c, st)
	if err != nil {
		return err
	}
	if f.Text("times") != "" || st.Since.IsZero() {
		readingForm(f, &st)
		sample, err := sheet.SampleStatement(c.UserContext(), file)
		if err != nil {
			return err
		}
		checkLayout(f, st, sample)
		if !f.Ok() {
			return a.showReading(c, f, st, true)
		}
	}
	_, err = a.Store.BeginStatementRun(c.UserContext(), a.Actor(c), st)
	if errors.Is(err, models.ErrRunUnderWay) {
		return a.Flash(c, pages.StatementPath(st.ID), views.Info("",
			"This statement is already being compared. No second comparison was started."))
	}
	if err != nil {
		return err
	}
	a.Statements.Wake()
	return a.Done(c, pages.StatementPath(st.ID),
		"The statement is being compared. You can leave this page; the comparison continues.")
}

// StopStatement ends the comparison of a statement.
func (a *Area) StopStatement(c *fiber.Ctx, st models.Statement) error {
	path := pages.StatementPath(st.ID)
	err := a.Store.StopRun(c.UserContext(), a.Actor(c), st.Run)
	if errors.Is(err, models.ErrRunEnded) {
		return a.Flash(c, path, views.Info("", "No comparison of this statement is running. Nothing has changed."))
	}
	if err != nil {
		return err
	}
	return a.Done(c, path, "The comparison is stopped and has no result. You can start another at any time.")
}

// ForgetStatementForm shows the confirmation page for deleting a statement's file.
func (a *Area) ForgetStatementForm(c *fiber.Ctx, st models.Statement) error {
	path := pages.StatementPath(st.ID)
	if !st.Kept() {
		return a.Flash(c, path, views.Info("", "The file was already deleted."))
	}
	return a.Render(c, "statements/removal", &removalPage{a.Page(c, ""), st})
}

// removalPage is the confirmation page for deleting a statement's file.
type removalPage struct {
	web.Page
	Statement models.Statement
}

func (a *Area) ForgetStatement(c *fiber.Ctx, st models.Statement) error {
	path := pages.StatementPath(st.ID)
	err := a.Store.ForgetStatementFile(c.UserContext(), a.Actor(c), st.ID)
	switch {
	case errors.Is(err, models.ErrRunUnderWay):
		return a.Flash(c, path, views.Info("",
			"The statement is being compared. Stop the comparison first. The file was not deleted."))
	case errors.Is(err, models.ErrStatementGone):
		return a.Flash(c, path, views.Info("", "The file was already deleted."))
	case err != nil:
		return err
	}
	return a.Done(c, path, "The file is deleted. The results are still here.")
}

// chosenRun returns the statement's run whose number is text, or its newest run if text is empty.
func (a *Area) chosenRun(ctx context.Context, st models.Statement, text string) (models.StatementRun, error) {
	if text == "" {
		return st.Run, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return models.StatementRun{}, web.NotFound("comparison of this statement")
	}
	run, found, err := a.Store.StatementRun(ctx, id)
	if err == nil && (!found || run.StatementID != st.ID) {
		err = web.NotFound("comparison of this statement")
	}
	return run, err
}
