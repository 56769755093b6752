// Package campaigns has the pages of campaigns, which grant free spins to many players: the draft in which lines are prepared, and
// the campaign that grants them.
package campaigns

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Bonus *bonus.Service // grants free spins
}

// Campaigns grant free spins to many players, from a draft. This file has the list of campaigns, and the page that follows the
// lines of one. draft.go turns a draft into a campaign.

const (
	campaignRows     = 20
	campaignLineRows = 20
	outcomesAtATime  = 1000
)

func campaignState(s models.JobState) views.Badge {
	switch s {
	case models.JobRunning:
		return views.Active("Running")
	case models.JobPaused:
		return views.Waiting("Paused")
	case models.JobStopped:
		return views.Gone("Stopped")
	case models.JobHeld:
		return views.Waiting("Waiting for approval")
	case models.JobDeclined:
		return views.Refused("Not approved")
	}
	return views.Quiet("Finished")
}

type listPage struct {
	web.Page
	web.Listed
	Rows []campaignRow
}

type campaignRow struct {
	models.Campaign
	Href  string
	Badge views.Badge
	Done  int64
	Meter views.Meter
}

var campaignStates = []web.Option[models.JobState]{
	{Word: "All"},
	web.Offer("running", "Running", models.JobRunning),
	web.Offer("paused", "Paused", models.JobPaused),
	web.Offer("stopped", "Stopped", models.JobStopped),
	web.Offer("finished", "Finished", models.JobFinished),
	web.Offer("waiting", "Waiting for approval", models.JobHeld),
	web.Offer("declined", "Not approved", models.JobDeclined),
}

// newCampaignRow returns a campaign with its progress bar. Even a few refused lines, or lines of unknown outcome, are visible in
// the bar.
func newCampaignRow(campaign models.Campaign, now time.Time) campaignRow {
	row := campaignRow{Campaign: campaign, Href: web.PathOf("/campaigns", campaign.ID), Badge: campaignState(campaign.State),
		Done: campaign.Lines - campaign.ToGo.Lines}
	if campaign.State == models.JobRunning && now.Before(campaign.StartsAt) {
		row.Badge = views.Waiting("Scheduled")
	}
	// Widths are thousandths of the bar. Every part has at least three.
	at, width := int64(0), max(campaign.Lines, 1)
	row.Meter = views.Meter{
		Width: 1000, Tall: true, Parts: []views.MeterPart{{Kind: "bg", Width: 1000}},
		Label: fmt.Sprintf("%d granted, %d left out, %d unknown, %d %s", campaign.Granted.Lines, campaign.Refused.Lines,
			campaign.Unknown.Lines, campaign.ToGo.Lines, withoutOutcome(campaign.State)),
	}
	for _, part := range []struct {
		kind string
		n    int64
	}{{"u", campaign.Granted.Lines}, {"q", campaign.Refused.Lines}, {"r", campaign.Unknown.Lines}} {
		if part.n > 0 {
			wide := max(part.n*1000/width, 3)
			row.Meter.Parts = append(row.Meter.Parts, views.MeterPart{Kind: part.kind, X: at, Width: wide})
			at += wide
		}
	}
	return row
}

// List lists campaigns.
func (a *Area) List(c *fiber.Ctx) error {
	page := &listPage{Page: a.Page(c, "")}
	page.Exportable = a.MayExport(&page.Page, page.Path)
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(page))
	if err != nil {
		return err
	}
	for _, campaign := range found.Rows {
		page.Rows = append(page.Rows, newCampaignRow(campaign, a.Now()))
	}
	return a.Render(c, "campaigns/list", page)
}

// listing reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) listing(page *listPage) models.Listing[models.Campaign] {
	filter := models.CampaignFilter{State: web.Choose(&page.Page, "state", "State", campaignStates)}
	page.Instead = page.Unread()
	list := models.List(filter, a.Store.Campaigns, models.Campaign.Place)
	list.Limit = campaignRows
	return list
}

// campaignsAtOnce is how many campaigns an export reads at once. It is small because the lines of each campaign are counted.
const campaignsAtOnce = 50

// Export reads campaigns of grants for a file; see web.Exportable.
func (a *Area) Export(_ context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &listPage{Page: p}
	list := a.listing(page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Name"}, {Name: "Players from"},
			{Name: "SHA-256 of the lines"}, {Name: "By"}, {Name: "Role"}, {Name: "Start", Kind: export.Time}, {Name: "End", Kind: export.Time},
			{Name: "Budget in spins", Kind: export.Number},
			{Name: "Granted again", Kind: export.Flag}, {Name: "State"}, {Name: "Ended", Kind: export.Time},
			{Name: "Lines", Kind: export.Number}, {Name: "Spins", Kind: export.Number},
			{Name: "Lines granted", Kind: export.Number}, {Name: "Spins granted", Kind: export.Number},
			{Name: "Lines left out", Kind: export.Number}, {Name: "Spins left out", Kind: export.Number},
			{Name: "Unconfirmed lines", Kind: export.Number}, {Name: "Unconfirmed spins", Kind: export.Number},
			{Name: "Lines to go", Kind: export.Number}, {Name: "Spins to go", Kind: export.Number},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, campaignsAtOnce,
			export.Each(func(i models.Campaign) export.Row {
				return export.Row{
					i.ID, i.At, i.Name, i.FileName, i.Digest, i.Actor, string(i.Role), i.StartsAt, i.EndsAt,
					export.NumberOrNone(i.BudgetSpins), i.Again, campaignState(i.State).Word,
					i.FinishedAt, i.Lines, i.Spins,
					i.Granted.Lines, i.Granted.Spins, i.Refused.Lines, i.Refused.Spins, i.Unknown.Lines, i.Unknown.Spins,
					i.ToGo.Lines, i.ToGo.Spins,
				}
			})),
	}, page.Chips, page.Instead, nil
}

