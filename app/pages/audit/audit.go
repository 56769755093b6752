// Package audit has the pages of the audit log.
package audit

import (
	"context"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

// auditThing is the object of an event: the word for its kind, its internal ID, and its page's address, which is empty if it
// has no page that the reader may open.
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
	OfPlayer models.UserID    // the player whose events are listed; empty for all
	Told     map[int64]string // the events as sentences, by event number
	Days     []reviewedDay    // the latest days that have ended
	OfDay    *dayReview       // of the casino day that the list is filtered to; nil without such a filter
}

// List lists audit events, and shows which of the latest days were reviewed.
func (a *Area) List(c *fiber.Ctx) error {
	f, page := web.NewForm(c), &auditPage{Page: a.Page(c, "")}
	if _, err := a.Events().Show(c.UserContext(), page); err != nil {
		return err
	}
	if err := a.readReviews(c, f, page); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "audit/list", page)
}

type event = models.AuditEvent

// Events is the list of audit events.
func (a *Area) Events() web.List[auditPage, event] {
	return web.List[auditPage, event]{
		Path: "/audit", Title: "Audit", Needs: web.ReadAudit, Class: "pb-audit", Select: a.selected, Load: a.tell,
		Columns: []web.Column[auditPage, event]{
			{Name: "Number", Kind: export.Number, Value: func(e event) any { return e.ID }},
			{Head: "Time", Kind: export.Time, Order: web.ByTime, Value: func(e event) any { return e.At }},
			{Name: "Who", Value: func(e event) any { return e.Actor.Name }},
			{Head: "What", Class: "c-what wrap", Block: "what", Value: func(e event) any { return e.Action }},
			{Head: "On", Class: "pb-nowrap", Value: func(e event) any { return e.Object },
				Cell: func(p *auditPage, e event) views.Cell { return views.Cell{Block: "on", Of: a.auditThing(&p.Page, e)} }},
			{Name: "Its number", Value: func(e event) any { return e.ObjectID }},
			{Head: "Who", Class: "c-who tight", Block: "who"},
			{Head: "Why", Name: "Reason", Class: "c-why wrap", Block: "why", Value: func(e event) any { return e.Reason }},
			{Name: "Before", Value: func(e event) any { return e.Before }},
			{Name: "After", Value: func(e event) any { return e.After }},
			{Head: "IP address", Name: "Address", Class: "c-skip", Audience: export.Staff, Value: func(e event) any { return e.Actor.Address },
				Cell: func(_ *auditPage, e event) views.Cell { return views.Cell{ID: views.ID{Text: e.Actor.Address}} }},
			{Name: "Session", Audience: export.Staff, Value: func(e event) any { return e.Actor.Session }},
			{Name: "Channel", Audience: export.Staff, Value: func(e event) any { return e.Actor.Channel.String() }},
			{Name: "System user", Audience: export.Staff, Value: func(e event) any { return e.Actor.OSUser }},
		},
	}
}

// tell describes the events on a page in sentences.
func (a *Area) tell(ctx context.Context, page *auditPage, events []event) (err error) {
	t := a.Teller(ctx, events...)
	page.Told = map[int64]string{}
	for _, e := range events {
		if page.Told[e.ID], err = t.Sentence(e, false); err != nil {
			return err
		}
	}
	return nil
}

// Changed returns the changes of an event, field by field.
func (p *auditPage) Changed(e event) string { return pages.ChangeWords(&p.Page, e) }

// selected reads the filters from the address.
func (a *Area) selected(ctx context.Context, page *auditPage) (list models.Listing[event], err error) {
	var f models.AuditFilter
	actions, objects, err := a.auditChoices(ctx)
	if err != nil {
		return list, err
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
	f.PlayerID, page.OfPlayer = player.ID, player.UserID
	return models.List(f, a.Store.AuditEvents, event.Place), err
}

// auditChoices returns the choices of the filters for actions and objects. Besides those in the log, it returns all kinds in
// pages.AuditThings, because pages link to them.
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
