package campaigns

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/sheet"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A sheet of grants is pasted or uploaded, and kept for the person who uploaded it. Its page lists the lines with errors, to be
// corrected in the file. A sheet without errors becomes a campaign when that person confirms one sentence that says what will
// happen.

const newSheetPath = "/campaigns/new"

func sheetPath(id string) string { return "/campaigns/drafts/" + id }

type newCampaignPage struct {
	web.Page
	File, Paste, Reason views.Field
	Limits              models.GrantLimits
	Taken               models.GrantTaken
}

// New shows the form into which a sheet is pasted or uploaded.
func (a *Area) New(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newCampaignPage{Page: a.Page(c, ""), File: fileField(f), Paste: f.Field(views.Field{Name: "paste"})}
	page.Reason = f.Field(views.Field{Name: "reason", Autocomplete: "off", Required: true})
	var err error
	if page.Limits, page.Taken, err = a.limits(c); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/new", page)
}

func fileField(f *web.Form) views.Field {
	return views.Field{ID: "f-file", Name: "file", Wrong: web.Sentence(f.Wrong["file"])}
}

// limits returns the limits of the reader's role, and how much of them is used today.
func (a *Area) limits(c *fiber.Ctx) (limits models.GrantLimits, taken models.GrantTaken, err error) {
	who := web.ReaderOf(c)
	rules, err := a.Store.GrantRules(c.UserContext())
	if err != nil {
		return limits, taken, err
	}
	taken, err = a.Store.GrantTaken(c.UserContext(), 0, who.Username, who.Role)
	return rules.Roles[who.Role], taken, err
}

// CreateDraft saves a sheet and redirects to its page.
func (a *Area) CreateDraft(c *fiber.Ctx) error {
	f := web.NewForm(c)
	made := models.CampaignDraft{StaffID: web.ReaderOf(c).ID, Reason: f.Text("reason")}
	switch n := len([]rune(made.Reason)); {
	case n == 0:
		f.Refuse("reason", "Enter a reason.")
	case n > 500:
		f.Refuse("reason", "A reason has at most 500 characters.")
	}
	name, grants, err := readSheet(c, f)
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, newSheetPath)
	}
	made.FileName, made.Rows, made.Notes = name, grants.Rows, grants.Notes
	id, err := a.Store.AddCampaignDraft(c.UserContext(), made)
	if err != nil {
		return err
	}
	return c.Redirect(sheetPath(id), fiber.StatusSeeOther)
}

// pastedLines is the file name of a sheet that was pasted.
const pastedLines = "Pasted lines"

// readSheet reads the uploaded file or the pasted cells of a form. If they are not a sheet, it says why at their field.
func readSheet(c *fiber.Ctx, f *web.Form) (name string, grants sheet.Grants, err error) {
	field, pasted := "paste", f.Raw("paste")
	var from io.ReadSeeker = strings.NewReader(pasted)
	name = pastedLines
	if chosen, fileErr := c.FormFile("file"); fileErr == nil && chosen.Size > 0 {
		file, err := chosen.Open()
		if err != nil {
			return "", grants, err
		}
		defer file.Close()
		field, name, from = "file", web.FileName(chosen.Filename), file
	} else if strings.TrimSpace(pasted) == "" {
		f.Refuse("file", "Paste some lines or choose a file.")
		return name, grants, nil
	}
	grants, wrong := sheet.ReadGrants(from)
	if wrong != nil {
		f.Refuse(field, wrong.Error())
	}
	return name, grants, nil
}

// LoadDraft returns the sheet in the address, if it is the reader's own.
func (a *Area) LoadDraft(c *fiber.Ctx) (models.CampaignDraft, error) {
	sheet, err := a.Store.CampaignDraft(c.UserContext(), web.ReaderOf(c).ID, c.Params("draft"))
	if errors.Is(err, models.ErrDraftGone) {
		return sheet, web.Problem{Status: fiber.StatusNotFound, Is: "sheet-gone", About: newSheetPath}
	}
	return sheet, err
}

// checkedSheet is a sheet with the errors of its lines.
type checkedSheet struct {
	models.CampaignDraft
	Lines   []models.GrantLine  // the lines that describe a grant
	Wrong   map[int][]lineError // by line
	Over    models.LimitErrors  // the limits that lines exceed, each with the figures of the first line that exceeds it
	Again   bool                // the only errors are repeated grants, and earlier grants of unknown outcome
	Limited bool                // the only errors are limits, so an exception can be requested
}

// checkSheet checks which lines could be granted now. If again is true, neither a repeated grant nor an earlier one of unknown
// outcome is an error. A game is given by its ID, or by its name if no other game has that name.
func (a *Area) checkSheet(c *fiber.Ctx, sheet models.CampaignDraft, again bool) (checkedSheet, error) {
	s := checkedSheet{CampaignDraft: sheet, Wrong: map[int][]lineError{}}
	var texts []string
	for _, row := range sheet.Rows {
		texts = append(texts, row.Game)
	}
	slices.Sort(texts)
	named, err := a.Store.GamesTyped(c.UserContext(), slices.Compact(texts))
	if err != nil {
		return s, err
	}
	for _, row := range sheet.Rows {
		row.Game = cmp.Or(string(named[row.Game]), row.Game)
		line, wrong := row.Grant()
		for _, w := range wrong {
			s.Wrong[row.Line] = append(s.Wrong[row.Line], lineError{RowError: w})
		}
		if len(wrong) == 0 {
			s.Lines = append(s.Lines, line)
		}
	}
	bad, err := a.checkLines(c.UserContext(), a.Actor(c), bonus.Upload{Lines: s.Lines, Role: web.ReaderOf(c).Role, Again: again})
	if err != nil {
		return s, err
	}
	s.Again, s.Limited = len(s.Wrong) == 0, len(s.Wrong) == 0
	for _, b := range bad {
		wrong := lineWrong(b.Err)
		s.Wrong[b.Line] = append(s.Wrong[b.Line], wrong)
		s.Again, s.Limited = s.Again && wrong.Again, s.Limited && len(wrong.Over) > 0
		for _, limit := range wrong.Over {
			if !slices.ContainsFunc(s.Over, func(o models.LimitError) bool { return o.Limit == limit.Limit }) {
				s.Over = append(s.Over, limit)
			}
		}
	}
	s.Limited = s.Limited && len(s.Over) > 0
	return s, nil
}

func (a *Area) checkLines(ctx context.Context, by models.Actor, u bonus.Upload) ([]models.LineError, error) {
	if len(u.Lines) == 0 {
		return nil, nil
	}
	return a.Bonus.Check(ctx, by, u)
}
