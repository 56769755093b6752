// Package campaigns has the pages of campaigns, which grant free spins to one player or to many: the form, its confirmation,
// and the campaign that sends the grants.
package campaigns

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Campaigns grant free spins. This file has the list of campaigns, and the page that follows the lines of one. new.go has the
// form and confirm.go starts the campaign.

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

// newCampaignRow returns a campaign with its progress bar. The bar shows even a few refused lines or lines of unknown outcome.
func newCampaignRow(campaign models.Campaign, now time.Time) campaignRow {
	row := campaignRow{Campaign: campaign, Href: web.PathOf("/campaigns", campaign.ID), Badge: campaignState(campaign.State),
		Done: campaign.Lines - campaign.ToGo.Lines}
	if campaign.State == models.JobRunning && now.Before(campaign.StartsAt) {
		row.Badge = views.Waiting("Scheduled")
	}
	// Widths are thousandths of the bar. Every part gets at least three.
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
func (a *Area) List(c *fiber.Ctx) error { return a.Campaigns().Serve(a.Site.Site, c, "campaigns/list") }

type campaign = models.Campaign

// Campaigns is the list of campaigns. A page reads only a few, because it counts the lines of each.
func (a *Area) Campaigns() web.List[web.ListPage, campaign] {
	return web.List[web.ListPage, campaign]{
		Path: "/campaigns", Title: "Campaigns", Needs: web.ReadFreeSpins, AtOnce: 50, Select: a.selected,
		Columns: []web.Column[web.ListPage, campaign]{
			{Name: "Number", Kind: export.Number, Value: func(i campaign) any { return i.ID }},
			{Head: "Time", Kind: export.Time, Class: "c-time", Value: func(i campaign) any { return i.At }},
			{Head: "Number", Cell: func(_ *web.ListPage, i campaign) views.Cell { return views.Cell{Text: strconv.FormatInt(i.ID, 10)} }},
			{Head: "Name", Class: "c-what c-name", Value: func(i campaign) any { return i.Name },
				Cell: func(_ *web.ListPage, i campaign) views.Cell {
					return views.Cell{Text: i.Name, Href: web.PathOf("/campaigns", i.ID)}
				}},
			{Name: "Players from", Value: func(i campaign) any { return i.FileName }},
			{Name: "SHA-256 of the lines", Value: func(i campaign) any { return i.Digest }},
			{Name: "By", Value: func(i campaign) any { return i.Actor }},
			{Name: "Role", Value: func(i campaign) any { return string(i.Role) }},
			{Name: "Start", Kind: export.Time, Value: func(i campaign) any { return i.StartsAt }},
			{Name: "End", Kind: export.Time, Value: func(i campaign) any { return i.EndsAt }},
			{Name: "Budget in spins", Kind: export.Number, Value: func(i campaign) any { return export.NumberOrNone(i.BudgetSpins) }},
			{Name: "Granted again", Kind: export.Flag, Value: func(i campaign) any { return i.Again }},
			{Name: "State", Value: func(i campaign) any { return campaignState(i.State).Word }},
			{Name: "Ended", Kind: export.Time, Value: func(i campaign) any { return i.FinishedAt }},
			{Head: "Lines", Kind: export.Number, Class: "c-lead keep", Value: func(i campaign) any { return i.Lines }},
			{Head: "Spins", Kind: export.Number, Value: func(i campaign) any { return i.Spins }},
			{Head: "Granted", Name: "Lines granted", Kind: export.Number, Value: func(i campaign) any { return i.Granted.Lines }},
			{Name: "Spins granted", Kind: export.Number, Value: func(i campaign) any { return i.Granted.Spins }},
			{Head: "Left out", Name: "Lines left out", Kind: export.Number, Value: func(i campaign) any { return i.Refused.Lines }},
			{Name: "Spins left out", Kind: export.Number, Value: func(i campaign) any { return i.Refused.Spins }},
			{Head: "Unconfirmed", Name: "Unconfirmed lines", Kind: export.Number, Block: "unconfirmed",
				Value: func(i campaign) any { return i.Unknown.Lines }},
			{Name: "Unconfirmed spins", Kind: export.Number, Value: func(i campaign) any { return i.Unknown.Spins }},
			{Head: "To go", Name: "Lines to go", Kind: export.Number, Value: func(i campaign) any { return i.ToGo.Lines }},
			{Name: "Spins to go", Kind: export.Number, Value: func(i campaign) any { return i.ToGo.Spins }},
			{Head: "By", Cell: func(_ *web.ListPage, i campaign) views.Cell { return views.Cell{Text: i.Actor} }},
			{Head: "State", Badge: func(p *web.ListPage, i campaign) views.Badge { return newCampaignRow(i, p.Now).Badge }},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(_ context.Context, page *web.ListPage) (models.Listing[campaign], error) {
	filter := models.CampaignFilter{State: web.Choose(&page.Page, "state", "State", campaignStates)}
	list := models.List(filter, a.Store.Campaigns, models.Campaign.Place)
	list.Limit = campaignRows
	return list, nil
}

type campaignPage struct {
	web.Page
	web.Progress
	Campaign campaignRow
	Moment   views.Moment
	Terms    []term
	Sums     []campaignSums
	Repeats  []repeat
	Play     []play
	Days     int              // how many days before and after the grants Play compares
	Lengths  []int            // the choices for Days
	Going    int64            // players whose days after the grant are not over
	Winners  []pages.GrantRow // the grants that won most
	Won      int64            // how many grants have won
	Outcome  string           // the outcome that shown lines have; empty for all
	Rows     []campaignLineRow
	Newer    string   // the address of the first lines
	Older    string   // the address of the next lines
	Request  *request // the approval of a campaign beyond the limits
	OOB      bool
}

// campaignSums are the figures of a campaign in one currency.
type campaignSums struct {
	models.CampaignFigures
	Spent   *views.Money // the face value of the spins; nil if a spin has no value
	CostWon views.Money  // what the spins have won
	Href    string       // the address of its grants in this currency, in any state
}

// play is what a campaign's players played in one currency.
type play struct {
	models.CampaignPlay
	Before, After, Difference, SpinsBefore, SpinsAfter views.Money
}

type campaignLineRow struct {
	models.CampaignLine
	Badge views.Badge
}

// withoutOutcome returns the word for lines without an outcome in a campaign of this state.
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

// Load reads the campaign whose number is in the address.
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

// winnersShown is how many of the grants with the largest wins are shown.
const winnersShown = 10

// figures reads what a campaign cost and what it led to.
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
		row := campaignSums{s, nil, page.Money(s.Cost, s.Currency),
			"/free-spins?campaign=" + strconv.FormatInt(campaign.ID, 10) + "&currency=" + string(s.Currency)}
		if counts, set := s.CountsAs(rules); set {
			row.Spent = new(page.Money(counts, s.Currency))
		}
		page.Sums, page.Won = append(page.Sums, row), page.Won+s.Winners
	}
	for _, r := range repeats {
		if r.Value == "" || len(sums) > 0 && (r.Value != "winners" || page.Won > 0) {
			page.Repeats = append(page.Repeats, r)
		}
	}
	page.Lengths, page.Days = models.CampaignDays, models.CampaignDays[0]
	if days, err := strconv.Atoi(page.Params.Get("days")); err == nil && slices.Contains(page.Lengths, days) {
		page.Days = days
	}
	played, going, err := a.Store.CampaignPlay(ctx, campaign.ID, page.Days)
	if err != nil {
		return err
	}
	page.Going = going
	for _, s := range played {
		money := func(amount models.Amount) views.Money { return page.Money(amount, s.Currency) }
		page.Play = append(page.Play, play{s, money(s.Before), money(s.After), page.Signed(s.After-s.Before, s.Currency),
			money(s.SpinWinsBefore), money(s.SpinWinsAfter)})
	}
	winners, err := a.Store.CampaignWinners(ctx, campaign.ID, winnersShown)
	if err != nil {
		return err
	}
	page.Winners, err = a.GrantRows(ctx, winners)
	return err
}

// campaignOutcomes are the choices of lines to show, and which lines each selects.
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
		// A line that is being sent is finished even if the campaign is paused or stopped.
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

func (a *Area) Pause(c *fiber.Ctx) error {
	return a.changeCampaign(c, models.JobPaused, "The campaign is paused. The line that is being sent is finished first.")
}

func (a *Area) Resume(c *fiber.Ctx) error {
	return a.changeCampaign(c, models.JobRunning, "The campaign is running again.")
}

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

type linesPage struct {
	web.ListPage
	campaign models.Campaign
}

type campaignLine struct {
	models.CampaignLine
	outcome string
}

// Lines is the list of a campaign's players, as a file to keep or to correct.
func (a *Area) Lines() web.List[linesPage, campaignLine] {
	return web.List[linesPage, campaignLine]{
		Path: web.CampaignList, Title: "Players of a campaign", Needs: web.ReadFreeSpins, Select: a.selectedLines,
		Implied: func(p *linesPage) []views.Chip {
			return []views.Chip{{Label: "Campaign", Value: strconv.FormatInt(p.campaign.ID, 10)}}
		},
		Columns: []web.Column[linesPage, campaignLine]{
			{Name: "Line", Kind: export.Number, Value: func(l campaignLine) any { return int64(l.Line) }},
			{Name: "Player", Value: func(l campaignLine) any { return string(l.UserID) }},
			{Name: "Game ID", Value: func(l campaignLine) any { return string(l.GameID) }},
			{Name: "Game", Value: func(l campaignLine) any { return l.GameName }},
			{Name: "Spins", Kind: export.Number, Value: func(l campaignLine) any { return l.Spins }},
			{Name: "Outcome", Value: func(l campaignLine) any { return l.outcome }},
			{Name: "Free-spin ID", Value: func(l campaignLine) any { return string(l.FreeSpinID) }},
			{Name: "Message", Value: func(l campaignLine) any { return l.Message }},
			{Name: "Time", Kind: export.Time, Value: func(l campaignLine) any { return l.At }},
		},
	}
}

// selectedLines reads the campaign and the filter from the address.
func (a *Area) selectedLines(ctx context.Context, page *linesPage) (list models.Listing[campaignLine], err error) {
	text, _ := web.Matched(web.CampaignList, page.Path)
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return list, err
	}
	if page.campaign, _, err = a.Store.Campaign(ctx, id); err != nil {
		return list, err
	}
	page.campaign.ID = id
	filter := web.Choose(&page.Page, "outcome", "Outcome", campaignOutcomes)
	filter.CampaignID = id
	return models.List(filter, func(ctx context.Context, f models.CampaignLineFilter) (rows models.Page[campaignLine], err error) {
		found, err := a.Store.CampaignLines(ctx, f)
		for _, l := range found.Rows {
			rows.Rows = append(rows.Rows, campaignLine{l, lineOutcome(page.campaign.State, l.State)})
		}
		rows.More, rows.Stopped = found.More, found.Stopped
		return rows, err
	}, func(l campaignLine) models.Cursor { return l.Place() }), nil
}

// lineOutcome returns the word for a line's outcome in the file of outcomes. A granted line stays "granted" after its spins are
// used or expired.
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
