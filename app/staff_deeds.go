package app

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/models"
	"pitboss/views"
)

type staffDeedPage struct {
	Page
	Deed     views.Deed
	Fields   []views.Field
	Role     *views.Select
	Consents string
}

// staffDeed begins the confirm page of a change to somebody.
func (a *App) staffDeed(c *fiber.Ctx, s models.Staff, title, noun string) *staffDeedPage {
	page := &staffDeedPage{Page: a.page(c, title)}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: s.Username, Href: staffPath(s.ID)}, {Word: noun}}
	page.Deed.Back = views.Link{Word: "Back", Href: staffPath(s.ID)}
	return page
}

func (a *App) showStaffDeed(c *fiber.Ctx, page *staffDeedPage, f *form) error {
	var err error
	if page.Deed.Password, err = a.confirmField(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.refused(c, "staff/deed", page)
	}
	return a.render(c, "staff/deed", page)
}

func (a *App) staffRoleForm(c *fiber.Ctx) error { return a.showStaffRole(c, newForm(c)) }

func (a *App) showStaffRole(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	chosen := s.Role
	if f.text("role") != "" {
		chosen = models.Role(f.text("role"))
	}
	page := a.staffDeed(c, s, "Change the role", "Role")
	role := roleSelect(chosen, f.wrong["role"])
	page.Role = &role
	page.Deed.Sentence, page.Deed.Consequences = "Give "+s.Name+" another role.",
		"Their sessions end; they sign in again with the new role. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = staffPath(s.ID)+"/role", "Change the role of "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *App) setStaffRole(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	role, err := models.ParseRole(f.text("role"))
	if err != nil {
		f.refuse("role", "Choose a role.")
	} else if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, c.Path())
	}
	if err := a.Store.SetStaffRole(c.UserContext(), a.actor(c), s.ID, role); errors.Is(err, models.ErrLastAdmin) ||
		errors.Is(err, models.ErrOwnRole) {
		f.refuse("role", err.Error())
		return a.again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is now "+string(role)+".")
}

// staffDone leaves a message on somebody's page. An administrator who has disabled themselves is signed out by it.
func (a *App) staffDone(c *fiber.Ctx, s models.Staff, message string) error {
	err := a.done(c, staffPath(s.ID), message)
	if errors.Is(err, errRevoked) {
		return c.Redirect("/signin", fiber.StatusSeeOther)
	}
	return err
}

func (a *App) disableStaffForm(c *fiber.Ctx) error { return a.showDisableStaff(c, newForm(c)) }

func (a *App) showDisableStaff(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Disable", "Disable")
	page.Fields = []views.Field{
		f.field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
			Hint: "For your colleagues and the audit log."}),
	}
	page.Deed.Sentence, page.Deed.Consequences = "Keep "+s.Name+" out.",
		"Their sessions end at once, and they cannot sign in until they are enabled again. What they did stays in the records."
	page.Deed.Action, page.Deed.Button, page.Deed.Destroys = staffPath(s.ID)+"/disable", "Disable "+s.Username, true
	return a.showStaffDeed(c, page, f)
}

func (a *App) disableStaff(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	if f.text("reason") == "" {
		f.refuse("reason", "Say why.")
	} else if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, c.Path())
	}
	if err := a.Store.SetStaffDisabled(c.UserContext(), a.actor(c), s.ID, true, f.text("reason")); errors.Is(err,
		models.ErrLastAdmin) {
		f.refuse("reason", err.Error())
		return a.again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is disabled, and signed out everywhere.")
}

func (a *App) enableStaffForm(c *fiber.Ctx) error { return a.showEnableStaff(c, newForm(c)) }

func (a *App) showEnableStaff(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Enable", "Enable")
	page.Deed.Sentence, page.Deed.Consequences = "Let "+s.Name+" sign in again.",
		"The password and the second factor are as they were. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = staffPath(s.ID)+"/enable", "Enable "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *App) enableStaff(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.SetStaffDisabled(c.UserContext(), a.actor(c), s.ID, false, ""); err != nil {
			return err
		}
		return a.done(c, staffPath(s.ID), s.Name+" can sign in again.")
	})
}

// confirmedDeed does something to a colleague's account once the reader has given their password, and shows the page again
// where they have not.
func (a *App) confirmedDeed(c *fiber.Ctx, do func(models.Staff) error) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, c.Path())
	}
	err = do(s)
	if errors.Is(err, models.ErrOwnReset) {
		return a.flash(c, staffPath(s.ID), views.Note{Kind: "wait", Icon: "info", Text: sentence(err.Error())})
	}
	return err
}

