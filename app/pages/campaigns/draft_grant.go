package campaigns

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

// Confirming a sheet.

// sheetGrant is what the reader is asked to confirm.
type sheetGrant struct {
	Reason, Digest string
	pages.Granter
	Players  int64
	Again    bool
	Earlier  int64 // the newest campaign of the same lines; 0 for none
	Password *views.Field
}

// newSheetGrant returns the form for confirming a sheet.
func (a *Area) newSheetGrant(c *fiber.Ctx, f *web.Form, s checkedSheet) (*sheetGrant, error) {
	players := map[models.UserID]bool{}
	for _, l := range s.Lines {
		players[l.UserID] = true
	}
	g := &sheetGrant{Reason: s.Reason, Digest: bonus.Digest(s.Lines),
		Granter: pages.Granter{Who: "you", Grants: int64(len(s.Lines)), Spins: spinsOf(s.Lines)}, Players: int64(len(players))}
	var err error
	if g.Limits, g.Taken, err = a.limits(c); err != nil {
		return nil, err
	}
	g.Password, err = a.ConfirmField(c, f)
	return g, err
}

// Start makes a campaign of a sheet. Its lines are granted in the background, one by one.
func (a *Area) Start(c *fiber.Ctx, sheet models.CampaignDraft) error {
	path := sheetPath(sheet.ID)
	f := web.NewForm(c)
	again := f.Text("again") == "yes"
	checked, err := a.checkSheet(c, sheet, again)
	if err != nil {
		return err
	}
	u := bonus.Upload{FileName: sheet.FileName, Lines: checked.Lines, Reason: sheet.Reason, Role: web.ReaderOf(c).Role, Again: again}
	if f.Text("digest") != bonus.Digest(u.Lines) || len(u.Lines) < len(sheet.Rows) {
		return a.Flash(c, path, views.Info("Nothing was granted",
			"The lines or the limits changed after you opened the page. Check them again."))
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, path)
	}
	if u.Again {
		u.Repeats, _ = strconv.ParseInt(f.Text("repeats"), 10, 64) // 0, the number of no campaign, if it cannot be read
	}
	campaign, bad, err := a.Bonus.Create(c.UserContext(), a.Actor(c), u)
	var before models.GrantedBeforeError
	switch {
	case errors.As(err, &before):
		return a.Flash(c, web.PathOf("/campaigns", before.ID), views.Info("Nothing was granted a second time",
			"This campaign has already granted exactly these lines. Yours was not started."))
	case err != nil:
		return err
	case len(bad) > 0:
		return c.Redirect(path, fiber.StatusSeeOther) // something changed after the lines were checked
	}
	return a.Done(c, web.PathOf("/campaigns", campaign.ID),
		"The grants are being sent. You can leave this page: sending continues.")
}
