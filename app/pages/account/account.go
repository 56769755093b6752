package account

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// One's own account: how pages look, password, second factor, and the browsers in which one is signed in.

type accountPage struct {
	web.Page
	Facts         []views.Fact
	Zone          views.Field
	ThemeChoice   views.Select
	DensityChoice views.Select
	Zones         []string
	TOTPRequired  bool
	CodesLeft     int64
	Sessions      []things.SessionLine
}

func (a *Area) Account(c *fiber.Ctx) error {
	return a.showAccount(c, web.NewForm(c), web.ReaderOf(c).Profile)
}

func (a *Area) showAccount(c *fiber.Ctx, f *web.Form, profile models.Profile) error {
	who := web.ReaderOf(c)
	page := &accountPage{Page: a.Page(c, "Your account"), Zones: commonZones}
	page.Heading = who.Name
	page.Lede = "Signed in as " + who.Username + ", " + string(who.Role) + "."
	rules, err := a.SignInRules(c.UserContext())
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
	page.Sessions = things.SessionLines(list, who.Row.Hash)
	page.Zone = f.Field(views.Field{Label: "Time zone", Name: "zone", Value: profile.Zone, Autocomplete: "off",
		Hint: "Such as Europe/Vienna. Times are shown in it; UTC stands on hover."})
	page.ThemeChoice = views.Select{ID: "f-theme", Label: "Colours", Name: "theme",
		Choices: web.Choices(profile.Theme, "system", "As the system", "light", "Light", "dark", "Dark")}
	page.DensityChoice = views.Select{ID: "f-density", Label: "Rows", Name: "density",
		Choices: web.Choices(profile.Density, "roomy", "Roomy", "compact", "Compact")}
	if !f.Ok() {
		return a.Refused(c, "account/account", page)
	}
	return a.Render(c, "account/account", page)
}

func (a *Area) SaveProfile(c *fiber.Ctx) error {
	f := web.NewForm(c)
	profile := models.Profile{Zone: f.Text("zone"), Theme: f.Text("theme"), Density: f.Text("density")}
	if err := profile.Check(); err != nil {
		f.Refuse("zone", err.Error())
		return a.showAccount(c, f, profile)
	}
	if err := a.Store.SetStaffProfile(c.UserContext(), web.ReaderOf(c).ID, profile); err != nil {
		return err
	}
	return a.Done(c, "/account", "Your pages look as you chose.")
}

// SaveTheme is the switch in the bar.
func (a *Area) SaveTheme(c *fiber.Ctx) error {
	profile := web.ReaderOf(c).Profile
	profile.Theme = web.Posted(c, "theme")
	if err := profile.Check(); err != nil {
		return web.BadAddress(web.Sentence(err.Error()))
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

func (a *Area) PasswordForm(c *fiber.Ctx) error { return a.showPassword(c, web.NewForm(c)) }

func (a *Area) showPassword(c *fiber.Ctx, f *web.Form) error {
	who := web.ReaderOf(c)
	page := &passwordPage{Page: a.Page(c, "Change your password"), Must: who.MustChangePassword}
	page.Lede = "Your other sessions end with it."
	if page.Must {
		page.Lede = "Your password was given at the command line. Choose one that only you know."
	} else {
		page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: "Password"}}
	}
	page.Current = f.Field(views.Field{Label: "Password until now", Name: "current", Type: "password",
		Autocomplete: "current-password", Required: true})
	page.New = f.Field(views.Field{Label: "New password", Name: "new", Type: "password", Autocomplete: "new-password",
		Required: true, Hint: "At least 12 characters. Several unrelated words are easy to remember and hard to guess."})
	page.Repeat = f.Field(views.Field{Label: "New password again", Name: "repeat", Type: "password",
		Autocomplete: "new-password", Required: true})
	layout := "app"
	if who.Stage != web.SignedIn {
		layout = "bare"
	}
	if !f.Ok() {
		return a.Refused(c, "account/password", page, layout)
	}
	return a.Render(c, "account/password", page, layout)
}

func (a *Area) ChangePassword(c *fiber.Ctx) error {
	f := web.NewForm(c)
	who := web.ReaderOf(c)
	chosen := web.Posted(c, "new")
	if err := models.CheckPassword(who.Username, chosen); err != nil {
		f.Refuse("new", err.Error())
	}
	if web.Posted(c, "repeat") != chosen {
		f.Refuse("repeat", "This is not the same as above.")
	}
	if f.Ok() {
		if err := a.AskPassword(c, f, "current"); err != nil {
			return err
		}
	}
	if f.Ok() {
		if err := a.refuseOldPassword(c, f, who.ID, chosen); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.showPassword(c, f)
	}
	hash, err := a.HashPassword(c.UserContext(), chosen)
	if err != nil {
		return err
	}
	if err := a.Store.SetStaffPassword(c.UserContext(), a.Actor(c), who.ID, hash, who.Row.Hash); err != nil {
		return err
	}
	return a.Done(c, "/", "Your password is changed. Your other sessions have ended.")
}

