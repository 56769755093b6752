package app

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/pages/staff"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// finder finds one kind of object by the text in the search box or a picker. It reads an index and never scans a table.
type finder struct {
	kind  string // the kind of a picker, such as "player"
	word  string // the heading of its matches, such as "Players"
	needs web.Permission
	find  func(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error)
}

// allFinders returns the finders, in the order in which their matches are shown.
func (a *App) allFinders() []finder {
	return []finder{
		{"player", "Players", web.ReadPlayers, a.players.FindPlayers},
		{"transaction", "Transactions", web.ReadTransactions, a.transactions.FindTransactions},
		{"callback", "Refused bets and callbacks", web.ReadCallbacks, a.callbacks.FindCallbacks},
		{"round", "Rounds", web.ReadRounds, a.rounds.FindRounds},
		{"game", "Games", web.ReadGames, a.games.FindGames},
		{"grant", "Free spins", web.ReadFreeSpins, a.freespins.FindGrants},
		{"session", "Sessions", web.ReadGameSessions, a.sessions.FindSessions},
		{"correction", "Corrections", web.ReadCorrections, a.corrections.FindCorrections},
		{"case", "Cases", web.ReadCases, a.cases.FindCases},
		{"staff", "Staff", web.ReadStaff, a.findStaff},
	}
}

// matches are the hits of one kind.
type matches struct {
	Kind, Word string
	Hits       []pages.Hit
	More       bool // there are more
}

// lookUp asks every finder that the reader may use, or only the finder of one kind if kind is not empty. If nothing is found,
// it tries again without invisible characters and quotes. found is the text that matched.
func (a *App) lookUp(c *fiber.Ctx, kind, text string, limit int) (list []matches, found string, err error) {
	for _, found = range []string{text, withoutMarks(text)} {
		if list, err = a.findAll(c, kind, found, limit); err != nil || len(list) > 0 {
			return list, found, err
		}
	}
	return nil, found, nil
}

// withoutMarks returns a text without invisible characters, such as zero-width spaces, and without quotes around it.
func withoutMarks(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
	return strings.Trim(text, " \t\u00a0\"'`“”„‟‘’‚‛«»‹›")
}

func (a *App) findAll(c *fiber.Ctx, kind, text string, limit int) ([]matches, error) {
	var list []matches
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if kind == "" {
		list = a.findPages(c, text, limit)
	}
	for _, f := range a.finders {
		allowed := web.ReaderOf(c).May(f.needs)
		if !allowed || kind != "" && kind != f.kind {
			continue
		}
		found, err := f.find(c.UserContext(), text, limit)
		if err != nil {
			return nil, err
		}
		if len(found.Rows) == 0 {
			continue
		}
		list = append(list, matches{f.kind, f.word, found.Rows, found.More})
	}
	return list, nil
}

// findPages finds pages and actions that the reader may open, by the beginnings of words in their titles.
func (a *App) findPages(c *fiber.Ctx, text string, limit int) []matches {
	typed := strings.Fields(strings.ToLower(text))
	items := slices.Clone(doors)
	for _, group := range a.Contents.Navigation {
		items = append(items, group.Items...)
	}
	var hits []pages.Hit
	for _, item := range items {
		words := strings.Fields(strings.ToLower(item.Word))
		named := !slices.ContainsFunc(typed, func(part string) bool {
			return !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, part) })
		})
		if named && a.Opens(c, item.Path) {
			hits = append(hits, pages.Hit{Text: item.Word, Href: item.Path, Value: item.Word, Exact: strings.EqualFold(item.Word, text)})
		}
	}
	if len(hits) == 0 {
		return nil
	}
	return []matches{{"page", "Pages and actions", hits[:min(len(hits), limit)], len(hits) > limit}}
}

type searchPage struct {
	web.Page
	Text  string
	Found []matches
}

// Short reports whether a heading has room for the text.
func (p *searchPage) Short() bool { return utf8.RuneCountInString(p.Text) <= 60 }

// The most hits of each kind on the results page and in the list under the search box.
const (
	hitsOnPage = 20
	hitsInList = 5
)

// search redirects to the only object with exactly this ID, or to the only match. If there are several matches, it lists them
// by kind.
func (a *App) search(c *fiber.Ctx) error {
	page := &searchPage{Page: a.Page(c, "")}
	var err error
	if page.Found, page.Text, err = a.lookUp(c, "", c.Query("q"), hitsOnPage); err != nil {
		return err
	}
	var all, exact []pages.Hit
	for _, kind := range page.Found {
		for _, h := range kind.Hits {
			all = append(all, h)
			if h.Exact {
				exact = append(exact, h)
			}
		}
	}
	only := exact
	if len(exact) != 1 {
		only = all
	}
	if len(only) == 1 {
		return c.Redirect(only[0].Href, fiber.StatusSeeOther)
	}
	return a.Render(c, "search/search", page)
}

type matchesPage struct {
	web.Page
	Text   string
	Picker bool
	Found  []matches
	All    string // the page with more results
}

// searchMatches answers a combobox with its list.
func (a *App) searchMatches(c *fiber.Ctx) error {
	page := &matchesPage{Page: web.Page{Reader: web.ReaderOf(c)}, Picker: c.Query("kind") != ""}
	var err error
	if page.Found, page.Text, err = a.lookUp(c, c.Query("kind"), c.Query("q"), hitsInList); err != nil {
		return err
	}
	if !page.Picker && slices.ContainsFunc(page.Found, func(m matches) bool { return m.More }) {
		page.All = "/search?q=" + web.EscapeQuery(page.Text)
	}
	return a.Render(c, "search/matches", page, "part:matches")
}

// findStaff finds colleagues by a part of their name or username.
func (a *App) findStaff(ctx context.Context, text string, limit int) (models.Found[pages.Hit], error) {
	list, err := a.Store.ListStaff(ctx, models.StaffFilter{Text: text, Span: models.Span{Limit: limit}})
	return pages.HitsOf(models.Found[models.Staff]{Rows: list.Rows, More: list.More},
		func(s models.Staff) pages.Hit {
			state := staff.StaffState(s)
			return pages.Hit{
				Text: s.Name + ", " + string(s.Role), ID: views.ID{Text: s.Username, Kind: "username"}, Value: s.Username,
				Href: staff.StaffPath(s.ID), State: &state, Exact: strings.EqualFold(s.Username, text),
			}
		}), err
}
