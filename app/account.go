package app

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// One's own account: how pages look, password, second factor, and the browsers in which one is signed in.

type accountPage struct {
	Page
	Facts         []views.Fact
	Zone          views.Field
	ThemeChoice   views.Select
	DensityChoice views.Select
	Zones         []string
	TOTPRequired  bool
	CodesLeft     int64
	Sessions      []sessionLine
}

type sessionLine struct {
	models.StaffSession
	Browser string
	Here    bool
}

func (a *App) account(c *fiber.Ctx) error {
	return a.showAccount(c, newForm(c), reader(c).Profile)
}

func (a *App) showAccount(c *fiber.Ctx, f *form, profile models.Profile) error {
	who := reader(c)
	page := &accountPage{Page: a.page(c, "Your account"), Zones: commonZones}
	page.Heading = who.Name
	page.Lede = "Signed in as " + who.Username + ", " + string(who.Role) + "."
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return err
	}
	page.TOTPRequired = rules.RequiresTOTP(who.Role)
	if who.HasTOTP() {
		if page.CodesLeft, err = a.Store.RecoveryCodesLeft(c.UserContext(), who.ID); err != nil {
			return err
		}
	}
	list, err := a.Store.StaffSessions(c.UserContext(), who.ID)
	if err != nil {
		return err
	}
	page.Sessions = sessionLines(list, who.row.Hash)
	page.Zone = f.field(views.Field{Label: "Time zone", Name: "zone", Value: profile.Zone, Autocomplete: "off",
		Hint: "Such as Europe/Vienna. Times are shown in it; UTC stands on hover."})
	page.ThemeChoice = views.Select{ID: "f-theme", Label: "Colours", Name: "theme",
		Choices: choices(profile.Theme, "system", "As the system", "light", "Light", "dark", "Dark")}
	page.DensityChoice = views.Select{ID: "f-density", Label: "Rows", Name: "density",
		Choices: choices(profile.Density, "roomy", "Roomy", "compact", "Compact")}
	if !f.ok() {
		return a.refused(c, "account/account", page)
	}
	return a.render(c, "account/account", page)
}

func sessionLines(list []models.StaffSession, here string) []sessionLine {
	var lines []sessionLine
	for _, s := range list {
		lines = append(lines, sessionLine{s, browserName(s.Agent), s.Hash == here})
	}
	return lines
}

// browserName says in two words what a browser calls itself in thirty. It is shown, never decided upon.
func browserName(agent string) string {
	name, system := "Unknown browser", ""
	for _, known := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
		{"curl/", "curl"},
	} {
		if strings.Contains(agent, known.mark) {
			name = known.name
			break
		}
	}
	for _, known := range []struct{ mark, name string }{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS", "macOS"},
		{"Linux", "Linux"},
	} {
		if strings.Contains(agent, known.mark) {
			system = " on " + known.name
			break
		}
	}
	return name + system
}

func (a *App) saveProfile(c *fiber.Ctx) error {
	f := newForm(c)
	profile := models.Profile{Zone: f.text("zone"), Theme: f.text("theme"), Density: f.text("density")}
	if err := profile.Check(); err != nil {
		f.refuse("zone", err.Error())
		return a.showAccount(c, f, profile)
	}
	if err := a.Store.SetStaffProfile(c.UserContext(), reader(c).ID, profile); err != nil {
		return err
	}
	return a.done(c, "/account", "Your pages look as you chose.")
}

// saveTheme is the switch in the bar.
func (a *App) saveTheme(c *fiber.Ctx) error {
	profile := reader(c).Profile
	profile.Theme = posted(c, "theme")
	if err := profile.Check(); err != nil {
		return badAddress(sentence(err.Error()))
	}
	if err := a.Store.SetStaffProfile(c.UserContext(), reader(c).ID, profile); err != nil {
		return err
	}
	return c.Redirect(local(posted(c, "back"), "/"), fiber.StatusSeeOther)
}

type passwordPage struct {
	Page
	Must                 bool
	Current, New, Repeat views.Field
}

