package admin

import (
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type settingsPage struct {
	web.Page
	Admins                 *web.People // who else can change it
	Idle, Session, Confirm views.Field
	Exports                views.Field
	Zone                   views.Field
	History                []web.HistoryLine
	Factors                []views.Choice
	MayChange              bool

	LockAfter, LockMinutes, Unused, OldPasswords, LinkHours views.Field

	Password *views.Field // where it was not given just now

	Days       views.Field // of the two-person rule
	DaysReason views.Field
	Waiting    []things.ChangeLine
}

func (a *Area) Settings(c *fiber.Ctx) error {
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
	return a.showSettings(c, web.NewForm(c), rules, hours, zone)
}

func (a *Area) showSettings(c *fiber.Ctx, f *web.Form, rules models.SignInRules, exportHours int, zone string) error {
	page := &settingsPage{Page: a.Page(c, "Settings")}
	page.Lede = "Settings for the whole team. Every change is logged, and other administrators are told."
	var err error
	page.MayChange = page.Can(web.ChangeSettings)
	if page.Admins, err = a.WhoMay(c.UserContext(), &page.Page, web.ChangeSettings); err != nil {
		return err
	}
	page.Idle = f.Field(views.Field{Label: "Idle timeout (minutes)", Name: "idle",
		Value: strconv.Itoa(rules.IdleMinutes), InputMode: "numeric", Required: true,
		Hint: "Minutes without a request. A page that refreshes itself does not count."})
	page.Session = f.Field(views.Field{Label: "Maximum session (hours)", Name: "session",
		Value: strconv.Itoa(rules.SessionHours), InputMode: "numeric", Required: true, Hint: "Even if the session is in use."})
	page.Confirm = f.Field(views.Field{Label: "Ask for the password again after (minutes)", Name: "confirm",
		Value: strconv.Itoa(rules.ConfirmMinutes), InputMode: "numeric", Required: true,
		Hint: "Before money or spins move. 0 asks every time."})
	page.Exports = f.Field(views.Field{Label: "Delete exports after (hours)", Name: "exports",
		Value: strconv.Itoa(exportHours), InputMode: "numeric", Required: true, Hint: "Counted from when its file is ready."})
	page.Zone = f.Field(views.Field{Label: "Time zone of reports", Name: "zone", Value: zone, Required: true,
		Autocomplete: "off", Hint: "Such as Europe/Vienna or UTC. After a change, days that are not closed are " +
			"recalculated. Until then their reports are incomplete."})
	digits := func(label, name string, value int, hint string) views.Field {
		return f.Field(views.Field{Label: label, Name: name, Value: strconv.Itoa(value), InputMode: "numeric", Required: true,
			Hint: hint})
	}
	page.LockAfter = digits("Lock after (failed sign-ins)", "lock-after", rules.LockAfter,
		"Failed sign-ins to one account, 3 to 10. Known browsers are counted separately, so a stranger’s guesses do not "+
			"lock the owner out.")
	page.LockMinutes = digits("Lock for (minutes)", "lock-minutes", rules.LockMinutes,
		"At least 30. An administrator can unlock earlier.")
	page.Unused = digits("Disable unused accounts after (days)", "unused", rules.UnusedDays,
		"Days without a sign-in. The last administrator is never disabled. 0 means never.")
	page.OldPasswords = digits("Passwords that cannot be reused", "old-passwords", rules.OldPasswords,
		"The latest ones, including the current one. 0 allows any password.")
	page.LinkHours = digits("Password links expire after (hours)", "link-hours", rules.LinkHours,
		"Each link works only once.")
	if page.MayChange {
		if page.Password, err = a.ConfirmField(c, f); err != nil {
			return err
		}
	}
	two, err := a.Store.TwoPeople(c.UserContext())
	if err != nil {
		return err
	}
	page.Days = f.Field(views.Field{Label: "Period (days)", Name: "days", Value: strconv.Itoa(two.Days), InputMode: "numeric",
		Required: true, Hint: "After one person creates, resets or unlocks a colleague’s account, or changes its role, the " +
			"two cannot approve each other’s requests for this many days."})
	page.DaysReason = f.Field(views.Field{ID: "f-days-reason", Label: "Reason", Name: "days-reason", Required: true,
		Autocomplete: "off", Hint: "For your colleagues and the audit log."})
	waiting, err := a.Store.WaitingChanges(c.UserContext())
	if err != nil {
		return err
	}
	page.Waiting = things.ChangeLines(&page.Page, waiting)
	for _, role := range models.Roles {
		page.Factors = append(page.Factors,
			views.Choice{Value: string(role), Word: string(role), Chosen: rules.RequiresTOTP(role)})
	}
	changes, err := a.Store.AuditLog(c.UserContext(), models.AuditFilter{Object: "setting", Limit: web.LatestRows})
	if err != nil {
		return err
	}
	page.History, err = things.HistoryLines(&page.Page, changes.Rows,
		func(e models.AuditEvent) (string, error) { return e.ObjectID + " changed", nil })
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "settings/settings", page)
	}
	return a.Render(c, "settings/settings", page)
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
			rules.TOTPRoles = append(rules.TOTPRoles, role)
		}
	}
	exportHours := whole("exports")
	if err := models.CheckExportHours(exportHours); err != nil {
		f.Refuse("exports", err.Error())
	}
	zone := f.Text("zone")
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		f.Refuse("zone", "Name a zone such as UTC or Europe/Vienna.")
	}
	for name, why := range rules.Check() {
		f.Refuse(name, why)
	}
	if f.Ok() {
		if err := a.Confirm(c, f); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.showSettings(c, f, rules, exportHours, zone)
	}
	// A rule that nobody has set yet holds by default, and is written down, and into the audit log, only when it is changed.
	heldRules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	if !rules.Equal(heldRules) {
		if err := a.Store.SetSignInRules(c.UserContext(), a.Actor(c), rules); err != nil {
			return err
		}
		a.ForgetRules()
	}
	heldHours, err := a.Store.ExportHours(c.UserContext())
	if err != nil {
		return err
	}
	if exportHours != heldHours {
		if err := a.Store.SetExportHours(c.UserContext(), a.Actor(c), exportHours); err != nil {
			return err
		}
	}
	if err := a.Store.SetReportZone(c.UserContext(), a.Actor(c), zone); err != nil {
		return err
	}
	return a.Done(c, "/settings", "The settings are saved and in effect.")
}

// SaveTwoPeople asks for another period of the two-person rule.
func (a *Area) SaveTwoPeople(c *fiber.Ctx) error {
	f := web.NewForm(c)
	days, err := strconv.Atoi(f.Text("days"))
	two := models.TwoPeople{Days: days}
	if wrong := two.Check(); err != nil || wrong != "" {
		f.Refuse("days", two.Check())
	}
	f.RequireReason("days-reason")
	if f.Ok() {
		if err := a.Confirm(c, f); err != nil {
			return err
		}
	}
	if f.Ok() {
		return a.RequestChange(c, "/settings", models.ChangeTwoPeople, two, f.Text("days-reason"))
	}
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
	return a.showSettings(c, f, rules, hours, zone)
}
