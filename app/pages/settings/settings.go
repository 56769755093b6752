// Package settings has the pages of settings, limits and notices, and of changes that a second person approves.
package settings

import (
	"slices"
	"strconv"

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
	Idle, Session, Unused, Zone views.Field
	Factors                     []views.Choice
	ForZone                     pages.SecondForm
	RulesChanged, ZoneChanged   *pages.LastChange
}

// settingsState is the state from which the page's forms were made.
type settingsState struct {
	Rules models.SignInRules
	Zone  string
}

// outdated reports whether the settings have changed since the form was opened. If so, it shows the current ones.
func (a *Area) outdated(c *fiber.Ctx, f *web.Form) (bool, error) {
	rules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return false, err
	}
	zone, err := a.Store.ReportZone(c.UserContext())
	if err != nil {
		return false, err
	}
	return a.Outdated(c, f, "/settings", settingsState{rules, zone})
}

// Settings shows the settings in force, and the values that one of its forms has sent.
func (a *Area) Settings(c *fiber.Ctx) error {
	ctx, f := c.UserContext(), web.NewForm(c)
	rules, err := a.Store.SignInRules(ctx)
	if err != nil {
		return err
	}
	zone, err := a.Store.ReportZone(ctx)
	if err != nil {
		return err
	}
	sent := f.Values() // from one of the page's forms
	field := func(v views.Field) views.Field {
		if _, of := sent[v.Name]; f.Typed() && !of {
			v.ID = "f-" + v.Name
			return v
		}
		return f.Field(v)
	}
	whole := func(name string, value int) views.Field {
		return field(views.Field{Name: name, Value: strconv.Itoa(value), InputMode: "numeric", Required: true})
	}
	page := &settingsPage{Page: a.Page(c, ""), Idle: whole("idle", rules.IdleMinutes), Session: whole("session", rules.SessionHours),
		Unused: whole("unused", rules.UnusedDays),
		Zone:   field(views.Field{Name: "zone", Value: zone, Required: true, Autocomplete: "off"})}
	page.MadeFrom = f.MadeFrom(settingsState{rules, zone})
	if page.ChangeForm, err = a.ChangeForm(c, &page.Page, f); err != nil {
		return err
	}
	_, zoneSent := sent["zone"]
	page.ForZone = page.Second(&page.Page, "zone-", zoneSent)
	if page.RulesChanged, err = a.LastChange(c, &page.Page, models.SignInRulesSetting); err != nil {
		return err
	}
	if page.ZoneChanged, err = a.LastChange(c, &page.Page, models.ReportZoneSetting); err != nil {
		return err
	}
	if _, of := sent["idle"]; of {
		rules = readSignInRules(c, f)
	}
	for _, role := range models.Roles {
		page.Factors = append(page.Factors,
			views.Choice{Value: string(role), Word: string(role), Chosen: rules.RequiresTOTP(role)})
	}
	return a.RenderForm(c, !f.Ok(), "settings/settings", page)
}

func whole(f *web.Form, name string) int {
	n, err := strconv.Atoi(f.Text(name))
	if err != nil {
		f.Refuse(name, "Enter a whole number.")
	}
	return n
}

// SaveZone requests a change of the reports' time zone.
func (a *Area) SaveZone(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if outdated, err := a.outdated(c, f); outdated || err != nil {
		return err
	}
	zone := f.Text("zone")
	if models.CheckZone(zone) != nil {
		f.Refuse("zone", "Enter a time zone such as UTC or Europe/Vienna.")
	}
	return a.SendChange(c, f, "/settings", models.ChangeReportZone, zone, a.Settings)
}

func readSignInRules(c *fiber.Ctx, f *web.Form) models.SignInRules {
	rules := models.SignInRules{IdleMinutes: whole(f, "idle"), SessionHours: whole(f, "session"), UnusedDays: whole(f, "unused")}
	sent := web.PostedAll(c, "totp")
	for _, role := range models.Roles {
		if slices.Contains(sent, string(role)) {
			rules.SecondFactorRoles = append(rules.SecondFactorRoles, role)
		}
	}
	return rules
}

// SaveSignInRules requests a change of the sign-in rules.
func (a *Area) SaveSignInRules(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if outdated, err := a.outdated(c, f); outdated || err != nil {
		return err
	}
	rules := readSignInRules(c, f)
	for name, why := range rules.Check() {
		f.Refuse(name, why)
	}
	return a.SendChange(c, f, "/settings", models.ChangeSignInRules, rules, a.Settings)
}