func (a *App) passwordForm(c *fiber.Ctx) error { return a.showPassword(c, newForm(c)) }

func (a *App) showPassword(c *fiber.Ctx, f *form) error {
	who := reader(c)
	page := &passwordPage{Page: a.page(c, "Change your password"), Must: who.MustChangePassword}
	page.Lede = "Your other sessions end with it."
	if page.Must {
		page.Lede = "Your password was given at the command line. Choose one that only you know."
	} else {
		page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: "Password"}}
	}
	page.Current = f.field(views.Field{Label: "Password until now", Name: "current", Type: "password",
		Autocomplete: "current-password", Required: true})
	page.New = f.field(views.Field{Label: "New password", Name: "new", Type: "password", Autocomplete: "new-password",
		Required: true, Hint: "At least 12 characters. Several unrelated words are easy to remember and hard to guess."})
	page.Repeat = f.field(views.Field{Label: "New password again", Name: "repeat", Type: "password",
		Autocomplete: "new-password", Required: true})
	layout := "app"
	if who.stage != signedIn {
		layout = "bare"
	}
	if !f.ok() {
		return a.refused(c, "account/password", page, layout)
	}
	return a.render(c, "account/password", page, layout)
}

func (a *App) changePassword(c *fiber.Ctx) error {
	f := newForm(c)
	who := reader(c)
	chosen := posted(c, "new")
	if err := models.CheckPassword(who.Username, chosen); err != nil {
		f.refuse("new", err.Error())
	}
	if posted(c, "repeat") != chosen {
		f.refuse("repeat", "This is not the same as above.")
	}
	if f.ok() {
		if err := a.askPassword(c, f, "current"); err != nil {
			return err
		}
	}
	if f.ok() {
		if err := a.refuseOldPassword(c, f, who.ID, chosen); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.showPassword(c, f)
	}
	hash, err := a.hashPassword(c.UserContext(), chosen)
	if err != nil {
		return err
	}
	if err := a.Store.SetStaffPassword(c.UserContext(), a.actor(c), who.ID, hash, who.row.Hash); err != nil {
		return err
	}
	return a.done(c, "/", "Your password is changed. Your other sessions have ended.")
}

// refuseOldPassword refuses a password that is among somebody's latest ones.
func (a *App) refuseOldPassword(c *fiber.Ctx, f *form, staffID int64, chosen string) error {
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return err
	}
	hashes, err := a.Store.OldPasswords(c.UserContext(), staffID, rules.OldPasswords)
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		used, err := a.passwordMatches(c.UserContext(), chosen, hash)
		if err != nil {
			return err
		}
		if used {
			f.refuse("new", "You have used this password before. Choose another than your last "+
				strconv.Itoa(rules.OldPasswords)+".")
			return nil
		}
	}
	return nil
}

type secondFactorPage struct {
	Page
	Required bool
	Replaces bool
	Secret   views.ID
	Code     views.Field
	Password *views.Field // where it was not given just now, or the phone is replaced
	Old      views.Field  // a code of the phone that is replaced
}

// secondFactorForm shows a secret that is not in use yet. It stays in the session, sealed, until a code of it is given.
func (a *App) secondFactorForm(c *fiber.Ctx) error {
	if a.offeredSecret(c) == "" {
		if err := a.setValue(c, valueSecret, a.sealer.seal(reader(c).ID, newTOTPSecret())); err != nil {
			return err
		}
	}
	return a.showSecondFactor(c, newForm(c))
}

// offeredSecret is the secret that is not in use yet, and empty where there is none.
func (a *App) offeredSecret(c *fiber.Ctx) string {
	who := reader(c)
	secret, err := a.sealer.open(who.ID, who.value(valueSecret))
	if err != nil {
		return ""
	}
	return secret
}

