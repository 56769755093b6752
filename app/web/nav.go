package web

import (
	"context"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
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
	Counter          Counter // counts the work that waits there; nil if there never is any

	Current bool
	Count   int    // how many things wait there
	Shown   string // Count in words or digits
	Counted string // the word after Shown, such as "waiting"
	Risk    bool   // money is at risk
}

// chapters are the sections of the handbook about pages, by the beginning of the pages' addresses.
var chapters = map[string]string{
	"/players": "support#find-a-player-or-a-bet", "/transactions": "support#find-a-player-or-a-bet",
	"/restrictions": "compliance#stop-play",
	"/rounds":       "support#explain-what-the-player-saw", "/callbacks": "support#explain-what-the-player-saw",
	"/sessions": "support#see-the-game-as-a-player-does", "/games": "administration#the-platform-and-its-games",
	"/free-spins": "bonus", "/campaigns": "bonus#grant-spins",
	"/cash-outs":   "finance#approve-a-cash-out",
	"/corrections": "finance#approve-a-correction", "/corrections/new": "support#request-a-correction",
	"/statements": "finance#compare-a-statement", "/reports": "finance#sign-a-day",
	"/reports/rates": "finance#figures-in-one-currency", "/reports/ranked": "finance#look-for-patterns", "/reports/returns": "finance#look-for-patterns",
	"/reports/liability": "finance#liability-to-players", "/cases": "cases",
	"/yours": "support#your-own-work",
	"/audit": "compliance#who-did-what", "/integrity": "compliance#prove-the-ledger",
	"/packs":   "compliance#make-a-dispute-pack",
	"/clients": "administration#connect-the-casinos-systems",
	"/staff":   "administration#create-an-account", "/settings": "administration#limits-and-rules",
	"/platform": "administration#the-platform-and-its-games",
}

// Help returns the address of the handbook's section about the page, or of the chapter for the reader's role.
func (p *Page) Help() string {
	for path := p.Path; len(path) > 1; path = path[:strings.LastIndex(path, "/")] {
		if chapter := chapters[path]; chapter != "" {
			return "/help/" + chapter
		}
	}
	switch {
	case p.Reader == nil, strings.HasPrefix(p.Path, "/help"):
		return "/help"
	case p.Reader.Role == models.Administrator:
		return "/help/administration"
	}
	return "/help/" + string(p.Reader.Role)
}

// Count is how much work waits on a page.
type Count struct {
	N     int
	Shown string // N in words; empty for its digits
	Word  string // the words after the number: "waiting", "of unknown outcome"
	Risk  bool
}

// Counter counts what waits for a reader. It runs for every page, so it must be quick: it reads an index and never scans a
// table.
type Counter func(ctx context.Context, who *Reader) (Count, error)

// menu returns the navigation for one reader, with the numbers of waiting work. A part of a page gets no numbers.
func (s *Site) menu(c *fiber.Ctx, who *Reader) (menu []MenuGroup) {
	for _, group := range s.Contents.Navigation {
		shown := MenuGroup{Word: group.Word}
		for _, item := range group.Items {
			if !s.Opens(c, item.Path) {
				continue
			}
			item.Current = c.Path() == item.Path || item.Path != "/" && strings.HasPrefix(c.Path(), item.Path+"/")
			if item.Counter != nil && c.Get("HX-Request") == "" {
				if err := s.count(c.UserContext(), who, &item); err != nil {
					s.Log.Warn("A number of the navigation could not be counted.", "err", err)
				}
			}
			shown.Items = append(shown.Items, item)
		}
		if len(shown.Items) > 0 {
			menu = append(menu, shown)
		}
	}
	return menu
}

// count fills in the number of an item. If that fails, the page is shown without the number.
func (s *Site) count(ctx context.Context, who *Reader, item *MenuItem) error {
	waiting, err := item.Counter(ctx, who)
	if err != nil {
		return fmt.Errorf("%s: %w", item.Path, err)
	}
	item.Count, item.Shown, item.Counted, item.Risk = waiting.N, waiting.Shown, waiting.Word, waiting.Risk
	if item.Shown == "" {
		item.Shown = Grouped(int64(waiting.N))
	}
	return nil
}
