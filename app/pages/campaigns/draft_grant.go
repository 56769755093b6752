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

// Confirming a draft.

// draftGrant is what the reader is asked to confirm.
type draftGrant struct {
	Digest string
	pages.Granter
	Players  int64
	Again    bool
	Earlier  int64 // the newest campaign of the same lines; 0 for none
	Password *views.Field
}

// newDraftGrant returns the form for confirming a draft.
func (a *Area) newDraftGrant(c *fiber.Ctx, f *web.Form, s checkedDraft) (*draftGrant, error) {
	players, granted := map[models.UserID]bool{}, s.granted()
	for _, l := range granted {
		players[l.UserID] = true
	}
	g := &draftGrant{Digest: bonus.Digest(s.Lines),
		Granter: pages.Granter{Who: "you", Grants: int64(len(granted)), Spins: spinsOf(granted)}, Players: int64(len(players))}
	var err error
	if g.Limits, g.Taken, err = a.limits(c); err != nil {
		return nil, err
	}
	g.Password, err = a.ConfirmField(c, f)
	return g, err
}

// Start makes a campaign of a draft. Its lines are granted in the background, one by one.
func (a *Area) Start(c *fiber.Ctx, draft models.CampaignDraft) error {
	path := draftPath(draft.ID)
	f := web.NewForm(c)
	again := f.Text("again") == "yes"
	checked, err := a.checkDraft(c, draft, again)
	if err != nil {
		return err
	}
	u := bonus.Upload{CampaignTerms: draft.CampaignTerms, FileName: draft.FileName, Lines: checked.Lines, Role: web.ReaderOf(c).Role,
		Again: again}
	if f.Text("digest") != bonus.Digest(u.Lines) || len(u.Lines) < len(draft.Rows) {
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
	if campaign.StartsAt.After(a.Now()) {
		return a.Done(c, web.PathOf("/campaigns", campaign.ID), "The campaign is scheduled. Nothing is granted before its start.")
	}
	return a.Done(c, web.PathOf("/campaigns", campaign.ID),
		"The grants are being sent. You can leave this page: sending continues.")
}