type campaignPage struct {
	web.Page
	web.Progress
	Campaign campaignRow
	Moment   views.Moment
	Terms    []term
	Sums     []campaignSums
	Winners  []pages.GrantRow // the grants that won most
	Won      int64            // all that have won
	Outcome  string           // the outcome of the lines shown; empty for all
	Rows     []campaignLineRow
	Newer    string   // the address of the first lines
	Older    string   // the address of the next lines
	Request  *request // of a campaign beyond the limits
	OOB      bool
}

// campaignSums are the figures of a campaign in one currency.
type campaignSums struct {
	models.CampaignFigures
	Spent           *views.Money // what the spins count as; nil if a spin has no value
	CostWon, Played views.Money  // what they have won, and the GGR
}

type campaignLineRow struct {
	models.CampaignLine
	Badge views.Badge
}

// withoutOutcome returns the word for lines of a campaign in this state that have no outcome.
func withoutOutcome(s models.JobState) string {
	if s == models.JobStopped || s == models.JobDeclined {
		return "not sent"
	}
	return "to go"
}

func newCampaignLineRow(campaign models.Campaign, l models.CampaignLine) campaignLineRow {
	row := campaignLineRow{l, views.Quiet("Granted")}
	switch {
	case l.State == models.GrantRefused:
		row.Badge = views.Refused("Left out")
	case l.State == models.GrantUnknown:
		row.Badge = views.AtRisk("Unconfirmed")
	case !l.State.Granted():
		row.Badge = views.Active("Being sent")
		if l.State == 0 {
			row.Badge = views.Plain(web.FirstUpper(withoutOutcome(campaign.State)))
		}
	}
	return row
}

// Load reads the campaign that the address names.
func (a *Area) Load(c *fiber.Ctx) (models.Campaign, error) {
	return web.Find(c, "campaign", a.Store.Campaign)
}

// show shows one campaign and its progress.
func (a *Area) show(c *fiber.Ctx, f *web.Form, asked models.Requested) error {
	campaign := *asked.(*models.Campaign)
	page := &campaignPage{Page: a.Page(c, ""), Campaign: newCampaignRow(campaign, a.Now()), OOB: c.Get("HX-Target") == "progress"}
	page.Progress = web.NewProgress(page.Campaign.Href, campaign.State, page.Campaign.Meter)
	if page.Reload(c) {
		return nil
	}
	page.Badges, page.Moment = []views.Badge{page.Campaign.Badge}, page.Time(campaign.At)
	page.Terms, page.Exportable = terms(&page.Page, campaign.CampaignTerms), a.MayExport(&page.Page, page.Path)
	if campaign.Approval.State != 0 {
		var err error
		if page.Request, err = a.requestOf(c, &page.Page, f, campaign); err != nil {
			return err
		}
	}
	if !page.OOB {
		if err := a.figures(c.UserContext(), page, campaign); err != nil {
			return err
		}
	}
	if err := a.campaignLines(c, page, campaign); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "campaigns/campaign", page)
}

// winnersShown is how many of the grants that won most are shown.
const winnersShown = 10

// figures reads what a campaign cost and brought.
func (a *Area) figures(ctx context.Context, page *campaignPage, campaign models.Campaign) error {
	rules, err := a.Store.GrantRules(ctx)
	if err != nil {
		return err
	}
	sums, err := a.Store.CampaignFigures(ctx, campaign.ID)
	if err != nil {
		return err
	}
	for _, s := range sums {
		row := campaignSums{s, nil, page.Money(s.Cost, s.Currency), page.Money(s.GGR, s.Currency)}
		if counts, set := s.CountsAs(rules); set {
			row.Spent = new(page.Money(counts, s.Currency))
		}
		page.Sums, page.Won = append(page.Sums, row), page.Won+s.Winners
	}
	winners, err := a.Store.CampaignWinners(ctx, campaign.ID, winnersShown)
	if err != nil {
		return err
	}
	page.Winners, err = a.GrantRows(ctx, winners)
	return err
}

// campaignOutcomes are the choices of which lines the page shows, and which lines they select.
var campaignOutcomes = []web.Option[models.CampaignLineFilter]{
	{Word: "All"},
	web.Offer("granted", "Granted", models.CampaignLineFilter{State: models.GrantActive}),
	web.Offer("left-out", "Left out", models.CampaignLineFilter{State: models.GrantRefused}),
	web.Offer("unknown", "Unconfirmed", models.CampaignLineFilter{State: models.GrantUnknown}),
	web.Offer("to-go", "To go", models.CampaignLineFilter{ToGo: true}),
}

