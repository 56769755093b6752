// Package signin has the pages for signing in, and the page on which staff set a password with a one-time link.
package signin

import (
	"errors"
	"net/http"
	"strconv"
	"time"

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

// Signing in asks for the password, then for a code if there is a second factor, and then starts a session under a new name.
// models/sign_in.go has the rules for waiting after failed attempts.

const (
	SignInCookie  = "door" // has the form's token until there is a session to keep one
	signInLasting = time.Hour
	codeLasting   = 10 * time.Minute
)

type signInPage struct {
	web.Page
	Username, Password, Code views.Field
	Next                     string
	Asked                    bool   // the reader opened a page for which they have to sign in
	Again                    bool   // the reader has to authenticate at the identity provider again
	Unreadable               bool   // the second factor was sealed under another session key
	Wrong                    string // an error of the whole form
}

func (a *Area) signInPage(c *fiber.Ctx) *signInPage {
	page := &signInPage{Page: a.Page(c, ""), Next: web.Local(web.Posted(c, "next"), "")}
	if web.Safe(c) {
		page.Next = web.Local(c.Query("next"), "")
	}
	return page
}

func (a *Area) SignInForm(c *fiber.Ctx) error {
	page := a.signInPage(c)
	if who := web.ReaderOf(c); who != nil && who.Stage != web.Halfway {
		if page.Again = who.SignedOn() && c.Query("again") == "1"; !page.Again {
			return c.Redirect("/", fiber.StatusSeeOther)
		}
	}
	page.Asked = page.Next != "" && page.Next != "/"
	return a.showSignIn(c, page, web.NewForm(c))
}

func (a *Area) showSignIn(c *fiber.Ctx, page *signInPage, f *web.Form) error {
	page.CSRF = credentials.Masked(a.signInToken(c))
	page.Username = f.Field(views.Field{ID: "username", Name: "username", Autocomplete: "username", Required: true})
	page.Password = f.Field(views.Field{ID: "password", Name: "password", Type: "password", Autocomplete: "current-password",
		Required: true})
	return a.RenderForm(c, !f.Ok() || page.Wrong != "", "signin/password", page, "signin")
}

// signInToken returns the token for a form without a session: the one in the browser's cookie, or a new one.
func (a *Area) signInToken(c *fiber.Ctx) string {
	token := credentials.RandomText()
	if cookie, err := web.Request(c).Cookie(a.CookieName(SignInCookie)); err == nil && len(cookie.Value) == len(token) {
		return cookie.Value
	}
	web.SetCookie(c, a.Cookie(SignInCookie, token, signInLasting))
	return token
}

func (a *Area) signInTokenMatches(c *fiber.Ctx) bool {
	cookie, err := web.Request(c).Cookie(a.CookieName(SignInCookie))
	return err == nil && credentials.TokenMatches(web.SentToken(c), cookie.Value)
}

// formTooOld is the message about a form whose token does not match the browser's cookie.
const formTooOld = "This form was open for too long, or your browser refuses cookies. Try again."

func (a *Area) SignIn(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.signInPage(c)
	if !a.signInTokenMatches(c) {
		page.Wrong = formTooOld
		return a.showSignIn(c, page, f)
	}
	const mismatch = "Username and password do not match. Check both and try again."
	username, err := models.ParseUsername(f.Text("username"))
	if err != nil {
		f.Refuse("password", mismatch)
		return a.showSignIn(c, page, f)
	}
	// The password is neither compared nor counted, so nobody can guess it here or make its owner wait.
	if a.SignOn != nil && !a.SignOn.MayUsePassword(username) {
		page.Wrong = "Only break-glass accounts sign in with a password here, and this is not one. Use single sign-on. The people " +
			"who manage groups at the identity provider can help."
		return a.showSignIn(c, page, f)
	}
	try := a.Try(c, username)
	wait, try, err := a.Store.BeginSignIn(c.UserContext(), try)
	if err != nil {
		return err
	}
	if wait > 0 {
		page.Wrong = web.WaitWords(wait)
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
		return a.showSignIn(c, page, f)
	}
	staff, found, err := a.Store.StaffNamed(c.UserContext(), username)
	if err != nil {
		return err
	}
	compare := a.PasswordMatches
	if try.Known == models.Stranger {
		compare = a.StrangerMatches
	}
	matches, err := compare(c.UserContext(), web.Posted(c, "password"), staff.PasswordHash)
	if errors.Is(err, credentials.ErrBusy) {
		page.Wrong = "Too many people are signing in from unknown browsers. Try again in a minute."
		c.Set(fiber.HeaderRetryAfter, "60")
		return a.showSignIn(c, page, f)
	}
	if err != nil {
		return err
	}
	if !found || !matches {
		a.Log.Info("sign-in refused", "username", username, "address", a.Address(c))
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.stranger(c), staff.ID, "sign-in refused"); err != nil {
			return err
		}
		f.Refuse("password", mismatch)
		return a.showSignIn(c, page, f)
	}
	if err := a.disableUnused(c, &staff); errors.Is(err, models.ErrStaffDisabled) {
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.stranger(c), staff.ID, "sign-in while disabled"); err != nil {
			return err
		}
		page.Wrong = accountDisabled
		return a.showSignIn(c, page, f)
	} else if err != nil {
		return err
	}
	if staff.HasSecondFactor() {
		if err := a.Begin(c, staff, map[string]string{web.ValueStage: web.StageCode, web.ValueNext: page.Next},
			codeLasting); err != nil {
			return err
		}
		return c.Redirect("/signin/code", fiber.StatusSeeOther)
	}
	return a.arrive(c, staff, a.byPassword(try, 1, page.Next))
}

