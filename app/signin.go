package app

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// Signing in: the password, then the code where there is a second factor, then a session of a new name. Who has to wait after
// failures stands in models/sign_in.go.

const (
	deviceCookie = "device" // tells a browser that has signed in from a stranger's
	doorCookie   = "door"   // the token of the form, before there is a session to keep one
	doorLasting  = time.Hour
	codeLasting  = 10 * time.Minute
)

type doorPage struct {
	Page
	Username, Password, Code views.Field
	Next                     string
	Notice                   string // why this page came up
	Wrong                    string // what is wrong with the form as a whole
}

func (a *App) doorPage(c *fiber.Ctx, title string) *doorPage {
	page := &doorPage{Page: a.page(c, title), Next: local(posted(c, "next"), "")}
	if safe(c) {
		page.Next = local(c.Query("next"), "")
	}
	return page
}

func (a *App) signInForm(c *fiber.Ctx) error {
	if who := reader(c); who != nil && who.stage != halfway {
		return c.Redirect("/", fiber.StatusSeeOther)
	}
	page := a.doorPage(c, "Sign in")
	if page.Next != "" && page.Next != "/" {
		page.Notice = "Sign in to see this page. Sessions end when they are left alone."
	}
	return a.showSignIn(c, page, newForm(c))
}

func (a *App) showSignIn(c *fiber.Ctx, page *doorPage, f *form) error {
	page.CSRF = masked(a.doorToken(c))
	page.Username = f.field(views.Field{ID: "username", Label: "Username", Name: "username", Autocomplete: "username",
		Required: true})
	page.Password = f.field(views.Field{ID: "password", Label: "Password", Name: "password", Type: "password",
		Autocomplete: "current-password", Required: true})
	if !f.ok() || page.Wrong != "" {
		return a.refused(c, "signin/password", page, "door")
	}
	return a.render(c, "signin/password", page, "door")
}

// doorToken is the token of a form that is sent without a session.
func (a *App) doorToken(c *fiber.Ctx) string {
	token := randomText()
	if cookie, err := request(c).Cookie(a.cookieName(doorCookie)); err == nil && len(cookie.Value) == len(token) {
		return cookie.Value
	}
	setCookie(c, a.cookie(doorCookie, token, doorLasting))
	return token
}

func (a *App) doorTokenMatches(c *fiber.Ctx) bool {
	cookie, err := request(c).Cookie(a.cookieName(doorCookie))
	return err == nil && tokenMatches(sentToken(c), cookie.Value)
}

// formTooOld is what somebody is told whose form carries another token than their browser.
const formTooOld = "This form was open for too long, or your browser refuses cookies. Try again."

func (a *App) signIn(c *fiber.Ctx) error {
	f := newForm(c)
	page := a.doorPage(c, "Sign in")
	if !a.doorTokenMatches(c) {
		page.Wrong = formTooOld
		return a.showSignIn(c, page, f)
	}
	const mismatch = "Username and password do not match. Check both and try again."
	username, err := models.ParseUsername(f.text("username"))
	if err != nil {
		f.refuse("password", mismatch)
		return a.showSignIn(c, page, f)
	}
	try := a.try(c, username)
	wait, try, err := a.Store.BeginSignIn(c.UserContext(), try)
	if err != nil {
		return err
	}
	if wait > 0 {
		page.Wrong = waitWords(wait)
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
		return a.showSignIn(c, page, f)
	}
	staff, found, err := a.Store.StaffNamed(c.UserContext(), username)
	if err != nil {
		return err
	}
	matches, err := a.passwordMatches(c.UserContext(), posted(c, "password"), staff.PasswordHash)
	if err != nil {
		return err
	}
	if !found || !matches {
		a.Log.Info("sign-in refused", "username", username, "address", try.Address)
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.stranger(c), staff.ID, "sign-in refused"); err != nil {
			return err
		}
		f.refuse("password", mismatch)
		return a.showSignIn(c, page, f)
	}
	if !staff.Disabled {
		rules, err := a.signInRules(c.UserContext())
		if err != nil {
			return err
		}
		if staff.Unused(rules, a.Now()) { // the job may not have come to it yet
			if staff.Disabled, err = a.Store.DisableUnused(c.UserContext(), staff.ID); err != nil {
				return err
			}
		}
	}
	if staff.Disabled {
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.stranger(c), staff.ID, "sign-in while disabled"); err != nil {
			return err
		}
		page.Wrong = "This account is disabled. Ask an administrator."
		return a.showSignIn(c, page, f)
	}
	if staff.HasTOTP() {
		if err := a.begin(c, staff, map[string]string{valueStage: stageCode, valueNext: page.Next}, codeLasting); err != nil {
			return err
		}
		return c.Redirect("/signin/code", fiber.StatusSeeOther)
	}
	return a.arrive(c, staff, try, 1, page.Next)
}

