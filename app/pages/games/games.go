// Package games has the pages of games and their syncs.
package games

import (
	"context"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/catalogue"
	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Catalogue *catalogue.Service // syncs games
}

func gameState(p *web.Page, g models.Game) views.Badge {
	switch {
	case g.Gone():
		return views.Gone("Gone since " + p.Time(g.GoneAt).Brief())
	}
	return views.Quiet("Offered")
}

// syncOutcome says what a sync changed.
func syncOutcome(s models.GameSync) string {
	if s.Error != "" {
		return "failed, nothing changed"
	}
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{s.Added, "added"}, {s.Renamed, "renamed"}, {s.Changed - s.Renamed, "updated"}, {s.Gone, "gone"},
		{s.Returned, "returned"}} {
		if part.n > 0 {
			parts = append(parts, web.Grouped(int64(part.n))+" "+part.word)
		}
	}
	if len(parts) == 0 {
		return "no changes"
	}
	return strings.Join(parts, ", ")
}

type gamesPage struct {
	web.Page
	web.Listed
	Good   *gameSyncRow // the last sync that succeeded; nil if none did
	Failed *gameSyncRow // the last sync, if it failed
}

// List lists the platform's games.
func (a *Area) List(c *fiber.Ctx) error {
	page := &gamesPage{Page: a.Page(c, "")}
	if _, err := a.Games().Show(c.UserContext(), page); err != nil {
		return err
	}
	if err := a.knowLastSync(c, page); err != nil {
		return err
	}
	return a.Render(c, "games/list", page)
}

// Games is the list of games.
func (a *Area) Games() web.List[gamesPage, models.Game] {
	return web.List[gamesPage, models.Game]{
		Path: "/games", Title: "Games", Needs: web.ReadGames, Select: a.selected,
		Columns: []web.Column[gamesPage, models.Game]{
			{Name: "Number", Kind: export.Number, Value: func(g models.Game) any { return g.ID }},
			{Head: "Game", Class: "c-what c-name", Cell: func(_ *gamesPage, g models.Game) views.Cell {
				return views.Cell{Block: "game", Of: gameRow{g, web.PathOf("/games", g.ID), a.thumb(g, listThumbWidth, listThumbHeight)}}
			}},
			{Head: "Game ID", Value: func(g models.Game) any { return string(g.GameID) },
				Cell: func(_ *gamesPage, g models.Game) views.Cell { return views.Cell{ID: views.ID{Text: string(g.GameID)}} }},
			{Name: "Name", Value: func(g models.Game) any { return g.Name }},
			{Name: "Formerly called", Value: func(g models.Game) any { return g.FormerName }},
			{Head: "Provider", Class: "c-who tight", Value: func(g models.Game) any { return g.Provider }},
			{Head: "Type", Class: "c-who tight", Value: func(g models.Game) any { return g.Type }},
			{Name: "Offered", Kind: export.Flag, Value: func(g models.Game) any { return !g.Gone() }},
			{Name: "First offered", Kind: export.Time, Value: func(g models.Game) any { return g.AddedAt }},
			{Head: "Last seen", Name: "Last offered", Kind: export.Time, Class: "c-time", Value: func(g models.Game) any { return g.SeenAt }},
			{Name: "Gone since", Kind: export.Time, Value: func(g models.Game) any { return g.GoneAt }},
			{Head: "State", Class: "c-state", Cell: func(p *gamesPage, g models.Game) views.Cell {
				return views.Cell{Badges: []views.Badge{gameState(&p.Page, g)}}
			}},
			{Head: "Actions", Unseen: true, Class: "c-do num", Block: "do",
				When: func(p *gamesPage) bool { return p.Can(web.LaunchTest) || p.Can(web.GrantFreeSpins) }},
		},
	}
}

type gameRow struct {
	models.Game
	Href  string
	Thumb views.Thumb
}

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *gamesPage) (list models.Listing[models.Game], err error) {
	page.By = "by name"
	providers, types, err := a.Store.GameKinds(ctx)
	if err != nil {
		return list, err
	}
	filter := models.GameFilter{
		Text:     page.SearchFilter("q", "Name or ID"),
		Provider: page.Choice("provider", "Provider", named("All providers", providers)),
		Type:     page.Choice("type", "Type", named("All types", types)),
		State: page.Choice("state", "State",
			[]string{"", "All", models.GamesOffered, "Offered", models.GamesGone, "Gone"}),
	}
	return models.List(filter, a.Store.Games, models.Game.Place), nil
}

