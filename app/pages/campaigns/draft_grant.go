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
	Earlier  int64            // the newest campaign of the same lines; 0 for none
	Over     *pages.LimitHelp // the limits that it exceeds, so that a second person has to approve it; nil for none
	Lasts    int              // hours for which it can be approved then
	Password *views.Field
}

// newDraftGrant returns the form for confirming a draft.
func (a *Area) newDraftGrant(c *fiber.Ctx, p *web.Page, f *web.Form, s checkedDraft) (*draftGrant, error) {
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
	if s.Limited {
		var words []string
		for _, limit := range s.Over {
			words = append(words, limitWords(limit))
		}
		g.Lasts = int(models.ExceptionLasts.Hours())
		if g.Over, err = a.LimitHelp(c.UserContext(), p, words, ""); err != nil {
			return nil, err
		}
	}
	g.Password, err = a.ConfirmField(c, f)
	return g, err
}

// Start makes a campaign of a draft. Its lines are granted in the background, one by one; beyond the limits, only once a second
// person approves.
func (a *Area) Start(c *fiber.Ctx, draft models.CampaignDraft) error {
	path := pages.DraftPath(draft.ID)
	f := web.NewForm(c)
	again := f.Text("again") == "yes"
	checked, err := a.checkDraft(c, draft, again)
	if err != nil {
		return err
	}
	u := bonus.Upload{CampaignTerms: draft.CampaignTerms, FileName: draft.FileName, Lines: checked.Lines, Role: web.ReaderOf(c).Role,
		Again: again}
	if f.Text("digest") != bonus.Digest(u.Lines) || len(u.Lines) < len(draft.Rows) || (f.Text("beyond") == "yes") != checked.Limited {
		return a.Flash(c, path, views.Info("Nothing was granted",
			"The lines or the limits changed after you opened the page. Check them again."))
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, path)
	}
	if f.Text("repeats") != "" {
		u.Repeats, _ = strconv.ParseInt(f.Text("repeats"), 10, 64) // 0, the number of no campaign, if it cannot be read
	}
	var campaign models.Campaign
	var bad []models.LineError
	if checked.Limited {
		campaign, bad, err = a.Bonus.Request(c.UserContext(), a.Signer(c), u)
	} else {
		campaign, bad, err = a.Bonus.Create(c.UserContext(), a.Actor(c), u)
	}
	var before models.GrantedBeforeError
	switch {
	case errors.As(err, &before):
		return a.Flash(c, web.PathOf("/campaigns", before.ID), views.Info("Nothing was granted a second time",
			"This campaign already has exactly these lines. Yours was not started."))
	case errors.Is(err, models.ErrExceptionNeedless): // the limits were raised meanwhile
		return c.Redirect(path, fiber.StatusSeeOther)
	case errors.Is(err, models.ErrSignerChanged):
		return a.Flash(c, path, views.Warning("Nothing was requested", web.Sentence(models.ErrSignerChanged.Error())))
	case err != nil:
		return err
	case len(bad) > 0:
		return c.Redirect(path, fiber.StatusSeeOther) // something changed after the lines were checked
	}
	if campaign.State == models.JobHeld {
		return a.Done(c, web.PathOf("/campaigns", campaign.ID),
			"The campaign is requested. Nothing is granted until a second person approves it.")
	}
	if campaign.StartsAt.After(a.Now()) {
		return a.Done(c, web.PathOf("/campaigns", campaign.ID), "The campaign is scheduled. Nothing is granted before its start.")
	}
	return a.Done(c, web.PathOf("/campaigns", campaign.ID),
		"The grants are being sent. You can leave this page: sending continues.")
}

func spinsOf(lines []models.GrantLine) (spins int64) {
	for _, l := range lines {
		spins += l.Spins
	}
	return spins
}
