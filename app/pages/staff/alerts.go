package staff

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/web"
	"pitboss/views"
)

// Alerts tell administrators what other administrators did.

// MaxAlerts is the most alerts that are read at once.
const MaxAlerts = 100

type alertsPage struct {
	web.Page
	Alerts []web.HistoryLine
	Newest int64
	More   bool // newer alerts are shown once these are marked as seen
}

// Alerts shows what other administrators did to accounts, limits and rules since the reader last looked.
func (a *Area) Alerts(c *fiber.Ctx) error {
	page := &alertsPage{Page: a.Page(c, "")}
	events, err := a.Store.Alerts(c.UserContext(), page.Reader.Staff, MaxAlerts+1)
	if err != nil {
		return err
	}
	if page.More = len(events) > MaxAlerts; page.More {
		events = events[1:]
	}
	if len(events) > 0 {
		page.Newest = events[0].ID
	}
	if page.Alerts, err = a.HistoryLines(c.UserContext(), &page.Page, events, false); err != nil {
		return err
	}
	return a.Render(c, "staff/changes", page)
}

// SeeAlerts records that the reader has seen all alerts up to an event.
func (a *Area) SeeAlerts(c *fiber.Ctx) error {
	events, err := a.Store.Alerts(c.UserContext(), web.ReaderOf(c).Staff, MaxAlerts)
	if err != nil {
		return err
	}
	for _, e := range events {
		if strconv.FormatInt(e.ID, 10) == web.Posted(c, "newest") {
			if err := a.Store.NoteLooked(c.UserContext(), web.ReaderOf(c).ID, e); err != nil {
				return err
			}
		}
	}
	return c.Redirect("/staff/changes", fiber.StatusSeeOther)
}

// AlertsWaiting returns the alerts that the reader has not seen, for the overview.
func (a *Area) AlertsWaiting(c *fiber.Ctx) (views.Todo, error) {
	events, err := a.Store.Alerts(c.UserContext(), web.ReaderOf(c).Staff, MaxAlerts)
	todo := views.Todo{Of: "alerts", N: int64(len(events)), Href: "/staff/changes"}
	if err == nil && len(events) > 0 {
		todo.By = events[0].Actor.Name
		todo.Name, err = a.Teller(c.UserContext(), events[0]).Sentence(events[0], false)
	}
	return todo, err
}

// CountAlerts counts the alerts that the reader has not seen, for the navigation.
func (a *Area) CountAlerts(ctx context.Context, who *web.Reader) (web.Count, error) {
	if !who.May(web.ManageStaff) {
		return web.Count{}, nil
	}
	events, err := a.Store.Alerts(ctx, who.Staff, MaxAlerts)
	return web.Count{N: len(events), Word: "changes by others"}, err
}
