package app

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/models"
	"pitboss/views"
)

// Free spins for many, from a sheet that is pasted or uploaded. It is kept, for the person who brought it, while its errors are
// corrected on its page, and becomes an import once that person has confirmed one sentence of what will happen.

const newSheetPath = "/free-spins/imports/new"

func sheetPath(id string) string { return "/free-spins/imports/drafts/" + id }

type newImportPage struct {
	Page
	FileWrong     string
	Paste, Reason views.Field
	Limits        []views.Fact
}

func (a *App) newImportForm(c *fiber.Ctx) error {
	f := newForm(c)
	page := &newImportPage{Page: a.page(c, "Grant free spins to many players"), FileWrong: sentence(f.wrong["sheet"])}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"}, {Word: "New"},
	}
	page.Lede = "Paste the cells of a spreadsheet, or upload a file. You will see every line with an error before anything " +
		"is sent."
	page.Paste = f.field(views.Field{Label: "Paste from a spreadsheet", Name: "paste",
		Hint: "Columns: player, game, spins. A header line is not needed."})
	page.Reason = f.field(views.Field{Label: "Reason", Name: "reason", Autocomplete: "off", Required: true,
		Hint: "Of all the grants in the sheet. For your colleagues and the audit log."})
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	limit := rules.Roles[reader(c).Role]
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, reader(c).Username, reader(c).Role)
	if err != nil {
		return err
	}
	page.Limits = []views.Fact{
		{Label: "In one grant", Value: several(limit.SpinsPerGrant, "spin", "spins")},
		{Label: "To one player",
			Value: several(limit.PlayerGrantsPerDay, "grant", "grants") + ", " +
				several(limit.PlayerSpinsPerDay, "spin", "spins") + " a day"},
		{Label: "By you today",
			Value: grouped(taken.StaffGrants) + " of " + several(limit.StaffGrantsPerDay, "grant", "grants") + ", " +
				grouped(taken.StaffSpins) + " of " + several(limit.StaffSpinsPerDay, "spin", "spins")},
	}
	if !f.ok() {
		return a.refused(c, "free-spins/import-new", page)
	}
	return a.render(c, "free-spins/import-new", page)
}

// createSheet keeps a sheet and leads to its page.
func (a *App) createSheet(c *fiber.Ctx) error {
	f := newForm(c)
	sheet := bonus.Sheet{StaffID: reader(c).ID, Reason: f.text("reason")}
	switch n := len([]rune(sheet.Reason)); {
	case n == 0:
		f.refuse("reason", "Enter a reason.")
	case n > 500:
		f.refuse("reason", "A reason has at most 500 characters.")
	}
	var err error
	if sheet.FileName, sheet.Rows, err = readSheet(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, newSheetPath)
	}
	id, err := a.Sheets.Add(sheet)
	if err != nil {
		return err
	}
	return c.Redirect(sheetPath(id), fiber.StatusSeeOther)
}

// readSheet reads the file or the cells of a form, and says at the field "sheet" what is wrong with them as a whole.
func readSheet(c *fiber.Ctx, f *form) (name string, rows []models.GrantRow, err error) {
	name, contents := "Pasted lines", []byte(f.raw("paste"))
	if chosen, fileErr := c.FormFile("file"); fileErr == nil && chosen.Size > 0 {
		name = fileName(chosen.Filename)
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
		f.refuse("sheet", "Paste some lines or choose a file.")
		return name, nil, nil
	}
	rows, wrong := models.ReadGrantSheet(contents)
	if wrong != nil {
		f.refuse("sheet", wrong.Error())
	}
	return name, rows, nil
}

// fileName is a file's own name, whatever a browser sends.
func fileName(s string) string {
	s = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\\", "/"))
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200])
	}
	return s
}

// sheetOf is the sheet in the address, of the person who asks.
func (a *App) sheetOf(c *fiber.Ctx) (bonus.Sheet, error) {
	sheet, err := a.Sheets.Sheet(reader(c).ID, c.Params("sheet"))
	if errors.Is(err, bonus.ErrSheetGone) {
		return sheet, problem{
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
func (a *App) checkSheet(c *fiber.Ctx, sheet bonus.Sheet, again bool) (checkedSheet, error) {
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
	bad, err := a.checkLines(c.UserContext(), a.actor(c), bonus.Upload{Lines: lines, Role: reader(c).Role, Again: again})
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

func (a *App) checkLines(ctx context.Context, by models.Actor, u bonus.Upload) ([]models.LineError, error) {
	if len(u.Lines) == 0 {
		return nil, nil
	}
	return a.Bonus.Check(ctx, by, u)
}