// campaignLines reads the lines that the page shows.
func (a *Area) campaignLines(c *fiber.Ctx, page *campaignPage, campaign models.Campaign) error {
	page.Outcome = page.Params.Get("outcome")
	filter := web.Choose(&page.Page, "outcome", "Outcome", campaignOutcomes)
	filter.CampaignID, filter.Limit = campaign.ID, campaignLineRows
	path := page.Campaign.Href + "?outcome=" + web.EscapeQuery(page.Outcome)
	page.Poll += "&outcome=" + web.EscapeQuery(page.Outcome) + "&after=" + web.EscapeQuery(page.Params.Get("after"))
	var err error
	if filter.Page, err = page.Place(); err != nil {
		return err
	}
	lines, err := a.Store.CampaignLines(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, l := range lines.Rows {
		page.Rows = append(page.Rows, newCampaignLineRow(campaign, l))
		// A line that is being sent ends even if the campaign is paused or stopped.
		page.Open = page.Open || l.State == models.GrantRequested || l.State == models.GrantSent
	}
	if lines.More {
		page.Older = path + "&after=" + lines.Next(models.CampaignLine.Place).String()
	}
	if !filter.Page.IsZero() {
		page.Newer = path
	}
	return nil
}

// Pause pauses a campaign.
func (a *Area) Pause(c *fiber.Ctx) error {
	return a.changeCampaign(c, models.JobPaused, "The campaign is paused. The line that is being sent is finished first.")
}

// Resume continues a campaign.
func (a *Area) Resume(c *fiber.Ctx) error {
	return a.changeCampaign(c, models.JobRunning, "The campaign is running again.")
}

// Stop ends a campaign.
func (a *Area) Stop(c *fiber.Ctx) error {
	return a.changeCampaign(c, models.JobStopped, "The campaign is stopped. The lines to go will not be sent.")
}

func (a *Area) changeCampaign(c *fiber.Ctx, to models.JobState, message string) error {
	campaign, err := a.Load(c)
	if err != nil {
		return err
	}
	path := web.PathOf("/campaigns", campaign.ID)
	if err := a.Store.SetCampaignState(c.UserContext(), a.Actor(c), campaign.ID, to, web.NewForm(c).Text("reason")); errors.Is(err,
		models.ErrCampaignEnded) {
		return a.Flash(c, path, views.Info("", "This campaign has already ended. Nothing was changed."))
	} else if err != nil {
		return err
	}
	return a.Done(c, path, message)
}

// StopForm shows the confirmation page for stopping a campaign.
func (a *Area) StopForm(c *fiber.Ctx, campaign models.Campaign) error {
	path := web.PathOf("/campaigns", campaign.ID)
	if campaign.State == models.JobStopped || campaign.State == models.JobFinished {
		return a.Flash(c, path, views.Info("", "This campaign has already ended."))
	}
	return a.Render(c, "campaigns/stop", &campaignPage{Page: a.Page(c, ""), Campaign: newCampaignRow(campaign, a.Now())})
}

// ExportLines reads the players of a campaign for a file, to keep or to correct; see web.Exportable.
func (a *Area) ExportLines(ctx context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	text, _ := web.Matched(web.CampaignList, p.Path)
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	campaign, _, err := a.Store.Campaign(ctx, id)
	if err != nil {
		return export.List{}, nil, nil, err
	}
	p.Chips = append(p.Chips, views.Chip{Label: "Campaign", Value: text}) // the title of the page
	filter := web.Choose(&p, "outcome", "Outcome", campaignOutcomes)
	filter.CampaignID = id
	unread := p.Unread()
	list := models.List(filter, a.Store.CampaignLines, models.CampaignLine.Place)
	return export.List{
		Columns: []export.Column{
			{Name: "Line", Kind: export.Number}, {Name: "Player"}, {Name: "Game ID"}, {Name: "Game"}, {Name: "Spins", Kind: export.Number},
			{Name: "Outcome"}, {Name: "Free-spin ID"}, {Name: "Message"}, {Name: "Time", Kind: export.Time},
		},
		Read: web.Rows(&p, &web.Listed{}, list, web.ExportPage, export.Each(func(l models.CampaignLine) export.Row {
			return export.Row{int64(l.Line), string(l.UserID), string(l.GameID), l.GameName, l.Spins,
				lineOutcome(campaign.State, l.State), string(l.FreeSpinID), l.Message, l.At}
		})),
	}, p.Chips, unread, nil
}

// lineOutcome returns the word for a line's outcome in the file of outcomes. A line that the platform granted is "granted",
// even after its spins are used or expired.
func lineOutcome(campaign models.JobState, s models.GrantState) string {
	switch {
	case s.Granted():
		return "granted"
	case s == models.GrantRefused:
		return "left out"
	case s == models.GrantUnknown:
		return "unknown"
	}
	return withoutOutcome(campaign)
}
