package app

import (
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

type settingsPage struct {
	Page
	Idle, Session, Confirm views.Field
	Exports                views.Field
	Zone                   views.Field
	History                []historyLine
	Factors                []views.Choice
	MayChange              bool
}

func (a *App) settings(c *fiber.Ctx) error {
	rules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	hours, err := a.Store.ExportHours(c.UserContext())
	if err != nil {
		return err
	}
	zone, err := a.Store.ReportZone(c.UserContext())
	if err != nil {
		return err
	}
	return a.showSettings(c, newForm(c), rules, hours, zone)
}

func (a *App) showSettings(c *fiber.Ctx, f *form, rules models.SignInRules, exportHours int, zone string) error {
	page := &settingsPage{Page: a.page(c, "Settings")}
	page.Lede = "What holds for everybody here. Each change stands in the audit log."
	var err error
	if page.MayChange, err = page.Can(changeSettings); err != nil {
		return err
	}
	page.Idle = f.field(views.Field{Label: "Sign out after, minutes idle", Name: "idle", Value: strconv.Itoa(rules.IdleMinutes), InputMode: "numeric", Required: true, Hint: "Minutes without a request. A page that refreshes itself does not count."})
	page.Session = f.field(views.Field{Label: "Sign out after, hours in all", Name: "session", Value: strconv.Itoa(rules.SessionHours), InputMode: "numeric", Required: true, Hint: "However busy the session is."})
	page.Confirm = f.field(views.Field{Label: "Ask for the password again after, minutes", Name: "confirm", Value: strconv.Itoa(rules.ConfirmMinutes), InputMode: "numeric", Required: true, Hint: "Before money or spins move. 0 asks every time."})
	page.Exports = f.field(views.Field{Label: "Delete an export after, hours", Name: "exports", Value: strconv.Itoa(exportHours), InputMode: "numeric", Required: true, Hint: "Counted from when its file is ready."})
	page.Zone = f.field(views.Field{Label: "Zone of the days in reports", Name: "zone", Value: zone, Required: true, Autocomplete: "off", Hint: "Such as Europe/Vienna or UTC. After a change the days that are not closed are summed up anew; until that is done their reports are incomplete."})
	for _, role := range models.Roles {
		page.Factors = append(page.Factors, views.Choice{Value: string(role), Word: string(role), Chosen: rules.RequiresTOTP(role)})
	}
	changes, err := a.Store.AuditLog(c.UserContext(), models.AuditFilter{Object: "setting", Limit: latestRows})
	if err != nil {
		return err
	}
	page.History, err = page.historyLines(changes.Rows, func(e models.AuditEvent) string { return e.ObjectID + " changed" })
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.refused(c, "settings/settings", page)
	}
	return a.render(c, "settings/settings", page)
}

func (a *App) saveSettings(c *fiber.Ctx) error {
	f := newForm(c)
	whole := func(name string) int {
		n, err := strconv.Atoi(f.text(name))
		if err != nil {
			f.refuse(name, "Enter a whole number.")
		}
		return n
	}
	rules := models.SignInRules{IdleMinutes: whole("idle"), SessionHours: whole("session"), ConfirmMinutes: whole("confirm")}
	sent := postedAll(c, "totp")
	for _, role := range models.Roles {
		if slices.Contains(sent, string(role)) {
			rules.TOTPRoles = append(rules.TOTPRoles, role)
		}
	}
	exportHours := whole("exports")
	if err := models.CheckExportHours(exportHours); err != nil {
		f.refuse("exports", err.Error())
	}
	zone := f.text("zone")
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		f.refuse("zone", "Name a zone such as UTC or Europe/Vienna.")
	}
	for name, why := range rules.Check() {
		f.refuse(name, why)
	}
	if !f.ok() {
		return a.showSettings(c, f, rules, exportHours, zone)
	}
	// A rule that nobody has set yet holds by default, and is written down, and into the audit log, only when it is changed.
	heldRules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	if !rules.Equal(heldRules) {
		if err := a.Store.SetSignInRules(c.UserContext(), a.actor(c), rules); err != nil {
			return err
		}
		a.forgetRules()
	}
	heldHours, err := a.Store.ExportHours(c.UserContext())
	if err != nil {
		return err
	}
	if exportHours != heldHours {
		if err := a.Store.SetExportHours(c.UserContext(), a.actor(c), exportHours); err != nil {
			return err
		}
	}
	if err := a.Store.SetReportZone(c.UserContext(), a.actor(c), zone); err != nil {
		return err
	}
	return a.done(c, "/settings", "The settings hold from now on.")
}

// postedAll are all values of a field that may be sent several times.
func postedAll(c *fiber.Ctx, name string) []string {
	var values []string
	for _, v := range c.Request().PostArgs().PeekMulti(name) {
		values = append(values, string(v))
	}
	return values
}
