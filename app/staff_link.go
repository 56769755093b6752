package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

// One-time links, with which staff set their own password. The code is behind the # of the address: browsers send that part to
// no server, so that no log, proxy or referrer ever has it, and a mail scanner that follows the link uses nothing up. A script
// puts it into the form; without scripts people paste it. The database keeps a keyed hash of it.

// NewStaffLink makes a code for a link that is valid until a time, and what the store keeps of it.
func NewStaffLink(sessionKey []byte, staffID int64, delivery models.LinkDelivery,
	expires time.Time) (code string, link models.StaffLink) {
	secret := randomText()
	code = strconv.FormatInt(staffID, 10) + "." + secret
	return code, models.StaffLink{StaffID: staffID, Hash: staffLinkHash(sessionKey, code), Delivery: delivery,
		ExpiresAt: expires.UTC().Truncate(time.Microsecond)}
}

func staffLinkHash(sessionKey []byte, code string) string {
	h := hmac.New(sha256.New, sessionKey)
	h.Write([]byte("staff link " + code))
	return hex.EncodeToString(h.Sum(nil))
}

// StaffLinkURL is the address that leads to the form with the code filled in.
func StaffLinkURL(base *url.URL, code string) string {
	u := base.JoinPath("/link")
	u.Fragment = code
	return u.String()
}

// StaffLinkMail is the e-mail that carries a link.
func StaffLinkMail(username, address, code string, expires time.Time) (subject string, text []string) {
	return "Set your password", []string{
		"Set the password of your account " + username + ":", "", address, "",
		"If the page asks for a code, enter this one:", "", code, "",
		"The link works once, until " + expires.UTC().Format("2 Jan 2006 15:04") +
			" UTC. Nobody else has it: do not pass it on.",
		"If you do not expect it, tell an administrator.",
	}
}

// linkDelivery is how links reach their owners here.
func (a *App) linkDelivery() models.LinkDelivery {
	if a.Notices != nil && a.Notices.Mails() && a.PublicURL != nil {
		return models.LinkMailed
	}
	return models.LinkShown
}

type linkPage struct {
	Page
	Member  models.Staff
	Link    views.ID
	Expires views.Moment
	Back    string
}

// sendLink makes a link for a colleague. It is sent to them, or shown this one time where there is no mail server.
func (a *App) sendLink(c *fiber.Ctx, s models.Staff) error {
	rules, err := a.signInRules(c.UserContext())
	if err != nil {
		return err
	}
	delivery := a.linkDelivery()
	code, link := NewStaffLink(a.SessionKey, s.ID, delivery, a.Now().Add(time.Duration(rules.LinkHours)*time.Hour))
	if err := a.Store.MakeStaffLink(c.UserContext(), a.actor(c), link); err != nil {
		return err
	}
	base := a.PublicURL
	if base == nil {
		if base, err = url.Parse(c.BaseURL()); err != nil {
			return fmt.Errorf("address of the site: %w", err)
		}
	}
	address := StaffLinkURL(base, code)
	if delivery == models.LinkMailed {
		subject, text := StaffLinkMail(s.Username, address, code, link.ExpiresAt)
		if err := a.Notices.Mail(c.UserContext(), s.Email, subject, text); err != nil {
			a.Log.Error("a link to set a password could not be sent", "username", s.Username, "error", err)
			return a.flash(c, staffPath(s.ID), views.Note{
				Kind: "wait", Icon: "warning", Title: "The e-mail was not sent",
				Text: sentence(err.Error()) +
					" Check the mail server (PITBOSS_NOTICE_SMTP) and the address, then send another link.",
			})
		}
		return a.done(c, staffPath(s.ID),
			"A link was sent to "+s.Email+". "+s.Name+" sets a password with it; it works once and for "+
				several(int64(rules.LinkHours), "hour", "hours")+".")
	}
	page := &linkPage{Page: a.page(c, "Link for "+s.Name), Member: s, Link: views.ID{Text: address, Kind: "link"},
		Back: staffPath(s.ID)}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: s.Username, Href: staffPath(s.ID)}, {Word: "Link"}}
	page.Expires = page.Time(link.ExpiresAt)
	return a.render(c, "staff/link", page)
}