func (a *App) showSecondFactor(c *fiber.Ctx, f *form) error {
	who := reader(c)
	page := &secondFactorPage{Page: a.page(c, "Set up a second factor"), Replaces: who.HasTOTP(),
		Required: who.stage == arriving}
	page.Lede = "A code from your phone, besides your password, whenever you sign in."
	if page.Required {
		page.Lede = "Your role signs in with a second factor. Set it up to go on."
	} else {
		page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: "Second factor"}}
	}
	page.Secret = views.ID{Text: spaced(a.offeredSecret(c)), Kind: "secret"}
	page.Code = f.field(views.Field{Label: "Code of the new phone", Name: "code", Autocomplete: "one-time-code",
		InputMode: "numeric", Required: true, Hint: "Six digits."})
	page.Code.Value = ""
	var err error
	if page.Replaces {
		password := f.field(confirmPassword)
		page.Password, page.Old = &password, a.oldCodeField(f)
	} else if page.Password, err = a.confirmField(c, f); err != nil {
		return err
	}
	layout := "app"
	if page.Required {
		layout = "bare"
	}
	if !f.ok() {
		return a.refused(c, "account/second-factor", page, layout)
	}
	return a.render(c, "account/second-factor", page, layout)
}

// spaced writes a secret in groups of four, to be typed.
func spaced(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (a *App) secondFactorPicture(c *fiber.Ctx) error {
	secret := a.offeredSecret(c)
	if secret == "" {
		return notFound("picture")
	}
	picture, err := totpPicture(secret, reader(c).Username, a.Operator)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "image/png")
	return c.Send(picture)
}

type codesPage struct {
	Page
	Codes []string
}

func (a *App) setUpSecondFactor(c *fiber.Ctx) error {
	f := newForm(c)
	who := reader(c)
	secret := a.offeredSecret(c)
	step, ok := totpStep(secret, digits(f.text("code")), a.Now())
	if !ok || secret == "" {
		f.refuse("code", "This code is wrong. Check that the phone’s clock is right, then enter the code that it shows now.")
		return a.showSecondFactor(c, f)
	}
	var err error
	if who.HasTOTP() {
		err = a.askBoth(c, f, "password", "old")
	} else {
		err = a.confirm(c, f)
	}
	if err != nil {
		return err
	}
	if !f.ok() {
		return a.showSecondFactor(c, f)
	}
	codes, hashes := newRecoveryCodes()
	factor := models.SecondFactor{Sealed: a.sealer.seal(who.ID, secret), Step: step, Codes: hashes}
	if err := a.Store.SetStaffTOTP(c.UserContext(), a.actor(c), who.ID, factor, who.row.Hash); err != nil {
		return err
	}
	if err := a.setValue(c, valueSecret, ""); err != nil {
		return err
	}
	return a.showCodes(c, "Your second factor is set up", codes)
}

// showCodes shows recovery codes, this one time.
func (a *App) showCodes(c *fiber.Ctx, title string, codes []string) error {
	page := &codesPage{Page: a.page(c, title), Codes: codes}
	page.Lede = "Keep these recovery codes where you find them without your phone. They are not shown again."
	layout := "app"
	if reader(c).stage != signedIn {
		layout = "bare"
	}
	return a.render(c, "account/codes", page, layout)
}

type deedPage struct {
	Page
	Deed views.Deed
	Note *views.Note // in place of the deed, where it has been done since the reader looked
	Back string      // from there
}

// confirmPassword is the field in which a form asks for the reader's password.
var confirmPassword = views.Field{ID: "confirm-password", Label: "Your password, to confirm", Name: "password",
	Type: "password", Autocomplete: "current-password", Required: true}

// oldCodeField asks for a code of the second factor that the reader has.
func (a *App) oldCodeField(f *form) views.Field {
	field := f.field(views.Field{
		ID: "old-code", Label: "Code of the phone that you use now", Name: "old", Autocomplete: "off", Required: true,
		Hint: "Six digits, or one of your recovery codes if you do not have that phone.",
	})
	field.Value = ""
	return field
}

