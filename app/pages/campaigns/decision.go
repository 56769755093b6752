package campaigns

import (
	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Decisions about campaigns beyond the limits, which confirm.go requests.

// request is the approval on the page of a campaign beyond the limits.
type request struct {
	pages.Decision
	Campaign  models.Campaign
	Granter   Granter // while it waits
	ExpiresAt views.Moment
}

// Requests are the campaigns beyond the limits.
func (a *Area) Requests() pages.RequestKind {
	return pages.RequestKind{Name: "campaign", Word: "Campaign beyond the limits", Path: pages.CampaignsPath,
		List:  pages.WaitingCampaignsPath,
		Waits: views.Todo{One: "Campaign to approve", Many: "Campaigns to approve", Note: "free spins beyond the limits"}, Reads: web.ReadFreeSpins, Decides: web.ApproveExceptions, Withdraws: web.GrantFreeSpins,
		Show: a.show, Known: []error{models.ErrMakerChanged}, Said: map[models.ApprovalState]string{
			models.ApprovalApproved:  "The campaign is approved. The grants are being sent.",
			models.ApprovalRefused:   "The campaign is refused. Nothing was granted.",
			models.ApprovalWithdrawn: "The campaign is withdrawn. Nothing was granted."}}
}

// requestOf returns the approval of a campaign, with what the reader may do about it.
func (a *Area) requestOf(c *fiber.Ctx, p *web.Page, f *web.Form, campaign models.Campaign) (*request, error) {
	r := &request{Campaign: campaign, ExpiresAt: p.Time(campaign.ExpiresAt)}
	var err error
	r.Decision, err = a.NewDecision(c, p, f, pages.CampaignPath(campaign.ID), "Approval", &campaign)
	if err != nil {
		return r, err
	}
	r.Reason, r.Button = campaign.Name, "Approve "+web.Several(campaign.Spins, "spin", "spins")
	r.Moment = p.Time(campaign.At)
	if campaign.State != models.JobHeld {
		return r, nil
	}
	limits, taken, err := a.limitsOf(c.UserContext(), campaign.Actor)
	r.Granter = Granter{Who: campaign.Actor, Limits: limits, Taken: taken, Grants: campaign.Lines, Spins: campaign.Spins}
	return r, err
}
