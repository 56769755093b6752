package imports

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
)

// Correcting a sheet: in place, by a suggestion, by removing a line, or by uploading the lines with errors once more.

// EditSheet saves what was typed into the lines, and performs the action of the pressed button.
func (a *Area) EditSheet(c *fiber.Ctx, sheet models.GrantSheet) (err error) {
	f := web.NewForm(c)
	use := strings.SplitN(f.Raw("use"), ":", 3)
	err = a.Store.ChangeGrantSheet(c.UserContext(), sheet.StaffID, sheet.ID, func(s *models.GrantSheet) {
		if remove := f.Text("remove"); remove != "" && len(s.Rows) > 1 {
			s.Rows = slices.DeleteFunc(s.Rows, func(r models.GrantRow) bool { return strconv.Itoa(r.Line) == remove })
		}
		values := f.Values()
		for i := range s.Rows {
			row, line := &s.Rows[i], strconv.Itoa(s.Rows[i].Line)
			for name, cell := range map[string]*string{"player": &row.Player, "game": &row.Game, "spins": &row.Spins} {
				typed, there := values[name+"-"+line]
				if typed = strings.TrimSpace(strings.ToValidUTF8(typed, "\ufffd")); there && typed != strings.TrimSpace(*cell) {
					*cell, row.Wrong = typed, "" // the reader has checked the line
				}
				if len(use) == 3 && use[0] == line && use[1] == name {
					*cell, row.Wrong = use[2], ""
				}
			}
		}
	})
	if err != nil {
		return err
	}
	return c.Redirect(sheetPath(sheet.ID), fiber.StatusSeeOther)
}

// ReplaceLines puts uploaded or pasted lines in place of the lines with errors.
func (a *Area) ReplaceLines(c *fiber.Ctx, sheet models.GrantSheet) error {
	f := web.NewForm(c)
	_, grants, err := readSheet(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, sheetPath(sheet.ID))
	}
	checked, err := a.checkSheet(c, sheet, false)
	if err != nil {
		return err
	}
	err = a.Store.ChangeGrantSheet(c.UserContext(), sheet.StaffID, sheet.ID, func(s *models.GrantSheet) {
		s.Rows = slices.DeleteFunc(s.Rows, func(r models.GrantRow) bool { return len(checked.Wrong[r.Line]) > 0 })
		s.Rows = models.Numbered(append(s.Rows, grants.Rows...))
	})
	if err != nil {
		return err
	}
	return a.Done(c, sheetPath(sheet.ID),
		web.Several(int64(len(checked.Wrong)), "line", "lines")+" replaced by "+
			web.Several(int64(len(grants.Rows)), "line", "lines")+".")
}

// SheetErrorsFile answers with a CSV of the lines with errors, to be corrected elsewhere and uploaded again.
func (a *Area) SheetErrorsFile(c *fiber.Ctx, sheet models.GrantSheet) error {
	checked, err := a.checkSheet(c, sheet, false)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := export.NewCSV(&b)
	w.Write([]string{"line", "user_id", "game_id", "spins", "error"})
	for _, row := range sheet.Rows {
		if wrong := checked.Wrong[row.Line]; len(wrong) > 0 {
			words := make([]string, len(wrong))
			for i, w := range wrong {
				words[i] = w.Text
			}
			w.Write([]string{strconv.Itoa(row.Line), export.Cell(row.Player), export.Cell(row.Game),
				export.Cell(row.Spins), export.Cell(strings.Join(words, " "))})
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition,
		fmt.Sprintf(`attachment; filename="free-spins-errors-%s.csv"`, a.Now().UTC().Format("2006-01-02-1504")))
	return c.Send(b.Bytes())
}
