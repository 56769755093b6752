package web

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/models"
	"pitboss/views"
)

// ConfirmPassword is the field in which a form asks for the reader's password.
var ConfirmPassword = views.Field{ID: "confirm-password", Label: "Your password, to confirm", Name: "password",
	Type: "password", Autocomplete: "current-password", Required: true}

// DeviceCookie is the cookie that marks a browser from which an account has signed in before.
const DeviceCookie = "device"

// Try returns an attempt to sign in, so that failures can be counted.
func (s *Site) Try(c *fiber.Ctx, username string) models.SignInTry {
	try := models.SignInTry{Username: username, Address: models.SignInOrigin(s.Address(c))}
	if cookie, err := Request(c).Cookie(s.CookieName(DeviceCookie)); err == nil {
		try.Device = credentials.Sha256Text(cookie.Value)
	}
	return try
}

// CodeField returns a field for a second factor: a code, or the answer of a passkey, which a script fills in.
func (s *Site) CodeField(c *fiber.Ctx, f *Form, v views.Field) (views.Field, error) {
	field, who := f.Field(v), ReaderOf(c)
	field.Value = ""
	if s.Passkeys == nil || len(who.Kept.Passkeys) == 0 {
		return field, nil
	}
	question, kept, err := s.Passkeys.AskToProve(who.Staff)
	if err != nil {
		return field, err
	}
	field.Passkey = question
	return field, s.SetValue(c, valueProve, kept)
}

// passkeyMatches reports whether an answer proves that the reader has one of their passkeys, and uses up its challenge.
func (s *Site) passkeyMatches(c *fiber.Ctx, answer string) (bool, error) {
	who := ReaderOf(c)
	kept := who.Value(valueProve)
	if s.Passkeys == nil || kept == "" {
		return false, nil
	}
	if err := s.SetValue(c, valueProve, ""); err != nil {
		return false, err
	}
	p, count, err := s.Passkeys.Proved(who.Staff, kept, answer)
	if err != nil {
		s.Log.Info("passkey refused", "username", who.Username, "err", err)
		return false, nil
	}
	return s.Store.UsePasskey(c.UserContext(), s.Actor(c), p, count)
}

// CodeMatches reports whether code is the current code of the reader's authenticator app, one of their recovery codes, or the
// answer of one of their passkeys, and uses it up.
func (s *Site) CodeMatches(c *fiber.Ctx, code string) (bool, error) {
	if strings.HasPrefix(code, "{") {
		return s.passkeyMatches(c, code)
	}
	ctx, staff := c.UserContext(), ReaderOf(c).Staff
	secret, unreadable := s.Sealer.OpenTOTP(staff.ID, staff.TOTPSecret)
	if step, ok := credentials.TOTPStep(secret, credentials.Digits(code), s.Now()); ok && unreadable == nil {
		return s.Store.UseTOTPStep(ctx, staff.ID, step)
	}
	if len(credentials.Digits(code)) <= 6 {
		return false, nil
	}
	return s.Store.UseRecoveryCode(ctx, s.Actor(c), staff.ID, credentials.RecoveryHash(code))
}

// confirmField returns the field of Page.Confirm.
func (s *Site) confirmField(c *fiber.Ctx) *views.Field {
	if s.confirmedLately(c) || ReaderOf(c).SignedOn() {
		return nil
	}
	field := NewForm(c).Field(ConfirmPassword)
	return &field
}

// asking wraps the handler of a route that asks for the password: it checks that the reader has given it, in this form or
// recently. If not, the password of the form is refused, and the handler shows it again. Failures count like
// failed sign-ins. A reader with single sign-on has to authenticate at the identity provider again, and then send the form
// again: asking returns an error at which serve sends them there.
func (s *Site) asking(r Route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if !r.Asks(c) || s.confirmedLately(c) {
			return r.Handle(c)
		}
		if ReaderOf(c).SignedOn() {
			return errSignOnAgain
		}
		f := NewForm(c)
		if Posted(c, ConfirmPassword.Name) == "" {
			f.Refuse(ConfirmPassword.Name, "Enter your password.")
		} else if err := s.CheckPassword(c, f, ConfirmPassword.Name); err != nil {
			return err
		}
		return r.Handle(c)
	}
}

// errSignOnAgain is returned for a form that needs a new authentication by the identity provider.
var errSignOnAgain = errors.New("the reader has to sign in at the identity provider again")

// signOnAgain sends the reader to a page that leads to the identity provider and back to the form, with its values if the form
// is kept. Browsers do not let the answer to a form redirect to another site.
func (s *Site) signOnAgain(c *fiber.Ctx, r Route) error {
	next, err := s.keptForm(c, r)
	if err != nil {
		return err
	}
	if next == "" {
		if from, err := url.Parse(c.Get(fiber.HeaderReferer)); err == nil {
			next = from.RequestURI()
		}
	}
	return c.Redirect("/signin?again=1&next="+EscapeQuery(Local(next, "/")), fiber.StatusSeeOther)
}

// CheckPassword checks the reader's password in the named field, even if the reader has given it recently.
func (s *Site) CheckPassword(c *fiber.Ctx, f *Form, field string) error {
	return s.ask(c, f, field, "")
}

// CheckPasswordAndCode checks the reader's password, and a code of their second factor or a recovery code, in the named fields.
// It protects the second factor from being replaced or removed by another person. Without a second factor the password is
// enough.
func (s *Site) CheckPasswordAndCode(c *fiber.Ctx, f *Form, password, code string) error {
	who := ReaderOf(c)
	if !who.HasSecondFactor() {
		code = ""
	}
	return s.ask(c, f, password, code)
}

// ask checks the password and, if code names a field, the code. It counts as one attempt to sign in, so that neither can be
// guessed without waiting.
func (s *Site) ask(c *fiber.Ctx, f *Form, password, code string) error {
	who := ReaderOf(c)
	wait, try, err := s.Store.BeginSignIn(c.UserContext(), s.Try(c, who.Username))
	if err != nil {
		return err
	}
	if wait > 0 {
		f.Refuse(password, WaitWords(wait))
		return nil
	}
	matches, err := s.PasswordMatches(c.UserContext(), Posted(c, password), who.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		f.Refuse(password, "This is not your password.")
		return s.Store.NoteSignInFailure(c.UserContext(), s.Actor(c), who.ID, "password to confirm refused")
	}
	if code != "" {
		good, err := s.CodeMatches(c, f.Text(code))
		if err != nil {
			return err
		}
		if !good {
			f.Refuse(code, "This code is wrong, or was used already. Wait for the next one, or enter a recovery code.")
			return s.Store.NoteSignInFailure(c.UserContext(), s.Actor(c), who.ID, "second factor refused")
		}
	}
	if err := s.Store.SucceedSignIn(c.UserContext(), try, 1); err != nil {
		return err
	}
	return s.SetValue(c, ValueConfirmed, strconv.FormatInt(s.Now().Unix(), 10))
}
