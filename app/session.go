package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/sessions"

	"pitboss/models"
)

// Keys of what a request carries in Fiber's locals.
type localKey int

const (
	requestIDKey localKey = iota
	requestKey
	readerKey
	rulesKey
	draftKey
)

const sessionName = "session"

// stageCode is the stage of a session whose password was right and whose second factor is still asked for.
const stageCode = "code"

// What a session's values are called. All values are texts.
const (
	valueStage     = "stage"     // stageCode, or nothing
	valueToken     = "token"     // of the forms of this session
	valueConfirmed = "confirmed" // when the password was last given, in Unix seconds
	valueFlash     = "flash"     // a message for the next page
	valueNext      = "next"      // where to go once signed in
	valueSecret    = "secret"    // a TOTP secret, sealed, that is not in use before its first code
)

// rowKey is where a session's row stands among its values. Its type is ours alone, and it is not stored.
type rowKey struct{}

// ownerKey is where a session that is not in the database yet has its row, with the account as it was when its owner showed who
// they are.
type ownerKey struct{}

// errRevoked is returned by Save for a session whose row is gone.
var errRevoked = errors.New("app: this session was ended")

// sessionStore keeps gorilla's sessions in the database. The browser has a random name, the database its keyed hash, and a MAC
// of the name with everything that decides whose session it is and how far they have come. Whoever can write to the database
// can end a session that way, but neither make one nor turn one into a colleague's. A row is created once, by signing in; Save
// afterwards only updates, so that a session revoked in the middle of a request stays revoked.
type sessionStore struct{ app *App }

// Get returns the request's session.
func (s *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New reads the session that the cookie names. One that is unknown, ended, or left alone for too long is a new, empty one.
func (s *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", HttpOnly: true, Secure: s.app.secure(), SameSite: http.SameSiteLaxMode}
	cookie, err := r.Cookie(s.app.cookieName(name))
	if err != nil || cookie.Value == "" {
		return session, nil
	}
	row, staff, found, err := s.app.Store.StaffSession(r.Context(), s.app.sessionHash(cookie.Value))
	if err != nil || !found {
		return session, err
	}
	if !hmac.Equal([]byte(row.MAC), []byte(s.app.sessionMAC(cookie.Value, row))) {
		s.app.Log.Warn("a session's row was changed in the database, or is from before an update; the session has ended",
			"session", row.ID)
		return session, s.app.Store.EndAlteredSession(r.Context(), row)
	}
	rules, err := s.app.signInRules(r.Context())
	if err != nil {
		return session, err
	}
	now := s.app.Now()
	idle := row.SeenAt.Add(time.Duration(rules.IdleMinutes) * time.Minute)
	whole := row.CreatedAt.Add(time.Duration(rules.SessionHours) * time.Hour)
	if staff.Disabled || now.After(idle) || now.After(whole) || now.After(row.ExpiresAt) {
		return session, s.app.Store.EndStaffSession(r.Context(), row.Hash)
	}
	values := map[string]string{}
	if err := json.Unmarshal([]byte(row.Data), &values); err != nil {
		return session, fmt.Errorf("read session: %w", err)
	}
	for k, v := range values {
		session.Values[k] = v
	}
	session.Values[rowKey{}] = &sessionRow{row, staff}
	session.ID, session.IsNew = cookie.Value, false
	return session, nil
}

type sessionRow struct {
	models.StaffSession
	staff models.Staff
}

// Save writes a session: a new row and cookie for one that has no ID, else an update. With a negative MaxAge it ends the
// session.
func (s *sessionStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	name := s.app.cookieName(session.Name())
	if session.Options.MaxAge < 0 {
		http.SetCookie(w, sessions.NewCookie(name, "", session.Options))
		if session.ID == "" {
			return nil
		}
		return s.app.Store.EndStaffSession(r.Context(), s.app.sessionHash(session.ID))
	}
	values := map[string]string{}
	for k, v := range session.Values {
		if k, ok := k.(string); ok {
			values[k], _ = v.(string)
		}
	}
	data, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	if session.ID != "" {
		known, ok := session.Values[rowKey{}].(*sessionRow)
		if !ok {
			return errRevoked
		}
		row := known.StaffSession
		row.Data = string(data)
		there, err := s.app.Store.SaveStaffSession(r.Context(), row.Hash, row.Data, s.app.sessionMAC(session.ID, row))
		if err == nil && !there {
			err = errRevoked
		}
		return err
	}
	begun, ok := session.Values[ownerKey{}].(*sessionRow)
	if !ok {
		return errors.New("app: a session belongs to somebody")
	}
	row := begun.StaffSession
	session.ID = randomText()
	row.Hash, row.Data = s.app.sessionHash(session.ID), string(data)
	row.MAC = s.app.sessionMAC(session.ID, row)
	if err := s.app.Store.CreateStaffSession(r.Context(), row, begun.staff); err != nil {
		return err
	}
	session.Values[rowKey{}] = &sessionRow{row, begun.staff}
	session.IsNew = false
	http.SetCookie(w, sessions.NewCookie(name, session.ID, session.Options))
	return nil
}

// Reader is who looks at a page.
type Reader struct {
	models.Staff
	Zone    *time.Location
	session *sessions.Session
	row     models.StaffSession
	stage   Permission // how far they have come: halfway, arriving or signedIn
}

// Initials are the first letters of the reader's first and last name.
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

func (r *Reader) value(name string) string {
	v, _ := r.session.Values[name].(string)
	return v
}

// identify returns who has sent the request, and nil for nobody. It notes the time for the idle time-out, unless the request is
// a page's own polling.
func (a *App) identify(c *fiber.Ctx) (*Reader, error) {
	if r, ok := c.Locals(readerKey).(*Reader); ok {
		return r, nil
	}
	session, err := a.sessions.Get(request(c), sessionName)
	if err != nil {
		return nil, err
	}
	row, ok := session.Values[rowKey{}].(*sessionRow)
	if !ok {
		return nil, nil
	}
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return nil, err
	}
	a.guard.Vouch(c.Context().Conn())
	r := &Reader{Staff: row.staff, session: session, row: row.StaffSession, stage: signedIn}
	if r.Zone, err = time.LoadLocation(r.Profile.Zone); err != nil {
		r.Zone = time.UTC
	}
	switch {
	case r.value(valueStage) == stageCode:
		r.stage = halfway
	case r.MustChangePassword, rules.RequiresTOTP(r.Role) && !r.HasTOTP():
		r.stage = arriving
	}
	if now := a.Now(); !isPoll(c) && now.Sub(r.row.SeenAt) > 15*time.Second {
		if err := a.Store.SeeStaffSession(c.UserContext(), r.row.Hash, now); err != nil {
			return nil, err
		}
	}
	c.Locals(readerKey, r)
	return r, nil
}

