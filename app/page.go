package app

// How to add a page.
//
// 1. A row in routes.go: method, path, the permission from permission.go that it needs, handler. The navigation shows an item
// of
//     nav.go as soon as its path is a row and its reader may open it.
//  2. A file per subject (players.go) with the page's struct, which embeds Page, and its handlers:
//
//     type playersPage struct {
//     Page
//     Rows   []playerRow
//     Paging views.Paging
//     }
//
//     func (a *App) players(c *fiber.Ctx) error {
//     page := &playersPage{Page: a.page(c, "Players")}
//     text := page.filter("q", "Name", nil)        // a filter in the address, and its chip
//     at, err := page.place()                      // the place in the list, from the address
//     ...
//     page.Paging = page.around(at, first, last, more, "50 shown")
//     return a.render(c, "players/list", page)
//     }
//
// 3. A template views/players/list.html that defines "content". It begins with {{template "title" .}}, which writes crumbs,
// title,
//     lede and actions from the Page, and is made of the partials in views/partials, which take the structs of views/parts.go:
//     {{template "time" ($.Time .At)}}, {{template "amount" ($.Money .Bet .Currency)}}, {{template "badge" .State}},
//     {{template "id" (shortid .ID "transaction ID")}}, {{template "facts" .Facts}}, {{template "timeline" .Events}},
//     {{template "chips" .}}, {{template "views" .}}, {{template "paging" .Paging}}, {{template "empty" .Empty}},
//     {{template "field" .Name}}, {{template "deed" .}}. Tables follow views/staff/list.html. What only some may do stands
// within
//     {{if $.Can "block players"}}. Scripts and styles never stand in a page.
// 4. Forms post to a noun, carry {{template "csrf" .}}, and read with newForm: a refused form is rendered again with status
// 422,
//     keeping what was typed; one that was done redirects with status 303 (a.done leaves the message). What moves money or
// spins is
//     confirmed on a page of its own with the partial "deed", whose password field and check are confirmField and confirm.
//  5. A part that changes by itself is a template named "part:x" in the page's file, inside an element that asks for it again:
//     <div id="x" data-live hx-get="{{.Here}}" hx-trigger="every 10s">{{template "part:x" .}}</div>. The same handler
//     answers: render sees from the header HX-Target which part is meant. data-live marks the request as polling.
//  6. What can be found by its ID gets a finder in search.go; what waits for a person gets a counter in nav.go.
//
// The tests run every row of routes.go for every role, and read each page for inline scripts and styles.

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Page is what every page has. Handlers fill in what stands in its upper half.
type Page struct {
	Title    string // of the window
	Heading  string // of the page; the title unless set
	Lede     string // one line that says what the page holds
	Badges   []views.Badge
	HeadID   *views.ID
	Crumbs   []views.Crumb
	Actions  []views.Link
	Keys     []queueKey // that work on this page besides those of every page
	Live     bool       // parts of the page ask for themselves again
	Saveable bool       // a list whose filters can be saved as a view

	Exportable bool          // a list that its reader may export; render sees to it where the list is Saveable
	Foot       []historyLine // what staff did to the thing whose page this is; render sees to it
	FootHref   string        // the rest of that

	Site    Site
	Reader  *Reader
	CSRF    string
	Flash   *views.Note
	Menu    []menuGroup
	Path    string // of the request
	Query   string // of the request, without the place in a list
	Chips   []views.Chip
	Views   []savedView
	Theme   string
	Density string

	now    time.Time
	zone   *time.Location
	params url.Values
	comma  bool        // decimals may be typed after a comma
	ties   models.Ties // what the reader cannot approve: knowTies sees to it
}

// Site is what the layouts say of the installation.
type Site struct{ Operator, Environment, AgentID, Version string }

type savedView struct {
	models.SavedView
	Href string
}

// page begins a page. It takes the message that the last action left.
func (a *App) page(c *fiber.Ctx, title string) Page {
	p := Page{
		Title: title, Heading: title, Site: Site{a.Operator, a.Environment, a.AgentID, a.Version}, Path: c.Path(),
		Theme: "system", Density: "roomy", now: a.Now(), zone: time.UTC, comma: a.DecimalComma,
	}
	query, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		query = url.Values{}
	}
	p.params = query
	p.Query = without(query, placeNames...)
	who := reader(c)
	if who == nil {
		return p
	}
	p.Reader, p.zone, p.Theme, p.Density = who, who.Zone, who.Profile.Theme, who.Profile.Density
	p.CSRF = masked(who.value(valueToken))
	if flash := who.value(valueFlash); flash != "" && !isPoll(c) {
		note := &views.Note{}
		if json.Unmarshal([]byte(flash), note) == nil {
			p.Flash = note
		}
		if err := a.setValue(c, valueFlash, ""); err != nil {
			a.Log.Warn("message could not be cleared", "err", err)
		}
	}
	if who.stage == signedIn {
		p.Menu = a.menu(c, who)
	}
	return p
}

