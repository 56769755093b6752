package web

import (
	"context"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
)

// menuGroup is a part of the side navigation.
type menuGroup struct {
	Word  string
	Items []menuItem
}

type menuItem struct {
	Path, Word, Icon string
	Key              string // with "g" before it, opens the page

	Current bool
	Count   int    // how many things wait there
	Shown   string // Count in words or digits
	Counted string // what they are: "waiting"
	Risk    bool   // money is at risk in them
}

// navigation lists the pages of the menu. One without a row in routes.go is not shown, nor one that the reader may not open.
var navigation = []menuGroup{
	{"", []menuItem{{Path: "/", Word: "Overview", Icon: "overview", Key: "o"}}},
	{"Play", []menuItem{
		{Path: "/players", Word: "Players", Icon: "players", Key: "p"},
		{Path: "/games", Word: "Games", Icon: "games", Key: "g"},
		{Path: "/sessions", Word: "Sessions", Icon: "sessions", Key: "s"},
		{Path: "/free-spins", Word: "Free spins", Icon: "spins", Key: "f"},
	}},
	{"Money", []menuItem{
		{Path: "/transactions", Word: "Transactions", Icon: "transactions", Key: "t"},
		{Path: "/rounds", Word: "Rounds", Icon: "rounds", Key: "r"},
		{Path: "/corrections", Word: "Corrections", Icon: "corrections", Key: "c"},
	}},
	{"Control", []menuItem{
		{Path: "/cases", Word: "Cases", Icon: "cases", Key: "k"},
		{Path: "/statements", Word: "Statements", Icon: "statements", Key: "m"},
		{Path: "/callbacks", Word: "Callbacks", Icon: "callbacks", Key: "b"},
		{Path: "/audit", Word: "Audit", Icon: "audit", Key: "a"},
		{Path: "/integrity", Word: "Integrity", Icon: "integrity", Key: "i"},
	}},
	{"Figures", []menuItem{
		{Path: "/reports", Word: "Reports", Icon: "reports", Key: "q"},
		{Path: "/exports", Word: "Exports", Icon: "download", Key: "e"},
	}},
	{"Admin", []menuItem{
		{Path: "/staff", Word: "Staff", Icon: "staff", Key: "u"},
		{Path: "/platform", Word: "Platform", Icon: "platform", Key: "l"},
		{Path: "/settings", Word: "Settings", Icon: "settings", Key: ","},
	}},
}

// Count is how many things wait on a page.
type Count struct {
	N     int
	Shown string // N in words; empty for its digits
	Word  string // what they are, after the number: "waiting", "of unknown outcome"
	Risk  bool
}

// Counter counts what waits for a reader. It runs for every page, so it must be quick: it reads an index, not a table.
type Counter func(ctx context.Context, who *Reader) (Count, error)

// menu returns a function that returns the navigation for one reader. Where nothing is changed, its counters run at the same time
// as the handler, and the function waits for them; otherwise the function runs them, so that they count what has been changed.
func (s *Site) menu(c *fiber.Ctx, who *Reader) func() []menuGroup {
	var menu []menuGroup
	var counted []*menuItem
	for _, group := range navigation {
		shown := menuGroup{Word: group.Word}
		for _, item := range group.Items {
			if s.Opens(c, item.Path) {
				item.Current = c.Path() == item.Path || item.Path != "/" && strings.HasPrefix(c.Path(), item.Path+"/")
				shown.Items = append(shown.Items, item)
			}
		}
		if len(shown.Items) == 0 {
			continue
		}
		menu = append(menu, shown)
		for i := range shown.Items {
			if s.Contents.Counters[shown.Items[i].Path] != nil && c.Get("HX-Request") == "" {
				counted = append(counted, &shown.Items[i])
			}
		}
	}
	ctx := s.store.OnPrimary(c.UserContext())
	count := sync.OnceFunc(func() {
		for _, item := range counted {
			s.count(ctx, who, item)
		}
	})
	if Safe(c) {
		go count()
	}
	return func() []menuGroup {
		count()
		return menu
	}
}

// count fills in how many things wait on the item's page. If that fails, the page is shown without the number.
func (s *Site) count(ctx context.Context, who *Reader, item *menuItem) {
	var waiting Count
	err := recovering(func() (err error) {
		waiting, err = s.Contents.Counters[item.Path](ctx, who)
		return err
	})
	if err != nil && ctx.Err() == nil { // it ends with the request, which may not have needed the navigation
		s.Log.Warn("counting for the navigation failed", "path", item.Path, "err", err)
	}
	item.Count, item.Shown, item.Counted, item.Risk = waiting.N, waiting.Shown, waiting.Word, waiting.Risk
	if item.Shown == "" {
		item.Shown = Grouped(int64(waiting.N))
	}
}
