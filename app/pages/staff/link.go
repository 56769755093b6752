package staff

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Staff set their own password with a one-time link. The code is in the link's fragment, after the #. Browsers do not send the
// fragment to servers, so logs, proxies and referrers never have the code, and a mail scanner that follows the link does not
// use it up. A script puts the code into the form; without scripts, people paste it. The database has only a keyed hash of the
// code.

// NewStaffLink returns the code of a new link that is valid until expires, and the link as the store keeps it, with a hash
// instead of the code.
func NewStaffLink(sessionKey []byte, staffID int64, delivery models.LinkDelivery,
	expires time.Time) (code string, link models.StaffLink) {
	secret := credentials.RandomText()
	code = strconv.FormatInt(staffID, 10) + "." + secret
	return code, models.StaffLink{StaffID: staffID, Hash: pages.StaffLinkHash(sessionKey, code), Delivery: delivery,
		ExpiresAt: expires.UTC().Truncate(time.Microsecond)}
}

// StaffLinkURL returns the form's address with the code as its fragment.
func StaffLinkURL(base *url.URL, code string) string {
	u := base.JoinPath("/link")
	u.Fragment = code
	return u.String()
}

// StaffLinkMail returns the e-mail that brings somebody their link.
func StaffLinkMail(username, address, code string, expires time.Time) (subject string, text []string) {
	return "Set your password", []string{
		"Open this link to set the password of your account " + username + ":", "", address, "",
		"If the page asks for a code, enter:", "", code, "",
		"The link works once, until " + expires.UTC().Format("2 Jan 2006, 15:04") +
			" UTC. Only you have it. Do not pass it on.",
		"If you did not expect it, tell an administrator.",
	}
}

// linkDelivery returns how links reach their owners.
func (a *Area) linkDelivery() models.LinkDelivery {
	if a.Notices != nil && a.Notices.Mails() && a.PublicURL != nil {
		return models.LinkMailed
	}
	return models.LinkShown
}

type linkPage struct {
	web.Page
	Member  models.Staff
	Link    string
	Expires views.Moment
}

// sendLink makes a link for a colleague, and e-mails it to them. If links cannot be e-mailed, the reader sees it once.
func (a *Area) sendLink(c *fiber.Ctx, s models.Staff) error {
	delivery := a.linkDelivery()
	if delivery == models.LinkMailed && s.Email == "" {
		return a.Flash(c, StaffPath(s.ID)+"/email", views.Info("",
			"Links are sent by e-mail, and "+s.Name+" has no address yet. Enter it first."))
	}
	code, link := NewStaffLink(a.SessionKey, s.ID, delivery, a.Now().Add(models.LinkLasts))
	if err := a.Store.MakeStaffLink(c.UserContext(), a.Actor(c), link); err != nil {
		return err
	}
	base := a.PublicURL
	if base == nil {
		var err error
		if base, err = url.Parse(c.BaseURL()); err != nil {
			return fmt.Errorf("address of the site: %w", err)
		}
	}
	address := StaffLinkURL(base, code)
	if delivery == models.LinkMailed {
		subject, text := StaffLinkMail(s.Username, address, code, link.ExpiresAt)
		if err := a.Notices.Mail(c.UserContext(), s.Email, subject, text); err != nil {
			a.Log.Error("A link to set a password could not be sent.", "username", s.Username, "error", err)
			return a.Flash(c, StaffPath(s.ID), views.Warning("The e-mail was not sent",
				web.Sentence(err.Error())+
					" Check the mail server (PITBOSS_NOTICE_SMTP) and the address, then send another link."))
		}
		return a.Done(c, StaffPath(s.ID),
			"A link was sent to "+s.Email+" for "+s.Name+" to set a password. It works once, within 24 hours.")
	}
	page := &linkPage{Page: a.Page(c, ""), Member: s, Link: address}
	page.Expires = page.Time(link.ExpiresAt)
	return a.Render(c, "staff/link", page)
}
