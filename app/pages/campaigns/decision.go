package campaigns

import (
	"context"

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
func (a *Area) Approve(c *fiber.Ctx) error {
	return a.decide(c, "The campaign is approved. The grants are being sent.",
		func(by models.Signer, id int64, _ *web.Form) error {
			return a.Store.ApproveCampaign(c.UserContext(), by, id)
		})
}

// Refuse refuses a campaign beyond the limits with a reason.
func (a *Area) Refuse(c *fiber.Ctx) error {
	return a.decide(c, "The campaign is refused. Nothing was granted.",
		func(by models.Signer, id int64, f *web.Form) error {
			if err := models.CheckDecisionText(f.Text("why")); err != nil {
				f.Refuse("why", err.Error())
				return nil
			}
			return a.Store.RefuseCampaign(c.UserContext(), by, id, f.Text("why"))
		})
}

// Withdraw takes back a campaign beyond the limits that the reader requested.
func (a *Area) Withdraw(c *fiber.Ctx) error {
	return a.decide(c, "The campaign is withdrawn. Nothing was granted.",
		func(by models.Signer, id int64, _ *web.Form) error {
			return a.Store.WithdrawCampaign(c.UserContext(), by, id)
		})
}

// decide makes a decision after the reader has confirmed their identity, and shows on the campaign's page why it fails.
func (a *Area) decide(c *fiber.Ctx, done string, fn func(by models.Signer, id int64, f *web.Form) error) error {
	campaign, err := a.Load(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if f.Ok() {
		err = fn(a.Signer(c), campaign.ID, f)
	}
	if !f.Ok() {
		return a.showCampaign(c, f, campaign)
	}
	path := web.PathOf("/campaigns", campaign.ID)
	if err != nil {
		return a.DecisionFailed(c, path, err, models.ErrMakerChanged)
	}
	return a.Done(c, path, done)
}

// CountWaiting counts the campaigns that the reader may approve.
func (a *Area) CountWaiting(ctx context.Context, who *web.Reader) (count web.Count, err error) {
	if !who.May(web.ApproveExceptions) {
		return count, nil
	}
	waiting, err := a.Store.WaitingCampaigns(ctx)
	if err != nil {
		return count, err
	}
	n, err := a.CountApprovable(ctx, who, models.ExceptionRule, waiting)
	return web.Count{N: int(n), Word: "to approve"}, err
}

// Waiting returns the campaigns that the reader may approve, for the overview.
func (a *Area) Waiting(c *fiber.Ctx) (views.Todo, error) {
	n, err := a.CountWaiting(c.UserContext(), web.ReaderOf(c))
	return views.Todo{Of: "campaigns", N: int64(n.N), Href: pages.WaitingCampaignsPath}, err
}
