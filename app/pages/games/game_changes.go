package games

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The log of each game's availability, which regulators ask for (58 Pa. Code 811a.7(f)).

type gameChangesPage struct {
	web.Page
	Game       views.Field
	Dates      web.Dates
	Kinds      []views.Choice
	Rows       []gameChangeRow
	Paging     views.Paging
	Unreadable *views.Empty // what is wrong with the filters
	Empty      *views.Empty // the nearest days with rows
}

type gameChangeRow struct {
	models.GameChange
	Href string
}

// GameChanges lists changes in the availability of games.
func (a *Area) GameChanges(c *fiber.Ctx) error {
	page := &gameChangesPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, wrong, err := a.gameChangeFilter(c, page)
	if err != nil {
		return err
	}
	if page.Unreadable = wrong; wrong != nil {
		return a.Render(c, "games/changes", page)
	}
	list, more, err := a.Store.GameChanges(c.UserContext(), filter)
	if err != nil {
		return err
	}
	page.Rows = gameChangeRows(list)
	if n := len(list); n > 0 {
		page.Paging = page.Around(filter.Page, models.Cursor{At: list[0].At, ID: list[0].ID},
			models.Cursor{At: list[n-1].At, ID: list[n-1].ID}, more, strconv.Itoa(n)+" shown")
	} else if filter.Page.IsZero() {
		page.Empty = &views.Empty{}
		err = page.OfferNearest(page.Empty, page.Dates, func(since, until time.Time, at models.Cursor) (time.Time, error) {
			f := filter
			f.Since, f.Until, f.Page, f.Limit = since, until, at, 1
			list, _, err := a.Store.GameChanges(c.UserContext(), f)
			return web.TimeOfFirst(list, func(one models.GameChange) time.Time { return one.At }), err
		})
	}
	if err != nil {
		return err
	}
	return a.Render(c, "games/changes", page)
}

func gameChangeRows(list []models.GameChange) []gameChangeRow {
	rows := make([]gameChangeRow, len(list))
	for i, change := range list {
		rows[i] = gameChangeRow{change, web.PathOf("/games", change.GameNumber)}
	}
	return rows
}

// gameChangeFilter reads the list's filters. If one cannot be read, or names an unknown game, a message replaces the list.
func (a *Area) gameChangeFilter(c *fiber.Ctx,
	page *gameChangesPage) (filter models.GameChangeFilter, wrong *views.Empty, err error) {
	filter.Limit = GameRows
	game := page.Filter("game", "Game ID", nil)
	page.Game = views.Field{ID: "f-game", Name: "game", Value: game, Picker: "game"}
	words := []string{"", "All"}
	for _, k := range models.GameChangeKinds {
		words = append(words, k.String(), web.FirstUpper(k.String()))
	}
	var kind string
	kind, page.Kinds = page.Choice("change", "Change", words)
	for _, k := range models.GameChangeKinds {
		if kind == k.String() {
			filter.Kind = k
		}
	}
	page.Dates = page.DatesFilter()
	filter.Since, filter.Until = page.Dates.Since, page.Dates.Until
	if game != "" {
		g, found, err := a.Store.Game(c.UserContext(), models.GameID(game))
		if err != nil {
			return filter, nil, err
		}
		if filter.Game = g.ID; !found {
			wrong = &views.Empty{Title: "No changes match these filters",
				Text:  "No game has the ID “" + game + "”. IDs are case-sensitive.",
				Links: []views.Link{{Word: "Clear filters", Href: page.Path, Main: true}}}
		}
	}
	filter.Page, err = page.Place()
	return filter, cmp.Or(page.Unread(), wrong), err
}

// ExportGameChanges reads the availability of games for a file; see web.Exportable.
func (a *Area) ExportGameChanges(c *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &gameChangesPage{Page: p}
	f, wrong, err := a.gameChangeFilter(c, page)
	f.Limit = web.ExportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Time", Kind: export.Time}, {Name: "Game ID"}, {Name: "Change"},
			{Name: "Name"}, {Name: "Former name"}, {Name: "Provider"},
			{Name: "Sync", Kind: export.Number},
		},
		Read: export.NewestFirst(f.Since, func(ctx context.Context, at models.Cursor) (models.Page[models.GameChange], error) {
			f := f
			f.Page = at
			return export.Looked(a.Store.GameChanges(ctx, f))
		}, func(g models.GameChange) models.Cursor { return models.Cursor{At: g.At, ID: g.ID} },
			export.Each(func(g models.GameChange) export.Row {
				return export.Row{g.ID, g.At, string(g.GameID), g.Kind.String(), g.Name, g.FormerName, g.Provider, g.SyncID}
			})),
	}, page.Chips, wrong, err
}
