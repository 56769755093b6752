package signin

import (
	"crypto/hmac"
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/credentials"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// The page on which the owner of a one-time link sets a password.

type choosePage struct {
	signInPage
	LinkCode, New, Repeat views.Field
	Done                  bool
	Username              string
}

func (a *Area) LinkForm(c *fiber.Ctx) error {
	return a.showLink(c, &choosePage{signInPage: *a.signInPage(c)}, web.NewForm(c))
}

func (a *Area) showLink(c *fiber.Ctx, page *choosePage, f *web.Form) error {
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	page.CSRF = credentials.Masked(a.signInToken(c))
	page.LinkCode = f.Field(views.Field{ID: "link-code", Name: "code"})
	page.New = f.Field(views.Field{Name: "new", Type: "password", Autocomplete: "new-password", Required: true})
	page.Repeat = f.Field(views.Field{Name: "repeat", Type: "password", Autocomplete: "new-password", Required: true})
	return a.RenderForm(c, !f.Ok() || page.Wrong != "", "signin/link", page, "signin")
}

// UseLink sets the chosen password.
func (a *Area) UseLink(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &choosePage{signInPage: *a.signInPage(c)}
	if !a.signInTokenMatches(c) {
		page.Wrong = formTooOld
		return a.showLink(c, page, f)
	}
	staff, link, err := a.linkOf(c, strings.TrimSpace(web.Posted(c, "code")))
	if errors.Is(err, models.ErrLinkUsed) {
		f.Refuse("code", err.Error())
		return a.showLink(c, page, f)
	} else if err != nil {
		return err
	}
	chosen := web.Posted(c, "new")
	if err := models.CheckPassword(staff.Username, chosen); err != nil {
		f.Refuse("new", err.Error())
	}
	if web.Posted(c, "repeat") != chosen {
		f.Refuse("repeat", "The two passwords differ.")
	}
	if f.Ok() {
		if err := a.RefuseOldPassword(c, f, staff.ID, chosen); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.showLink(c, page, f)
	}
	hash, err := a.HashPassword(c.UserContext(), chosen)
	if err != nil {
		return err
	}
	err = a.Store.UseStaffLink(c.UserContext(), a.stranger(c), link, hash, a.markDevice(c))
	if errors.Is(err, models.ErrLinkUsed) || errors.Is(err, models.ErrStaffDisabled) {
		f.Refuse("code", err.Error())
		return a.showLink(c, page, f)
	} else if err != nil {
		return err
	}
	page.Done, page.Username = true, staff.Username
	return a.Render(c, "signin/link", page, "signin")
}

// linkOf returns the link with this code and its owner, or models.ErrLinkUsed. Wrong codes are not slowed down: nobody can
// guess a code, because it has 256 random bits.
func (a *Area) linkOf(c *fiber.Ctx, code string) (models.Staff, models.StaffLink, error) {
	number, _, _ := strings.Cut(code, ".")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return models.Staff{}, models.StaffLink{}, models.ErrLinkUsed
	}
	link, usable, err := a.Store.StaffLink(c.UserContext(), id)
	if err != nil {
		return models.Staff{}, link, err
	}
	if !usable || !hmac.Equal([]byte(link.Hash), []byte(pages.StaffLinkHash(a.SessionKey, code))) {
		return models.Staff{}, link, models.ErrLinkUsed
	}
	staff, found, err := a.Store.Staff(c.UserContext(), id)
	if err == nil && !found {
		err = models.ErrLinkUsed
	}
	return staff, link, err
}