// Sought is what was typed into the box at the top, on the page that answers it.
func (p *Page) Sought() string {
	if p.Path != "/search" {
		return ""
	}
	return p.params.Get("q")
}

// render answers with a page, or with the part of it that htmx asks for.
func (a *App) render(c *fiber.Ctx, name string, page pager, layout ...string) error {
	p := page.base()
	if p.Saveable && p.Reader != nil {
		list, err := a.Store.Views(c.UserContext(), p.Path, p.Reader.ID)
		if err != nil {
			return err
		}
		for _, v := range list {
			p.Views = append(p.Views, savedView{v, v.Page + "?" + v.Query})
		}
		if p.Exportable, err = a.mayExport(p, p.Path); err != nil {
			return err
		}
	}
	for i := range p.Actions {
		if p.Actions[i].Post {
			p.Actions[i].CSRF = p.CSRF
		}
	}
	if target := c.Get("HX-Target"); target != "" && a.views.Has(name, "part:"+target) {
		layout = []string{"part:" + target}
	} else if p.Reader != nil {
		if err := a.foot(c, p); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := a.views.Render(&b, name, page, layout...); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(b.Bytes())
}

// pager is a page's struct: it embeds Page.
type pager interface{ base() *Page }

func (p *Page) base() *Page { return p }

// Can reports whether the reader may do something, by the words of permission.go.
func (p *Page) Can(what Permission) (bool, error) {
	if p.Reader == nil {
		return false, nil
	}
	return may(p.Reader.Role, what)
}

// Here is the address of this page with its filters and its place.
func (p *Page) Here() string { return withQuery(p.Path, p.params.Encode()) }

// ZoneName is the reader's zone as the bar shows it: "Vienna, UTC+1".
func (p *Page) ZoneName() string {
	if p.zone == time.UTC || p.zone.String() == "UTC" {
		return "UTC"
	}
	name := p.zone.String()
	name = strings.ReplaceAll(name[strings.LastIndex(name, "/")+1:], "_", " ")
	_, offset := p.now.In(p.zone).Zone()
	return name + ", " + utcOffset(offset)
}

func utcOffset(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	s := "UTC" + sign + strconv.Itoa(seconds/3600)
	if minutes := seconds / 60 % 60; minutes != 0 {
		s += ":" + strconv.Itoa(minutes)
	}
	return s
}

// NextTheme is what the switch of colours changes to.
func (p *Page) NextTheme() string {
	i := slices.Index(models.Themes, p.Theme)
	return models.Themes[(i+1)%len(models.Themes)]
}

// Time shows a time in the reader's zone, UTC on hover.
func (p *Page) Time(at time.Time) views.Moment { return views.NewMoment(at, p.now, p.zone) }

// money is a models.Amount or a models.Sum.
type money interface {
	Grouped() string
	Signed() string
}

// Money shows an amount or a sum: a balance, or one whose sign does not matter.
func (p *Page) Money(m money, c models.Currency) views.Money {
	return views.Money{Text: m.Grouped(), Currency: string(c)}
}

// Signed shows an amount or a sum with its sign: what came and what went.
func (p *Page) Signed(m money, c models.Currency) views.Money {
	return views.Money{Text: m.Signed(), Currency: string(c)}
}

// placeNames are the query parameters that say where in a list a page begins. They are no filters.
var placeNames = []string{"after", "before"}

// filter reads a filter from the address, and shows it as a chip while it is in force. shown puts its value into words; nil
// shows it as it is.
func (p *Page) filter(name, label string, shown func(string) string) string {
	value := strings.TrimSpace(p.params.Get(name))
	if value == "" {
		return ""
	}
	words := value
	if shown != nil {
		words = shown(value)
	}
	p.Chips = append(p.Chips,
		views.Chip{Label: label, Value: words, Without: withQuery(p.Path, without(p.params, append(placeNames, name)...))})
	return value
}

// Filterable reports whether the list has filters to show a button for on a narrow window. Every list with chips has.
func (p *Page) Filterable() bool { return p.Saveable || len(p.Chips) > 0 }

// Unfiltered is the address of the list without its filters.
func (p *Page) Unfiltered() string { return p.Path }

// place reads where in a list, newest first, the page begins. An address that cannot be read is a problem.
func (p *Page) place() (models.Cursor, error) {
	for _, name := range placeNames {
		if text := p.params.Get(name); text != "" {
			at, err := models.ParseCursor(text)
			if err != nil {
				return at, badAddress("It names a place in the list that does not exist.")
			}
			at.Newer = name == "before"
			return at, nil
		}
	}
	return models.Cursor{}, nil
}

// around makes the ways to the neighbouring pages from where this one begins, its first and last row, and whether more rows
// follow in the direction in which it was read.
func (p *Page) around(at, first, last models.Cursor, more bool, note string) views.Paging {
	paging := views.Paging{Note: note}
	if first.IsZero() {
		return paging
	}
	if newer := at.Newer && more || !at.Newer && !at.IsZero(); newer {
		paging.Newer = p.with("before", first.String())
	}
	if older := at.Newer || more; older {
		paging.Older = p.with("after", last.String())
	}
	return paging
}

// with is the address of this list at another place.
func (p *Page) with(name, value string) string {
	q, err := url.ParseQuery(p.Query)
	if err != nil {
		q = url.Values{}
	}
	q.Set(name, value)
	return withQuery(p.Path, q.Encode())
}

// without writes a query with neither these parameters nor empty ones: forms send all their fields.
func without(query url.Values, names ...string) string {
	kept := url.Values{}
	for name, values := range query {
		if slices.Contains(names, name) || len(values) == 0 || strings.TrimSpace(values[0]) == "" {
			continue
		}
		kept[name] = values[:1]
	}
	return kept.Encode()
}

func withQuery(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// form is a form that was sent: what was typed, and what is wrong with it.
type form struct {
	c     *fiber.Ctx
	kept  *draft // what was typed on an earlier page; nil: the request itself is the form
	wrong map[string]string
}

// newForm returns the form that was sent, or the one whose draft is in the address.
func newForm(c *fiber.Ctx) *form {
	f := &form{c: c, wrong: map[string]string{}}
	if kept, ok := c.Locals(draftKey).(*draft); ok {
		f.kept = kept
		maps.Copy(f.wrong, kept.Wrong)
	}
	return f
}

// typed reports whether there is a form whose fields show what was typed into them.
func (f *form) typed() bool { return f.kept != nil || f.c.Method() == fiber.MethodPost }

// raw is a field as it was typed.
func (f *form) raw(name string) string {
	if f.kept != nil {
		return f.kept.Values[name]
	}
	return posted(f.c, name)
}

// text is a field without the blanks around it, as the UTF-8 that the databases take: what else was sent is shown as a
// replacement character.
func (f *form) text(name string) string {
	return strings.TrimSpace(strings.ToValidUTF8(f.raw(name), "\ufffd"))
}

// values returns what was typed into the fields that may be kept, by name.
func (f *form) values() map[string]string {
	values := map[string]string{}
	if f.kept != nil {
		maps.Copy(values, f.kept.Values)
	}
	for name, value := range f.c.Request().PostArgs().All() {
		values[string(name)] = string(value)
	}
	if sent, err := f.c.MultipartForm(); err == nil {
		for name, list := range sent.Value {
			values[name] = list[0]
		}
	}
	for _, name := range neverKept {
		delete(values, name)
	}
	return values
}

// refuse says what would be right in a field; the first word on it stands.
func (f *form) refuse(name, why string) {
	if _, refused := f.wrong[name]; !refused {
		f.wrong[name] = why
	}
}

func (f *form) ok() bool { return len(f.wrong) == 0 }

// field is a text field with what was typed into it. A password's is not sent back.
func (f *form) field(v views.Field) views.Field {
	if v.ID == "" {
		v.ID = "f-" + v.Name
	}
	if v.Type != "password" && f.typed() {
		v.Value = f.raw(v.Name)
	}
	v.Wrong = sentence(f.wrong[v.Name])
	return v
}

// sentence makes an error's text one: a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	r := []rune(s)
	s = strings.ToUpper(string(r[:1])) + string(r[1:])
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// choices makes a select's options out of values and their words.
func choices(chosen string, pairs ...string) []views.Choice {
	var list []views.Choice
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, views.Choice{Value: pairs[i], Word: pairs[i+1], Chosen: pairs[i] == chosen})
	}
	return list
}

// refused answers with the page of a form that was not accepted.
func (a *App) refused(c *fiber.Ctx, name string, page pager, layout ...string) error {
	c.Status(fiber.StatusUnprocessableEntity)
	return a.render(c, name, page, layout...)
}

// done redirects after a change, and leaves a message for the next page that stays until read.
func (a *App) done(c *fiber.Ctx, to, message string) error {
	return a.flash(c, to, views.Note{Kind: "done", Icon: "check", Text: message})
}

// flash redirects with a message of any kind.
func (a *App) flash(c *fiber.Ctx, to string, note views.Note) error {
	b, err := json.Marshal(note)
	if err != nil {
		return err
	}
	if err := a.setValue(c, valueFlash, string(b)); err != nil {
		return err
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// number reads the row number in an address.
func number(c *fiber.Ctx, name string) (int64, error) {
	n, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil || n < 1 {
		return 0, notFound("page")
	}
	return n, nil
}

// local returns an address of this site that a form or a link has brought along, and the fallback for anything else.
func local(address, fallback string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") ||
		strings.ContainsAny(address, "\\\r\n\t") {
		return fallback
	}
	return address
}
