package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// The lists of grants, and what their rows share with the pages of players and games. new_grant.go asks for a grant, grant.go
// follows one, grant_imports.go asks for many.

const grantListRows = 50

// grantRow is a grant as a list shows it.
type grantRow struct {
	models.Grant
	Href, PlayerHref, GameHref string
	Words                      string // "20 spins"
	UsedWords                  string // "8 of 20"
	Badge                      views.Badge
	Wins                       models.SpinWins
}

// grantState is a grant's badge.
func grantState(g models.Grant) views.Badge {
	switch g.State {
	case models.GrantRequested, models.GrantSent:
		return views.Active("Being sent")
	case models.GrantActive:
		return views.Active("Active")
	case models.GrantCompleted:
		return views.Quiet("Used up")
	case models.GrantExpired:
		return views.Refused("Expired")
	case models.GrantRefused:
		return views.Refused("Refused")
	}
	if g.Resolution == models.ResolvedAgain {
		return views.Gone("Granted again")
	}
	return views.AtRisk("Outcome unknown")
}

// grantRows makes rows of grants, with what each has won so far.
func (a *App) grantRows(ctx context.Context, list []models.Grant) ([]grantRow, error) {
	ids := make([]int64, len(list))
	for i, g := range list {
		ids[i] = g.ID
	}
	wins, err := a.Store.SpinWinsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]grantRow, len(list))
	for i, g := range list {
		rows[i] = newGrantRow(g, wins[g.ID])
	}
	return rows, nil
}

func newGrantRow(g models.Grant, wins models.SpinWins) grantRow {
	row := grantRow{
		Grant: g, Href: pathOf("/free-spins", g.ID), PlayerHref: pathOf("/players", g.PlayerID),
		GameHref: pathOf("/games", g.Game.ID),
		Words:    several(g.Spins, "spin", "spins"), Badge: grantState(g), Wins: wins,
	}
	if g.State.Granted() {
		row.UsedWords = grouped(usedOf(g)) + " of " + grouped(g.Spins)
	}
	return row
}

// usedOf is how many spins of a grant are used: as the platform last said, or by our own count while it has not said.
func usedOf(g models.Grant) int64 {
	if g.Used != models.NoCount {
		return g.Used
	}
	return g.Ours
}

// sums writes amounts of several currencies, in the currencies' order.
func (p *Page) sums(of map[models.Currency]models.Sum) []views.Money {
	var list []views.Money
	for _, currency := range slices.Sorted(maps.Keys(of)) {
		list = append(list, p.Money(of[currency], currency))
	}
	return list
}

type freeSpinsPage struct {
	Page
	Note                *views.Note
	Player, Game, Staff views.Field
	States              []views.Choice
	Rows                []grantRow
	Paging              views.Paging
	Empty               views.Empty
}

// grantFilters are the states by which grants are listed, in the order in which the form offers them.
var grantFilters = []struct {
	value, word string
	apply       func(*models.GrantFilter)
}{
	{"waiting", "Waits for a decision", func(f *models.GrantFilter) { f.Unresolved = true }},
	{"active", "Active", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantActive} }},
	{"completed", "Used up", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantCompleted} }},
	{"expired", "Expired", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantExpired} }},
	{"refused", "Refused", func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantRefused} }},
	{"unknown", "Outcome unknown, decided ones too",
		func(f *models.GrantFilter) { f.States = []models.GrantState{models.GrantUnknown} }},
	{"sending", "Being sent", func(f *models.GrantFilter) {
		f.States = []models.GrantState{models.GrantRequested, models.GrantSent}
	}},
	{"disagreeing", "Counts differ", func(f *models.GrantFilter) { f.Disagreeing = true }},
}

