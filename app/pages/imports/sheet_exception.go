package imports

import (
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A sheet beyond the limits: all of its lines, once a second person approves.

// limitedSheet is the sheet in the address with all of its lines, and false where it needs no exception or has other errors.
func (a *Area) limitedSheet(c *fiber.Ctx) (checkedSheet, bool, error) {
	sheet, err := a.sheetOf(c)
	if err != nil {
		return checkedSheet{}, false, err
	}
	checked, err := a.checkSheet(c, sheet, false)
	return checked, err == nil && sheet.ImportID == 0 && checked.Limited, err
}

// SheetException asks to confirm that an exception is requested for a sheet.
func (a *Area) SheetException(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	if !limited {
		return c.Redirect(sheetPath(checked.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	page := &sheetPage{Page: a.Page(c, "Request an exception"), FileName: checked.FileName, Path: sheetPath(checked.ID)}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"},
		{Word: "New", Href: page.Path}, {Word: "Exception"},
	}
	page.Lede = web.Several(int64(len(checked.Wrong)), "line exceeds", "lines exceed") + " a limit."
	var spins int64
	for _, l := range checked.All {
		spins += l.Spins
	}
	approvers, err := a.ExceptionApprovers(c)
	if err != nil {
		return err
	}
	words := web.Several(spins, "spin", "spins") + " in " + web.Several(int64(len(checked.All)), "grant", "grants")
	page.Deed = &views.Deed{
		Sentence: "Request an exception: " + words + " from " + checked.FileName + ".",
		Consequences: fmt.Sprintf("Nothing is granted before a second person approves. Then the lines are granted once, "+
			"exactly as they are here. The request expires after %d hours.", int(models.ExceptionLasts.Hours())),
		Notes: []string{"Reason: " + checked.Reason, approvers}, Action: page.Path + "/exception",
		Button: "Request an exception for " + web.Several(spins, "spin", "spins"),
		Back:   views.Link{Word: "Back to the lines", Href: page.Path},
		Hidden: []views.Hidden{{Name: "digest", Value: bonus.Digest(checked.All)}},
	}
	if page.Deed.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/import-sheet", page)
	}
	return a.Render(c, "free-spins/import-sheet", page)
}

// RequestSheetException asks for the exception that was confirmed.
func (a *Area) RequestSheetException(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	path := sheetPath(checked.ID)
	f := web.NewForm(c)
	if !limited || f.Text("digest") != bonus.Digest(checked.All) {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info", Title: "Nothing was requested",
				Text: "The lines, or the limits, have changed since you looked. Look at them again."})
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, path+"/exception")
	}
	e, bad, err := a.Bonus.RequestImportException(c.UserContext(), a.Signer(c),
		bonus.Upload{FileName: checked.FileName, Lines: checked.All, Reason: checked.Reason})
	if err == nil && len(bad) > 0 {
		return c.Redirect(path, fiber.StatusSeeOther) // something has changed since the lines were looked at
	}
	if err == nil {
		if err := a.Sheets.Change(checked.StaffID, checked.ID,
			func(sheet *bonus.Sheet) { sheet.ImportID = e.ImportID }); err != nil {
			a.Log.Warn("a sheet could not be marked as imported", "import", e.ImportID, "err", err)
		}
	}
	return a.ExceptionRequested(c, e, err, func(err error) error {
		var imported models.ImportedError
		if !errors.As(err, &imported) {
			return err
		}
		return a.Flash(c, web.PathOf("/free-spins/imports", imported.ID), views.Note{
			Kind: "wait", Icon: "info", Title: "Nothing was requested",
			Text: "These very lines are the import that you see here.",
		})
	})
}