// refuseOldPassword refuses a password that is among somebody's latest ones.
func (a *Area) refuseOldPassword(c *fiber.Ctx, f *web.Form, staffID int64, chosen string) error {
	rules, err := a.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	hashes, err := a.Store.OldPasswords(c.UserContext(), staffID, rules.OldPasswords)
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		used, err := a.PasswordMatches(c.UserContext(), chosen, hash)
		if err != nil {
			return err
		}
		if used {
			f.Refuse("new", "You have used this password before. Choose another than your last "+
				strconv.Itoa(rules.OldPasswords)+".")
			return nil
		}
	}
	return nil
}

type secondFactorPage struct {
	web.Page
	Required bool
	Replaces bool
	Secret   views.ID
	Code     views.Field
	Password *views.Field // where it was not given just now, or the phone is replaced
	Old      views.Field  // a code of the phone that is replaced
}

// SecondFactorForm shows a secret that is not in use yet. It stays in the session, sealed, until a code of it is given.
func (a *Area) SecondFactorForm(c *fiber.Ctx) error {
	if a.offeredSecret(c) == "" {
		if err := a.SetValue(c, web.ValueSecret, a.Sealer.Seal(web.ReaderOf(c).ID, credentials.NewTOTPSecret())); err != nil {
			return err
		}
	}
	return a.showSecondFactor(c, web.NewForm(c))
}

// offeredSecret is the secret that is not in use yet, and empty where there is none.
func (a *Area) offeredSecret(c *fiber.Ctx) string {
	who := web.ReaderOf(c)
	secret, err := a.Sealer.Open(who.ID, who.Value(web.ValueSecret))
	if err != nil {
		return ""
	}
	return secret
}

func (a *Area) showSecondFactor(c *fiber.Ctx, f *web.Form) error {
	who := web.ReaderOf(c)
	page := &secondFactorPage{Page: a.Page(c, "Set up a second factor"), Replaces: who.HasTOTP(),
		Required: who.Stage == web.Arriving}
	page.Lede = "A code from your phone, besides your password, whenever you sign in."
	if page.Required {
		page.Lede = "Your role signs in with a second factor. Set it up to go on."
	} else {
		page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: "Second factor"}}
	}
	page.Secret = views.ID{Text: spaced(a.offeredSecret(c)), Kind: "secret"}
	page.Code = f.Field(views.Field{Label: "Code of the new phone", Name: "code", Autocomplete: "one-time-code",
		InputMode: "numeric", Required: true, Hint: "Six digits."})
	page.Code.Value = ""
	var err error
	if page.Replaces {
		password := f.Field(web.ConfirmPassword)
		page.Password, page.Old = &password, a.oldCodeField(f)
	} else if page.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	layout := "app"
	if page.Required {
		layout = "bare"
	}
	if !f.Ok() {
		return a.Refused(c, "account/second-factor", page, layout)
	}
	return a.Render(c, "account/second-factor", page, layout)
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
		f.Refuse("code", "This code is wrong. Check that the phone’s clock is right, then enter the code that it shows now.")
		return a.showSecondFactor(c, f)
	}
	var err error
	if who.HasTOTP() {
		err = a.AskBoth(c, f, "password", "old")
	} else {
		err = a.Confirm(c, f)
	}
	if err != nil {
		return err
	}
	if !f.Ok() {
		return a.showSecondFactor(c, f)
	}
	codes, hashes := credentials.NewRecoveryCodes()
	factor := models.SecondFactor{Sealed: a.Sealer.Seal(who.ID, secret), Step: step, Codes: hashes}
	if err := a.Store.SetStaffTOTP(c.UserContext(), a.Actor(c), who.ID, factor, who.Row.Hash); err != nil {
		return err
	}
	if err := a.SetValue(c, web.ValueSecret, ""); err != nil {
		return err
	}
	return a.showCodes(c, "Your second factor is set up", codes)
}

// showCodes shows recovery codes, this one time.
func (a *Area) showCodes(c *fiber.Ctx, title string, codes []string) error {
	page := &codesPage{Page: a.Page(c, title), Codes: codes}
	page.Lede = "Keep these recovery codes where you find them without your phone. They are not shown again."
	layout := "app"
	if web.ReaderOf(c).Stage != web.SignedIn {
		layout = "bare"
	}
	return a.Render(c, "account/codes", page, layout)
}