// isPoll reports a request that a page made by itself: looking at nothing for an hour is not being there.
func isPoll(c *fiber.Ctx) bool { return c.Method() == fiber.MethodGet && c.Get("Pitboss-Live") != "" }

// reader returns who has sent the request. A route that needs somebody has made sure that there is somebody.
func reader(c *fiber.Ctx) *Reader {
	r, _ := c.Locals(readerKey).(*Reader)
	return r
}

// actor is the reader as the audit log names them.
func (a *App) actor(c *fiber.Ctx) models.Actor {
	actor := models.Actor{Channel: models.ChannelBrowser, Address: a.address(c)}
	if r := reader(c); r != nil {
		actor.Name, actor.Session = r.Username, r.row.Hash[:8]
	}
	return actor
}

// saveSession writes the session's values and sends its cookie where it has a new one.
func (a *App) saveSession(c *fiber.Ctx, session *sessions.Session) error {
	w := headerOnly{}
	if err := a.sessions.Save(request(c), w, session); err != nil {
		return err
	}
	w.sendTo(c)
	return nil
}

// setValue changes one value of the reader's session; an empty one is removed.
func (a *App) setValue(c *fiber.Ctx, name, value string) error {
	r := reader(c)
	if value == "" {
		delete(r.session.Values, name)
	} else {
		r.session.Values[name] = value
	}
	return a.saveSession(c, r.session)
}

// sessionHash is what the database keeps of a session's name. It is keyed, so that whoever can write to the database alone
// cannot make himself a session.
func (a *App) sessionHash(name string) string {
	h := hmac.New(sha256.New, a.SessionKey)
	h.Write([]byte(name))
	return hex.EncodeToString(h.Sum(nil))
}