// tieWords say what a change of a colleague's account means for what takes two people.
func (a *App) tieWords(c *fiber.Ctx) string {
	rules, err := a.Store.TwoPeople(c.UserContext())
	if err != nil {
		rules = models.DefaultTwoPeople
	}
	return "For " + several(int64(rules.Days), "day", "days") +
		" you and they cannot approve each other’s requests. Other administrators are told."
}

func (a *App) resetPasswordForm(c *fiber.Ctx) error { return a.showResetPassword(c, newForm(c)) }

func (a *App) showResetPassword(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Reset the password", "Password")
	how := "You are shown a link, once, to hand over. "
	if a.linkDelivery() == models.LinkMailed {
		how = "A link is sent to " + s.Email + ". "
	}
	page.Deed.Sentence = "Have " + s.Name + " set a new password."
	page.Deed.Consequences = how + "Their password stops working and their sessions end at once; an earlier link is void. " +
		a.tieWords(c)
	page.Deed.Action, page.Deed.Button = staffPath(s.ID)+"/password", "Make a link for "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *App) staffEmailForm(c *fiber.Ctx) error { return a.showStaffEmail(c, newForm(c)) }

func (a *App) showStaffEmail(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Change the e-mail address", "E-mail")
	page.Fields = []views.Field{
		f.field(views.Field{Label: "E-mail address", Name: "email", Type: "email", Value: s.Email, Autocomplete: "off",
			Hint: "Links that set a new password are sent there."}),
	}
	page.Deed.Sentence, page.Deed.Consequences = "Give "+s.Name+" another e-mail address.",
		"A link that was sent to the earlier address is void. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = staffPath(s.ID)+"/email", "Change the address of "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *App) setStaffEmail(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := newForm(c)
	email, err := models.ParseEmail(f.text("email"))
	if err != nil {
		f.refuse("email", err.Error())
	} else if err := a.confirm(c, f); err != nil {
		return err
	}
	if !f.ok() {
		return a.again(c, f, c.Path())
	}
	if err := a.Store.SetStaffEmail(c.UserContext(), a.actor(c), s.ID, email); errors.Is(err, models.ErrSameEmail) {
		f.refuse("email", err.Error())
		return a.again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.done(c, staffPath(s.ID), "The address of "+s.Name+" is changed.")
}

func (a *App) resetSecondFactorForm(c *fiber.Ctx) error {
	return a.showResetSecondFactor(c, newForm(c))
}

func (a *App) showResetSecondFactor(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Reset the second factor", "Second factor")
	page.Deed.Sentence = "Take the second factor of " + s.Name + " away."
	page.Deed.Consequences = "Until they set another up, their password alone signs them in. If their role needs a second " +
		"factor, setting one up is the first thing they do. Their sessions end. Be sure that it is they who ask. " +
		a.tieWords(c)
	page.Deed.Action, page.Deed.Button, page.Deed.Destroys = staffPath(s.ID)+"/second-factor",
		"Reset the second factor of "+s.Username, true
	return a.showStaffDeed(c, page, f)
}

func (a *App) resetSecondFactor(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.ResetStaffTOTP(c.UserContext(), a.actor(c), s.ID); err != nil {
			return err
		}
		return a.staffDone(c, s, "The second factor of "+s.Name+" is gone.")
	})
}

func (a *App) unlockStaffForm(c *fiber.Ctx) error { return a.showUnlockStaff(c, newForm(c)) }

func (a *App) showUnlockStaff(c *fiber.Ctx, f *form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Unlock", "Unlock")
	page.Deed.Sentence, page.Deed.Consequences = "Forget the failed sign-ins of "+s.Name+".",
		"Nobody has to wait any more to try a password of this account, strangers included. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = staffPath(s.ID)+"/unlock", "Unlock "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *App) unlockStaff(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.UnlockSignIn(c.UserContext(), a.actor(c), s.ID); err != nil {
			return err
		}
		return a.done(c, staffPath(s.ID), "Failed sign-ins of "+s.Name+" are forgotten. Nobody has to wait.")
	})
}

func (a *App) revokeStaffSessions(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.actor(c), s.ID, ""); err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is signed out everywhere.")
}
