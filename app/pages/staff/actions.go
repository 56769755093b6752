package staff

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/staffsession"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// actionPage is the confirmation page for a change to an account. Its template has the words for each change.
type actionPage struct {
	web.Page
	Member        models.Staff
	Action        string      // the last part of its address
	Days          int         // for so many days, the reader and the member cannot approve each other's requests
	Mailed        bool        // links are sent by e-mail
	Unconfirmed   *models.Tie // what is confirmed
	Role          *views.Select
	Reason, Email *views.Field
	Subject       *views.Field // at the identity provider
	Password      *views.Field
}

// showAction shows the confirmation page for a change. fill, if not nil, adds the fields that the change needs.
func (a *Area) showAction(c *fiber.Ctx, action string, fill func(*actionPage, *web.Form)) error {
	s, err := a.LoadMember(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	page := &actionPage{Page: a.Page(c, ""), Member: s, Action: action, Mailed: a.linkDelivery() == models.LinkMailed}
	rules, err := a.Store.TwoPeople(c.UserContext())
	if err != nil {
		rules = models.DefaultTwoPeople
	}
	page.Days = rules.Days
	if fill != nil {
		fill(page, f)
	}
	if page.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
	return a.RenderForm(c, !f.Ok(), "staff/action", page)
}

func (a *Area) StaffRoleForm(c *fiber.Ctx) error {
	return a.showAction(c, "role", func(page *actionPage, f *web.Form) {
		role := roleSelect(models.Role(cmp.Or(f.Text("role"), string(page.Member.Role))), f.Wrong["role"])
		page.Role = &role
	})
}

func (a *Area) SetStaffRole(c *fiber.Ctx, s models.Staff) error {
	f := web.NewForm(c)
	role, err := models.ParseRole(f.Text("role"))
	if err != nil {
		f.Refuse("role", "Choose a role.")
	} else if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, c.Path())
	}
	if err := a.Store.SetStaffRole(c.UserContext(), a.Actor(c), s.ID, role); errors.Is(err, models.ErrLastAdmin) ||
		errors.Is(err, models.ErrOwnRole) || errors.Is(err, models.ErrRoleFromProvider) {
		f.Refuse("role", err.Error())
		return a.ShowAgain(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is now "+string(role)+".")
}

// staffDone leaves a message on the account's page. Administrators who disabled themselves are sent to the sign-in page
// instead.
func (a *Area) staffDone(c *fiber.Ctx, s models.Staff, message string) error {
	err := a.Done(c, StaffPath(s.ID), message)
	if errors.Is(err, staffsession.ErrRevoked) {
		return c.Redirect("/signin", fiber.StatusSeeOther)
	}
	return err
}

func (a *Area) DisableStaffForm(c *fiber.Ctx) error {
	return a.showAction(c, "disable", func(page *actionPage, f *web.Form) {
		reason := f.Field(views.Field{Name: "reason", Required: true, Autocomplete: "off"})
		page.Reason = &reason
	})
}

func (a *Area) DisableStaff(c *fiber.Ctx, s models.Staff) error {
	f := web.NewForm(c)
	if f.Text("reason") == "" {
		f.Refuse("reason", "Enter a reason.")
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, c.Path())
	}
	err := a.Store.DisableStaff(c.UserContext(), a.Actor(c), s.ID, f.Text("reason"))
	if errors.Is(err, models.ErrLastAdmin) {
		f.Refuse("reason", err.Error())
		return a.ShowAgain(c, f, c.Path())
	}
	if err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is disabled and signed out everywhere.")
}

func (a *Area) EnableStaffForm(c *fiber.Ctx) error { return a.showAction(c, "enable", nil) }

func (a *Area) EnableStaff(c *fiber.Ctx) error {
	return a.confirmedAction(c, func(s models.Staff) error {
		if err := a.Store.EnableStaff(c.UserContext(), a.Actor(c), s.ID); err != nil {
			return err
		}
		return a.Done(c, StaffPath(s.ID), s.Name+" can sign in again.")
	})
}

// confirmedAction calls do with a colleague's account if the reader has given their password. Otherwise it shows the page
// again.
func (a *Area) confirmedAction(c *fiber.Ctx, do func(models.Staff) error) error {
	s, err := a.LoadMember(c)
	if err != nil {
		return err
	}
	f := web.NewForm(c)
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, c.Path())
	}
	err = do(s)
	if errors.Is(err, models.ErrOwnReset) {
		return a.Flash(c, StaffPath(s.ID), views.Info("", web.Sentence(err.Error())))
	}
	return err
}

