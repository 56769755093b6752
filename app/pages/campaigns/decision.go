package campaigns

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Deciding about campaigns beyond the limits. Their request is in draft_grant.go.

// request is what the page of a campaign beyond the limits shows of its approval.
type request struct {
	pages.Decision
	Campaign  models.Campaign
	Granter   pages.Granter // while it waits
	ExpiresAt views.Moment
	CSRF      string
}

// requestOf returns the approval of a campaign, with what the reader may do about it.
func (a *Area) requestOf(c *fiber.Ctx, p *web.Page, f *web.Form, campaign models.Campaign) (*request, error) {
	r := &request{Campaign: campaign, ExpiresAt: p.Time(campaign.ExpiresAt), CSRF: p.CSRF,
		Decision: pages.Decision{Approval: campaign.Approval, Path: web.PathOf("/campaigns", campaign.ID), Reason: campaign.Name,
			Button: "Approve " + web.Several(campaign.Spins, "spin", "spins")}}
	if err := a.Decide(c, p, f, &r.Decision, campaign.Rule()); err != nil || campaign.State != models.JobHeld {
		return r, err
	}
	limits, taken, err := a.limitsOf(c.UserContext(), campaign.Actor)
	r.Granter = pages.Granter{Who: campaign.Actor, Limits: limits, Taken: taken, Grants: campaign.Lines, Spins: campaign.Spins}
	return r, err
}

// Approve lets a campaign beyond the limits run.
func (a *Area) Approve(c *fiber.Ctx, campaign models.Campaign) error {
	return a.decide(c, campaign, "The campaign is approved. The grants are being sent.", func(by models.Signer, _ *web.Form) error {
		return a.Store.ApproveCampaign(c.UserContext(), by, campaign.ID)
	})
}

// Refuse refuses a campaign beyond the limits with a reason.
func (a *Area) Refuse(c *fiber.Ctx, campaign models.Campaign) error {
	return a.decide(c, campaign, "The campaign is refused. Nothing was granted.", func(by models.Signer, f *web.Form) error {
		return a.Store.RefuseCampaign(c.UserContext(), by, campaign.ID, f.Text("why"))
	})
}

// Withdraw takes back a campaign beyond the limits that the reader requested.
func (a *Area) Withdraw(c *fiber.Ctx, campaign models.Campaign) error {
	return a.decide(c, campaign, "The campaign is withdrawn. Nothing was granted.", func(by models.Signer, _ *web.Form) error {
		return a.Store.WithdrawCampaign(c.UserContext(), by, campaign.ID)
	})
}

func (a *Area) decide(c *fiber.Ctx, campaign models.Campaign, done string, decide func(models.Signer, *web.Form) error) error {
	return a.MakeDecision(c, pages.Deciding{State: campaign.Approval.State, Path: web.PathOf("/campaigns", campaign.ID),
		Show: func(f *web.Form) error { return a.showCampaign(c, f, campaign) }, Known: []error{models.ErrMakerChanged}},
		func(by models.Signer, f *web.Form) (string, error) { return done, decide(by, f) })
}
