package statements

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/reconcile"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const (
	statementRows  = 30
	differenceRows = 50
	badLineRows    = 100
	runRows        = 20
)

// statementBadge is how far a statement's newest run has come.
func statementBadge(run models.StatementRun) views.Badge {
	switch run.State {
	case models.RunUnderWay:
		return views.Active("Being compared")
	case models.RunPaused:
		return views.Waiting("Paused")
	case models.RunStopped:
		return views.Gone("Stopped")
	case models.RunFailed:
		return views.Waiting("Failed")
	case models.RunFinished:
		if run.Differences == 0 && run.BadLines > 0 {
			return views.Waiting(web.Several(run.BadLines, "unreadable line", "unreadable lines"))
		}
		if run.Differences == 0 {
			return views.Quiet("Agrees")
		}
		return views.Waiting(web.Several(run.Differences, "difference", "differences"))
	}
	return views.Plain("Not compared yet")
}

// zoneOf is the zone that a statement is read in.
func zoneOf(st models.Statement) *time.Location {
	zone, err := time.LoadLocation(st.Layout.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// dayOf is a day in a title.
const dayOf = "2 Jan 2006"

// statementTitle is a statement by its period.
func statementTitle(st models.Statement) string {
	if st.Since.IsZero() {
		return "Statement, not read yet"
	}
	from, to := st.Since.In(zoneOf(st)), st.Until.In(zoneOf(st))
	last := to.Add(-time.Microsecond)
	switch {
	case from.Format(dayOf) == last.Format(dayOf):
		return "Statement of " + from.Format(dayOf)
	case from.Format("1 2006") == last.Format("1 2006"):
		return "Statement of " + from.Format("2") + " to " + last.Format(dayOf)
	case from.Format("2006") == last.Format("2006"):
		return "Statement of " + from.Format("2 Jan") + " to " + last.Format(dayOf)
	}
	return "Statement of " + from.Format(dayOf) + " to " + last.Format(dayOf)
}

// periodWords is a statement's period in its zone: "00:00 to 24:00 UTC".
func periodWords(st models.Statement) string {
	zone := zoneOf(st)
	from, to := st.Since.In(zone), st.Until.In(zone)
	end := to.Format("15:04")
	if end == "00:00" {
		end = "24:00"
	}
	words := from.Format("15:04") + " to " + end
	if from.Format(dayOf) != to.Add(-time.Microsecond).Format(dayOf) {
		last := to.Format("2 Jan, 15:04")
		if end == "24:00" {
			last = to.Add(-time.Microsecond).Format("2 Jan") + ", 24:00"
		}
		words = from.Format("2 Jan, 15:04") + " to " + last
	}
	return words + " " + st.Layout.Zone
}

type statementsPage struct {
	web.Page
	Rows   []statementRow
	Paging views.Paging
	Empty  views.Empty
}

type statementRow struct {
	models.Statement
	Href, Title, Period string
	Badge               views.Badge
	Lines               string
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &statementsPage{Page: a.Page(c, "Statements")}
	page.Lede = "Files of the platform’s transactions, held against ours. Newest first."
	upload := page.Can(web.RunStatements)
	page.Empty = views.Empty{Title: "No statement yet",
		Text: "Ask the platform for a CSV file of its transactions of a day. What it has and we do not, and the reverse, " +
			"becomes a list of differences."}
	if upload {
		link := views.Link{Word: "Compare a statement", Href: "/statements/new", Icon: "upload", Main: true}
		page.Actions = []views.Link{link}
		page.Empty.Links = []views.Link{link}
	}
	filter := models.StatementFilter{Limit: statementRows}
	at, err := page.Place()
	if err != nil {
		return err
	}
	filter.Page = at
	list, more, err := a.Store.Statements(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, st := range list {
		row := statementRow{Statement: st, Href: things.StatementPath(st.ID), Title: statementTitle(st),
			Badge: statementBadge(st.Run)}
		if !st.Since.IsZero() {
			row.Period = periodWords(st)
		}
		if st.Run.Lines > 0 {
			row.Lines = web.Grouped(st.Run.Lines)
		}
		page.Rows = append(page.Rows, row)
	}
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	return a.Render(c, "statements/list", page)
}

type newStatementPage struct {
	web.Page
	FileWrong string
}

func (a *Area) NewStatementForm(c *fiber.Ctx) error { return a.showNewStatement(c, web.NewForm(c)) }

func (a *Area) showNewStatement(c *fiber.Ctx, f *web.Form) error {
	page := &newStatementPage{Page: a.Page(c, "Compare a statement"), FileWrong: web.Sentence(f.Wrong["file"])}
	page.Crumbs = []views.Crumb{{Word: "Statements", Href: "/statements"}, {Word: "New"}}
	page.Lede = "First the file. Then you say what its columns mean; a file with the same columns is read the same way the " +
		"next time."
	if !f.Ok() {
		return a.Refused(c, "statements/new", page)
	}
	return a.Render(c, "statements/new", page)
}

// noStatements is what a reader is told on a site that was set up without a place for statements' files.
func noStatements() error {
	return web.Problem{
		Status: fiber.StatusServiceUnavailable, Title: "Statements cannot be kept here",
		Happened: "This instance has no folder for the files of statements (PITBOSS_STATEMENT_DIR).",
		Money:    "Nothing has changed.", Do: "Whoever operates the server sets PITBOSS_STATEMENT_DIR.",
		Links: []views.Link{{Word: "Statements", Href: "/statements", Main: true}},
	}
}

// UploadStatement keeps a file. What it holds is looked at on the next page.
func (a *Area) UploadStatement(c *fiber.Ctx) error {
	f := web.NewForm(c)
	chosen, err := c.FormFile("file")
	if err != nil || chosen.Size == 0 {
		f.Refuse("file", "Choose a CSV file.")
		return a.showNewStatement(c, f)
	}
	if a.Statements == nil {
		return noStatements()
	}
	file, err := chosen.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	st, err := a.Statements.Keep(c.UserContext(), a.Actor(c), web.FileName(chosen.Filename), file)
	if errors.Is(err, models.ErrStatementHeader) || errors.Is(err, reconcile.ErrTooLarge) {
		f.Refuse("file", err.Error())
		return a.showNewStatement(c, f)
	}
	if err != nil {
		return err
	}
	return c.Redirect(things.StatementPath(st.ID)+"/reading", fiber.StatusSeeOther)
}

// theStatement reads the statement that the address names.
func (a *Area) theStatement(c *fiber.Ctx) (models.Statement, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.Statement{}, web.NotFound("statement")
	}
	st, found, err := a.Store.Statement(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("statement")
	}
	return st, err
}

// CompareStatement asks for a comparison: with the form of the reading, or as the last time where there is none.
func (a *Area) CompareStatement(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	file, err := a.openStatement(st)
	if err != nil {
		return err
	}
	defer file.Close()
	if f.Text("times") != "" || st.Since.IsZero() {
		readingForm(f, &st)
		sample, err := models.SampleStatement(file, st.Layout.Delimiter)
		if err != nil {
			f.Refuse("delimiter", "The file cannot be split so.")
		}
		checkLayout(f, st, sample)
		if !f.Ok() {
			return a.showReading(c, f, st, true)
		}
	}
	_, err = a.Store.BeginStatementRun(c.UserContext(), a.Actor(c), st)
	if errors.Is(err, models.ErrRunUnderWay) {
		return a.Flash(c, things.StatementPath(st.ID),
			views.Note{Kind: "wait", Icon: "info",
				Text: "This statement is being compared already. Nothing was begun a second time."})
	}
	if err != nil {
		return err
	}
	a.Statements.Wake()
	return a.Done(c, things.StatementPath(st.ID), "The statement is being compared. You can leave this page, it goes on.")
}

func (a *Area) PauseStatement(c *fiber.Ctx) error {
	return a.changeRun(c, models.RunPaused, "The comparison is paused.")
}

func (a *Area) ResumeStatement(c *fiber.Ctx) error {
	return a.changeRun(c, models.RunUnderWay, "The comparison goes on.")
}

func (a *Area) StopStatement(c *fiber.Ctx) error {
	return a.changeRun(c, models.RunStopped, "The comparison is stopped. It has no result; compare again whenever you like.")
}

func (a *Area) changeRun(c *fiber.Ctx, to models.RunState, message string) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	path := things.StatementPath(st.ID)
	if st.Run.ID == 0 {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info", Text: "This statement has not been compared. Nothing was changed."})
	}
	if err := a.Store.SetRunState(c.UserContext(), a.Actor(c), st.Run.ID, to); errors.Is(err, models.ErrRunEnded) {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info", Text: "The comparison has ended meanwhile. Nothing was changed."})
	} else if err != nil {
		return err
	}
	if a.Statements != nil {
		a.Statements.Wake()
	}
	return a.Done(c, path, message)
}

// ForgetStatementForm asks whether a file is to go.
func (a *Area) ForgetStatementForm(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	path := things.StatementPath(st.ID)
	if !st.Kept() {
		return a.Flash(c, path, views.Note{Kind: "wait", Icon: "info", Text: "The file is not kept any more."})
	}
	page := &web.DeedPage{Page: a.Page(c, "Delete the file")}
	page.Crumbs = []views.Crumb{
		{Word: "Statements", Href: "/statements"}, {Word: strconv.FormatInt(st.ID, 10), Href: path}, {Word: "Delete the file"},
	}
	page.Deed = views.Deed{
		Sentence: "Delete " + st.FileName + ".",
		Consequences: "What was found in it stays, with who compared it and the file’s digest. To compare it again, it " +
			"would have to be uploaded again.",
		Action: path + "/removal", Button: "Delete the file", Destroys: true, Back: views.Link{Word: "Back", Href: path},
	}
	return a.Render(c, "free-spins/confirm", page)
}

func (a *Area) ForgetStatement(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	path := things.StatementPath(st.ID)
	if a.Statements == nil {
		return noStatements()
	}
	err = a.Statements.Forget(c.UserContext(), a.Actor(c), st)
	switch {
	case errors.Is(err, models.ErrRunUnderWay):
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info",
				Text: "The statement is being compared. Stop that first; the file is still there."})
	case errors.Is(err, models.ErrStatementGone):
		return a.Flash(c, path, views.Note{Kind: "wait", Icon: "info", Text: "The file is not kept any more."})
	case errors.Is(err, reconcile.ErrElsewhere):
		_, err := a.openStatement(st)
		return err
	case err != nil:
		return err
	}
	return a.Done(c, path, "The file is deleted. What was found in it is still here.")
}

