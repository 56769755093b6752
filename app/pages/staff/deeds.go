package staff

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/staffsession"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type staffDeedPage struct {
	web.Page
	Deed     views.Deed
	Fields   []views.Field
	Role     *views.Select
	Consents string
}

// staffDeed begins the confirm page of a change to somebody.
func (a *Area) staffDeed(c *fiber.Ctx, s models.Staff, title, noun string) *staffDeedPage {
	page := &staffDeedPage{Page: a.Page(c, title)}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: s.Username, Href: StaffPath(s.ID)}, {Word: noun}}
	page.Deed.Back = views.Link{Word: "Back", Href: StaffPath(s.ID)}
	return page
}

func (a *Area) showStaffDeed(c *fiber.Ctx, page *staffDeedPage, f *web.Form) error {
	var err error
	if page.Deed.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Refused(c, "staff/deed", page)
	}
	return a.Render(c, "staff/deed", page)
}

func (a *Area) StaffRoleForm(c *fiber.Ctx) error { return a.showStaffRole(c, web.NewForm(c)) }

func (a *Area) showStaffRole(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	chosen := s.Role
	if f.Text("role") != "" {
		chosen = models.Role(f.Text("role"))
	}
	page := a.staffDeed(c, s, "Change the role", "Role")
	role := roleSelect(chosen, f.Wrong["role"])
	page.Role = &role
	page.Deed.Sentence, page.Deed.Consequences = "Give "+s.Name+" another role.",
		"Their sessions end; they sign in again with the new role. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = StaffPath(s.ID)+"/role", "Change the role of "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *Area) SetStaffRole(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	role, err := models.ParseRole(f.Text("role"))
	if err != nil {
		f.Refuse("role", "Choose a role.")
	} else if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, c.Path())
	}
	if err := a.Store.SetStaffRole(c.UserContext(), a.Actor(c), s.ID, role); errors.Is(err, models.ErrLastAdmin) ||
		errors.Is(err, models.ErrOwnRole) {
		f.Refuse("role", err.Error())
		return a.Again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is now "+string(role)+".")
}

// staffDone leaves a message on somebody's page. An administrator who has disabled themselves is signed out by it.
func (a *Area) staffDone(c *fiber.Ctx, s models.Staff, message string) error {
	err := a.Done(c, StaffPath(s.ID), message)
	if errors.Is(err, staffsession.ErrRevoked) {
		return c.Redirect("/signin", fiber.StatusSeeOther)
	}
	return err
}

func (a *Area) DisableStaffForm(c *fiber.Ctx) error { return a.showDisableStaff(c, web.NewForm(c)) }

func (a *Area) showDisableStaff(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Disable", "Disable")
	page.Fields = []views.Field{
		f.Field(views.Field{Label: "Reason", Name: "reason", Required: true, Autocomplete: "off",
			Hint: "For your colleagues and the audit log."}),
	}
	page.Deed.Sentence, page.Deed.Consequences = "Keep "+s.Name+" out.",
		"Their sessions end at once, and they cannot sign in until they are enabled again. What they did stays in the records."
	page.Deed.Action, page.Deed.Button, page.Deed.Destroys = StaffPath(s.ID)+"/disable", "Disable "+s.Username, true
	return a.showStaffDeed(c, page, f)
}

func (a *Area) DisableStaff(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if f.Text("reason") == "" {
		f.Refuse("reason", "Say why.")
	} else if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, c.Path())
	}
	if err := a.Store.SetStaffDisabled(c.UserContext(), a.Actor(c), s.ID, true, f.Text("reason")); errors.Is(err,
		models.ErrLastAdmin) {
		f.Refuse("reason", err.Error())
		return a.Again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is disabled, and signed out everywhere.")
}

func (a *Area) EnableStaffForm(c *fiber.Ctx) error { return a.showEnableStaff(c, web.NewForm(c)) }

func (a *Area) showEnableStaff(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Enable", "Enable")
	page.Deed.Sentence, page.Deed.Consequences = "Let "+s.Name+" sign in again.",
		"The password and the second factor are as they were. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = StaffPath(s.ID)+"/enable", "Enable "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *Area) EnableStaff(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.SetStaffDisabled(c.UserContext(), a.Actor(c), s.ID, false, ""); err != nil {
			return err
		}
		return a.Done(c, StaffPath(s.ID), s.Name+" can sign in again.")
	})
}

