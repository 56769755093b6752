package signin

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/signon"
	"pitboss/app/web"
	"pitboss/models"
)

// Single sign-on. Its rules are in models/sign_on.go, its protocol in app/signon.

const (
	signOnCookie  = "sign-on-" // followed by the beginning of the state, because several tabs may sign in at once
	signOnsAtOnce = 3
	signOnLasting = 10 * time.Minute

	unreachable = "The identity provider cannot be reached, so single sign-on does not work at the moment. The people who run it " +
		"can help. Until then, administrators with a break-glass account sign in with a password."
)

// BeginSignOn redirects to the identity provider.
func (a *Area) BeginSignOn(c *fiber.Ctx) error {
	if a.SignOn == nil {
		return web.NotFound("page")
	}
	again := c.Query("again") == "1"
	if who := web.ReaderOf(c); who != nil && who.Stage == web.SignedIn && !again {
		return c.Redirect("/", fiber.StatusSeeOther)
	}
	address, state, kept, err := a.SignOn.Begin(c.UserContext(), web.Local(c.Query("next"), "/"), again)
	if err != nil {
		a.Log.Error("Single sign-on does not work.", "err", err)
		return a.notSignedOn(c, unreachable)
	}
	if begun := a.signOns(c); len(begun) >= signOnsAtOnce { // these never came back
		for _, name := range begun {
			web.SetCookie(c, a.Cookie(name, "", -time.Second))
		}
	}
	web.SetCookie(c, a.Cookie(signOnCookie+state[:8], kept, signOnLasting))
	return c.Redirect(address, fiber.StatusSeeOther)
}

// signOns returns the cookies of the sign-ons that a browser has begun.
func (a *Area) signOns(c *fiber.Ctx) (names []string) {
	for _, cookie := range web.Request(c).Cookies() {
		if state, is := strings.CutPrefix(cookie.Name, a.CookieName(signOnCookie)); is {
			names = append(names, signOnCookie+state)
		}
	}
	return names
}

// notSignedOn shows the sign-in page with the error.
func (a *Area) notSignedOn(c *fiber.Ctx, why string) error {
	page := a.signInPage(c)
	page.Wrong = why
	return a.showSignIn(c, page, web.NewForm(c))
}

// EndSignOn signs in the person who comes back from the identity provider.
func (a *Area) EndSignOn(c *fiber.Ctx) error {
	if a.SignOn == nil {
		return web.NotFound("page")
	}
	ctx, state, kept := c.UserContext(), c.Query("state"), ""
	name := signOnCookie + state[:min(8, len(state))]
	if cookie, err := web.Request(c).Cookie(a.CookieName(name)); err == nil {
		kept = cookie.Value
		web.SetCookie(c, a.Cookie(name, "", -time.Second))
	}
	who, err := a.SignOn.Finish(ctx, kept, state, c.Query("code"), c.Query("error"))
	var refused signon.Refused
	switch {
	case errors.Is(err, signon.ErrUnreachable):
		a.Log.Error("Single sign-on does not work.", "err", err)
		return a.notSignedOn(c, unreachable)
	case errors.Is(err, signon.ErrAnswer):
		a.Log.Warn("A single sign-on was refused.", "err", err, "address", a.Address(c))
		return a.notSignedOn(c, "The identity provider’s answer does not match this sign-in. Try again. If that does not help, "+
			"the people who run Pitboss can find the reason in its log.")
	case errors.As(err, &refused):
		a.Log.Warn("A single sign-on was refused.", "err", err, "groups", refused.Groups, "address", a.Address(c))
		if err := a.Store.EndSignOn(ctx, refused.Identity); err != nil {
			return err
		}
		if len(refused.Roles) == 0 {
			return a.notSignedOn(c, "None of your groups has a role here. The people who manage groups at the identity provider "+
				"can add you to one.")
		}
		return a.notSignedOn(c, "Your groups give you more than one role, but an account has only one. The people who manage groups "+
			"at the identity provider can remove you from all but one.")
	case err != nil:
		return err
	}
	staff, err := a.Store.SignOn(ctx, who.SignOn)
	if err == nil {
		err = a.disableUnused(c, &staff)
	}
	switch {
	case errors.Is(err, models.ErrUsernameNotYours):
		return a.notSignedOn(c, "Another account has your username, "+who.Username+". An administrator can link that account to you, "+
			"if it is yours, or create another one and link it. Your subject at the identity provider is "+who.Subject()+".")
	case errors.Is(err, models.ErrStaffDisabled):
		if err := a.Store.NoteSignInFailure(ctx, a.stranger(c), staff.ID, "sign-in while disabled"); err != nil {
			return err
		}
		return a.notSignedOn(c, accountDisabled)
	case err != nil:
		return err
	}
	values := map[string]string{web.ValueSignOn: "1"}
	if who.Fresh {
		values[web.ValueConfirmed] = strconv.FormatInt(a.Now().Unix(), 10)
	}
	return a.arrive(c, staff, arrival{next: who.Next, values: values, action: "staff signed in by single sign-on"})
}
