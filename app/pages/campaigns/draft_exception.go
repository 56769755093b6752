package campaigns

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// A draft without other errors than exceeded limits is granted once a second person approves.

type draftExceptionPage struct {
	web.Page
	Draft        models.CampaignDraft
	Path         string
	Lines, Spins int64 // that the exception would cover
	Earlier      int64 // the newest campaign of the same lines; 0 for none
	Exceeded     []string
	Approvers    *web.People // of an exception
	Lasts        int         // hours for which it can be approved
	Digest       string
	Password     *views.Field
}

// limitedDraft returns the draft in the address, and whether it needs an exception.
func (a *Area) limitedDraft(c *fiber.Ctx) (checkedDraft, bool, error) {
	draft, err := a.LoadDraft(c)
	if err != nil {
		return checkedDraft{}, false, err
	}
	checked, err := a.checkDraft(c, draft, draft.Repeats != 0)
	return checked, err == nil && checked.Limited, err
}

// exceeded returns sentences about the limits that the lines exceed.
func (s checkedDraft) exceeded() (words []string) {
	for _, limit := range s.Over {
		words = append(words, limitWords(limit))
	}
	return words
}

// Exception shows the confirmation page for requesting an exception for a draft.
func (a *Area) Exception(c *fiber.Ctx) error {
	checked, limited, err := a.limitedDraft(c)
	if err != nil {
		return err
	}
	if !limited {
		return c.Redirect(draftPath(checked.ID), fiber.StatusSeeOther)
	}
	f := web.NewForm(c)
	granted := checked.granted()
	page := &draftExceptionPage{Page: a.Page(c, ""), Draft: checked.CampaignDraft,
		Path: draftPath(checked.ID), Lines: int64(len(granted)), Spins: spinsOf(granted),
		Exceeded: checked.exceeded(), Lasts: int(models.ExceptionLasts.Hours()),
		Digest: bonus.Digest(checked.Lines)}
	earlier, _, err := a.Store.CampaignOf(c.UserContext(), page.Digest)
	if err != nil {
		return err
	}
	page.Earlier = earlier.ID
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
	checked, limited, err := a.limitedDraft(c)
	if err != nil {
		return err
	}
	path := draftPath(checked.ID)
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
	u := bonus.Upload{CampaignTerms: checked.CampaignTerms, FileName: checked.FileName, Lines: checked.Lines, Again: checked.Repeats != 0}
	u.Repeats, _ = strconv.ParseInt(f.Text("earlier"), 10, 64) // 0, the number of no campaign, if it cannot be read
	e, bad, err := a.Bonus.RequestCampaignException(c.UserContext(), a.Signer(c), u)
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
