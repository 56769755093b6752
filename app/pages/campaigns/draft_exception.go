package campaigns

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A sheet without other errors than exceeded limits is granted once a second person approves.

type sheetExceptionPage struct {
	web.Page
	FileName, Reason, Path string
	Lines, Spins           int64 // that the exception would cover
	Exceeded               []string
	Approvers              *web.People // of an exception
	Lasts                  int         // hours for which it can be approved
	Digest                 string
	Password               *views.Field
}

// limitedSheet returns the sheet in the address, and whether it needs an exception.
func (a *Area) limitedSheet(c *fiber.Ctx) (checkedSheet, bool, error) {
	sheet, err := a.LoadDraft(c)
	if err != nil {
		return checkedSheet{}, false, err
	}
	checked, err := a.checkSheet(c, sheet, false)
	return checked, err == nil && checked.Limited, err
}

// exceeded returns sentences about the limits that the lines exceed.
func (s checkedSheet) exceeded() (words []string) {
	for _, limit := range s.Over {
		words = append(words, limitWords(limit))
	}
	return words
}

// Exception shows the confirmation page for requesting an exception for a sheet.
func (a *Area) Exception(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	if !limited {
		return c.Redirect(sheetPath(checked.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	page := &sheetExceptionPage{Page: a.Page(c, ""), FileName: checked.FileName, Reason: checked.Reason,
		Path: sheetPath(checked.ID), Lines: int64(len(checked.Lines)), Spins: spinsOf(checked.Lines),
		Exceeded: checked.exceeded(), Lasts: int(models.ExceptionLasts.Hours()),
		Digest: bonus.Digest(checked.Lines)}
	if page.Approvers, err = a.ReaderApproves(c.UserContext(), &page.Page, models.ExceptionRule); err != nil {
		return err
	}
	if page.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/exception", page)
}

// RequestException requests the exception that was confirmed.
func (a *Area) RequestException(c *fiber.Ctx) error {
	checked, limited, err := a.limitedSheet(c)
	if err != nil {
		return err
	}
	path := sheetPath(checked.ID)
	f := web.NewForm(c)
	if !limited || f.Text("digest") != bonus.Digest(checked.Lines) {
		return a.Flash(c, path, views.Info("Nothing was requested",
			"The lines or the limits changed after you opened the page. Check them again."))
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, path+"/exception")
	}
	e, bad, err := a.Bonus.RequestCampaignException(c.UserContext(), a.Signer(c), bonus.Upload{FileName: checked.FileName,
		Lines: checked.Lines, Reason: checked.Reason})
	if err == nil && len(bad) > 0 {
		return c.Redirect(path, fiber.StatusSeeOther) // something changed after the lines were checked
	}
	return a.ExceptionRequested(c, e, err, func(err error) error {
		var before models.GrantedBeforeError
		if !errors.As(err, &before) {
			return err
		}
		return a.Flash(c, web.PathOf("/campaigns", before.ID), views.Info("Nothing was requested",
			"This campaign already has exactly these lines."))
	})
}

func spinsOf(lines []models.GrantLine) (spins int64) {
	for _, l := range lines {
		spins += l.Spins
	}
	return spins
}
