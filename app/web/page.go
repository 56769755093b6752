package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/models"
	"pitboss/views"
)

// LatestRows is how many rows of other lists an object's page shows.
const LatestRows = 10

// TransactionsSeen limits how many of a player's transactions since a time are counted.
const TransactionsSeen = 100

// Page is what every page has. Handlers fill in its first fields.
type Page struct {
	Title    string // of the window and the heading, unless the template has them
	Badges   []views.Badge
	HeadID   *views.ID
	Keys     []QueueKey // keys of this page, besides those of every page
	Live     bool       // parts of the page refresh themselves
	Saveable bool       // a list whose filters can be saved as a view

	Exportable bool          // a list that its reader may export; Render sets it for a web.List
	Foot       []HistoryLine // the history of the object that the page shows; Render fills it in
	FootHref   string        // where the rest of Foot is

	Site     Installation
	Reader   *Reader
	Viewer   models.Actor // the reader, whose views are recorded; empty if the page itself or an export reads
	CSRF     string
	MadeFrom string       // see Form.MadeFrom
	Confirm  *views.Field // the password, for a form that asks for it; nil if it was just given, or an identity provider has it
	Flash    *views.Note
	Path     string         // of the request
	Query    string         // of the request, without the place in a list
	Filters  []views.Filter // the fields of the form above a list
	Chips    []views.Chip
	Views    []savedView
	Theme    string
	Density  string

	Now    time.Time
	Zone   *time.Location
	Params url.Values
	comma  bool // decimals may be typed after a comma

	filters []string // the list's filters, by their names in the address
	others  []string // other parameters that its address may have
	wrong   []string // errors of the filters, in sentences
	unknown *views.Empty
	more    bool     // the filters that are read next are shown under Add filter
	amounts []string // the filters by amount that are set, with their values
	One     bool     // the list has amounts of one currency only

	list, listQuery string // the path of the page's list, and what limits it on a tab: see TabOf

	menu    func() []MenuGroup // counts what waits
	freezes func() []models.Restriction
}

// Installation has the facts about this installation that layouts show.
type Installation struct {
	Operator, Environment, AgentID, Contact, Version string

	SignOn bool // there is single sign-on
}

type savedView struct {
	models.SavedView
	Href string
}

// Page returns the part that all pages share. It takes the message left by the last action, so the message is shown only once.
func (s *Site) Page(c *fiber.Ctx, title string) Page {
	p := Page{
		Title: title, Site: Installation{s.Operator, s.Environment, s.AgentID, s.Contact, s.Version, s.SignOn != nil}, Path: c.Path(),
		Theme: "system", Density: "roomy", Now: s.Now(), Zone: time.UTC, comma: s.DecimalComma,
	}
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		query = url.Values{}
	}
	p.Params = query
	p.Query = Without(query, PlaceNames...)
	who := ReaderOf(c)
	if who == nil {
		return p
	}
	p.Reader, p.Zone, p.Theme, p.Density = who, who.Zone, who.Profile.Theme, who.Profile.Density
	if !IsPoll(c) {
		p.Viewer = s.Actor(c)
	}
	p.CSRF = credentials.Masked(who.Value(valueToken))
	p.Flash, _ = c.Locals(flashKey).(*views.Note)
	if flash := who.Value(valueFlash); flash != "" && !IsPoll(c) {
		note := &views.Note{}
		if json.Unmarshal([]byte(flash), note) == nil {
			p.Flash = note
			c.Locals(flashKey, note) // the request may render a second page, from the primary or for an error
		}
		if err := s.SetValue(c, valueFlash, ""); err != nil {
			s.Log.Warn("A message for the next page could not be cleared.", "err", err)
		}
	}
	p.Confirm = s.confirmField(c)
	if who.Stage == SignedIn {
		p.menu = func() []MenuGroup { return s.menu(c, who) }
		p.freezes = func() []models.Restriction {
			frozen, err := s.Store.Freezes(c.UserContext())
			if err != nil {
				s.Log.Warn("The freezes in effect could not be read.", "err", err)
			}
			return frozen
		}
	}
	return p
}

// Freezes returns the freezes in effect. It is empty until the reader has signed in.
func (p *Page) Freezes() []models.Restriction {
	if p.freezes == nil {
		return nil
	}
	return p.freezes()
}

// Menu returns the navigation. It is empty until the reader has signed in.
func (p *Page) Menu() []MenuGroup {
	if p.menu == nil {
		return nil
	}
	return p.menu()
}

// Sought returns the text of the search box at the top: the query on the page of results, and "" on other pages.
func (p *Page) Sought() string {
	if p.Path != "/search" {
		return ""
	}
	return p.Params.Get("q")
}

// layout returns the layout of the page: until its reader has signed in, it has no navigation.
func (p *Page) layout() string {
	if p.Reader == nil || p.Reader.Stage != SignedIn {
		return "bare"
	}
	return "app"
}

// Render answers with a page, or with the part of it that htmx asks for. layout replaces the page's own.
func (s *Site) Render(c *fiber.Ctx, name string, page pager, layout ...string) error {
	p := page.Base()
	if p.Saveable && p.Reader != nil {
		list, err := s.Store.Views(c.UserContext(), p.Path, p.Reader.ID)
		if err != nil {
			return err
		}
		for _, v := range list {
			p.Views = append(p.Views, savedView{v, v.Page + "?" + v.Query})
		}
	}
	if p.Saveable || p.list != "" && len(p.wrong) == 0 {
		p.Exportable = s.MayExport(p, p.List())
	}
	if target := c.Get("HX-Target"); target != "" && s.views.Has(name, "part:"+target) {
		layout = []string{"part:" + target}
	} else if p.Reader != nil {
		if err := s.Contents.Foot(c, p); err != nil {
			return err
		}
	}
	c.Response().ResetBody() // of a first attempt
	if err := s.views.Render(c, name, page, append(layout, p.layout())[0]); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return nil
}

