// Package account has the pages of the reader's own account: display settings, password, second factors and sessions.
package account

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
}

type accountPage struct {
	web.Page
	Zone          views.Field
	ThemeChoice   views.Select
	DensityChoice views.Select
	Zones         []string
	TOTPRequired  bool
	Passkeys      bool // the site supports passkeys
	CodesLeft     int64
	Quiet         bool
	Sessions      []pages.SessionLine
}

func (a *Area) Account(c *fiber.Ctx) error {
	return a.showAccount(c, web.NewForm(c), web.ReaderOf(c).Profile)
}

func (a *Area) showAccount(c *fiber.Ctx, f *web.Form, profile models.Profile) error {
	who := web.ReaderOf(c)
	page := &accountPage{Page: a.Page(c, ""), Zones: commonZones, Passkeys: a.Passkeys != nil}
	rules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	page.TOTPRequired = rules.RequiresTOTP(who.Role)
	if who.HasSecondFactor() {
		if page.CodesLeft, err = a.Store.RecoveryCodesLeft(c.UserContext(), who.ID); err != nil {
			return err
		}
	}
	list, err := a.Store.StaffSessions(c.UserContext(), who.ID)
	if err != nil {
		return err
	}
	page.Sessions = pages.SessionLines(list, who.Row.Hash)
	page.Zone, page.Quiet = f.Field(views.Field{Name: "zone", Value: profile.Zone}), profile.Quiet
	page.ThemeChoice = views.Select{ID: "f-theme", Name: "theme", Wrong: f.Wrong["theme"],
		Choices: web.Choices(profile.Theme, "system", "Same as the system", "light", "Light", "dark", "Dark")}
	page.DensityChoice = views.Select{ID: "f-density", Name: "density", Wrong: f.Wrong["density"],
		Choices: web.Choices(profile.Density, "roomy", "Roomy", "compact", "Compact")}
	return a.RenderForm(c, !f.Ok(), "account/account", page)
}

func (a *Area) SaveProfile(c *fiber.Ctx) error {
	f := web.NewForm(c)
	profile := models.Profile{Zone: f.Text("zone"), Theme: f.Text("theme"), Density: f.Text("density"),
		Quiet: f.Text("mail") == ""}
	if err := profile.Check(); err != nil {
		var wrong models.ProfileError
		errors.As(err, &wrong)
		f.Refuse(wrong.Field, web.Sentence(err.Error()))
		return a.showAccount(c, f, profile)
	}
	if err := a.Store.SetStaffProfile(c.UserContext(), web.ReaderOf(c).ID, profile); err != nil {
		return err
	}
	return a.Done(c, "/account", "Your settings were saved.")
}

// SaveTheme saves the theme that the reader chose with the switch in the bar.
func (a *Area) SaveTheme(c *fiber.Ctx) error {
	profile := web.ReaderOf(c).Profile
	profile.Theme = web.Posted(c, "theme")
	if err := profile.Check(); err != nil {
		return web.BadForm(web.Sentence(err.Error()))
	}
	if err := a.Store.SetStaffProfile(c.UserContext(), web.ReaderOf(c).ID, profile); err != nil {
		return err
	}
	return c.Redirect(web.Local(web.Posted(c, "back"), "/"), fiber.StatusSeeOther)
}

type passwordPage struct {
	web.Page
	Must                 bool
	Current, New, Repeat views.Field
}

func (a *Area) PasswordForm(c *fiber.Ctx) error {
	f, who := web.NewForm(c), web.ReaderOf(c)
	page := &passwordPage{Page: a.Page(c, ""), Must: who.MustChangePassword,
		Current: f.Field(views.Field{Name: "current", Type: "password", Autocomplete: "current-password", Required: true}),
		New:     f.Field(views.Field{Name: "new", Type: "password", Autocomplete: "new-password", Required: true}),
		Repeat:  f.Field(views.Field{Name: "repeat", Type: "password", Autocomplete: "new-password", Required: true})}
	return a.RenderForm(c, !f.Ok(), "account/password", page)
}