func (a *App) freeSpins(c *fiber.Ctx) error {
	page := &freeSpinsPage{Page: a.page(c, "Free spins")}
	page.Lede = "Spins granted to players, and what became of them. Newest first."
	page.Saveable = true
	page.Actions = []views.Link{{Word: "Exceptions", Href: exceptionsPath}, {Word: "From files", Href: "/free-spins/imports"}}
	grant, err := page.Can(grantFreeSpins)
	if err != nil {
		return err
	}
	if grant {
		page.Actions = append(page.Actions,
			views.Link{Word: "Grant free spins", Href: "/free-spins/new", Icon: "plus", Main: true})
	}
	filter, there, err := a.grantFilter(c, page)
	if err != nil {
		return err
	}
	var list []models.Grant
	more := false
	if there {
		if list, more, err = a.Store.Grants(c.UserContext(), filter); err != nil {
			return err
		}
	}
	if page.Rows, err = a.grantRows(c.UserContext(), list); err != nil {
		return err
	}
	if n := len(list); n > 0 {
		page.Paging = page.around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	}
	page.Empty = views.Empty{Title: "No grant matches",
		Text:  "No free spins were granted with this state, player, game and staff.",
		Links: []views.Link{{Word: "Show all grants", Href: "/free-spins", Main: true}}}
	if len(page.Chips) == 0 {
		page.Empty = views.Empty{Title: "No free spins have been granted yet",
			Text: "Spins go to one player on one game, or to many from a file."}
		if grant {
			page.Empty.Links = []views.Link{
				{Word: "Grant free spins", Href: "/free-spins/new", Main: true},
				{Word: "Grant from a file", Href: "/free-spins/imports/new"},
			}
		}
	}
	if !filter.Unresolved {
		if page.Note, err = a.waitingGrants(c.UserContext()); err != nil {
			return err
		}
	}
	return a.render(c, "free-spins/list", page)
}

// grantFilter reads the list's filters. there is false where the player or the game named does not exist.
func (a *App) grantFilter(c *fiber.Ctx, page *freeSpinsPage) (filter models.GrantFilter, there bool, err error) {
	filter.Limit = grantListRows
	pairs := []string{"", "All"}
	words := map[string]string{}
	for _, f := range grantFilters {
		pairs = append(pairs, f.value, f.word)
		words[f.value] = f.word
	}
	state := page.filter("state", "State", func(value string) string {
		if word := words[value]; word != "" {
			return word
		}
		return value
	})
	for _, f := range grantFilters {
		if f.value == state {
			f.apply(&filter)
		}
	}
	player, game := page.filter("player", "Player", nil), page.filter("game", "Game ID", nil)
	filter.Actor = page.filter("staff", "Granted by", nil)
	page.Player = views.Field{ID: "f-player", Label: "Player", Name: "player", Value: player, Picker: "player"}
	page.Game = views.Field{ID: "f-game", Label: "Game ID", Name: "game", Value: game, Picker: "game"}
	page.Staff = views.Field{ID: "f-staff", Label: "Granted by", Name: "staff", Value: filter.Actor}
	page.States = choices(state, pairs...)
	if filter.Page, err = page.place(); err != nil {
		return filter, false, err
	}
	there, err = a.findPlayerAndGame(c, player, game, &filter.PlayerID, &filter.GameID)
	return filter, there, err
}

// waitingGrants says how many grants wait for somebody to find out what became of them; nil where none does.
func (a *App) waitingGrants(ctx context.Context) (*views.Note, error) {
	n, err := a.Store.CountUnresolvedGrants(ctx)
	if err != nil || n == 0 {
		return nil, err
	}
	return &views.Note{
		Kind: "risk", Icon: "unknown", Title: several(n, "grant of unknown outcome", "grants of unknown outcome"),
		Text:  "The spins may or may not have been granted. Somebody has to look on the platform and say what they found.",
		Links: []views.Link{{Word: "Show what waits", Href: "/free-spins?state=waiting"}},
	}, nil
}

// countUnknownGrants counts for the navigation: grants of unknown outcome, and where there are none the exceptions that wait
// for the reader.
func (a *App) countUnknownGrants(ctx context.Context, who *Reader) (count, error) {
	n, err := a.Store.CountUnresolvedGrants(ctx)
	if err != nil || n > 0 {
		return count{N: int(n), Word: "of unknown outcome", Risk: true}, err
	}
	n, err = a.countExceptions(ctx, who)
	return count{N: int(n), Word: "to approve"}, err
}

// findGrants finds grants by the platform's free-spin ID, its beginning or its shortened form, or by their number as in "grant
// 12".
func (a *App) findGrants(ctx context.Context, text string, limit int) (models.Found[hit], error) {
	if id, named := numberAfter(text, "grant"); named {
		g, there, err := a.Store.Grant(ctx, id)
		h := grantHit(g, text)
		h.Exact = true
		return oneHit(h, there), err
	}
	found, err := a.Store.SearchGrants(ctx, text, limit)
	return hitsOf(found, func(g models.Grant) hit { return grantHit(g, text) }), err
}

func grantHit(g models.Grant, text string) hit {
	state := grantState(g)
	return hit{
		Text:  fmt.Sprintf("%s for %s", several(g.Spins, "spin", "spins"), g.UserID),
		ID:    views.ID{Text: string(g.FreeSpinID), Kind: "free-spin ID"},
		Value: string(g.FreeSpinID), Href: pathOf("/free-spins", g.ID), State: &state, Exact: string(g.FreeSpinID) == text,
	}
}