// pager is a page's struct: it embeds Page.
type pager interface{ Base() *Page }

// Base returns the Page that every page's struct embeds.
func (p *Page) Base() *Page { return p }

// Can reports whether the reader has a permission.
func (p *Page) Can(what Permission) bool { return p.Reader != nil && p.Reader.May(what) }

// May is Can for templates, which name a permission by its words. Unknown words are an error, so that a page with a misspelling
// fails.
func (p *Page) May(words string) (bool, error) {
	what := Permission{words}
	if _, known := Grants[what]; !known {
		return false, fmt.Errorf("there is no permission to %q", words)
	}
	return p.Can(what), nil
}

// TabOf declares that the page is a tab of one object: it shows the list at a path, limited to the object by a query.
func (p *Page) TabOf(path, query string) { p.list, p.listQuery = path, query }

// List returns the path of the page's list, for its export.
func (p *Page) List() string { return cmp.Or(p.list, p.Path) }

// ListQuery returns the filters of the list, as a query.
func (p *Page) ListQuery() string { return strings.Trim(p.listQuery+"&"+p.Query, "&") }

// Here returns the address of this page with its filters and its place in the list.
func (p *Page) Here() string { return WithQuery(p.Path, p.Params.Encode()) }

// ZoneName returns the reader's zone as the bar shows it: "Vienna, UTC+1".
func (p *Page) ZoneName() string {
	if p.Zone == time.UTC || p.Zone.String() == "UTC" {
		return "UTC"
	}
	name := p.Zone.String()
	name = strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
	_, offset := p.Now.In(p.Zone).Zone()
	return name + ", " + views.UTCOffset(offset)
}

// NextTheme returns the theme that the switch in the bar changes to.
func (p *Page) NextTheme() string {
	i := slices.Index(models.Themes, p.Theme)
	return models.Themes[(i+1)%len(models.Themes)]
}

// Time returns a time as the page shows it: in the reader's zone, with UTC on hover.
func (p *Page) Time(at time.Time) views.Moment { return views.NewMoment(at, p.Now, p.Zone) }

// Money returns an amount or a sum as the page shows it if its sign does not matter, such as a balance.
func (p *Page) Money(m models.Amount, c models.Currency) views.Money {
	return views.Money{Text: m.Grouped(), Currency: string(c)}
}

// Signed returns an amount or a sum with its sign, as money that came in or went out.
func (p *Page) Signed(m models.Amount, c models.Currency) views.Money {
	return views.Money{Text: m.Signed(), Currency: string(c)}
}

// PlaceNames are the query parameters of a list that are not filters: where its page begins, and whether to show sums.
var PlaceNames = []string{"after", "before", "sums"}

// Filter returns the value of a filter from the address, and adds its chip if it is set. shown returns the words for the chip;
// if shown is nil, the chip shows the value.
func (p *Page) Filter(name, label string, shown func(string) string) string {
	p.filters = append(p.filters, name)
	value := strings.TrimSpace(p.Params.Get(name))
	if value == "" {
		return ""
	}
	words := value
	if shown != nil {
		words = shown(value)
	}
	p.Chips = append(p.Chips,
		views.Chip{Label: label, Value: words, Without: WithQuery(p.Path, Without(p.Params, append(PlaceNames, name)...))})
	return value
}

// Place returns where the page begins in a list that is newest first.
func (p *Page) Place() (models.Cursor, error) {
	for _, name := range PlaceNames[:2] {
		if at, err := p.PlaceIn(name); err != nil || !at.IsZero() {
			at.Newer = name == "before"
			return at, err
		}
	}
	return models.Cursor{}, nil
}

// PlaceIn returns the place in a list that this parameter of the address names, or zero if there is none.
func (p *Page) PlaceIn(name string) (at models.Cursor, err error) {
	text := p.Params.Get(name)
	if text == "" {
		return at, nil
	}
	if at, err = models.ParseCursor(text); err != nil {
		return at, BadAddress("It names a place in the list that does not exist.")
	}
	return at, nil
}

// Queried returns another address with this page's filters.
func (p *Page) Queried(path string) string { return WithQuery(path, p.Query) }

// With returns the address of this list with its filters and one more parameter, such as another place, or without it if value
// is empty.
func (p *Page) With(name, value string) string {
	q, err := url.ParseQuery(p.Query)
	if err != nil {
		q = url.Values{}
	}
	q.Set(name, value)
	return WithQuery(p.Path, Without(q))
}

// Without returns a query without these parameters. It also leaves out empty ones, because forms send all their fields.
func Without(query url.Values, names ...string) string {
	kept := url.Values{}
	for name, values := range query {
		if slices.Contains(names, name) || len(values) == 0 || strings.TrimSpace(values[0]) == "" {
			continue
		}
		kept[name] = values[:1]
	}
	return kept.Encode()
}

// WithQuery returns a path with its query, if there is one.
func WithQuery(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// QueueKey is a keyboard shortcut of a page, and what it does.
type QueueKey struct{ Key, Word string }

// HistoryLine is an audit event in the history on an object's own page.
type HistoryLine struct {
	models.AuditEvent
	Moment views.Moment
	What   string
	Change string
	Href   string // of the event; empty if the reader may not view the log
}

// SettingInForce is a setting that the program runs with.
type SettingInForce struct{ Variable, Value string }