// named returns the choices of a filter: all, then the names.
func named(all string, names []string) []string {
	pairs := []string{"", all}
	for _, name := range names {
		if name != "" {
			pairs = append(pairs, name, name)
		}
	}
	return pairs
}

// knowLastSync reads how old the list is, and whether the last sync failed.
func (a *Area) knowLastSync(c *fiber.Ctx, page *gamesPage) error {
	good, found, err := a.Store.LastGameSync(c.UserContext(), true)
	if err != nil {
		return err
	}
	if found {
		row := newGameSyncRow(good)
		page.Good = &row
	}
	last, found, err := a.Store.LastGameSync(c.UserContext(), false)
	if found && last.Error != "" {
		row := newGameSyncRow(last)
		page.Failed = &row
	}
	return err
}

// SyncGames asks the platform for its games now.
func (a *Area) SyncGames(c *fiber.Ctx) error {
	sync, err := a.Catalogue.Sync(c.UserContext(), a.Actor(c))
	if err == nil {
		return a.Done(c, "/games",
			fmt.Sprintf("Synced in %s: %s offered, %s.", web.Lasted(sync.Latency),
				web.Several(int64(sync.Offered), "game", "games"), syncOutcome(sync)))
	}
	if sync.ID == 0 {
		return err // not even the failure could be recorded
	}
	return a.Flash(c, "/games", views.Warning("",
		"The games were not synced. "+pages.FailureWords(err)+" The list is unchanged."))
}

type gameSyncRow struct {
	models.GameSync
	Changes string // in words
	Took    string
}

func newGameSyncRow(s models.GameSync) gameSyncRow {
	return gameSyncRow{s, syncOutcome(s), web.Lasted(s.Latency)}
}

type gamePage struct {
	web.Page
	Game    models.Game
	Thumb   views.Thumb
	Changes []gameChangeRow // the latest changes of its availability
}

// Detail shows a game.
func (a *Area) Detail(c *fiber.Ctx) error {
	g, err := web.Find(c, "game", a.Store.GameByID)
	if err != nil {
		return err
	}
	page := &gamePage{Page: a.Page(c, ""), Game: g, Thumb: a.thumb(g, pageThumbWidth, pageThumbHeight)}
	page.Badges = []views.Badge{gameState(&page.Page, g)}
	page.HeadID = &views.ID{Text: string(g.GameID), Kind: "game ID"}
	changes, err := a.Store.GameChanges(c.UserContext(), models.GameChangeFilter{Game: g.ID, Span: models.Span{Limit: web.LatestRows}})
	if err != nil {
		return err
	}
	page.Changes = gameChangeRows(changes.Rows)
	return a.Render(c, "games/game", page)
}

// FindGames finds games by words of their name, ID or provider.
func (a *Area) FindGames(ctx context.Context, text string, limit int) (found models.Found[pages.Hit], err error) {
	exact, there, err := a.Store.Game(ctx, models.GameID(text))
	if err != nil {
		return found, err
	}
	if there {
		found.Rows = append(found.Rows, gameHit(exact, text))
	}
	list, err := a.Store.Games(ctx, models.GameFilter{Text: text, Span: models.Span{Limit: limit + 1}})
	if err != nil {
		return found, err
	}
	for _, g := range list.Rows {
		if g.ID == exact.ID {
			continue
		}
		if found.More = len(found.Rows) == limit; found.More {
			break
		}
		found.Rows = append(found.Rows, gameHit(g, text))
	}
	// A field shows a game by its name, unless another game has the same name.
	names := make([]string, len(found.Rows))
	for i, hit := range found.Rows {
		names[i] = hit.Text
	}
	typed, err := a.Store.GamesTyped(ctx, names)
	for i, hit := range found.Rows {
		if string(typed[hit.Text]) == hit.Value {
			found.Rows[i].Value = hit.Text
		}
	}
	return found, err
}

func gameHit(g models.Game, text string) pages.Hit {
	h := pages.Hit{Text: g.Ref().Title(), ID: views.ID{Text: string(g.GameID), Kind: "game ID"}, Value: string(g.GameID),
		Href: web.PathOf("/games", g.ID), Exact: string(g.GameID) == text}
	if g.Gone() {
		state := views.Gone("Gone")
		h.State = &state
	}
	return h
}
