// Package audit has the pages of the audit log.
package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

// auditThing is the thing that an event is about: the word for its kind, its number, and the address of its page, which is
// empty if it has no page that the reader may open.
type auditThing struct{ Word, ID, Href string }

func (a *Area) auditThing(p *web.Page, e models.AuditEvent) auditThing {
	t := auditThing{Word: pages.ThingWord(e.Object), ID: e.ObjectID}
	thing := pages.AuditThings[e.Object]
	if p.Can(thing.Needs) && thing.Path != "" && a.HasPage(thing.Path) && e.ObjectID != "" {
		t.Href = strings.Replace(thing.Path, ":id", e.ObjectID, 1)
	}
	return t
}

type auditPage struct {
	web.Page
	web.Listed
	OfPlayer models.UserID // the only player whose events are listed; empty for all
	Rows     []auditRow
	Days     []reviewedDay // the latest ones that have ended
	OfDay    *dayReview    // of the casino day whose events are listed; nil if there is no such filter
}

type auditRow struct {
	models.AuditEvent
	Moment views.Moment
	Href   string
	What   string // the event as a sentence
	Change string // what changed, field by field
	On     auditThing
}

// List lists audit events, and says which days of the log were reviewed.
func (a *Area) List(c *fiber.Ctx) error { return a.showList(c, web.NewForm(c)) }

func (a *Area) showList(c *fiber.Ctx, f *web.Form) error {
	page := &auditPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, err := a.auditFilter(c.UserContext(), page)
	if err != nil {
		return err
	}
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(filter))
	if err != nil {
		return err
	}
	t := a.Teller(c.UserContext(), found.Rows...)
	for _, e := range found.Rows {
		what, err := t.Sentence(e, false)
		if err != nil {
			return err
		}
		page.Rows = append(page.Rows, auditRow{AuditEvent: e, Moment: page.Time(e.At), Href: pages.AuditPath(e.ID), What: what,
			Change: pages.ChangeWords(&page.Page, e), On: a.auditThing(&page.Page, e)})
	}
	if err := a.readReviews(c, f, page); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "audit/list", page)
}

func (a *Area) listing(filter models.AuditFilter) models.Listing[models.AuditEvent] {
	return models.List(filter, a.Store.AuditEvents, models.AuditEvent.Place)
}

// auditFilter reads the filters from the address. If one cannot be read, or names an unknown player, a message replaces the
// list.
func (a *Area) auditFilter(ctx context.Context, page *auditPage) (f models.AuditFilter, err error) {
	actions, objects, err := a.auditChoices(ctx)
	if err != nil {
		return f, err
	}
	f.Actor, f.Action = page.TextFilter("who", "Who"), page.Choice("what", "What", actions)
	f.Span = page.Period(&page.Page)
	page.MoreFilters()
	f.Object, f.ObjectID = page.Choice("object", "On", objects), page.TextFilter("id", "Its number")
	player, err := a.PlayerFilter(ctx, &page.Page)
	f.Reason = page.SearchFilter("reason", "Text in the reason")
	f.Address, f.Session = page.TextFilter("address", "Address"), page.TextFilter("session", "Session")
	if err == nil {
		err = a.dayFilter(ctx, page, &f.Span)
	}
	page.Instead = page.Unread()
	f.PlayerID, page.OfPlayer = player.ID, player.UserID
	return f, err
}

// auditChoices returns the choices of the filters for actions and for kinds of things. They are those in the log and, because
// pages link to them, all kinds in pages.AuditThings.
func (a *Area) auditChoices(ctx context.Context) (actions, objects []string, err error) {
	done, on, err := a.Store.AuditWords(ctx)
	actions, objects = []string{"", "Everything"}, []string{"", "Anything"}
	for _, action := range done {
		actions = append(actions, action, models.ActionWord(action))
	}
	for object := range pages.AuditThings {
		on = append(on, object)
	}
	slices.Sort(on)
	for _, object := range slices.Compact(on) {
		objects = append(objects, object, pages.ThingWord(object))
	}
	return actions, objects, err
}

type auditEventPage struct {
	web.Page
	Event   models.AuditEvent
	On      auditThing
	Changes []pages.AuditChange
}

func (a *Area) Event(c *fiber.Ctx) error {
	ctx := c.UserContext()
	e, err := web.Find(c, "event", a.Store.AuditEvent)
	if err != nil {
		return err
	}
	title, err := a.Teller(ctx, e).Sentence(e, false)
	if err != nil {
		return err
	}
	page := &auditEventPage{Page: a.Page(c, title), Event: e}
	page.Changes, page.On = pages.EventChanges(&page.Page, e), a.auditThing(&page.Page, e)
	return a.Render(c, "audit/event", page)
}
