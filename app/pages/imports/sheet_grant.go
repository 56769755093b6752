package imports

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Confirming a sheet: all of its lines, or on purpose only the valid ones.

// sheetGrant is what is asked to be confirmed.
type sheetGrant struct {
	checkedSheet
	Again   bool
	Earlier int64 // the newest import of the same lines; 0 for none
	Partial bool  // the lines with errors are left out
}

// sheetDeed adds the sentence that is confirmed.
func (a *Area) sheetDeed(c *fiber.Ctx, f *web.Form, page *sheetPage, s sheetGrant) error {
	players, spins := map[models.UserID]bool{}, int64(0)
	for _, l := range s.Valid {
		players[l.UserID] = true
		spins += l.Spins
	}
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return err
	}
	taken, err := a.Store.GrantTaken(c.UserContext(), 0, web.ReaderOf(c).Username, web.ReaderOf(c).Role)
	if err != nil {
		return err
	}
	limit, grants := rules.Roles[web.ReaderOf(c).Role], int64(len(s.Valid))
	of := func(n, all int64) string { return web.Grouped(n) + " of " + web.Grouped(all) }
	whom := web.Several(int64(len(players)), "player", "players")
	page.Deed = &views.Deed{
		Sentence: fmt.Sprintf("Grant %s to %s in %s.", web.Several(spins, "spin", "spins"), whom,
			web.Several(grants, "grant", "grants")),
		Consequences: "They are sent one after the other, in the order of the sheet, and you can pause or stop in between. " +
			"What players win with them is paid in real money, and the platform has no way to take spins back.",
		Changes: []views.Change{
			{What: "Spins granted by you today", Before: of(taken.StaffSpins, limit.StaffSpinsPerDay),
				After: of(taken.StaffSpins+spins, limit.StaffSpinsPerDay)},
			{What: "Grants by you today", Before: of(taken.StaffGrants, limit.StaffGrantsPerDay),
				After: of(taken.StaffGrants+grants, limit.StaffGrantsPerDay)},
		},
		Notes: []string{"Reason: " + s.Reason}, Action: page.Path + "/import",
		Button: fmt.Sprintf("Grant %s to %s", web.Several(spins, "spin", "spins"), whom),
		Back:   views.Link{Word: "Use another sheet", Href: newSheetPath},
		Hidden: []views.Hidden{{Name: "digest", Value: bonus.Digest(s.Valid)},
			{Name: "left_out", Value: strconv.Itoa(len(s.Wrong))}},
	}
	if s.Partial {
		left := web.Several(int64(len(s.Wrong)), "line", "lines")
		page.Deed.Sentence = fmt.Sprintf("Grant %s to %s in %s, and leave out %s.", web.Several(spins, "spin", "spins"), whom,
			web.Several(grants, "grant", "grants"), left)
		page.Deed.Button += ", leave out " + left
		page.Deed.Back = views.Link{Word: "Back to the errors", Href: page.Path}
		page.Deed.Agree = &views.Agree{Name: "agreed", Text: "I know that " + left + " with errors will not be granted.",
			Wrong: web.Sentence(f.Wrong["agreed"])}
	}
	if s.Again {
		page.Deed.Hidden = append(page.Deed.Hidden, views.Hidden{Name: "again", Value: "yes"},
			views.Hidden{Name: "repeats", Value: strconv.FormatInt(s.Earlier, 10)})
		words := "Also to players with a grant of the game whose outcome is not known: they may have the spins of both."
		if s.Earlier != 0 {
			words = fmt.Sprintf("These very lines were granted before, as import %d. Every player in them is granted the "+
				"spins once more.", s.Earlier)
		}
		page.Deed.Checks = []views.Check{{Warn: true, Text: words}}
	}
	page.Deed.Password, err = a.ConfirmField(c, f)
	return err
}

