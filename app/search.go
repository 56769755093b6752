package app

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// hit is something that was found.
type hit struct {
	Text  string   // what it is, such as "Bet of 25.00 EUR, anna"
	ID    views.ID // shown beside it, where Text is not the ID itself
	Value string   // what a picker puts into its field
	Href  string
	State *views.Badge
	Exact bool // what was typed is its whole ID
}

// finder finds one kind of thing by what was typed into the jump-to box or into a picker: exact IDs first, then beginnings of them
// and names. It must be quick: an index, not a table.
type finder struct {
	kind  string // what a picker asks for, such as "player"
	word  string // over its matches, such as "Players"
	needs Permission
	find  func(ctx context.Context, text string, limit int) ([]hit, error)
}

// allFinders lists who finds what, in the order in which matches are shown.
func (a *App) allFinders() []finder {
	return []finder{
		{"player", "Players", readPlayers, a.findPlayers},
		{"transaction", "Transactions", readTransactions, a.findTransactions},
		{"round", "Rounds", readRounds, a.findRounds},
		{"game", "Games", readGames, a.findGames},
		{"grant", "Free spins", readFreeSpins, a.findGrants},
		{"correction", "Corrections", readCorrections, a.findCorrections},
		{"case", "Cases", readCases, a.findCases},
		{"callback", "Callbacks", readCallbacks, a.findCallbacks},
		{"staff", "Staff", readStaff, a.findStaff},
	}
}

// matches are the hits of one kind.
type matches struct {
	Kind, Word string
	Hits       []hit
	Full       bool // there may be more of them
}

// HaveStates reports whether any of the hits has a state.
func (m matches) HaveStates() bool {
	return slices.ContainsFunc(m.Hits, func(h hit) bool { return h.State != nil })
}

// lookUp asks every finder that the reader may use, or the one of a kind.
func (a *App) lookUp(c *fiber.Ctx, kind, text string, limit int) ([]matches, error) {
	var found []matches
	if text == "" {
		return nil, nil
	}
	for _, f := range a.finders {
		allowed, err := may(reader(c).Role, f.needs)
		if err != nil {
			return nil, err
		}
		if !allowed || kind != "" && kind != f.kind {
			continue
		}
		hits, err := f.find(c.UserContext(), text, limit)
		if err != nil {
			return nil, err
		}
		if len(hits) > 0 {
			found = append(found, matches{f.kind, f.word, hits, len(hits) >= limit})
		}
	}
	return found, nil
}

type searchPage struct {
	Page
	Text  string
	Found []matches
	Empty views.Empty
}

// search goes straight to the one thing that has this very ID, or that alone matches; several list themselves by kind.
func (a *App) search(c *fiber.Ctx) error {
	page := &searchPage{Page: a.page(c, "Search"), Text: strings.TrimSpace(c.Query("q"))}
	found, err := a.lookUp(c, "", page.Text, 20)
	if err != nil {
		return err
	}
	var all, exact []hit
	for _, kind := range found {
		for _, h := range kind.Hits {
			all = append(all, h)
			if h.Exact {
				exact = append(exact, h)
			}
		}
	}
	switch {
	case len(exact) == 1:
		return c.Redirect(exact[0].Href, fiber.StatusSeeOther)
	case len(all) == 1:
		return c.Redirect(all[0].Href, fiber.StatusSeeOther)
	}
	page.Found = found
	if n := utf8.RuneCountInString(page.Text); n > 0 && n <= 60 {
		page.Title, page.Heading = "Search for “"+page.Text+"”", "Search for “"+page.Text+"”"
	}
	page.Lede = "By ID, its beginning, or a name."
	page.Empty = views.Empty{Title: "Nothing is called “" + page.Text + "”", Text: "IDs are compared letter for letter. Type the beginning of one, or part of a name."}
	if page.Text == "" {
		page.Empty = views.Empty{Title: "Type what you look for", Text: "The box at the top takes any ID or name; the key / leads there from every page."}
	}
	return a.render(c, "search/search", page)
}

type matchesPage struct {
	Page
	Text   string
	Picker bool
	Found  []matches
}

// searchMatches answers a combobox with its list.
func (a *App) searchMatches(c *fiber.Ctx) error {
	page := &matchesPage{Page: Page{Reader: reader(c)}, Text: strings.TrimSpace(c.Query("q")), Picker: c.Query("kind") != ""}
	var err error
	if page.Found, err = a.lookUp(c, c.Query("kind"), page.Text, 5); err != nil {
		return err
	}
	return a.render(c, "search/matches", page, "part:matches")
}

func (a *App) findStaff(ctx context.Context, text string, limit int) ([]hit, error) {
	list, _, err := a.Store.ListStaff(ctx, models.StaffFilter{Text: text, Limit: limit})
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, s := range list {
		state := staffState(s)
		hits = append(hits, hit{
			Text: s.Name + ", " + string(s.Role), ID: views.ID{Text: s.Username, Kind: "username"}, Value: s.Username,
			Href: staffPath(s.ID), State: &state, Exact: strings.EqualFold(s.Username, text),
		})
	}
	return hits, nil
}
