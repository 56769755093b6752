package staff

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/pages"
	"pitboss/app/staffsession"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Action is a change to an account. Its confirmation page has an address of its own.
type Action struct {
	Name  string // the last part of the address
	Says  actionWords
	field string // the field that shows a refusal; if it is empty, the account's page shows it
	// fill adds the fields that the change needs; it is nil if there are none.
	fill func(page *actionPage, f *web.Form)
	// read checks the form and returns a function that makes the change. That function returns the message for the next page,
	// or an empty text if it has answered the request itself.
	read func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (done string, err error)
}

// actionWords are the words of a confirmation page. They have no field names where they are set, so that none can be left out.
// {name}, {username} and {role} stand for the account's, and {link} for a sentence about a new link.
type actionWords struct{ Title, Sentence, Consequences, Button string }

// told ends the consequences of changes that are reported to the other administrators, and untilConfirmed those of changes that
// one of them also has to confirm.
const (
	told           = " Other administrators are notified."
	untilConfirmed = told + " Until one of them confirms the account, {name} can view pages but cannot change anything."
)

// of returns the words for an account.
func (w actionWords) of(s models.Staff, mailed bool) actionWords {
	link := "You will see a link once, to hand over."
	if mailed {
		link = "A link is sent to " + s.Email + "."
	}
	r := strings.NewReplacer("{name}", s.Name, "{username}", s.Username, "{role}", string(s.Role), "{link}", link)
	return actionWords{r.Replace(w.Title), r.Replace(w.Sentence), r.Replace(w.Consequences), r.Replace(w.Button)}
}

func fillReason(page *actionPage, f *web.Form) {
	reason := f.Field(views.Field{Name: "reason", Required: true, Autocomplete: "off"})
	page.Reason = &reason
}