func (a *Area) ChangePassword(c *fiber.Ctx) error {
	f := web.NewForm(c)
	who := web.ReaderOf(c)
	chosen := web.Posted(c, "new")
	if err := models.CheckPassword(who.Username, chosen); err != nil {
		f.Refuse("new", err.Error())
	}
	if web.Posted(c, "repeat") != chosen {
		f.Refuse("repeat", "The two passwords differ.")
	}
	if f.Ok() {
		if err := a.CheckPassword(c, f, "current"); err != nil {
			return err
		}
	}
	if f.Ok() {
		if err := a.RefuseOldPassword(c, f, who.ID, chosen); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.PasswordForm(c)
	}
	hash, err := a.HashPassword(c.UserContext(), chosen)
	if err != nil {
		return err
	}
	if err := a.Store.SetStaffPassword(c.UserContext(), a.Actor(c), who.ID, hash, who.Row.Hash); err != nil {
		return err
	}
	return a.Done(c, "/", "Your password was changed. Your other sessions have ended.")
}

type secondFactorPage struct {
	web.Page
	Required bool
	Replaces bool
	Secret   string
	Code     views.Field
	Password *views.Field // nil if the reader has just entered it and replaces no phone
	Old      views.Field  // a code from the phone that this replaces, or a passkey's answer
	Passkeys bool         // the site supports passkeys
}

// SecondFactorForm shows a new secret, which the session keeps sealed. The secret is not in use until the reader enters a code
// from it.
func (a *Area) SecondFactorForm(c *fiber.Ctx) error {
	if a.offeredSecret(c) == "" {
		if err := a.SetValue(c, web.ValueSecret, a.Sealer.SealTOTP(web.ReaderOf(c).ID, credentials.NewTOTPSecret())); err != nil {
			return err
		}
	}
	return a.showSecondFactor(c, web.NewForm(c))
}

// offeredSecret returns the secret that SecondFactorForm shows, or "" if there is none.
func (a *Area) offeredSecret(c *fiber.Ctx) string {
	who := web.ReaderOf(c)
	secret, err := a.Sealer.OpenTOTP(who.ID, who.Value(web.ValueSecret))
	if err != nil {
		return ""
	}
	return secret
}

func (a *Area) showSecondFactor(c *fiber.Ctx, f *web.Form) error {
	who := web.ReaderOf(c)
	page := &secondFactorPage{Page: a.Page(c, ""), Replaces: who.HasSecondFactor(), Required: who.Stage == web.Arriving,
		Passkeys: a.Passkeys != nil, Secret: spaced(a.offeredSecret(c)),
		Code: f.Field(views.Field{Name: "code", Autocomplete: "one-time-code", InputMode: "numeric", Required: true})}
	page.Code.Value = ""
	if page.Password = page.Confirm; page.Replaces {
		password := f.Field(web.ConfirmPassword)
		page.Password = &password
		var err error
		if page.Old, err = a.oldCodeField(c, f); err != nil {
			return err
		}
	}
	return a.RenderForm(c, !f.Ok(), "account/second-factor", page)
}

// spaced splits a secret into groups of four characters, which are easier to type.
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

func (a *Area) SecondFactorPicture(c *fiber.Ctx) error {
	secret := a.offeredSecret(c)
	if secret == "" {
		return web.NotFound("picture")
	}
	picture, err := credentials.TOTPPicture(secret, web.ReaderOf(c).Username, a.Operator)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "image/png")
	return c.Send(picture)
}

type codesPage struct {
	web.Page
	Codes []string
}

