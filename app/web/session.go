package web

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/sessions"

	"pitboss/app/credentials"
	"pitboss/app/staffsession"
	"pitboss/models"
)

// Secure reports whether browsers reach the site over TLS.
func (s *Site) Secure() bool { return s.PublicURL != nil && s.PublicURL.Scheme == "https" }

// Signer returns the reader as the person who requests, approves or signs something. If the form's password was refused, the
// store refuses the signer, too, so a handler that forgets to look at the form does nothing.
func (s *Site) Signer(c *fiber.Ctx) models.Signer {
	who := ReaderOf(c)
	return models.Signer{Actor: s.Actor(c), StaffID: who.ID, Role: who.Role, Unconfirmed: len(who.Unconfirmed) > 0,
		Unproven: NewForm(c).Wrong[ConfirmPassword.Name] != ""}
}

// Keys of a request's values in Fiber's locals.
type localKey int

const (
	requestIDKey localKey = iota
	addressKey
	pollKey
	requestKey
	readerKey
	rulesKey
	formKey
	flashKey
)

// SessionName is the name of the session's cookie, without its prefix.
const SessionName = "session"

// StageCode is the stage of a session after the right password, until the second factor has been entered.
const StageCode = "code"

// Names of a session's values. All values are strings.
const (
	ValueStage     = "stage"     // StageCode, or nothing
	valueToken     = "token"     // in the forms of this session
	ValueConfirmed = "confirmed" // when the password was last given, in Unix seconds
	valueFlash     = "flash"     // a message for the next page
	ValueNext      = "next"      // where to go once signed in
	ValueSignOn    = "sign-on"   // "1" if the identity provider has authenticated the reader, without a password or code here
	ValueCreate    = "create"    // the state of passkeys.Site for the last challenge for a new passkey
	valueProve     = "prove"     // and for the last challenge for an existing passkey
	ValueSecret    = "secret"    // a TOTP secret, sealed, that is not in use until its first code is entered
)

// Reader is the staff member who opens a page.
type Reader struct {
	models.Staff
	Zone    *time.Location
	session *sessions.Session
	Row     models.StaffSession
	Stage   Permission // of signing in: Halfway, Arriving or SignedIn
}

// SignedOn reports whether the reader has signed in by single sign-on.
func (r *Reader) SignedOn() bool { return r.Value(ValueSignOn) != "" }

// May reports whether the reader has a permission. While their account is unconfirmed, they may only view pages.
func (r *Reader) May(p Permission) bool {
	return May(r.Role, p) && (len(r.Unconfirmed) == 0 || needNoRole[p] || p.views())
}