// Actions returns the changes that can be made to accounts.
func (a *Area) Actions() []Action {
	list := []Action{
		{Name: "role", field: "role",
			Says: actionWords{"Change the role", "Give {name} a different role.",
				"Their sessions end, and they sign in again with the new role." + untilConfirmed,
				"Change the role of {username}"},
			fill: func(page *actionPage, f *web.Form) {
				role := roleSelect(models.Role(cmp.Or(f.Text("role"), string(page.Member.Role))), f.Wrong["role"])
				page.Role = &role
			},
			read: func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (string, error) {
				role, err := models.ParseRole(f.Text("role"))
				if err != nil {
					f.Refuse("role", "Choose a role.")
				}
				return func() (string, error) {
					return s.Name + " is now " + string(role) + ".", a.Store.SetStaffRole(c.UserContext(), a.Actor(c), s.ID, role)
				}
			}},
		{Name: "disable", field: "reason", fill: fillReason,
			Says: actionWords{"Disable", "Stop {name} from signing in.", "Their sessions end at once, and they cannot sign " +
				"in until the account is enabled again. Everything that they did stays on record.", "Disable {username}"},
			read: func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (string, error) {
				f.RequireReason("reason")
				return func() (string, error) {
					return s.Name + " is disabled and signed out everywhere.",
						a.Store.DisableStaff(c.UserContext(), a.Actor(c), s.ID, f.Text("reason"))
				}
			}},
		{Name: "enable",
			Says: actionWords{"Enable", "Let {name} sign in again.",
				"Their password and second factor are unchanged." + untilConfirmed, "Enable {username}"},
			read: func(c *fiber.Ctx, _ *web.Form, s models.Staff) func() (string, error) {
				return func() (string, error) {
					return s.Name + " can sign in again.", a.Store.EnableStaff(c.UserContext(), a.Actor(c), s.ID)
				}
			}},
		{Name: "confirmation",
			Says: actionWords{"Confirm the account", "Confirm the account of {name}.", "Confirm it only if you know that " +
				"{name} works here with the {role} role and is the only person who can use the account. After that, the " +
				"account can do everything that its role allows.", "Confirm {username}"},
			read: func(c *fiber.Ctx, _ *web.Form, s models.Staff) func() (string, error) {
				return func() (string, error) {
					left, err := a.Store.ConfirmStaff(c.UserContext(), a.Signer(c), s.ID, web.Posted(c, "seen"))
					if len(left) > 0 {
						return "Confirmed, except what you gave the account yourself.", err
					}
					return "The account of " + s.Name + " is confirmed.", err
				}
			}},
		{Name: "password",
			Says: actionWords{"Reset the password", "Make {name} set a new password.", "{link} Their password stops working " +
				"and their sessions end at once. An earlier link stops working too." + untilConfirmed,
				"Make a link for {username}"},
			read: func(c *fiber.Ctx, _ *web.Form, s models.Staff) func() (string, error) {
				return func() (string, error) { return "", a.sendLink(c, s) }
			}},
		{Name: "email", field: "email",
			Says: actionWords{"Change the e-mail address", "Give {name} a different e-mail address.",
				"A link that was sent to the old address stops working." + told, "Change the address of {username}"},
			fill: func(page *actionPage, f *web.Form) {
				email := f.Field(views.Field{Name: "email", Type: "email", Value: page.Member.Email, Autocomplete: "off"})
				page.Email = &email
			},
			read: func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (string, error) {
				email, err := models.ParseEmail(f.Text("email"))
				if err != nil {
					f.Refuse("email", err.Error())
				}
				return func() (string, error) {
					return "The e-mail address of " + s.Name + " was changed.",
						a.Store.SetStaffEmail(c.UserContext(), a.Actor(c), s.ID, email)
				}
			}},
		{Name: "second-factor", field: "reason", fill: fillReason,
			Says: actionWords{"Reset the second factor", "Remove the second factor of {name}.", "Until they set up another " +
				"one, their password alone signs them in. If their role needs a second factor, they set it up when they next " +
				"sign in. Their sessions end. Make sure that the request really comes from them." + untilConfirmed,
				"Reset the second factor of {username}"},
			read: func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (string, error) {
				f.RequireReason("reason")
				return func() (string, error) {
					return "The second factor of " + s.Name + " was removed.",
						a.Store.ResetStaffTOTP(c.UserContext(), a.Actor(c), s.ID, f.Text("reason"))
				}
			}},
		{Name: "unlock",
			Says: actionWords{"Unlock", "Clear the failed sign-ins of {name}.",
				"Sign-ins to this account no longer have to wait, from any browser." + told, "Unlock {username}"},
			read: func(c *fiber.Ctx, _ *web.Form, s models.Staff) func() (string, error) {
				return func() (string, error) {
					return "The failed sign-ins of " + s.Name + " are cleared. Sign-ins no longer have to wait.",
						a.Store.UnlockSignIn(c.UserContext(), a.Actor(c), s.ID)
				}
			}},
	}
	if a.SignOn == nil {
		return list
	}
	return append(list, Action{Name: "identity", field: "subject",
		Says: actionWords{"Link to single sign-on", "Choose who signs in as {name} by single sign-on.", "The person with " +
			"this subject at the identity provider signs in to the account, with the role that their groups there give. Without a " +
			"subject, nobody can. The account’s sessions end." + untilConfirmed, "Link {username}"},
		fill: func(page *actionPage, f *web.Form) {
			subject := f.Field(views.Field{Name: "subject", Value: page.Member.Identity.Subject(), Autocomplete: "off"})
			page.Subject = &subject
		},
		// Without a subject, nobody is linked to the account.
		read: func(c *fiber.Ctx, f *web.Form, s models.Staff) func() (string, error) {
			identity := models.Identity("")
			if subject := f.Text("subject"); subject != "" {
				if err := models.CheckSubject(subject); err != nil {
					f.Refuse("subject", err.Error())
				}
				identity = models.NewIdentity(a.SignOn.Issuer, subject)
			}
			return func() (string, error) {
				return "The single sign-on of " + s.Name + " was changed.",
					a.Store.SetStaffIdentity(c.UserContext(), a.Actor(c), s.ID, identity)
			}
		}})
}

// refusals lists the reasons for refusing a change to an account.
var refusals = []error{models.ErrLastAdmin, models.ErrSoleAdmin, models.ErrOwnRole, models.ErrRoleFromProvider,
	models.ErrSameEmail, models.ErrOwnReset, models.ErrStaffDisabled, models.ErrOwnIdentity, models.ErrIdentityTaken, models.ErrStaffMoved}

// actionPage is the confirmation page for a change to an account.
type actionPage struct {
	web.Page
	Member        models.Staff
	Action        string
	Says          actionWords
	Role          *views.Select
	Reason, Email *views.Field
	Subject       *views.Field // at the identity provider
	Work          []openWork   // the open work of an account that is to be disabled
}