type badLinesPage struct {
	web.Page
	Rows   []models.LineError
	Paging views.Paging
	Empty  views.Empty
}

// StatementLines lists the lines that could not be read.
func (a *Area) StatementLines(c *fiber.Ctx) error {
	st, err := a.theStatement(c)
	if err != nil {
		return err
	}
	page := &badLinesPage{Page: a.Page(c, "Lines that could not be read")}
	page.Crumbs = []views.Crumb{
		{Word: "Statements", Href: "/statements"}, {Word: strconv.FormatInt(st.ID, 10), Href: things.StatementPath(st.ID)},
		{Word: "Lines"},
	}
	run, err := a.chosenRun(c, st, page.Params.Get("run"))
	if err != nil {
		return err
	}
	page.Lede = fmt.Sprintf("%s, %s of %s. The other lines were compared.", st.FileName, web.Grouped(run.BadLines),
		web.Several(run.Lines, "line", "lines"))
	after, err := placeOf(page.Params.Get("after"))
	if err != nil {
		return err
	}
	list, more, err := a.Store.BadLines(c.UserContext(), run.ID, after, badLineRows)
	if err != nil {
		return err
	}
	page.Rows = list
	page.Paging = views.Paging{Note: strconv.Itoa(len(list)) + " shown, in the order of the file", NewerWord: "First",
		OlderWord: "Next"}
	if more {
		page.Paging.Older = page.With("after", strconv.Itoa(list[len(list)-1].Line))
	}
	if after != 0 {
		page.Paging.Newer = web.WithQuery(page.Path, page.Query)
	}
	if run.BadLines > int64(len(list)) && !more && after == 0 {
		page.Paging.Note = fmt.Sprintf("The first %d of %s", len(list), web.Grouped(run.BadLines))
	}
	page.Empty = views.Empty{Title: "Every line was read", Text: "Nothing in the file was left out.",
		Links: []views.Link{{Word: "The statement", Href: things.StatementPath(st.ID)}}}
	return a.Render(c, "statements/lines", page)
}

// placeOf reads the number after which a list goes on.
func placeOf(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, web.BadAddress("It names a place in the list that does not exist.")
	}
	return n, nil
}

// chosenRun is the run that the address asks for: one of the statement's, by its number, or the newest.
func (a *Area) chosenRun(c *fiber.Ctx, st models.Statement, text string) (models.StatementRun, error) {
	if text == "" {
		return st.Run, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return models.StatementRun{}, web.NotFound("comparison of this statement")
	}
	run, found, err := a.Store.StatementRun(c.UserContext(), id)
	if err == nil && (!found || run.StatementID != st.ID) {
		err = web.NotFound("comparison of this statement")
	}
	return run, err
}