// confirmedDeed does something to a colleague's account once the reader has given their password, and shows the page again
// where they have not.
func (a *Area) confirmedDeed(c *fiber.Ctx, do func(models.Staff) error) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, c.Path())
	}
	err = do(s)
	if errors.Is(err, models.ErrOwnReset) {
		return a.Flash(c, StaffPath(s.ID), views.Note{Kind: "wait", Icon: "info", Text: web.Sentence(err.Error())})
	}
	return err
}

// tieWords say what a change of a colleague's account means for what takes two people.
func (a *Area) tieWords(c *fiber.Ctx) string {
	rules, err := a.Store.TwoPeople(c.UserContext())
	if err != nil {
		rules = models.DefaultTwoPeople
	}
	return "For " + web.Several(int64(rules.Days), "day", "days") +
		" you and they cannot approve each other’s requests. Other administrators are told."
}

func (a *Area) ResetPasswordForm(c *fiber.Ctx) error { return a.showResetPassword(c, web.NewForm(c)) }

func (a *Area) showResetPassword(c *fiber.Ctx, f *web.Form) error {
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
	page.Deed.Action, page.Deed.Button = StaffPath(s.ID)+"/password", "Make a link for "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *Area) StaffEmailForm(c *fiber.Ctx) error { return a.showStaffEmail(c, web.NewForm(c)) }

func (a *Area) showStaffEmail(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Change the e-mail address", "E-mail")
	page.Fields = []views.Field{
		f.Field(views.Field{Label: "E-mail address", Name: "email", Type: "email", Value: s.Email, Autocomplete: "off",
			Hint: "Links that set a new password are sent there."}),
	}
	page.Deed.Sentence, page.Deed.Consequences = "Give "+s.Name+" another e-mail address.",
		"A link that was sent to the earlier address is void. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = StaffPath(s.ID)+"/email", "Change the address of "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *Area) SetStaffEmail(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	email, err := models.ParseEmail(f.Text("email"))
	if err != nil {
		f.Refuse("email", err.Error())
	} else if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.Again(c, f, c.Path())
	}
	if err := a.Store.SetStaffEmail(c.UserContext(), a.Actor(c), s.ID, email); errors.Is(err, models.ErrSameEmail) {
		f.Refuse("email", err.Error())
		return a.Again(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.Done(c, StaffPath(s.ID), "The address of "+s.Name+" is changed.")
}

func (a *Area) ResetSecondFactorForm(c *fiber.Ctx) error {
	return a.showResetSecondFactor(c, web.NewForm(c))
}

func (a *Area) showResetSecondFactor(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Reset the second factor", "Second factor")
	page.Deed.Sentence = "Take the second factor of " + s.Name + " away."
	page.Deed.Consequences = "Until they set another up, their password alone signs them in. If their role needs a second " +
		"factor, setting one up is the first thing they do. Their sessions end. Be sure that it is they who ask. " +
		a.tieWords(c)
	page.Deed.Action, page.Deed.Button, page.Deed.Destroys = StaffPath(s.ID)+"/second-factor",
		"Reset the second factor of "+s.Username, true
	return a.showStaffDeed(c, page, f)
}

func (a *Area) ResetSecondFactor(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.ResetStaffTOTP(c.UserContext(), a.Actor(c), s.ID); err != nil {
			return err
		}
		return a.staffDone(c, s, "The second factor of "+s.Name+" is gone.")
	})
}

func (a *Area) UnlockStaffForm(c *fiber.Ctx) error { return a.showUnlockStaff(c, web.NewForm(c)) }

func (a *Area) showUnlockStaff(c *fiber.Ctx, f *web.Form) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := a.staffDeed(c, s, "Unlock", "Unlock")
	page.Deed.Sentence, page.Deed.Consequences = "Forget the failed sign-ins of "+s.Name+".",
		"Nobody has to wait any more to try a password of this account, strangers included. "+a.tieWords(c)
	page.Deed.Action, page.Deed.Button = StaffPath(s.ID)+"/unlock", "Unlock "+s.Username
	return a.showStaffDeed(c, page, f)
}

func (a *Area) UnlockStaff(c *fiber.Ctx) error {
	return a.confirmedDeed(c, func(s models.Staff) error {
		if err := a.Store.UnlockSignIn(c.UserContext(), a.Actor(c), s.ID); err != nil {
			return err
		}
		return a.Done(c, StaffPath(s.ID), "Failed sign-ins of "+s.Name+" are forgotten. Nobody has to wait.")
	})
}

func (a *Area) RevokeStaffSessions(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.Actor(c), s.ID, ""); err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is signed out everywhere.")
}