// openWork is one kind of work that somebody leaves behind, and what becomes of it.
type openWork struct {
	Word, Then string
	Links      []views.Link
	More       int // how many are not shown
}

// workShown is how many pieces of work of one kind are shown.
const workShown = 20

// openWork returns the open work of an account.
func (a *Area) openWork(c *fiber.Ctx, s models.Staff) (list []openWork, err error) {
	left, err := a.Store.OpenWork(c.UserContext(), s)
	add := func(word, then, object string, ids []int64) {
		if len(ids) == 0 {
			return
		}
		w := openWork{Word: word, Then: then, More: max(0, len(ids)-workShown)}
		for _, id := range ids[:len(ids)-w.More] {
			number := strconv.FormatInt(id, 10)
			w.Links = append(w.Links, views.Link{Word: pages.ThingWord(object) + " " + number,
				Href: strings.Replace(pages.AuditThings[object].Path, ":id", number, 1)})
		}
		list = append(list, w)
	}
	add("Open cases", "become unassigned", "case", left.Cases)
	add("Corrections to decide", "become unassigned", "correction", left.Corrections)
	add("Campaigns", "go on as planned, unless a colleague stops them", "campaign", left.Campaigns)
	for _, object := range slices.Sorted(maps.Keys(left.Requests)) {
		add("Waiting requests", "still wait for the second person", object, left.Requests[object])
	}
	return list, err
}

// valuesOf returns the account's values that forms can change.
func valuesOf(s models.Staff) any { return []any{s.Role, s.Email, s.Identity} }

// ActionForm returns the handler that shows the confirmation page of a change.
func (a *Area) ActionForm(of Action) func(*fiber.Ctx, models.Staff) error {
	return func(c *fiber.Ctx, s models.Staff) error {
		f := web.NewForm(c)
		page := &actionPage{Page: a.Page(c, ""), Member: s, Action: of.Name,
			Says: of.Says.of(s, a.linkDelivery() == models.LinkMailed)}
		if of.Name == "confirmation" && len(s.Unconfirmed) == 0 {
			return c.Redirect(StaffPath(s.ID), fiber.StatusSeeOther)
		}
		page.MadeFrom = f.MadeFrom(valuesOf(s))
		if of.Name == "disable" {
			var err error
			if page.Work, err = a.openWork(c, s); err != nil {
				return err
			}
		}
		if of.fill != nil {
			of.fill(page, f)
		}
		return a.RenderForm(c, !f.Ok(), "staff/action", page)
	}
}

// Act returns the handler that makes a change.
func (a *Area) Act(of Action) func(*fiber.Ctx, models.Staff) error {
	return func(c *fiber.Ctx, s models.Staff) error {
		f := web.NewForm(c)
		if slices.Contains([]string{"role", "email", "identity"}, of.Name) {
			if outdated, err := a.Outdated(c, f, c.Path(), valuesOf(s)); outdated || err != nil {
				return err
			}
		}
		change := of.read(c, f, s)
		if !f.Ok() {
			return a.ShowAgain(c, f, c.Path())
		}
		done, err := change()
		refused := slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) })
		switch {
		case refused && of.field != "":
			f.Refuse(of.field, err.Error())
			return a.ShowAgain(c, f, c.Path())
		case err != nil:
			return a.DecisionFailed(c, StaffPath(s.ID), err, refusals...)
		case done == "":
			return nil
		}
		return a.staffDone(c, s, done)
	}
}

// staffDone leaves a message on the account's page. Administrators who have disabled themselves are redirected to the sign-in
// page instead.
func (a *Area) staffDone(c *fiber.Ctx, s models.Staff, message string) error {
	err := a.Done(c, StaffPath(s.ID), message)
	if errors.Is(err, staffsession.ErrRevoked) {
		return c.Redirect("/signin", fiber.StatusSeeOther)
	}
	return err
}

func (a *Area) RevokeStaffSessions(c *fiber.Ctx, s models.Staff) error {
	if err := a.Store.RevokeStaffSessions(c.UserContext(), a.Actor(c), s.ID, ""); err != nil {
		return err
	}
	return a.staffDone(c, s, s.Name+" is signed out everywhere.")
}
