package freespins

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The list of grants, their count in the navigation, and the search for them. Requests are in new_grant.go, and the page of one
// grant is in grant.go.

const grantListRows = 50

type freeSpinsPage struct {
	web.Page
	Waiting             int64 // grants of unknown outcome, unless the list shows only these
	Player, Game, Staff views.Field
	States              []views.Choice
	Rows                []things.GrantRow
	Paging              views.Paging
	Unreadable          *views.Empty // what is wrong with the filters
}

// grantFilters are the choices of the State filter, in the order of the form.
var grantFilters = []struct {
	value, word string
	apply       func(*models.GrantFilter)
}{
	{"waiting", "Waiting for a decision", func(f *models.GrantFilter) { f.Unresolved = true }},
	{"active", "Active", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantActive} }},
	{"completed", "Used up", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantCompleted} }},
	{"expired", "Expired", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantExpired} }},
	{"refused", "Refused", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantRefused} }},
	{"unknown", "Outcome unknown, including decided",
		func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantUnknown} }},
	{"sending", "Being sent", func(f *models.GrantFilter) {
		f.States = []models.GrantState{models.GrantRequested, models.GrantSent}
	}},
	{"disagreeing", "Counts differ", func(f *models.GrantFilter) { f.Disagreeing = true }},
}

// List lists grants.
func (a *Area) List(c *fiber.Ctx) error {
	page := &freeSpinsPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, there, wrong, err := a.grantFilter(c, page)
	if err != nil {
		return err
	}
	if page.Unreadable = wrong; wrong != nil {
		return a.Render(c, "free-spins/list", page)
	}
	var list []models.Grant
	more := false
	if there {
		if list, more, err = a.Store.Grants(c.UserContext(), filter); err != nil {
			return err
		}
	}
	if page.Rows, err = a.GrantRows(c.UserContext(), list); err != nil {
		return err
	}
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	if !filter.Unresolved {
		if page.Waiting, err = a.Store.CountUnresolvedGrants(c.UserContext()); err != nil {
			return err
		}
	}
	return a.Render(c, "free-spins/list", page)
}

// grantFilter reads the list's filters. there is false if a player or game that they name does not exist.
func (a *Area) grantFilter(c *fiber.Ctx,
	page *freeSpinsPage) (filter models.GrantFilter, there bool, wrong *views.Empty, err error) {
	filter.Limit = grantListRows
	pairs := []string{"", "All"}
	for _, f := range grantFilters {
		pairs = append(pairs, f.value, f.word)
	}
	var state string
	state, page.States = page.Choice("state", "State", pairs)
	for _, f := range grantFilters {
		if f.value == state {
			f.apply(&filter)
		}
	}
	player, game := page.Filter("player", "Player", nil), page.Filter("game", "Game ID", nil)
	filter.Actor = page.Filter("staff", "Granted by", nil)
	page.Player = views.Field{ID: "f-player", Name: "player", Value: player, Picker: "player"}
	page.Game = views.Field{ID: "f-game", Name: "game", Value: game, Picker: "game"}
	page.Staff = views.Field{ID: "f-staff", Name: "staff", Value: filter.Actor}
	if filter.Page, err = page.Place(); err != nil {
		return filter, false, nil, err
	}
	there, err = a.FindPlayerAndGame(c, player, game, &filter.PlayerID, &filter.GameID)
	return filter, there, page.Unread(), err
}

// CountUnknownGrants counts, for the navigation, the grants of unknown outcome or, if there are none, the exceptions that wait
// for the reader.
func (a *Area) CountUnknownGrants(ctx context.Context, who *web.Reader) (web.Count, error) {
	n, err := a.Store.CountUnresolvedGrants(ctx)
	if err != nil || n > 0 {
		return web.Count{N: int(n), Word: "of unknown outcome", Risk: true}, err
	}
	n, err = a.countExceptions(ctx, who)
	return web.Count{N: int(n), Word: "to approve"}, err
}

// FindGrants finds grants by the platform's free-spin ID (whole, shortened, or only its beginning) or by number ("grant 12").
func (a *Area) FindGrants(ctx context.Context, text string, limit int) (models.Found[things.Hit], error) {
	if id, named := things.NumberAfter(text, "grant"); named {
		g, there, err := a.Store.Grant(ctx, id)
		h := GrantHit(g, text)
		h.Exact = true
		return things.OneHit(h, there), err
	}
	found, err := a.Store.SearchGrants(ctx, text, limit)
	return things.HitsOf(found, func(g models.Grant) things.Hit { return GrantHit(g, text) }), err
}

// GrantHit returns a grant as a search result.
func GrantHit(g models.Grant, text string) things.Hit {
	state := things.GrantState(g)
	return things.Hit{
		Text:  fmt.Sprintf("%s for %s", web.Several(g.Spins, "spin", "spins"), g.UserID),
		ID:    views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"},
		Value: string(g.FreeSpinID), Href: web.PathOf("/free-spins", g.ID), State: &state, Exact: string(g.FreeSpinID) == text,
	}
}
