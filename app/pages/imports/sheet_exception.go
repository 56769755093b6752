package imports

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// If a sheet exceeds limits, its lines without other errors are granted once a second person approves. Lines with other errors
// are left out, and kept for the person who uploaded the sheet.

type sheetExceptionPage struct {
	web.Page
	FileName, Reason, Path string
	Lines, Spins           int64 // that the exception would cover
	LeftOut                int64 // lines with other errors
	Exceeded               []string
	Approvers              *web.People // of an exception
	Lasts                  int         // hours for which it can be approved
	Digest                 string
	Password               *views.Field
}

// limitedSheet returns the sheet in the address, and whether it needs an exception.
func (a *Area) limitedSheet(c *fiber.Ctx) (checkedSheet, bool, error) {
	sheet, err := a.LoadSheet(c)
	if err != nil {
		return checkedSheet{}, false, err
	}
	checked, err := a.checkSheet(c, sheet, false)
	return checked, err == nil && sheet.ImportID == 0 && len(checked.Over) > 0, err
}

// leftOut returns how many lines an exception leaves out.
func (s checkedSheet) leftOut() int { return len(s.Rows) - len(s.Excepting) }

// exceeded returns sentences about the limits that the lines exceed.
func (s checkedSheet) exceeded() (words []string) {
	for _, limit := range s.Over {
		words = append(words, limitWords(limit))
	}
	return words
}

// SheetException shows the confirmation page for requesting an exception for a sheet.
func (a *Area) SheetException(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	if !limited {
		return c.Redirect(sheetPath(checked.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	page := &sheetExceptionPage{Page: a.Page(c, ""), FileName: checked.FileName, Reason: checked.Reason,
		Path: sheetPath(checked.ID), Lines: int64(len(checked.Excepting)), Spins: spinsOf(checked.Excepting),
		LeftOut: int64(checked.leftOut()), Exceeded: checked.exceeded(), Lasts: int(models.ExceptionLasts.Hours()),
		Digest: bonus.Digest(checked.Excepting)}
	if page.Approvers, err = a.ReaderApproves(c.UserContext(), &page.Page, models.ExceptionRule); err != nil {
		return err
	}
	if page.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "imports/exception", page)
}

// RequestSheetException requests the exception that was confirmed.
func (a *Area) RequestSheetException(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	path := sheetPath(checked.ID)
	f := web.NewForm(c)
	if !limited || f.Text("digest") != bonus.Digest(checked.Excepting) {
		return a.Flash(c, path, views.Info("Nothing was requested",
			"The lines or the limits changed after you opened the page. Check them again."))
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, path+"/exception")
	}
	e, bad, err := a.Bonus.RequestImportException(c.UserContext(), a.Signer(c), bonus.Upload{FileName: checked.FileName,
		Lines: checked.Excepting, LeftOut: checked.leftOut(), Reason: checked.Reason})
	if err == nil && len(bad) > 0 {
		return c.Redirect(path, fiber.StatusSeeOther) // something changed after the lines were checked
	}
	if err == nil {
		if note := a.keepRest(c, checked, checked.Excepting, e.ImportID); note != nil {
			note.Title = "The exception is requested, but its sheet could not be saved"
			return a.Flash(c, pages.ExceptionPath(e.ID), *note)
		}
	}
	return a.ExceptionRequested(c, e, err, func(err error) error {
		var imported models.ImportedError
		if !errors.As(err, &imported) {
			return err
		}
		return a.Flash(c, web.PathOf("/free-spins/imports", imported.ID), views.Info("Nothing was requested",
			"This import already has exactly these lines."))
	})
}

// namedLines is the most lines whose numbers notKept lists.
const namedLines = 10

// keepRest keeps the lines that an import left out as a sheet of their own, and marks the original sheet as imported. If a
// sheet cannot be saved, the import continues anyway, and keepRest returns a note about it. The caller adds a title that says
// what was done.
func (a *Area) keepRest(c *fiber.Ctx, s checkedSheet, imported []models.GrantLine, importID int64) *views.Note {
	rest, taken := s.GrantSheet, map[int]bool{}
	for _, l := range imported {
		taken[l.Line] = true
	}
	rest.RestOf = importID
	rest.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r models.GrantRow) bool { return taken[r.Line] })
	var text []string
	if len(rest.Rows) > 0 {
		if _, err := a.Store.AddGrantSheet(c.UserContext(), rest); err != nil {
			a.Log.Error("the lines that an import left out could not be kept", "import", importID, "err", err)
			text = append(text, notKept(rest.Rows))
		}
	}
	err := a.Store.ChangeGrantSheet(c.UserContext(), s.StaffID, s.ID, func(sheet *models.GrantSheet) { sheet.ImportID = importID })
	if err != nil {
		a.Log.Error("a sheet could not be marked as imported", "import", importID, "err", err)
		text = append(text, "The sheet still looks unused. Do not use it again: it would grant its lines twice.")
	}
	if text == nil {
		return nil
	}
	text = append(text, "Tell the operator of the server that a sheet could not be stored in the database.")
	return new(views.Warning("", strings.Join(text, " ")))
}

// notKept returns a message about lines that were left out and could not be kept.
func notKept(rows []models.GrantRow) string {
	var numbers []string
	for _, r := range rows[:min(len(rows), namedLines)] {
		numbers = append(numbers, strconv.Itoa(r.Line))
	}
	if more := len(rows) - len(numbers); more > 0 {
		numbers = append(numbers, web.Several(int64(more), "more", "more"))
	}
	if len(rows) == 1 {
		return "Line " + numbers[0] + " was left out, and could not be kept for correction. Correct it in your own file, and " +
			"upload only that line."
	}
	return "Lines " + web.InWords(numbers) + " were left out, and could not be kept for correction. Correct them in your own " +
		"file, and upload only those lines."
}

func spinsOf(lines []models.GrantLine) (spins int64) {
	for _, l := range lines {
		spins += l.Spins
	}
	return spins
}