// ValidLines asks to confirm that only the valid lines of a sheet are granted.
func (a *Area) ValidLines(c *fiber.Ctx) error {
	sheet, err := a.sheetOf(c)
	if err != nil {
		return err
	}
	checked, err := a.checkSheet(c, sheet, false)
	if err != nil {
		return err
	}
	if sheet.ImportID != 0 || len(checked.Wrong) == 0 || len(checked.Valid) == 0 {
		return c.Redirect(sheetPath(sheet.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	page := &sheetPage{Page: a.Page(c, "Grant only the valid lines"), FileName: sheet.FileName, Path: sheetPath(sheet.ID)}
	page.Crumbs = []views.Crumb{
		{Word: "Free spins", Href: "/free-spins"}, {Word: "Imports", Href: "/free-spins/imports"},
		{Word: "New", Href: page.Path}, {Word: "Valid lines"},
	}
	page.Lede = web.Several(int64(len(checked.Wrong)), "line", "lines") + " of " + web.Grouped(int64(len(sheet.Rows))) +
		" will be left out. You can correct and grant them afterwards."
	if err := a.sheetFacts(c, page, checked); err != nil {
		return err
	}
	if err := a.sheetDeed(c, f, page, sheetGrant{checked, false, 0, true}); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "free-spins/import-sheet", page)
	}
	return a.Render(c, "free-spins/import-sheet", page)
}

// ImportSheet keeps the lines of a sheet for the background to grant, one by one.
func (a *Area) ImportSheet(c *fiber.Ctx) error {
	sheet, err := a.sheetOf(c)
	if err != nil {
		return err
	}
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
		return c.Redirect(path, fiber.StatusSeeOther) // which says so
	}
	if f.Text("digest") != bonus.Digest(u.Lines) || f.Text("left_out") != strconv.Itoa(u.LeftOut) {
		return a.Flash(c, path,
			views.Note{Kind: "wait", Icon: "info", Title: "Nothing was granted",
				Text: "The lines, or what can be granted, have changed since you looked. Look at them again."})
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
		return a.Again(c, f, confirmation)
	}
	if u.Again {
		u.Repeats, _ = strconv.ParseInt(f.Text("repeats"), 10, 64) // what is no number names no import
	}
	imp, bad, err := a.Bonus.Create(c.UserContext(), a.Actor(c), u)
	var imported models.ImportedError
	switch {
	case errors.As(err, &imported):
		return a.Flash(c, web.PathOf("/free-spins/imports", imported.ID), views.Note{
			Kind: "wait", Icon: "info", Title: "Nothing was granted a second time",
			Text: "These very lines were granted before, by the import that you see here. Yours was not begun.",
		})
	case err != nil:
		return err
	case len(bad) > 0:
		return c.Redirect(path, fiber.StatusSeeOther) // something has changed since the lines were looked at
	}
	return a.sheetImported(c, checked, imp)
}

// sheetImported leads to the import that was made of a sheet. The lines that it left out become a sheet of their own.
func (a *Area) sheetImported(c *fiber.Ctx, s checkedSheet, imp models.GrantImport) error {
	note := views.Note{Kind: "done", Icon: "check", Text: "The grants are being sent. You can leave this page; they go on."}
	if left := len(s.Wrong); left > 0 {
		rest := s.Sheet
		rest.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r models.GrantRow) bool { return len(s.Wrong[r.Line]) == 0 })
		id, err := a.Sheets.Add(rest)
		if err != nil {
			return err
		}
		note.Text = fmt.Sprintf("The grants are being sent. %s left out.",
			web.Several(int64(left), "line with errors was", "lines with errors were"))
		note.Links = []views.Link{{Word: "Correct " + web.Several(int64(left), "line", "lines"), Href: sheetPath(id)}}
	}
	if err := a.Sheets.Change(s.StaffID, s.ID, func(sheet *bonus.Sheet) { sheet.ImportID = imp.ID }); err != nil {
		a.Log.Warn("a sheet could not be marked as imported", "import", imp.ID, "err", err)
	}
	return a.Flash(c, web.PathOf("/free-spins/imports", imp.ID), note)
}