// oldCodeField asks for a code of the second factor that the reader has.
func (a *Area) oldCodeField(f *web.Form) views.Field {
	field := f.Field(views.Field{
		ID: "old-code", Label: "Code of the phone that you use now", Name: "old", Autocomplete: "off", Required: true,
		Hint: "Six digits, or one of your recovery codes if you do not have that phone.",
	})
	field.Value = ""
	return field
}

// ownDeed is the confirmation page of a change to one's own account. It asks for the password always, and for a code where
// there is a second factor: somebody else may sit at the desk.
func (a *Area) ownDeed(c *fiber.Ctx, f *web.Form, title, word string, deed views.Deed) error {
	page := &web.DeedPage{Page: a.Page(c, title), Deed: deed}
	page.Crumbs = []views.Crumb{{Word: "Your account", Href: "/account"}, {Word: word}}
	field := f.Field(web.ConfirmPassword)
	page.Deed.Password, page.Deed.Back = &field, views.Link{Word: "Back", Href: "/account"}
	if web.ReaderOf(c).HasTOTP() {
		code := a.oldCodeField(f)
		page.Deed.Code = &code
	}
	if !f.Ok() {
		return a.Refused(c, "account/deed", page)
	}
	return a.Render(c, "account/deed", page)
}

func (a *Area) RemoveSecondFactorForm(c *fiber.Ctx) error {
	return a.showRemoveSecondFactor(c, web.NewForm(c))
}

func (a *Area) showRemoveSecondFactor(c *fiber.Ctx, f *web.Form) error {
	return a.ownDeed(c, f, "Remove the second factor", "Second factor", views.Deed{
		Sentence:     "Remove your second factor.",
		Consequences: "Your password alone will sign you in. Your recovery codes are void, and your other sessions end.",
		Action:       "/account/second-factor/removal", Button: "Remove the second factor", Destroys: true,
	})
}

func (a *Area) RemoveSecondFactor(c *fiber.Ctx) error {
	f := web.NewForm(c)
	if err := a.AskBoth(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.Ok() {
		return a.showRemoveSecondFactor(c, f)
	}
	who := web.ReaderOf(c)
	if err := a.Store.ClearStaffTOTP(c.UserContext(), a.Actor(c), who.ID, who.Row.Hash); err != nil {
		return err
	}
	return a.Done(c, "/account", "Your second factor is removed.")
}

func (a *Area) RecoveryCodesForm(c *fiber.Ctx) error { return a.showRecoveryCodes(c, web.NewForm(c)) }

func (a *Area) showRecoveryCodes(c *fiber.Ctx, f *web.Form) error {
	return a.ownDeed(c, f, "New recovery codes", "Recovery codes", views.Deed{
		Sentence: "Make ten new recovery codes.", Consequences: "The ones that you have are void from then on.",
		Action: "/account/recovery-codes", Button: "Make new codes",
	})
}

func (a *Area) ReplaceRecoveryCodes(c *fiber.Ctx) error {
	f := web.NewForm(c)
	who := web.ReaderOf(c)
	if !who.HasTOTP() {
		return a.Flash(c, "/account",
			views.Note{Kind: "wait", Icon: "warning", Text: "Recovery codes stand in for a second factor. Set one up first."})
	}
	if err := a.AskBoth(c, f, "password", "old"); err != nil {
		return err
	}
	if !f.Ok() {
		return a.showRecoveryCodes(c, f)
	}
	codes, hashes := credentials.NewRecoveryCodes()
	if err := a.Store.SetRecoveryCodes(c.UserContext(), a.Actor(c), who.ID, hashes, who.Row.Hash); err != nil {
		return err
	}
	return a.showCodes(c, "Your new recovery codes", codes)
}

func (a *Area) RevokeSession(c *fiber.Ctx) error {
	id, err := web.Number(c, "id")
	if err != nil {
		return err
	}
	who := web.ReaderOf(c)
	if id == who.Row.ID {
		return a.SignOut(c)
	}
	there, err := a.Store.RevokeStaffSession(c.UserContext(), a.Actor(c), who.ID, id)
	if err != nil {
		return err
	}
	if !there {
		return a.Done(c, "/account", "That session had ended already.")
	}
	return a.Done(c, "/account", "That session has ended.")
}

func (a *Area) RevokeSessions(c *fiber.Ctx) error {
	who := web.ReaderOf(c)
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.Actor(c), who.ID, ""); err != nil {
		return err
	}
	return a.SignOut(c)
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
