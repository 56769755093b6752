// Package freespins has the pages of grants of free spins, apart from campaigns.
package freespins

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/bonus"
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

// The list of grants, their count in the navigation, and the search for them. Requests are in new_grant.go, and the page of one
// grant is in grant.go.

type freeSpinsPage struct {
	web.Page
	web.Listed
	Waiting int64 // grants of unknown outcome, unless the list shows only these
	Rows    []pages.GrantRow
}

// grantedStates are the states of grants that the platform made.
var grantedStates = []models.GrantState{models.GrantActive, models.GrantCompleted, models.GrantExpired}

// grantStates are the choices of the State filter, and which grants they select.
var grantStates = []web.Option[models.GrantFilter]{
	{Word: "All"},
	web.Offer("waiting", "Waiting for a decision", models.GrantFilter{Unresolved: true}),
	web.Offer("active", "Active", models.GrantFilter{States: []models.GrantState{models.GrantActive}, SpinsLeft: true}),
	web.Offer("completed", "Used up",
		models.GrantFilter{States: []models.GrantState{models.GrantCompleted, models.GrantActive}, UsedUp: true}),
	web.Offer("unused", "Not used", models.GrantFilter{States: grantedStates, Unused: true}),
	web.Offer("used", "Used", models.GrantFilter{States: grantedStates, Played: true}),
	web.Offer("won", "Won", models.GrantFilter{States: grantedStates, Won: true}),
	web.Offer("expired", "Expired", models.GrantFilter{States: []models.GrantState{models.GrantExpired}}),
	web.Offer("refused", "Refused", models.GrantFilter{States: []models.GrantState{models.GrantRefused}}),
	web.Offer("unknown", "Unconfirmed, including decided",
		models.GrantFilter{States: []models.GrantState{models.GrantUnknown}}),
	web.Offer("sending", "Being sent",
		models.GrantFilter{States: []models.GrantState{models.GrantRequested, models.GrantSent}}),
	web.Offer("disagreeing", "Counts differ", models.GrantFilter{Disagreeing: true}),
}

// List lists grants.
func (a *Area) List(c *fiber.Ctx) error {
	page := &freeSpinsPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, err := a.grantFilter(c.UserContext(), page)
	if err != nil {
		return err
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(filter))
	if err != nil {
		return err
	}
	if page.Rows, err = a.GrantRows(c.UserContext(), found.Rows); err != nil {
		return err
	}
	if !filter.Unresolved {
		if page.Waiting, err = a.Store.CountUnresolvedGrants(c.UserContext()); err != nil {
			return err
		}
	}
	return a.Render(c, "free-spins/list", page)
}

func (a *Area) listing(filter models.GrantFilter) models.Listing[models.Grant] {
	return models.List(filter, a.Store.Grants, models.Grant.Place)
}

// grantFilter reads the filters from the address. If one cannot be read, or names an unknown player or game, a message replaces
// the list.
func (a *Area) grantFilter(ctx context.Context, page *freeSpinsPage) (filter models.GrantFilter, err error) {
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
	filter.SpinsFrom, filter.SpinsTo = spinsFilter(&page.Page, "spins-from", "Spins from"), spinsFilter(&page.Page, "spins-to", "Spins to")
	page.Instead = page.Unread()
	return filter, err
}

// spinsFilter returns the number of spins in the address, or 0 if the filter is not set.
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

// CountUnknownGrants counts, for the navigation, the grants of unknown outcome.
func (a *Area) CountUnknownGrants(ctx context.Context, _ *web.Reader) (web.Count, error) {
	n, err := a.Store.CountUnresolvedGrants(ctx)
	return web.Count{N: int(n), Word: "unconfirmed", Risk: true}, err
}

// FindGrants finds grants by the platform's free-spin ID (whole, shortened, or only its beginning) or by number ("grant 12").
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
