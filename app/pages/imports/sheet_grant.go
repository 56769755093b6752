package imports

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Confirming a sheet: all of its lines, or deliberately only the valid ones.

// sheetGrant is what the reader is asked to confirm.
type sheetGrant struct {
	Reason, Digest string
	pages.Granter
	Players     int64
	LeftOut     int64 // lines with errors, left out on purpose
	Again       bool
	Earlier     int64 // the newest import of the same lines; 0 for none
	AgreedWrong string
	Password    *views.Field
}

// newSheetGrant returns the form for confirming the valid lines of a sheet.
func (a *Area) newSheetGrant(c *fiber.Ctx, f *web.Form, s checkedSheet) (*sheetGrant, error) {
	players := map[models.UserID]bool{}
	for _, l := range s.Valid {
		players[l.UserID] = true
	}
	g := &sheetGrant{Reason: s.Reason, Digest: bonus.Digest(s.Valid),
		Granter: pages.Granter{Who: "you", Grants: int64(len(s.Valid)), Spins: spinsOf(s.Valid)},
		Players: int64(len(players)), LeftOut: int64(len(s.Wrong)), AgreedWrong: web.Sentence(f.Wrong["agreed"])}
	var err error
	if g.Limits, g.Taken, err = a.limits(c); err != nil {
		return nil, err
	}
	g.Password, err = a.ConfirmField(c, f)
	return g, err
}

// ValidLines shows the confirmation page for granting only the valid lines of a sheet.
func (a *Area) ValidLines(c *fiber.Ctx, sheet models.GrantSheet) error {
	checked, err := a.checkSheet(c, sheet, false)
	if err != nil {
		return err
	}
	if sheet.ImportID != 0 || len(checked.Wrong) == 0 || len(checked.Valid) == 0 {
		return c.Redirect(sheetPath(sheet.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	page := &sheetPage{Page: a.Page(c, ""), Sheet: sheet, Path: sheetPath(sheet.ID), ValidOnly: true}
	if err := a.sumUp(c, page, checked); err != nil {
		return err
	}
	if err := a.validLines(c, page, checked); err != nil {
		return err
	}
	if page.Grant, err = a.newSheetGrant(c, f, checked); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "imports/sheet", page)
}

// ImportSheet makes an import of a sheet. Its lines are granted in the background, one by one.
func (a *Area) ImportSheet(c *fiber.Ctx, sheet models.GrantSheet) error {
	path := sheetPath(sheet.ID)
	f := web.NewForm(c)
	u := bonus.Upload{FileName: sheet.FileName, Reason: sheet.Reason, Role: web.ReaderOf(c).Role,
		Again: f.Text("again") == "yes"}
	checked, err := a.checkSheet(c, sheet, u.Again)
	if err != nil {
		return err
	}
	confirmation := path
	if u.Lines, u.LeftOut = checked.Valid, len(checked.Wrong); f.Text("left_out") != "0" {
		confirmation = path + "/valid"
	}
	if sheet.ImportID != 0 {
		return c.Redirect(path, fiber.StatusSeeOther) // that page says that the sheet was imported
	}
	if f.Text("digest") != bonus.Digest(u.Lines) || f.Text("left_out") != strconv.Itoa(u.LeftOut) {
		return a.Flash(c, path, views.Info("Nothing was granted",
			"The lines or the limits changed after you opened the page. Check them again."))
	}
	if u.LeftOut > 0 && f.Text("agreed") != "yes" {
		f.Refuse("agreed", "Tick this to leave out the lines with errors.")
	}
	if f.Ok() {
		if err := a.Confirm(c, f); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, confirmation)
	}
	if u.Again {
		u.Repeats, _ = strconv.ParseInt(f.Text("repeats"), 10, 64) // 0, the number of no import, if it cannot be read
	}
	imp, bad, err := a.Bonus.Create(c.UserContext(), a.Actor(c), u)
	var imported models.ImportedError
	switch {
	case errors.As(err, &imported):
		return a.Flash(c, web.PathOf("/free-spins/imports", imported.ID), views.Info("Nothing was granted a second time",
			"This import has already granted exactly these lines. Yours was not started."))
	case err != nil:
		return err
	case len(bad) > 0:
		return c.Redirect(path, fiber.StatusSeeOther) // something changed after the lines were checked
	}
	return a.sheetImported(c, checked, imp)
}

// sheetImported redirects to the import that was made from a sheet. The lines that it left out become a sheet of their own, and
// the import's page links to it.
func (a *Area) sheetImported(c *fiber.Ctx, s checkedSheet, imp models.GrantImport) error {
	path := web.PathOf("/free-spins/imports", imp.ID)
	if note := a.keepRest(c, s, s.Valid, imp.ID); note != nil {
		note.Title = "The grants are being sent, but the sheet could not be saved"
		return a.Flash(c, path, *note)
	}
	return a.Done(c, path,
		"The grants are being sent. You can leave this page: sending continues.")
}