// sessionMAC is the keyed hash of a session's name, and of its row but for the time that it was last seen.
func (a *App) sessionMAC(name string, row models.StaffSession) string {
	h := hmac.New(sha256.New, a.SessionKey)
	for _, part := range []string{
		"session", name, strconv.FormatInt(row.StaffID, 10), strconv.FormatInt(row.CreatedAt.UnixMicro(), 10),
		strconv.FormatInt(row.ExpiresAt.UnixMicro(), 10), row.Data,
	} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// begin gives somebody a session with a name that no browser has carried before: whatever session came with the request ends.
func (a *App) begin(c *fiber.Ctx, staff models.Staff, values map[string]string, lasting time.Duration) error {
	session, err := a.sessions.Get(request(c), sessionName)
	if err != nil {
		return err
	}
	if session.ID != "" {
		if err := a.Store.EndStaffSession(c.UserContext(), a.sessionHash(session.ID)); err != nil {
			return err
		}
	}
	session.ID = ""
	clear(session.Values)
	for k, v := range values {
		session.Values[k] = v
	}
	session.Values[valueToken] = randomText()
	agent := []rune(c.Get(fiber.HeaderUserAgent))
	now := a.Now().UTC().Truncate(time.Microsecond)
	row := models.StaffSession{
		StaffID: staff.ID, Address: a.address(c), Agent: strings.ToValidUTF8(string(agent[:min(len(agent), 255)]), "?"),
		CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(lasting),
	}
	session.Values[ownerKey{}] = &sessionRow{row, staff}
	if err := a.saveSession(c, session); err != nil {
		return err
	}
	row.Hash = a.sessionHash(session.ID)
	c.Locals(readerKey, &Reader{Staff: staff, Zone: time.UTC, session: session, row: row, stage: signedIn})
	return nil
}

// signInRules returns the settings, at most two seconds old.
func (a *App) signInRules(ctx context.Context) (models.SignInRules, error) {
	a.rulesMu.Lock()
	defer a.rulesMu.Unlock()
	if now := time.Now(); now.Sub(a.rulesAt) > 2*time.Second {
		rules, err := a.Store.SignInRules(ctx)
		if err != nil {
			return rules, err
		}
		a.rules, a.rulesAt = rules, now
	}
	return a.rules, nil
}

func (a *App) forgetRules() {
	a.rulesMu.Lock()
	defer a.rulesMu.Unlock()
	a.rulesAt = time.Time{}
}

// confirmedLately reports whether the reader gave their password within the time that the settings allow.
func (a *App) confirmedLately(c *fiber.Ctx) (bool, error) {
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return false, err
	}
	at, err := strconv.ParseInt(reader(c).value(valueConfirmed), 10, 64)
	age := a.Now().Sub(time.Unix(at, 0))
	return err == nil && age >= 0 && age <= time.Duration(rules.ConfirmMinutes)*time.Minute, nil
}

// serve puts what every route has in common before its handler: who asks, whether they may, and whether a change carries the
// token of its session.
func (a *App) serve(r route) fiber.Handler {
	if r.needs == machine {
		return r.handle
	}
	return func(c *fiber.Ctx) error {
		who, err := a.identify(c)
		if err != nil {
			return err
		}
		if err := a.admit(c, r, who); err != nil {
			return err
		}
		if c.Response().StatusCode() == fiber.StatusSeeOther {
			return nil // sent where something has to be done first
		}
		if err := a.takeDraft(c, r); err != nil || c.Response().StatusCode() == fiber.StatusSeeOther {
			return err
		}
		return r.handle(c)
	}
}

func safe(c *fiber.Ctx) bool { return c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead }

// admit returns why a request goes no further. It sends those who have something to do first to where it is done.
func (a *App) admit(c *fiber.Ctx, r route, who *Reader) error {
	if r.needs == public {
		return nil
	}
	if who == nil {
		if safe(c) && c.Get("HX-Request") == "" && !isPoll(c) {
			return c.Redirect("/signin?next="+escapeQuery(here(c)), fiber.StatusSeeOther)
		}
		if kept, err := a.keepForSignIn(c); kept || err != nil {
			return err
		}
		return problem{
			Status: fiber.StatusUnauthorized, Title: "You are signed out",
			Happened: "Your session has ended: it was left alone too long, was ended elsewhere, or is from before a change " +
				"to your account.",
			Money: "Nothing has changed through this page.",
			Do:    "Sign in, then do it again.", Links: signInLink,
		}
	}
	if !safe(c) && !tokenMatches(sentToken(c), who.value(valueToken)) {
		return problem{
			Status: fiber.StatusForbidden, Title: "This form is from another session",
			Happened: "The form was made for a session that is not the one you are signed in with now, or it did not come " +
				"from here.",
			Money: "Nothing has changed.",
			Do:    "Open the page again and send the form from there.",
		}
	}
	switch {
	case who.stage == halfway && r.needs != halfway:
		return c.Redirect("/signin/code", fiber.StatusSeeOther)
	case who.stage != halfway && r.needs == halfway:
		return c.Redirect("/", fiber.StatusSeeOther)
	case who.stage == arriving && r.needs != arriving:
		if who.MustChangePassword {
			return c.Redirect("/account/password", fiber.StatusSeeOther)
		}
		return c.Redirect("/account/second-factor", fiber.StatusSeeOther)
	}
	allowed, err := may(who.Role, r.needs)
	if err == nil && !allowed {
		err = forbidden(who.Role, r.needs)
	}
	return err
}

func sentToken(c *fiber.Ctx) string {
	if token := c.Get("Pitboss-CSRF"); token != "" {
		return token
	}
	return posted(c, "csrf")
}

// posted is a field of the form that was sent. Unlike Fiber's FormValue it does not look into the address.
func posted(c *fiber.Ctx, name string) string {
	if value := c.Request().PostArgs().Peek(name); value != nil {
		return string(value)
	}
	if form, err := c.MultipartForm(); err == nil && len(form.Value[name]) > 0 {
		return form.Value[name][0]
	}
	return ""
}
