// Package games has the pages of games, their availability and their syncs.
package games

import (
	"context"
	"fmt"
	"strings"
	"time"

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

// gameBadges returns the badges of a game. first is the ID of the sync that added the first games.
func gameBadges(p *web.Page, g models.Game, first int64) []views.Badge {
	if g.Gone() {
		return []views.Badge{views.Gone("Gone since " + p.Time(g.GoneAt).Brief())}
	}
	badges := []views.Badge{views.Quiet("Offered")}
	if g.NewSince(newSince(p, models.GameNewDays), first) {
		badges = append(badges, views.Active("New"))
	}
	return badges
}

// newSince returns the start of the day that was this many days before today.
func newSince(p *web.Page, days int) time.Time {
	return models.DayOf(p.Now, p.Zone).Add(-days).Begin(p.Zone)
}

// syncOutcome describes what a sync changed.
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
	Good   *gameSyncRow // the last successful sync; nil if there is none
	Failed *gameSyncRow // the last sync, if it failed
	New    int          // the number of new games
	first  int64        // the ID of the sync that added the first games
}

// NewDays is how many days a game counts as new.
func (*gamesPage) NewDays() int { return models.GameNewDays }

// List lists the platform's games.
func (a *Area) List(c *fiber.Ctx) error { return a.Games().Serve(a.Site.Site, c, "games/list") }