const accountDisabled = "This account is disabled. Ask an administrator."

// disableUnused returns models.ErrStaffDisabled if an account is disabled. It also disables an account that was unused for too
// long, because the job that does this may not have run yet.
func (a *Area) disableUnused(c *fiber.Ctx, staff *models.Staff) error {
	rules, err := a.Store.SignInRules(c.UserContext())
	if err == nil && !staff.Disabled && staff.Unused(rules, a.Now()) {
		staff.Disabled, err = a.Store.DisableUnused(c.UserContext(), staff.ID)
	}
	if err == nil && staff.Disabled {
		err = models.ErrStaffDisabled
	}
	return err
}

// stranger returns the actor for a visitor who has not signed in.
func (a *Area) stranger(c *fiber.Ctx) models.Actor {
	return models.Actor{Name: "not signed in", Channel: models.ChannelBrowser, Address: a.Address(c)}
}

// arrival describes a sign-in.
type arrival struct {
	try    models.SignInTry
	tries  int // counted attempts; none with single sign-on
	next   string
	values map[string]string // the session's values
	action string            // the audit event's action
}

// byPassword describes a sign-in with a password. If there is single sign-on, that is an emergency, and all administrators are
// notified.
func (a *Area) byPassword(try models.SignInTry, tries int, next string) arrival {
	how := arrival{try, tries, next, map[string]string{web.ValueConfirmed: strconv.FormatInt(a.Now().Unix(), 10)}, "staff signed in"}
	if a.SignOn != nil {
		how.action = models.BreakGlass
	}
	return how
}

// arrive signs an account in: it starts a session under a new name, and remembers the browser as the owner's.
func (a *Area) arrive(c *fiber.Ctx, staff models.Staff, how arrival) error {
	rules, err := a.Store.SignInRules(c.UserContext())
	if err != nil {
		return err
	}
	if err := a.Begin(c, staff, how.values, time.Duration(rules.SessionHours)*time.Hour); err != nil {
		return err
	}
	device := a.markDevice(c)
	web.SetCookie(c, &http.Cookie{Name: a.CookieName(SignInCookie), Path: "/", MaxAge: -1, HttpOnly: true, Secure: a.Secure(),
		SameSite: http.SameSiteLaxMode})
	if err := a.Store.NoteSignIn(c.UserContext(), a.Actor(c), how.action, staff.ID, device); err != nil {
		return err
	}
	if how.tries > 0 {
		if err := a.Store.SucceedSignIn(c.UserContext(), how.try, how.tries); err != nil {
			return err
		}
	}
	return c.Redirect(web.Local(how.next, "/"), fiber.StatusSeeOther)
}

// markDevice sets or renews the cookie by which the site will recognize the browser, and returns the cookie's hash.
func (a *Area) markDevice(c *fiber.Ctx) string {
	device := credentials.RandomText()
	if cookie, err := web.Request(c).Cookie(a.CookieName(web.DeviceCookie)); err == nil && len(cookie.Value) == len(device) {
		device = cookie.Value
	}
	web.SetCookie(c, a.Cookie(web.DeviceCookie, device, models.KnownFor))
	return credentials.Sha256Text(device)
}

func (a *Area) CodeForm(c *fiber.Ctx) error {
	return a.showCode(c, a.signInPage(c), web.NewForm(c))
}

func (a *Area) showCode(c *fiber.Ctx, page *signInPage, f *web.Form) error {
	var err error
	page.Code, err = a.CodeField(c, f, views.Field{ID: "code", Name: "code", Autocomplete: "one-time-code", Required: true})
	if err != nil {
		return err
	}
	who := web.ReaderOf(c)
	if _, err := a.Sealer.OpenTOTP(who.ID, who.TOTPSecret); err != nil && who.HasTOTP() {
		a.Log.Warn("A second factor cannot be read. An administrator can reset it.", "username", who.Username)
		page.Unreadable, page.Code.Wrong = true, ""
		if !f.Ok() {
			page.Code.Wrong = "This is not one of your recovery codes."
		}
	}
	return a.RenderForm(c, !f.Ok() || page.Wrong != "", "signin/code", page, "signin")
}

func (a *Area) Code(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := a.signInPage(c)
	who := web.ReaderOf(c)
	wait, try, err := a.Store.BeginSignIn(c.UserContext(), a.Try(c, who.Username))
	if err != nil {
		return err
	}
	if wait > 0 {
		page.Wrong = web.WaitWords(wait)
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
		return a.showCode(c, page, f)
	}
	good, err := a.CodeMatches(c, f.Text("code"))
	if err != nil {
		return err
	}
	if !good {
		a.Log.Info("A second factor was refused.", "username", who.Username, "address", a.Address(c))
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.Actor(c), who.ID, "second factor refused"); err != nil {
			return err
		}
		f.Refuse("code", "This code is wrong or was already used. Wait for the next one and enter that.")
		return a.showCode(c, page, f)
	}
	return a.arrive(c, who.Staff, a.byPassword(try, 2, who.Value(web.ValueNext)))
}
