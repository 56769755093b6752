package web

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/atonce"
)

// MenuGroup is a part of the side navigation.
type MenuGroup struct {
	Word  string
	Items []MenuItem
}

// MenuItem is a page in the navigation. app/navigation.go fills in its first fields.
type MenuItem struct {
	Path, Word, Icon string
	Key              string  // opens the page when pressed after "g"
	Counter          Counter // counts what waits there; nil if nothing ever does

	Current bool
	Count   int    // how many things wait there
	Shown   string // Count in words or digits
	Counted string // the word after Shown, such as "waiting"
	Risk    bool   // money is at risk
}

// chapters are the chapters of the handbook about pages, by the first part of the pages' addresses.
var chapters = map[string]string{
	"players": "support", "games": "support", "sessions": "support", "transactions": "support", "rounds": "support",
	"callbacks": "support", "search": "support", "free-spins": "bonus", "corrections": "finance", "statements": "finance",
	"reports": "finance", "cases": "compliance", "audit": "compliance", "integrity": "compliance", "exports": "compliance",
	"packs": "compliance", "staff": "administration", "platform": "administration", "settings": "administration",
}

// Help returns the address of the handbook's chapter about the page, or of the list of chapters.
func (p *Page) Help() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(p.Path, "/"), "/")
	if chapter := chapters[first]; chapter != "" {
		return "/help/" + chapter
	}
	return "/help"
}

// Count is how many things wait on a page.
type Count struct {
	N     int
	Shown string // N in words; empty for its digits
	Word  string // the words after the number: "waiting", "of unknown outcome"
	Risk  bool
}

// Counter counts what waits for a reader. It runs for every page, so it must be quick: it reads an index and never scans a
// table.
type Counter func(ctx context.Context, who *Reader) (Count, error)

// menu returns a function that returns the navigation for one reader. If the request only reads, the counters run at the same
// time as the handler, and the function waits for them. If the request makes a change, the function runs the counters, so that
// they count the change.
func (s *Site) menu(c *fiber.Ctx, who *Reader) func() []MenuGroup {
	var menu []MenuGroup
	for _, group := range s.Contents.Navigation {
		shown := MenuGroup{Word: group.Word}
		for _, item := range group.Items {
			if s.Opens(c, item.Path) {
				item.Current = c.Path() == item.Path || item.Path != "/" && strings.HasPrefix(c.Path(), item.Path+"/")
				shown.Items = append(shown.Items, item)
			}
		}
		if len(shown.Items) > 0 {
			menu = append(menu, shown)
		}
	}
	ctx, part := c.UserContext(), c.Get("HX-Request") != ""
	count := sync.OnceFunc(func() {
		for _, group := range menu {
			for i := range group.Items {
				if item := &group.Items[i]; item.Counter != nil && !part {
					s.count(ctx, who, item)
				}
			}
		}
	})
	if Safe(c) {
		go count()
	}
	return func() []MenuGroup {
		count()
		return menu
	}
}

// count fills in how many things wait on the item's page. If that fails, the page is shown without the number.
func (s *Site) count(ctx context.Context, who *Reader, item *MenuItem) {
	var waiting Count
	err := atonce.Recovering(func() (err error) {
		waiting, err = item.Counter(ctx, who)
		return err
	})
	// A request that does not need the navigation may end, and cancel its context, while counters still run.
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		s.Log.Warn("counting for the navigation failed", "path", item.Path, "err", err)
	}
	item.Count, item.Shown, item.Counted, item.Risk = waiting.N, waiting.Shown, waiting.Word, waiting.Risk
	if item.Shown == "" {
		item.Shown = Grouped(int64(waiting.N))
	}
}
