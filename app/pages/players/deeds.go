package players

import (
	"context"
	"errors"
	"slices"
	"strings"

	"pitboss/app/answers"
	"pitboss/app/web"
	"pitboss/models"
)

// The filters of the list of players by what they did. A saved view with these filters is a segment: its players are those who
// match at the moment it is used.

var spinsGiven = []web.Option[models.PlayerSpins]{
	{Word: "Any"},
	web.Offer("given", "Given", models.SpinsGranted),
	web.Offer("used", "Given and used", models.SpinsUsed),
	web.Offer("unused", "Given and not used", models.SpinsUnused),
}

var spinsOfCampaign = []web.Option[models.PlayerSpins]{
	{Word: "All of its players"},
	web.Offer("used", "Used its spins", models.SpinsUsed),
	web.Offer("unused", "Has not used its spins", models.SpinsUnused),
}

// ofDays are the filters that count only what happened on the chosen days.
var ofDays = []string{"turnover", "loss", "deposits", "spins"}

// readDeeds reads the filters by what players did. Without days, amounts and spins are counted over the last 30 days.
func (a *Area) readDeeds(ctx context.Context, page *playersPage, f *models.PlayerFilter) error {
	today, zone, err := a.CasinoToday(ctx)
	if err != nil {
		return err
	}
	set := func(name string) bool { return strings.TrimSpace(page.Params.Get(name)) != "" }
	if slices.ContainsFunc(ofDays, set) && !slices.ContainsFunc([]string{web.DaysName, "from", "to"}, set) {
		page.Params.Set(web.DaysName, web.Last30Days)
	}
	page.Dates = page.DaysFilter(today, zone)
	f.From, f.To, f.Since, f.Until = page.Dates.First, page.Dates.Last, page.Dates.Since, page.Dates.Until
	page.MoreFilters()
	f.Turnover = page.AmountFilter("turnover", "Turnover from")
	f.Loss = page.AmountFilter("loss", "Net loss from")
	f.Deposit = page.AmountFilter("deposits", "Deposits from")
	f.Spins = web.Choose(&page.Page, "spins", "Free spins", spinsGiven)
	if page.Dates.First+page.Dates.Last != "" && !slices.ContainsFunc(ofDays, set) {
		page.Refuse(errDaysOfNothing)
	}
	f.PlayedSince = page.DayFilter("played-since", "Played since", today)
	f.NotPlayedSince = page.DayFilter("not-played-since", "Not played since", today)
	if f.CampaignID, err = a.CampaignFilter(ctx, &page.Page); err != nil {
		return err
	}
	f.InCampaign = web.Choose(&page.Page, "campaign-spins", "Spins of the campaign", spinsOfCampaign)
	if f.InCampaign != 0 && f.CampaignID == 0 && !set("campaign") {
		page.Refuse(errNoCampaign)
	}
	languages := []web.Option[*string]{{Word: "Any"}}
	for _, code := range models.PlayerLanguages {
		languages = append(languages, web.Offer(code, answers.Name(code), new(code)))
	}
	f.Language = web.Choose(&page.Page, "language", "Language", append(languages, web.Offer("unknown", "Not known", new(""))))
	return nil
}

var (
	errDaysOfNothing = errors.New("the days limit turnover, net loss, deposits and free spins: choose one of these filters too, or any day")
	errNoCampaign    = errors.New("enter the number of the campaign whose spins you mean")
)