func (a *Area) ConfirmStaffForm(c *fiber.Ctx) error {
	s, err := a.LoadMember(c)
	if err != nil {
		return err
	}
	act, found, err := a.Store.Tie(c.UserContext(), s.UnconfirmedTie)
	switch {
	case err != nil:
		return err
	case !found:
		return c.Redirect(StaffPath(s.ID), fiber.StatusSeeOther)
	}
	return a.showAction(c, "confirmation", func(page *actionPage, _ *web.Form) { page.Unconfirmed = &act })
}

func (a *Area) ConfirmStaff(c *fiber.Ctx) error {
	return a.confirmedAction(c, func(s models.Staff) error {
		tie, err := strconv.ParseInt(web.Posted(c, "tie"), 10, 64)
		if err != nil {
			return web.BadForm("The form does not say what is confirmed.")
		}
		err = a.Store.ConfirmStaff(c.UserContext(), a.Signer(c), s.ID, tie)
		if err != nil {
			return a.DecisionFailed(c, StaffPath(s.ID), err, models.ErrStaffMoved)
		}
		return a.Done(c, StaffPath(s.ID), "The account of "+s.Name+" is confirmed.")
	})
}

func (a *Area) ResetPasswordForm(c *fiber.Ctx) error { return a.showAction(c, "password", nil) }

func (a *Area) StaffEmailForm(c *fiber.Ctx) error {
	return a.showAction(c, "email", func(page *actionPage, f *web.Form) {
		email := f.Field(views.Field{Name: "email", Type: "email", Value: page.Member.Email, Autocomplete: "off"})
		page.Email = &email
	})
}

func (a *Area) SetStaffEmail(c *fiber.Ctx, s models.Staff) error {
	f := web.NewForm(c)
	email, err := models.ParseEmail(f.Text("email"))
	if err != nil {
		f.Refuse("email", err.Error())
	} else if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, c.Path())
	}
	if err := a.Store.SetStaffEmail(c.UserContext(), a.Actor(c), s.ID, email); errors.Is(err, models.ErrSameEmail) {
		f.Refuse("email", err.Error())
		return a.ShowAgain(c, f, c.Path())
	} else if err != nil {
		return err
	}
	return a.Done(c, StaffPath(s.ID), "The e-mail address of "+s.Name+" was changed.")
}

func (a *Area) StaffIdentityForm(c *fiber.Ctx) error {
	if a.SignOn == nil {
		return web.NotFound("page")
	}
	return a.showAction(c, "identity", func(page *actionPage, f *web.Form) {
		subject := f.Field(views.Field{Name: "subject", Value: page.Member.Identity.Subject(), Autocomplete: "off"})
		page.Subject = &subject
	})
}

// SetStaffIdentity links an account to somebody at the identity provider, or to nobody if the subject is empty.
func (a *Area) SetStaffIdentity(c *fiber.Ctx, s models.Staff) error {
	if a.SignOn == nil {
		return web.NotFound("page")
	}
	f := web.NewForm(c)
	subject, identity := f.Text("subject"), models.Identity("")
	if subject != "" {
		identity = models.NewIdentity(a.SignOn.Issuer, subject)
		if err := models.CheckSubject(subject); err != nil {
			f.Refuse("subject", err.Error())
		}
	}
	if err := a.Confirm(c, f); err != nil {
		return err
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, c.Path())
	}
	err := a.Store.SetStaffIdentity(c.UserContext(), a.Actor(c), s.ID, identity)
	if errors.Is(err, models.ErrOwnIdentity) || errors.Is(err, models.ErrIdentityTaken) {
		f.Refuse("subject", err.Error())
		return a.ShowAgain(c, f, c.Path())
	}
	if err != nil {
		return err
	}
	return a.Done(c, StaffPath(s.ID), "The single sign-on of "+s.Name+" was changed.")
}

func (a *Area) ResetSecondFactorForm(c *fiber.Ctx) error {
	return a.showAction(c, "second-factor", nil)
}

func (a *Area) ResetSecondFactor(c *fiber.Ctx) error {
	return a.confirmedAction(c, func(s models.Staff) error {
		if err := a.Store.ResetStaffTOTP(c.UserContext(), a.Actor(c), s.ID); err != nil {
			return err
		}
		return a.staffDone(c, s, "The second factor of "+s.Name+" was removed.")
	})
}

func (a *Area) UnlockStaffForm(c *fiber.Ctx) error { return a.showAction(c, "unlock", nil) }

func (a *Area) UnlockStaff(c *fiber.Ctx) error {
	return a.confirmedAction(c, func(s models.Staff) error {
		if err := a.Store.UnlockSignIn(c.UserContext(), a.Actor(c), s.ID); err != nil {
			return err
		}
		return a.Done(c, StaffPath(s.ID), "The failed sign-ins of "+s.Name+" are cleared. Sign-ins no longer have to wait.")
	})
}

func (a *Area) RevokeStaffSessions(c *fiber.Ctx, s models.Staff) error {
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.Actor(c), s.ID, ""); err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is signed out everywhere.")
}