func waitWords(wait time.Duration) string {
	words := fmt.Sprintf("%d seconds", int(wait/time.Second)+1)
	if wait > time.Minute {
		words = fmt.Sprintf("%d minutes", int(wait/time.Minute)+1)
	}
	return "Too many failed tries. Wait " + words + ", or sign in from where you usually do. An administrator can lift this."
}

// stranger is who has not shown yet who they are, as the audit log names them.
func (a *App) stranger(c *fiber.Ctx) models.Actor {
	return models.Actor{Name: "not signed in", Channel: models.ChannelBrowser, Address: a.address(c)}
}

// try describes who tries to sign in, for the counting of failures.
func (a *App) try(c *fiber.Ctx, username string) models.SignInTry {
	try := models.SignInTry{Username: username, Address: a.address(c)}
	if cookie, err := request(c).Cookie(a.cookieName(deviceCookie)); err == nil {
		try.Device = sha256Text(cookie.Value)
	}
	return try
}

// arrive signs somebody in: a session of a new name, and the browser remembered as theirs.
func (a *App) arrive(c *fiber.Ctx, staff models.Staff, try models.SignInTry, tries int, next string) error {
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return err
	}
	values := map[string]string{valueConfirmed: strconv.FormatInt(a.Now().Unix(), 10)}
	if err := a.begin(c, staff, values, time.Duration(rules.SessionHours)*time.Hour); err != nil {
		return err
	}
	device := a.markDevice(c)
	setCookie(c, &http.Cookie{Name: a.cookieName(doorCookie), Path: "/", MaxAge: -1, HttpOnly: true, Secure: a.secure(),
		SameSite: http.SameSiteLaxMode})
	if err := a.Store.NoteSignIn(c.UserContext(), a.actor(c), staff.ID, device); err != nil {
		return err
	}
	if err := a.Store.SucceedSignIn(c.UserContext(), try, tries); err != nil {
		return err
	}
	return c.Redirect(local(next, "/"), fiber.StatusSeeOther)
}

// markDevice gives the browser a cookie by which it is known from now on, or renews the one that it has, and returns the
// cookie's hash.
func (a *App) markDevice(c *fiber.Ctx) string {
	device := randomText()
	if cookie, err := request(c).Cookie(a.cookieName(deviceCookie)); err == nil && len(cookie.Value) == len(device) {
		device = cookie.Value
	}
	setCookie(c, a.cookie(deviceCookie, device, models.KnownFor))
	return sha256Text(device)
}

func (a *App) codeForm(c *fiber.Ctx) error {
	return a.showCode(c, a.doorPage(c, "Enter your code"), newForm(c))
}

// unreadableFactor is what a member of staff is told whose second factor was sealed under another session key.
const unreadableFactor = "Your second factor cannot be read any more: this installation’s session key has changed. Enter " +
	"one of your recovery codes, or ask an administrator to reset your second factor."

func (a *App) showCode(c *fiber.Ctx, page *doorPage, f *form) error {
	page.Code = f.field(views.Field{ID: "code", Label: "Code", Name: "code", Autocomplete: "one-time-code", Required: true,
		Hint: "Six digits, or one of your recovery codes."})
	page.Code.Value = ""
	who := reader(c)
	if _, err := a.sealer.open(who.ID, who.TOTPSecret); err != nil {
		a.Log.Warn("second factor cannot be read; an administrator can reset it", "username", who.Username)
		page.Notice, page.Code.Label, page.Code.Hint, page.Code.Wrong = unreadableFactor, "Recovery code", "", ""
		if !f.ok() {
			page.Code.Wrong = "This is none of your recovery codes."
		}
	}
	if !f.ok() || page.Wrong != "" {
		return a.refused(c, "signin/code", page, "door")
	}
	return a.render(c, "signin/code", page, "door")
}