func (a *Area) SetUpSecondFactor(c *fiber.Ctx) error {
	f := web.NewForm(c)
	who := web.ReaderOf(c)
	secret := a.offeredSecret(c)
	step, ok := credentials.TOTPStep(secret, credentials.Digits(f.Text("code")), a.Now())
	if !ok || secret == "" {
		f.Refuse("code", "This code is wrong. Check that the phone’s clock is right, then enter the code it shows now.")
		return a.showSecondFactor(c, f)
	}
	if who.HasSecondFactor() {
		if err := a.CheckPasswordAndCode(c, f, "password", "old"); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.showSecondFactor(c, f)
	}
	codes, hashes := credentials.NewRecoveryCodes()
	factor := models.SecondFactor{Sealed: a.Sealer.SealTOTP(who.ID, secret), Step: step, Codes: hashes}
	if err := a.Store.SetStaffTOTP(c.UserContext(), a.Actor(c), who.ID, factor, who.Row.Hash); err != nil {
		return err
	}
	if err := a.SetValue(c, web.ValueSecret, ""); err != nil {
		return err
	}
	return a.showCodes(c, codes)
}

// showCodes shows recovery codes, which no page can show again.
func (a *Area) showCodes(c *fiber.Ctx, codes []string) error {
	return a.Render(c, "account/codes", &codesPage{Page: a.Page(c, ""), Codes: codes})
}

// oldCodeField returns the field for a code from the second factor that the reader has now.
func (a *Area) oldCodeField(c *fiber.Ctx, f *web.Form) (views.Field, error) {
	return a.CodeField(c, f, views.Field{ID: "old-code", Name: "old", Autocomplete: "off", Required: true})
}

type ownChangePage struct {
	web.Page
	Passkey  models.Passkey // the one to remove; without an ID, the authenticator app is removed
	Left     bool           // another second factor remains
	Password views.Field
	Old      *views.Field // for a code; nil without a second factor
}

// confirmOwnChange shows the confirmation page for a change to the reader's own account. It always asks for the password, and
// for a code if there is a second factor, because somebody else may be sitting at the desk.
func (a *Area) confirmOwnChange(c *fiber.Ctx, f *web.Form, passkey models.Passkey) error {
	who := web.ReaderOf(c)
	page := &ownChangePage{Page: a.Page(c, ""), Passkey: passkey, Password: f.Field(web.ConfirmPassword)}
	if page.Left = len(who.Kept.Passkeys) > 0; passkey.ID != 0 {
		page.Left = who.HasTOTP() || len(who.Kept.Passkeys) > 1
	}
	if who.HasSecondFactor() {
		code, err := a.oldCodeField(c, f)
		if err != nil {
			return err
		}
		page.Old = &code
	}
	return a.RenderForm(c, !f.Ok(), "account/confirm", page)
}

func (a *Area) RemoveSecondFactorForm(c *fiber.Ctx) error {
	return a.confirmOwnChange(c, web.NewForm(c), models.Passkey{})
}

func (a *Area) RemoveSecondFactor(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if err := a.CheckPasswordAndCode(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.Ok() {
		return a.confirmOwnChange(c, f, models.Passkey{})
	}
	who := web.ReaderOf(c)
	if err := a.Store.ClearStaffTOTP(c.UserContext(), a.Actor(c), who.ID, who.Row.Hash); err != nil {
		return err
	}
	return a.Done(c, "/account", "Your second factor was removed.")
}

func (a *Area) RevokeSessions(c *fiber.Ctx) error {
	who := web.ReaderOf(c)
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.Actor(c), who.ID, ""); err != nil {
		return err
	}
	return a.SignOut(c)
}

// commonZones are the suggestions while the reader types a time zone. Every other known zone is accepted too.
var commonZones = []string{
	"UTC", "Europe/London", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin", "Europe/Vienna", "Europe/Madrid", "Europe/Rome",
	"Europe/Malta", "Europe/Warsaw",
	"Europe/Athens", "Europe/Kyiv", "Europe/Istanbul", "America/New_York", "America/Chicago", "America/Los_Angeles",
	"America/Sao_Paulo", "America/Curacao",
	"Africa/Lagos", "Africa/Johannesburg", "Asia/Dubai", "Asia/Kolkata", "Asia/Manila", "Asia/Singapore", "Asia/Seoul",
	"Asia/Tokyo", "Australia/Sydney",
}
