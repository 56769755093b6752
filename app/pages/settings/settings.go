// Package settings has the pages of settings and limits, changes that a second administrator approves, and notices.
package settings

import (
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/notices"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Notices *notices.Service // sends notices; nil if none are sent
}

type settingsPage struct {
	web.Page
	pages.ChangeForm
	Idle, Session, Confirm, Exports, Zone                   views.Field
	LockAfter, LockMinutes, Unused, OldPasswords, LinkHours views.Field

	Factors []views.Choice
	Weaker  views.Field // the reason for rules that are weaker than now
	History []web.HistoryLine

	Days       views.Field // the period of the two-person rule
	DaysReason views.Field
}

func (a *Area) Settings(c *fiber.Ctx) error {
	return a.showCurrent(c, web.NewForm(c))
}

// showCurrent shows the settings in force, and the values that were sent in f.
func (a *Area) showCurrent(c *fiber.Ctx, f *web.Form) error {
	ctx := c.UserContext()
	rules, err := a.Store.SignInRules(ctx)
	if err != nil {
		return err
	}
	hours, err := a.Store.ExportHours(ctx)
	if err != nil {
		return err
	}
	zone, err := a.Store.ReportZone(ctx)
	if err != nil {
		return err
	}
	return a.showSettings(c, f, rules, hours, zone)
}

func (a *Area) showSettings(c *fiber.Ctx, f *web.Form, rules models.SignInRules, exportHours int, zone string) error {
	whole := func(name string, value int) views.Field {
		return f.Field(views.Field{Name: name, Value: strconv.Itoa(value), InputMode: "numeric", Required: true})
	}
	page := &settingsPage{
		Page: a.Page(c, ""),
		Idle: whole("idle", rules.IdleMinutes), Session: whole("session", rules.SessionHours),
		Confirm: whole("confirm", rules.ConfirmMinutes), Exports: whole("exports", exportHours),
		LockAfter: whole("lock-after", rules.LockAfter), LockMinutes: whole("lock-minutes", rules.LockMinutes),
		Unused: whole("unused", rules.UnusedDays), OldPasswords: whole("old-passwords", rules.OldPasswords),
		LinkHours: whole("link-hours", rules.LinkHours),
		Zone:      f.Field(views.Field{Name: "zone", Value: zone, Required: true, Autocomplete: "off"}),
	}
	ctx := c.UserContext()
	var err error
	page.ChangeForm, err = a.ChangeForm(c, &page.Page, f, web.ChangeSettings, models.ChangeSubjects...)
	if err != nil {
		return err
	}
	two, err := a.Store.TwoPeople(ctx)
	if err != nil {
		return err
	}
	changes, err := a.Store.AuditEvents(ctx, models.AuditFilter{Object: "setting", Span: models.Span{Limit: web.LatestRows}})
	if err != nil {
		return err
	}
	page.Weaker = f.Field(views.Field{Name: "weaker", Autocomplete: "off"})
	page.Days = whole("days", two.Days)
	page.DaysReason = f.Field(views.Field{Name: "days-reason", Required: true, Autocomplete: "off"})
	for _, role := range models.Roles {
		page.Factors = append(page.Factors,
			views.Choice{Value: string(role), Word: string(role), Chosen: rules.RequiresTOTP(role)})
	}
	page.History, err = a.HistoryLines(ctx, &page.Page, changes.Rows, true)
	if err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "settings/settings", page)
}

func (a *Area) SaveSettings(c *fiber.Ctx) error {
	f := web.NewForm(c)
	whole := func(name string) int {
		n, err := strconv.Atoi(f.Text(name))
		if err != nil {
			f.Refuse(name, "Enter a whole number.")
		}
		return n
	}
	rules := models.SignInRules{
		IdleMinutes: whole("idle"), SessionHours: whole("session"), ConfirmMinutes: whole("confirm"),
		LockAfter:   whole("lock-after"),
		LockMinutes: whole("lock-minutes"), UnusedDays: whole("unused"), OldPasswords: whole("old-passwords"),
		LinkHours: whole("link-hours"),
	}
	sent := web.PostedAll(c, "totp")
	for _, role := range models.Roles {
		if slices.Contains(sent, string(role)) {
			rules.SecondFactorRoles = append(rules.SecondFactorRoles, role)
		}
	}
	exportHours := whole("exports")
	if err := models.CheckExportHours(exportHours); err != nil {
		f.Refuse("exports", err.Error())
	}
	zone := f.Text("zone")
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		f.Refuse("zone", "Enter a time zone such as UTC or Europe/Vienna.")
	}
	for name, why := range rules.Check() {
		f.Refuse(name, why)
	}
	// Rules that were never set have default values. They are saved, with an audit event, only when they change.
	currentRules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	weaker := rules.WeakerThan(currentRules)
	if weaker {
		f.RequireReason("weaker")
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.showSettings(c, f, rules, exportHours, zone)
	}
	if !weaker && !rules.Equal(currentRules) {
		if err := a.Store.SetSignInRules(c.UserContext(), a.Actor(c), rules); err != nil {
			return err
		}
		a.ForgetRules()
	}
	currentHours, err := a.Store.ExportHours(c.UserContext())
	if err != nil {
		return err
	}
	if exportHours != currentHours {
		if err := a.Store.SetExportHours(c.UserContext(), a.Actor(c), exportHours); err != nil {
			return err
		}
	}
	if err := a.Store.SetReportZone(c.UserContext(), a.Actor(c), zone); err != nil {
		return err
	}
	if weaker {
		return a.RequestChange(c, "/settings", models.ChangeSignInRules, rules, f.Text("weaker"))
	}
	return a.Done(c, "/settings", "The settings are saved and in effect.")
}

// SaveTwoPeople requests another period for the two-person rule.
func (a *Area) SaveTwoPeople(c *fiber.Ctx) error {
	f := web.NewForm(c)
	days, err := strconv.Atoi(f.Text("days"))
	two := models.TwoPeople{Days: days}
	if wrong := two.Check(); err != nil || wrong != "" {
		f.Refuse("days", two.Check())
	}
	return a.SendChange(c, f, "/settings", "days-reason", models.ChangeTwoPeople, two, func() error { return a.showCurrent(c, f) })
}
