package imports

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Free spins for many, from a sheet that is pasted or uploaded. It is kept, for the person who brought it, while its errors are
// corrected on its page, and becomes an import once that person has confirmed one sentence of what will happen.

const newSheetPath = "/free-spins/imports/new"

func sheetPath(id string) string { return "/free-spins/imports/drafts/" + id }

type newImportPage struct {
	web.Page
	FileWrong     string
	Paste, Reason views.Field
	Limits        []views.Fact
}

func (a *Area) NewImportForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newImportPage{Page: a.Page(c, "Grant free spins to many players"), FileWrong: web.Sentence(f.Wrong["sheet"])}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: "New"},
	}
	page.Lede = "Paste the cells of a spreadsheet, or upload a file. You will see every line with an error before anything " +
		"is sent."
	page.Paste = f.Field(views.Field{Label: "Paste from a spreadsheet", Name: "paste",
		Hint: "Columns: player, game, spins. A header line is not needed."})
	page.Reason = f.Field(views.Field{Label: "Reason", Name: "reason", Autocomplete: "off", Required: true,
		Hint: "Of all the grants in the sheet. For your colleagues and the audit log."})
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	limit := rules.Roles[web.ReaderOf(c).Role]
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, web.ReaderOf(c).Username, web.ReaderOf(c).Role)
	if err != nil {
		return err
	}
	page.Limits = []views.Fact{
		{Label: "In one grant", Value: web.Several(limit.SpinsPerGrant, "spin", "spins")},
		{Label: "To one player",
			Value: web.Several(limit.PlayerGrantsPerDay, "grant", "grants") + ", " +
				web.Several(limit.PlayerSpinsPerDay, "spin", "spins") + " a day"},
		{Label: "By you today",
			Value: web.Grouped(taken.StaffGrants) + " of " + web.Several(limit.StaffGrantsPerDay, "grant", "grants") + ", " +
				web.Grouped(taken.StaffSpins) + " of " + web.Several(limit.StaffSpinsPerDay, "spin", "spins")},
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/import-new", page)
	}
	return a.Render(c, "free-spins/import-new", page)
}

// CreateSheet keeps a sheet and leads to its page.
func (a *Area) CreateSheet(c *fiber.Ctx) error {
	f := web.NewForm(c)
	sheet := bonus.Sheet{StaffID: web.ReaderOf(c).ID, Reason: f.Text("reason")}
	switch n := len([]rune(sheet.Reason)); {
	case n == 0:
		f.Refuse("reason", "Enter a reason.")
	case n > 500:
		f.Refuse("reason", "A reason has at most 500 characters.")
	}
	var err error
	if sheet.FileName, sheet.Rows, err = readSheet(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, newSheetPath)
	}
	id, err := a.Sheets.Add(sheet)
	if err != nil {
		return err
	}
	return c.Redirect(sheetPath(id), fiber.StatusSeeOther)
}

// readSheet reads the file or the cells of a form, and says at the field "sheet" what is wrong with them as a whole.
func readSheet(c *fiber.Ctx, f *web.Form) (name string, rows []models.GrantRow, err error) {
	name, contents := "Pasted lines", []byte(f.Raw("paste"))
	if chosen, fileErr := c.FormFile("file"); fileErr == nil && chosen.Size > 0 {
		name = web.FileName(chosen.Filename)
		file, err := chosen.Open()
		if err != nil {
			return "", nil, err
		}
		defer file.Close()
		if contents, err = io.ReadAll(file); err != nil {
			return "", nil, err
		}
	}
	if len(strings.TrimSpace(string(contents))) == 0 {
		f.Refuse("sheet", "Paste some lines or choose a file.")
		return name, nil, nil
	}
	rows, wrong := models.ReadGrantSheet(contents)
	if wrong != nil {
		f.Refuse("sheet", wrong.Error())
	}
	return name, rows, nil
}

// sheetOf is the sheet in the address, of the person who asks.
func (a *Area) sheetOf(c *fiber.Ctx) (bonus.Sheet, error) {
	sheet, err := a.Sheets.Sheet(web.ReaderOf(c).ID, c.Params("sheet"))
	if errors.Is(err, bonus.ErrSheetGone) {
		return sheet, web.Problem{
			Status: fiber.StatusNotFound, Title: "This sheet is not here any more",
			Happened: "Sheets are kept for 12 hours, only for whoever brought them, and by the instance of Pitboss that " +
				"received them.",
			Money: "Nothing was granted through this page.",
			Do: "Paste or upload it again. If this happens soon after an upload, whoever operates the servers has to " +
				"give all instances one folder (PITBOSS_SHEET_DIR).",
			Links: []views.Link{{Word: "Grant to many players", Href: newSheetPath, Main: true}},
		}
	}
	return sheet, err
}

// checkedSheet is a sheet with what is wrong with its lines.
type checkedSheet struct {
	bonus.Sheet
	All     []models.GrantLine        // the lines that describe a grant
	Valid   []models.GrantLine        // the lines that can be granted, in their order
	Wrong   map[int][]models.RowError // by line
	Pending bool                      // nothing is wrong but earlier grants of unknown outcome
	Limited bool                      // nothing is wrong but limits, which an exception may exceed
}

// checkSheet finds out which lines could be granted now. again: also those to players with a grant of unknown outcome.
func (a *Area) checkSheet(c *fiber.Ctx, sheet bonus.Sheet, again bool) (checkedSheet, error) {
	s := checkedSheet{Sheet: sheet, Wrong: map[int][]models.RowError{}}
	var lines []models.GrantLine
	for _, row := range sheet.Rows {
		line, wrong := row.Grant()
		if len(wrong) > 0 {
			s.Wrong[row.Line] = wrong
		} else {
			lines = append(lines, line)
		}
	}
	s.Pending, s.Limited = len(s.Wrong) == 0, len(s.Wrong) == 0
	bad, err := a.checkLines(c.UserContext(), a.Actor(c), bonus.Upload{Lines: lines, Role: web.ReaderOf(c).Role, Again: again})
	if err != nil {
		return s, err
	}
	for _, b := range bad {
		var pending models.PendingGrantError
		var limit models.LimitError
		s.Pending = s.Pending && errors.As(b.Err, &pending)
		s.Limited = s.Limited && errors.As(b.Err, &limit)
		s.Wrong[b.Line] = append(s.Wrong[b.Line], lineWrong(b.Err))
	}
	s.Limited = s.Limited && len(s.Wrong) > 0
	s.All = lines
	s.Valid = slices.DeleteFunc(slices.Clone(lines), func(l models.GrantLine) bool { return len(s.Wrong[l.Line]) > 0 })
	return s, nil
}

func (a *Area) checkLines(ctx context.Context, by models.Actor, u bonus.Upload) ([]models.LineError, error) {
	if len(u.Lines) == 0 {
		return nil, nil
	}
	return a.Bonus.Check(ctx, by, u)
}