func (a *App) code(c *fiber.Ctx) error {
	f := newForm(c)
	page := a.doorPage(c, "Enter your code")
	who := reader(c)
	wait, try, err := a.Store.BeginSignIn(c.UserContext(), a.try(c, who.Username))
	if err != nil {
		return err
	}
	if wait > 0 {
		page.Wrong = waitWords(wait)
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
		return a.showCode(c, page, f)
	}
	good, err := a.codeMatches(c.UserContext(), a.actor(c), who.Staff, f.text("code"))
	if err != nil {
		return err
	}
	if !good {
		a.Log.Info("second factor refused", "username", who.Username, "address", try.Address)
		if err := a.Store.NoteSignInFailure(c.UserContext(), a.actor(c), who.ID, "second factor refused"); err != nil {
			return err
		}
		f.refuse("code", "This code is wrong, or was used already. Wait for the next one and enter that.")
		return a.showCode(c, page, f)
	}
	return a.arrive(c, who.Staff, try, 2, who.value(valueNext))
}

// codeMatches reports whether a code is somebody's, and uses it up: a code of the authenticator, or a recovery code.
func (a *App) codeMatches(ctx context.Context, actor models.Actor, staff models.Staff, code string) (bool, error) {
	secret, unreadable := a.sealer.open(staff.ID, staff.TOTPSecret)
	if step, ok := totpStep(secret, digits(code), a.Now()); ok && unreadable == nil {
		return a.Store.UseTOTPStep(ctx, staff.ID, step)
	}
	if len(digits(code)) <= 6 {
		return false, nil
	}
	return a.Store.UseRecoveryCode(ctx, actor, staff.ID, recoveryHash(code))
}

// signOut ends the session, whatever its stage. It asks for no token beyond the check of origins: a form from before the
// session ended must still be able to leave.
func (a *App) signOut(c *fiber.Ctx) error {
	session, err := a.sessions.Get(request(c), sessionName)
	if err != nil {
		return err
	}
	options := *session.Options
	options.MaxAge = -1
	session.Options = &options
	if err := a.saveSession(c, session); err != nil {
		return err
	}
	return c.Redirect("/signin", fiber.StatusSeeOther)
}

// confirmField is the field in which the reader's password is asked for before money moves; nil where it was given just now. A
// confirm page puts it into its views.Deed.
func (a *App) confirmField(c *fiber.Ctx, f *form) (*views.Field, error) {
	lately, err := a.confirmedLately(c)
	if err != nil || lately {
		return nil, err
	}
	field := f.field(confirmPassword)
	return &field, nil
}

// confirm checks that the reader has given their password, with this form or just now, and marks the form's field where not. It
// is asked before money or spins move, after everything else in the form was found right. Failures count like failed sign-ins.
func (a *App) confirm(c *fiber.Ctx, f *form) error {
	lately, err := a.confirmedLately(c)
	if err != nil || lately {
		return err
	}
	return a.askPassword(c, f, "password")
}

// askPassword checks the reader's password in the field named, whenever it was last given.
func (a *App) askPassword(c *fiber.Ctx, f *form, field string) error {
	return a.ask(c, f, field, "")
}

// askBoth checks the reader's password, and a code of the second factor that they have or one of its recovery codes, in the
// fields named: what is asked before that factor is replaced or taken away. Without a second factor the password is enough.
func (a *App) askBoth(c *fiber.Ctx, f *form, password, code string) error {
	who := reader(c)
	if !who.HasTOTP() {
		code = ""
	}
	return a.ask(c, f, password, code)
}

// ask checks what the reader is asked for. It counts as one try to sign in, so that neither can be guessed without waiting.
func (a *App) ask(c *fiber.Ctx, f *form, password, code string) error {
	who := reader(c)
	wait, try, err := a.Store.BeginSignIn(c.UserContext(), a.try(c, who.Username))
	if err != nil {
		return err
	}
	if wait > 0 {
		f.refuse(password, waitWords(wait))
		return nil
	}
	matches, err := a.passwordMatches(c.UserContext(), posted(c, password), who.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		f.refuse(password, "This is not your password.")
		return a.Store.NoteSignInFailure(c.UserContext(), a.actor(c), who.ID, "password to confirm refused")
	}
	if code != "" {
		good, err := a.codeMatches(c.UserContext(), a.actor(c), who.Staff, f.text(code))
		if err != nil {
			return err
		}
		if !good {
			f.refuse(code, "This code is wrong, or was used already. Wait for the next one, or enter a recovery code.")
			return a.Store.NoteSignInFailure(c.UserContext(), a.actor(c), who.ID, "second factor refused")
		}
	}
	if err := a.Store.SucceedSignIn(c.UserContext(), try, 1); err != nil {
		return err
	}
	return a.setValue(c, valueConfirmed, strconv.FormatInt(a.Now().Unix(), 10))
}