// Initials returns the first letters of the reader's first and last name.
func (r *Reader) Initials() string {
	words := strings.FieldsFunc(r.Name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	switch len(words) {
	case 0:
		return "?"
	case 1:
		return strings.ToUpper(firstLetter(words[0]))
	}
	return strings.ToUpper(firstLetter(words[0]) + firstLetter(words[len(words)-1]))
}

func firstLetter(word string) string { return string([]rune(word)[:1]) }

// Value returns one of the session's values, or an empty string.
func (r *Reader) Value(name string) string {
	v, _ := r.session.Values[name].(string)
	return v
}

// identify returns who sent the request, or nil without a session. It records the time for the idle timeout, unless the
// page itself sent the request.
func (s *Site) identify(c *fiber.Ctx) (*Reader, error) {
	if r, ok := c.Locals(readerKey).(*Reader); ok {
		return r, nil
	}
	session, err := s.Sessions.Get(Request(c), SessionName)
	if err != nil {
		return nil, err
	}
	row, ok := staffsession.RowOf(session)
	if !ok {
		return nil, nil
	}
	rules, err := s.Store.SignInRules(c.UserContext())
	if err != nil {
		return nil, err
	}
	s.guard.Vouch(c.Context().Conn())
	r := &Reader{Staff: row.Staff, session: session, Row: row.StaffSession, Stage: SignedIn}
	if r.Zone, err = time.LoadLocation(r.Profile.Zone); err != nil {
		r.Zone = time.UTC
	}
	switch {
	case r.Value(ValueStage) == StageCode:
		r.Stage = Halfway
	case r.SignedOn(): // the identity provider checks passwords and second factors
	case r.MustChangePassword, (rules.RequiresTOTP(r.Role) || s.SignOn != nil) && !r.HasSecondFactor(): // break-glass accounts always need both
		r.Stage = Arriving
	}
	if now := s.Now(); !IsPoll(c) && now.Sub(r.Row.SeenAt) > 15*time.Second {
		if err := s.Store.SeeStaffSession(c.UserContext(), r.Row.Hash, now); err != nil {
			return nil, err
		}
	}
	c.Locals(readerKey, r)
	return r, nil
}

// IsPoll reports whether the page itself sent the request. Such requests do not count as activity: a page that is left open
// must not keep its session alive.
func IsPoll(c *fiber.Ctx) bool {
	poll, _ := c.Locals(pollKey).(bool)
	return poll
}

// ReaderOf returns who sent the request, or nil without a session, which only public routes allow.
func ReaderOf(c *fiber.Ctx) *Reader {
	r, _ := c.Locals(readerKey).(*Reader)
	return r
}

// Actor returns the reader as the actor of audit events.
func (s *Site) Actor(c *fiber.Ctx) models.Actor {
	actor := models.Actor{Channel: models.ChannelBrowser, Address: s.Address(c)}
	if r := ReaderOf(c); r != nil {
		actor.Name, actor.Session = r.Username, r.Row.Hash[:8]
	}
	return actor
}

// SaveSession writes the session's values and sends its cookie if there is a new one.
func (s *Site) SaveSession(c *fiber.Ctx, session *sessions.Session) error {
	w := headerOnly{}
	if err := s.Sessions.Save(Request(c), w, session); err != nil {
		return err
	}
	w.sendTo(c)
	return nil
}

// SetValue sets one value of the reader's session. An empty value removes it.
func (s *Site) SetValue(c *fiber.Ctx, name, value string) error {
	r := ReaderOf(c)
	if value == "" {
		delete(r.session.Values, name)
	} else {
		r.session.Values[name] = value
	}
	return s.SaveSession(c, r.session)
}

// SessionHash returns the hash under which the database stores a session's name.
func (s *Site) SessionHash(name string) string { return s.Sessions.Hash(name) }

// Begin starts a session under a new name, which no browser has had before. It ends the session that came with the request.
func (s *Site) Begin(c *fiber.Ctx, staff models.Staff, values map[string]string, lasting time.Duration) error {
	session, err := s.Sessions.Get(Request(c), SessionName)
	if err != nil {
		return err
	}
	if session.ID != "" {
		if err := s.Store.EndStaffSession(c.UserContext(), s.SessionHash(session.ID)); err != nil {
			return err
		}
	}
	session.ID = ""
	clear(session.Values)
	for k, v := range values {
		session.Values[k] = v
	}
	session.Values[valueToken] = credentials.RandomText()
	agent := []rune(c.Get(fiber.HeaderUserAgent))
	now := s.Now().UTC().Truncate(time.Microsecond)
	row := models.StaffSession{
		StaffID: staff.ID, Address: s.Address(c), Agent: strings.ToValidUTF8(string(agent[:min(len(agent), 255)]), "?"),
		CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(lasting),
	}
	staffsession.SetOwner(session, row, staff)
	if err := s.SaveSession(c, session); err != nil {
		return err
	}
	row.Hash = s.SessionHash(session.ID)
	c.Locals(readerKey, &Reader{Staff: staff, Zone: time.UTC, session: session, Row: row, Stage: SignedIn})
	return nil
}

// SignOut ends the session at any stage. It relies on the check of origins and needs no token, because a page from before the
// session ended must still be able to sign out.
func (s *Site) SignOut(c *fiber.Ctx) error {
	session, err := s.Sessions.Get(Request(c), SessionName)
	if err != nil {
		return err
	}
	options := *session.Options
	options.MaxAge = -1
	session.Options = &options
	if err := s.SaveSession(c, session); err != nil {
		return err
	}
	return c.Redirect("/signin", fiber.StatusSeeOther)
}

// confirmedLately reports whether the reader gave their password a moment ago.
func (s *Site) confirmedLately(c *fiber.Ctx) bool {
	at, err := strconv.ParseInt(ReaderOf(c).Value(ValueConfirmed), 10, 64)
	age := s.Now().Sub(time.Unix(at, 0))
	return err == nil && age >= 0 && age <= models.ConfirmedFor
}

// serve wraps a route's handler with the steps of all routes: it identifies the sender, checks their permission, and checks
// that a change has the token of its session.
func (s *Site) serve(r Route) fiber.Handler {
	if r.Needs == HealthCheck {
		return r.Handle
	}
	if r.Asks != nil {
		r.Handle = s.asking(r)
	}
	return func(c *fiber.Ctx) error {
		who, err := s.identify(c)
		if err != nil {
			return err
		}
		if err := s.admit(c, r, who); err != nil {
			return err
		}
		if c.Response().StatusCode() == fiber.StatusSeeOther {
			return nil // redirected: something has to be done first
		}
		if err := s.takeDraft(c, r); err != nil || c.Response().StatusCode() == fiber.StatusSeeOther {
			return err
		}
		if Safe(c) || who == nil {
			return r.Handle(c)
		}
		if err := s.once(c, r); !errors.Is(err, errSignOnAgain) {
			return err
		}
		return s.signOnAgain(c, r)
	}
}

// Safe reports whether a request only reads.
func Safe(c *fiber.Ctx) bool { return c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead }

// admit returns why a request is refused, or nil. It redirects those who have to do something first, such as sign in.
func (s *Site) admit(c *fiber.Ctx, r Route, who *Reader) error {
	if r.Needs == Public {
		return nil
	}
	if who == nil {
		if Safe(c) && c.Get("HX-Request") == "" && !IsPoll(c) {
			return c.Redirect("/signin?next="+EscapeQuery(here(c)), fiber.StatusSeeOther)
		}
		if kept, err := s.keepForm(c, r); kept || err != nil {
			return err
		}
		return errSignedOut
	}
	if !Safe(c) && !credentials.TokenMatches(SentToken(c), who.Value(valueToken)) {
		if kept, err := s.keepForm(c, r); kept || err != nil {
			return err
		}
		return errOtherSession
	}
	switch {
	case who.Stage == Halfway && r.Needs != Halfway:
		return c.Redirect("/signin/code", fiber.StatusSeeOther)
	case who.Stage != Halfway && r.Needs == Halfway:
		return c.Redirect("/", fiber.StatusSeeOther)
	case who.Stage == Arriving && r.Needs != Arriving:
		if who.MustChangePassword {
			return c.Redirect("/account/password", fiber.StatusSeeOther)
		}
		return c.Redirect("/account/second-factor", fiber.StatusSeeOther)
	}
	if !May(who.Role, r.Needs) {
		return Forbidden(who.Role, r.Needs)
	}
	if !who.May(r.Needs) {
		return errUnconfirmed(r.Needs)
	}
	return nil
}

// SentToken returns the token that came with a form.
func SentToken(c *fiber.Ctx) string {
	if token := c.Get("Pitboss-CSRF"); token != "" {
		return token
	}
	return Posted(c, "csrf")
}

// Posted returns a field of the form that was sent. Unlike Fiber's FormValue, it ignores the address.
func Posted(c *fiber.Ctx, name string) string {
	if value := c.Request().PostArgs().Peek(name); value != nil {
		return string(value)
	}
	if form, err := c.MultipartForm(); err == nil && len(form.Value[name]) > 0 {
		return form.Value[name][0]
	}
	return ""
}