// Games is the list of games.
func (a *Area) Games() web.List[gamesPage, models.Game] {
	return web.List[gamesPage, models.Game]{
		Path: "/games", Title: "Games", Needs: web.ReadGames, Select: a.selected, Load: a.load,
		Columns: []web.Column[gamesPage, models.Game]{
			{Name: "Number", Kind: export.Number, Value: func(g models.Game) any { return g.ID }},
			{Head: "Game", Class: "c-what c-name", Cell: func(_ *gamesPage, g models.Game) views.Cell {
				return views.Cell{Block: "game", Of: gameRow{g, web.PathOf("/games", g.ID), a.thumb(g, listThumbWidth, listThumbHeight)}}
			}},
			{Head: "Game ID", Value: func(g models.Game) any { return string(g.GameID) },
				Cell: func(_ *gamesPage, g models.Game) views.Cell { return views.Cell{ID: views.ID{Text: string(g.GameID)}} }},
			{Name: "Name", Value: func(g models.Game) any { return g.Name }},
			{Name: "Formerly called", Value: func(g models.Game) any { return g.FormerName }},
			{Head: "Provider", Class: "c-who tight", Value: func(g models.Game) any { return g.Provider },
				Cell: func(p *gamesPage, g models.Game) views.Cell {
					return views.Cell{Text: g.Provider, Href: p.With("provider", g.Provider)}
				}},
			{Head: "Type", Class: "c-who tight", Value: func(g models.Game) any { return g.Type }},
			{Name: "Offered", Kind: export.Flag, Value: func(g models.Game) any { return !g.Gone() }},
			{Head: "First seen", Name: "First offered", Kind: export.Time, Class: "c-time", Value: func(g models.Game) any { return g.AddedAt }},
			{Head: "Last seen", Name: "Last offered", Kind: export.Time, Class: "c-time", Value: func(g models.Game) any { return g.SeenAt }},
			{Name: "Gone since", Kind: export.Time, Value: func(g models.Game) any { return g.GoneAt }},
			{Head: "State", Class: "c-state", Cell: func(p *gamesPage, g models.Game) views.Cell {
				return views.Cell{Badges: gameBadges(&p.Page, g, p.first)}
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
	if day := page.DayFilter("new", "New since", models.DayOf(page.Now, page.Zone)); day != "" {
		filter.Since = day.Begin(page.Zone)
	}
	filter.Newest = page.Choice("order", "Order", []string{"", "By name", "new", "First seen, newest first"}) != ""
	page.By = map[bool]string{false: "by name", true: "first seen, newest first"}[filter.Newest]
	return models.List(filter, a.Store.Games, models.Game.Place), nil
}

// named returns the choices of a filter: all first, then the names.
func named(all string, names []string) []string {
	pairs := []string{"", all}
	for _, name := range names {
		if name != "" {
			pairs = append(pairs, name, name)
		}
	}
	return pairs
}

// load reads which games are new, how old the list is, and whether the last sync failed.
func (a *Area) load(ctx context.Context, page *gamesPage, _ []models.Game) (err error) {
	if page.first, err = a.Store.FirstGames(ctx); err != nil {
		return err
	}
	if page.New, err = a.Store.CountNewGames(ctx, newSince(&page.Page, models.GameNewDays)); err != nil {
		return err
	}
	good, found, err := a.Store.LastGameSync(ctx, true)
	if err != nil {
		return err
	}
	if found {
		row := newGameSyncRow(good)
		page.Good = &row
	}
	last, found, err := a.Store.LastGameSync(ctx, false)
	if found && last.Error != "" {
		row := newGameSyncRow(last)
		page.Failed = &row
	}
	return err
}

// SyncGames gets the platform's list of games now.
func (a *Area) SyncGames(c *fiber.Ctx) error {
	sync, err := a.Catalogue.Sync(c.UserContext(), a.Actor(c))
	if err == nil {
		return a.Done(c, "/games",
			fmt.Sprintf("Synced in %s: %s offered, %s.", web.Lasted(sync.Latency),
				web.Several(int64(sync.Offered), "game", "games"), syncOutcome(sync)))
	}
	if sync.ID == 0 {
		return err // the failure could not be recorded either
	}
	return a.Flash(c, "/games", views.Warning("",
		"The games were not synced. "+pages.FailureWords(err)+" The list is unchanged."))
}

type gameSyncRow struct {
	models.GameSync
	Changes string // what the sync changed, in words
	Took    string
}

func newGameSyncRow(s models.GameSync) gameSyncRow {
	return gameSyncRow{s, syncOutcome(s), web.Lasted(s.Latency)}
}

type gamePage struct {
	web.Page
	Game    models.Game
	Thumb   views.Thumb
	Changes []gameChangeRow      // the latest changes in its availability
	Playing []models.GameSession // the latest sessions that are open now
	More    bool                 // more sessions are open
	Dates   web.Dates            // of Earned
	Earned  []models.GameReport  // by currency
	Capped  bool                 // these days have more sessions than Earned covers
}

// Detail shows a game.
func (a *Area) Detail(c *fiber.Ctx) error {
	g, err := web.Find(c, "game", a.Store.GameByID)
	if err != nil {
		return err
	}
	page := &gamePage{Page: a.Page(c, ""), Game: g, Thumb: a.thumb(g, pageThumbWidth, pageThumbHeight)}
	first, err := a.Store.FirstGames(c.UserContext())
	if err != nil {
		return err
	}
	page.Badges = gameBadges(&page.Page, g, first)
	page.HeadID = &views.ID{Text: string(g.GameID), Kind: "game ID"}
	changes, err := a.Store.GameChanges(c.UserContext(), models.GameChangeFilter{Game: g.ID, Span: models.Span{Limit: web.LatestRows}})
	if err != nil {
		return err
	}
	page.Changes = gameChangeRows(changes.Rows)
	if page.Can(web.ReadGameSessions) {
		open, err := a.Store.GameSessions(c.UserContext(), models.GameSessionFilter{GameID: g.ID, State: models.GameSessionOpened,
			OpenAt: page.Now, Span: models.Span{Limit: web.LatestRows}})
		if err != nil {
			return err
		}
		page.Playing, page.More = open.Rows, open.More
	}
	if page.Can(web.ReadReports) {
		if err := a.earned(c.UserContext(), page); err != nil {
			return err
		}
	}
	return a.Render(c, "games/game", page)
}

// earned adds up what was played in the game's sessions on the days in the address or, without days, on the last seven.
func (a *Area) earned(ctx context.Context, page *gamePage) error {
	today, zone, err := a.CasinoToday(ctx)
	if err != nil {
		return err
	}
	if len(page.Params) == 0 {
		page.Params.Set(web.DaysName, "last-7-days")
	}
	page.Dates = page.DaysFilter(today, zone)
	f := models.ReportFilter{GameID: page.Game.ID}
	if f.From, f.To = page.Dates.First, page.Dates.Last; f.From == "" || f.To == "" || f.Days() > earnedDays {
		f.From, f.To = today.Add(1-earnedDays), today
	}
	page.Dates.Span = web.DaysWords(f.From, f.To)
	page.Earned, page.Capped, err = a.Store.GamesReport(ctx, f, f.From.Begin(zone), f.To.End(zone))
	return err
}

// earnedDays is the longest period in days for which a game's page adds up play.
const earnedDays = 31

// FindGames finds games by words in their name, ID or provider.
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
	// A field shows a game by its name, or by its ID if another game has the same name.
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