// resetPassword takes a colleague's password away and makes a link with which they set another.
func (a *App) resetPassword(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	if a.linkDelivery() == models.LinkMailed && s.Email == "" {
		return a.flash(c, staffPath(s.ID)+"/email",
			views.Note{Kind: "wait", Icon: "info",
				Text: "Links are sent by e-mail, and " + s.Name + " has no address yet. Enter it first."})
	}
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.showResetPassword(c, f)
	}
	err = a.sendLink(c, s)
	if errors.Is(err, models.ErrOwnReset) || errors.Is(err, models.ErrStaffDisabled) {
		return a.flash(c, staffPath(s.ID), views.Note{Kind: "wait", Icon: "info", Text: sentence(err.Error())})
	}
	return err
}

// The page that a link leads to.

type choosePage struct {
	doorPage
	LinkCode, New, Repeat views.Field
	Done                  bool
	Username              string
}

func (a *App) linkForm(c *fiber.Ctx) error {
	return a.showLink(c, &choosePage{doorPage: *a.doorPage(c, "Set your password")}, newForm(c))
}

func (a *App) showLink(c *fiber.Ctx, page *choosePage, f *form) error {
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	page.CSRF = masked(a.doorToken(c))
	page.LinkCode = f.field(views.Field{
		ID: "link-code", Label: "Code", Name: "code", Autocomplete: "off", Required: true,
		Hint: "What follows the # in your link. It is filled in by itself where scripts are allowed.",
	})
	page.New = f.field(views.Field{Label: "New password", Name: "new", Type: "password", Autocomplete: "new-password",
		Required: true, Hint: "At least 12 characters. Several unrelated words are easy to remember and hard to guess."})
	page.Repeat = f.field(views.Field{Label: "New password again", Name: "repeat", Type: "password",
		Autocomplete: "new-password", Required: true})
	if !f.ok() || page.Wrong != "" {
		return a.refused(c, "signin/link", page, "door")
	}
	return a.render(c, "signin/link", page, "door")
}

// useLink sets the password that somebody has chosen.
func (a *App) useLink(c *fiber.Ctx) error {
	f := newForm(c)
	page := &choosePage{doorPage: *a.doorPage(c, "Set your password")}
	if !a.doorTokenMatches(c) {
		page.Wrong = formTooOld
		return a.showLink(c, page, f)
	}
	staff, link, err := a.linkOf(c, strings.TrimSpace(posted(c, "code")))
	if errors.Is(err, models.ErrLinkUsed) {
		f.refuse("code", err.Error())
		return a.showLink(c, page, f)
	} else if err != nil {
		return err
	}
	chosen := posted(c, "new")
	if err := models.CheckPassword(staff.Username, chosen); err != nil {
		f.refuse("new", err.Error())
	}
	if posted(c, "repeat") != chosen {
		f.refuse("repeat", "This is not the same as above.")
	}
	if f.ok() {
		if err := a.refuseOldPassword(c, f, staff.ID, chosen); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.showLink(c, page, f)
	}
	hash, err := a.hashPassword(c.UserContext(), chosen)
	if err != nil {
		return err
	}
	err = a.Store.UseStaffLink(c.UserContext(), a.stranger(c), link, hash, a.markDevice(c))
	if errors.Is(err, models.ErrLinkUsed) || errors.Is(err, models.ErrStaffDisabled) {
		f.refuse("code", err.Error())
		return a.showLink(c, page, f)
	} else if err != nil {
		return err
	}
	page.Done, page.Username = true, staff.Username
	return a.render(c, "signin/link", page, "door")
}

// linkOf returns the link with this code and whose it is, or models.ErrLinkUsed. Codes of 256 random bits need no wait after a
// wrong one.
func (a *App) linkOf(c *fiber.Ctx, code string) (models.Staff, models.StaffLink, error) {
	number, _, _ := strings.Cut(code, ".")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return models.Staff{}, models.StaffLink{}, models.ErrLinkUsed
	}
	link, usable, err := a.Store.StaffLink(c.UserContext(), id)
	if err != nil {
		return models.Staff{}, link, err
	}
	if !usable || !hmac.Equal([]byte(link.Hash), []byte(staffLinkHash(a.SessionKey, code))) {
		return models.Staff{}, link, models.ErrLinkUsed
	}
	staff, found, err := a.Store.Staff(c.UserContext(), id)
	if err == nil && !found {
		err = models.ErrLinkUsed
	}
	return staff, link, err
}
