// Package freespins has the pages of grants of free spins. Package campaigns has those of campaigns.
package freespins

import (
	"context"
	"fmt"
	"strconv"

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

// The list of grants, their count in the navigation, and their search. grant.go has the page of a single grant.

type freeSpinsPage struct {
	web.Page
	web.Listed
	Filter  models.GrantFilter
	Waiting int64 // grants of unknown outcome; 0 if the list shows only these
}

// grantedStates are the states of a grant that the platform made.
var grantedStates = []models.GrantState{models.GrantActive, models.GrantCompleted, models.GrantExpired}

// grantStates are the choices of the State filter, and which grants each selects.
var grantStates = []web.Option[models.GrantFilter]{
	{Word: "All"},
	web.Offer("waiting", "Waiting for a decision", models.GrantFilter{Unresolved: true}),
	web.Offer("active", "Active", models.GrantFilter{States: []models.GrantState{models.GrantActive}, SpinsLeft: true}),
	web.Offer("completed", "Used up",
		models.GrantFilter{States: []models.GrantState{models.GrantCompleted, models.GrantActive}, UsedUp: true}),
	web.Offer("unused", "Not used", models.GrantFilter{States: grantedStates, Unused: true}),
	web.Offer("used", "Used", models.GrantFilter{States: grantedStates, Played: true}),
	web.Offer("won", "Won", models.GrantFilter{States: grantedStates, Won: true}),
	web.Offer("not-won", "Used, nothing won", models.GrantFilter{States: grantedStates, Played: true, NotWon: true}),
	web.Offer("granted", "Granted, with those that ended", models.GrantFilter{States: grantedStates}),
	web.Offer("expired", "Expired", models.GrantFilter{States: []models.GrantState{models.GrantExpired}}),
	web.Offer("refused", "Refused", models.GrantFilter{States: []models.GrantState{models.GrantRefused}}),
	web.Offer("unknown", "Unconfirmed, including decided",
		models.GrantFilter{States: []models.GrantState{models.GrantUnknown}}),
	web.Offer("sending", "Being sent",
		models.GrantFilter{States: []models.GrantState{models.GrantRequested, models.GrantSent}}),
	web.Offer("disagreeing", "Counts differ", models.GrantFilter{Disagreeing: true}),
}

// List lists grants.
func (a *Area) List(c *fiber.Ctx) error { return a.Grants().Serve(a.Site.Site, c, "free-spins/list") }

type grant = pages.GrantRow

// Grants is the list of grants.
func (a *Area) Grants() web.List[freeSpinsPage, grant] {
	return web.List[freeSpinsPage, grant]{
		Path: "/free-spins", Title: "Free spins", Needs: web.ReadFreeSpins, Select: a.selected,
		Load: func(ctx context.Context, p *freeSpinsPage, _ []grant) (err error) {
			if !p.Filter.Unresolved {
				p.Waiting, err = a.Store.CountUnresolvedGrants(ctx)
			}
			return err
		},
		Columns: []web.Column[freeSpinsPage, grant]{
			{Name: "Number", Kind: export.Number, Value: func(g grant) any { return g.ID }},
			{Head: "Time", Kind: export.Time, Class: "c-time", Value: func(g grant) any { return g.At }},
			{Head: "Grant", Class: "c-what", Cell: func(_ *freeSpinsPage, g grant) views.Cell {
				return views.Cell{Text: g.Words, Href: g.Href}
			}},
			{Head: "Player", Class: "c-who", Value: func(g grant) any { return string(g.UserID) },
				Cell: func(_ *freeSpinsPage, g grant) views.Cell { return pages.PlayerCell(g.PlayerID, g.UserID) }},
			{Name: "Game ID", Value: func(g grant) any { return string(g.Game.GameID) }},
			{Head: "Game", Class: "c-who", Value: func(g grant) any { return g.Game.Name },
				Cell: func(_ *freeSpinsPage, g grant) views.Cell {
					return views.Cell{Text: g.Game.Title(), Title: g.Game.Name, Href: g.GameHref}
				}},
			{Name: "Spins", Kind: export.Number, Value: func(g grant) any { return g.Spins }},
			{Name: "Used, according to the platform", Kind: export.Number, Value: func(g grant) any { return export.CountOrNone(g.Used) }},
			{Name: "Remaining, according to the platform", Kind: export.Number,
				Value: func(g grant) any { return export.CountOrNone(g.Remaining) }},
			{Head: "Used", Class: "num c-lead keep", Block: "used"},
			{Name: "Used, by our ledger", Kind: export.Number, Value: func(g grant) any { return g.Ours }},
			{Head: "Won so far", Name: "Won", Kind: export.Money, Value: func(g grant) any { return g.Wins.Won },
				Cell: func(p *freeSpinsPage, g grant) (cell views.Cell) {
					if g.State.Granted() {
						cell.Money = new(p.Money(g.Wins.Won, g.Currency))
					}
					return cell
				}},
			{Name: "Currency", Value: func(g grant) any { return string(g.Currency) }},
			{Name: "State", Value: func(g grant) any {
				if g.UsedUp() { // the badge says so
					return models.GrantCompleted.String()
				}
				return g.State.String()
			}},
			{Name: "Free-spin ID", Value: func(g grant) any { return string(g.FreeSpinID) }},
			{Head: "By", Name: "Granted by", Audience: export.Arbiter, Value: func(g grant) any { return g.Actor }},
			{Name: "Reason", Audience: export.Arbiter, Value: func(g grant) any { return g.Reason }},
			{Name: "Message", Value: func(g grant) any { return g.Message }},
			{Name: "Sent", Kind: export.Time, Value: func(g grant) any { return g.SentAt }},
			{Name: "Answered", Kind: export.Time, Value: func(g grant) any { return g.AnsweredAt }},
			{Name: "Finished", Kind: export.Time, Value: func(g grant) any { return g.FinishedAt }},
			{Name: "Resolved by", Audience: export.Arbiter, Value: func(g grant) any { return g.ResolvedBy }},
			{Name: "Resolution", Audience: export.Arbiter, Value: func(g grant) any { return g.ResolutionNote }},
			{Name: "Campaign", Kind: export.Number, Value: func(g grant) any { return export.NumberOrNone(g.CampaignID) }},
			{Name: "Line", Kind: export.Number, Value: func(g grant) any { return export.NumberOrNone(int64(g.CampaignLine)) }},
			{Head: "State", Class: "c-state", Cell: func(_ *freeSpinsPage, g grant) views.Cell {
				cell := views.Cell{Badges: []views.Badge{g.Badge}}
				if g.Disagrees() {
					cell.Badges = append(cell.Badges, views.Badge{Kind: "wait", Shape: "warning", Word: "Counts differ"})
				}
				return cell
			}},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *freeSpinsPage) (list models.Listing[grant], err error) {
	if page.Filter, err = a.filter(ctx, page); err != nil {
		return list, err
	}
	return models.List(page.Filter, func(ctx context.Context, f models.GrantFilter) (rows models.Page[grant], err error) {
		found, err := a.Store.Grants(ctx, f)
		if err == nil {
			rows.Rows, err = a.GrantRows(ctx, found.Rows)
		}
		rows.More, rows.Stopped = found.More, found.Stopped
		return rows, err
	}, func(g grant) models.Cursor { return g.Place() }), nil
}

func (a *Area) filter(ctx context.Context, page *freeSpinsPage) (filter models.GrantFilter, err error) {
	player, err := a.PlayerFilter(ctx, &page.Page)
	if err != nil {
		return filter, err
	}
	game, err := a.GameFilter(ctx, &page.Page)
	if err != nil {
		return filter, err
	}
	staff := page.TextFilter("staff", "Granted by")
	filter = web.Choose(&page.Page, "state", "State", grantStates)
	filter.PlayerID, filter.GameID, filter.Actor = player.ID, game.ID, staff
	if filter.CampaignID, err = a.CampaignFilter(ctx, &page.Page); err != nil {
		return filter, err
	}
	page.MoreFilters()
	if filter.Currency, err = a.CurrencyFilter(ctx, &page.Page); err != nil {
		return filter, err
	}
	filter.SpinsFrom, filter.SpinsTo = spinsFilter(&page.Page, "spins-from", "Spins from"), spinsFilter(&page.Page, "spins-to", "Spins to")
	return filter, err
}

// spinsFilter returns the number of spins in a filter, or 0 if the filter is not set.
func spinsFilter(p *web.Page, name, label string) int64 {
	text := p.TextFilter(name, label)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > models.MaxSpins {
		p.Refuse(fmt.Errorf("the address has %s=%s, but “%s” is not a number of spins: write a whole number like 20", name, text, text))
	}
	return n
}

// CountUnknownGrants counts the grants of unknown outcome, for the navigation.
func (a *Area) CountUnknownGrants(ctx context.Context, _ *web.Reader) (web.Count, error) {
	n, err := a.Store.CountUnresolvedGrants(ctx)
	return web.Count{N: int(n), Word: "unconfirmed", Risk: true}, err
}

// FindGrants finds grants by the platform's free-spin ID (whole, shortened, or its beginning) or by number, as in "grant 12".
func (a *Area) FindGrants(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	if id, named := pages.NumberAfter(text, "grant"); named {
		g, there, err := a.Store.Grant(ctx, id)
		h := GrantHit(g, text)
		h.Exact = true
		return pages.OneHit(h, there), err
	}
	found, err := a.Store.SearchGrants(ctx, text, limit)
	return pages.HitsOf(found, func(g models.Grant) pages.Hit { return GrantHit(g, text) }), err
}

// GrantHit returns a grant as a search result.
func GrantHit(g models.Grant, text string) pages.Hit {
	state := pages.GrantState(g)
	return pages.Hit{
		Text:  fmt.Sprintf("%s for %s", web.Several(g.Spins, "spin", "spins"), g.UserID),
		ID:    views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"},
		Value: string(g.FreeSpinID), Href: web.PathOf("/free-spins", g.ID), State: &state, Exact: string(g.FreeSpinID) == text,
	}
}