// ownDeed is the confirmation page of a change to one's own account. It asks for the password always, and for a code where
// there is a second factor: somebody else may sit at the desk.
func (a *App) ownDeed(c *fiber.Ctx, f *form, title, word string, deed views.Deed) error {
	page := &deedPage{Page: a.page(c, title), Deed: deed}
	page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: word}}
	field := f.field(confirmPassword)
	page.Deed.Password, page.Deed.Back = &field, views.Link{Word: "Back", Href: "/account"}
	if reader(c).HasTOTP() {
		code := a.oldCodeField(f)
		page.Deed.Code = &code
	}
	if !f.ok() {
		return a.refused(c, "account/deed", page)
	}
	return a.render(c, "account/deed", page)
}

func (a *App) removeSecondFactorForm(c *fiber.Ctx) error {
	return a.showRemoveSecondFactor(c, newForm(c))
}

func (a *App) showRemoveSecondFactor(c *fiber.Ctx, f *form) error {
	return a.ownDeed(c, f, "Remove the second factor", "Second factor", views.Deed{
		Sentence:     "Remove your second factor.",
		Consequences: "Your password alone will sign you in. Your recovery codes are void, and your other sessions end.",
		Action:       "/account/second-factor/removal", Button: "Remove the second factor", Destroys: true,
	})
}

func (a *App) removeSecondFactor(c *fiber.Ctx) error {
	f := newForm(c)
	if err := a.askBoth(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.ok() {
		return a.showRemoveSecondFactor(c, f)
	}
	who := reader(c)
	if err := a.Store.ClearStaffTOTP(c.UserContext(), a.actor(c), who.ID, who.row.Hash); err != nil {
		return err
	}
	return a.done(c, "/account", "Your second factor is removed.")
}

func (a *App) recoveryCodesForm(c *fiber.Ctx) error { return a.showRecoveryCodes(c, newForm(c)) }

func (a *App) showRecoveryCodes(c *fiber.Ctx, f *form) error {
	return a.ownDeed(c, f, "New recovery codes", "Recovery codes", views.Deed{
		Sentence: "Make ten new recovery codes.", Consequences: "The ones that you have are void from then on.",
		Action: "/account/recovery-codes", Button: "Make new codes",
	})
}

func (a *App) replaceRecoveryCodes(c *fiber.Ctx) error {
	f := newForm(c)
	who := reader(c)
	if !who.HasTOTP() {
		return a.flash(c, "/account",
			views.Note{Kind: "wait", Icon: "warning", Text: "Recovery codes stand in for a second factor. Set one up first."})
	}
	if err := a.askBoth(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.ok() {
		return a.showRecoveryCodes(c, f)
	}
	codes, hashes := newRecoveryCodes()
	if err := a.Store.SetRecoveryCodes(c.UserContext(), a.actor(c), who.ID, hashes, who.row.Hash); err != nil {
		return err
	}
	return a.showCodes(c, "Your new recovery codes", codes)
}

func (a *App) revokeSession(c *fiber.Ctx) error {
	id, err := number(c, "id")
	if err != nil {
		return err
	}
	who := reader(c)
	if id == who.row.ID {
		return a.signOut(c)
	}
	there, err := a.Store.RevokeStaffSession(c.UserContext(), a.actor(c), who.ID, id)
	if err != nil {
		return err
	}
	if !there {
		return a.done(c, "/account", "That session had ended already.")
	}
	return a.done(c, "/account", "That session has ended.")
}

func (a *App) revokeSessions(c *fiber.Ctx) error {
	who := reader(c)
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.actor(c), who.ID, ""); err != nil {
		return err
	}
	return a.signOut(c)
}

// commonZones are offered while a time zone is typed; any other of the database is taken too.
var commonZones = []string{
	"UTC", "Europe/London", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin", "Europe/Vienna", "Europe/Madrid", "Europe/Rome",
	"Europe/Malta", "Europe/Warsaw",
	"Europe/Athens", "Europe/Kyiv", "Europe/Istanbul", "America/New_York", "America/Chicago", "America/Los_Angeles",
	"America/Sao_Paulo", "America/Curacao",
	"Africa/Lagos", "Africa/Johannesburg", "Asia/Dubai", "Asia/Kolkata", "Asia/Manila", "Asia/Singapore", "Asia/Seoul",
	"Asia/Tokyo", "Australia/Sydney",
}
