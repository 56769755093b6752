package staff

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

type staffMemberPage struct {
	web.Page
	Member   models.Staff
	Facts    []views.Fact
	Notes    []views.Note
	Sessions []things.SessionLine
	Lock     models.SignInLock
	Locked   bool
	Role     string
	History  []web.HistoryLine
}

// member reads the member of staff that the address names.
func (a *Area) member(c *fiber.Ctx) (models.Staff, error) {
	id, err := web.Number(c, "id")
	if err != nil {
		return models.Staff{}, web.NotFound("member of staff")
	}
	s, found, err := a.Store.Staff(c.UserContext(), id)
	if err == nil && !found {
		err = web.NotFound("member of staff")
	}
	return s, err
}

func (a *Area) Detail(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := &staffMemberPage{Page: a.Page(c, s.Name), Member: s, Role: roleWords[s.Role]}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: s.Username}}
	page.Badges = []views.Badge{StaffState(s)}
	page.HeadID = &views.ID{Text: s.Username, Kind: "username"}
	manage := page.Can(web.ManageStaff)
	path := StaffPath(s.ID)
	if manage {
		if s.Disabled {
			page.Actions = append(page.Actions, views.Link{Word: "Enable", Href: path + "/enable"})
		} else {
			page.Actions = append(page.Actions, views.Link{Word: "Disable", Href: path + "/disable", Destroys: true})
		}
		if own := s.ID == page.Reader.ID; !own {
			if s.HasTOTP() {
				page.Actions = append(page.Actions, views.Link{Word: "Reset second factor", Href: path + "/second-factor"})
			}
			word := "Reset password"
			if s.PasswordHash == "" {
				word = "New link"
			}
			page.Actions = append(page.Actions, views.Link{Word: word, Href: path + "/password"},
				views.Link{Word: "Change role", Href: path + "/role"})
		}
		page.Actions = append(page.Actions, views.Link{Word: "Change e-mail", Href: path + "/email"})
	}
	factor := views.Fact{Label: "Second factor", Value: "None", Note: "signs in with a password alone"}
	if s.HasTOTP() {
		left, err := a.Store.RecoveryCodesLeft(c.UserContext(), s.ID)
		if err != nil {
			return err
		}
		factor.Value, factor.Note = "Set up", strconv.FormatInt(left, 10)+" recovery codes left"
		if _, err := a.Sealer.Open(s.ID, s.TOTPSecret); err != nil {
			factor.Value, factor.Note = "Cannot be read",
				"the session key has changed; reset it, unless a recovery code is at hand: "+factor.Note
		}
	}
	last := views.Fact{Label: "Last sign-in", Value: "Never"}
	if !s.SignedInAt.IsZero() {
		last.Moment = page.Time(s.SignedInAt)
	}
	passwordFact, err := a.passwordFact(c, page, s)
	if err != nil {
		return err
	}
	page.Facts = []views.Fact{
		{Label: "Role", Value: string(s.Role)}, factor, passwordFact, last,
		{Label: "Created", Value: page.Time(s.CreatedAt).Date(), Note: s.Email},
	}
	if page.Lock, err = a.Store.SignInLock(c.UserContext(), s.Username); err != nil {
		return err
	}
	page.Locked = page.Lock.Until.After(a.Now())
	list, err := a.Store.StaffSessions(c.UserContext(), s.ID)
	if err != nil {
		return err
	}
	page.Sessions = things.SessionLines(list, "")
	if page.History, _, err = a.History(c.UserContext(), &page.Page, "staff", s.ID, models.Cursor{}, 20); err != nil {
		return err
	}
	return a.Render(c, "staff/member", page)
}

// passwordFact says when the password was set, or what became of the link with which it is to be.
func (a *Area) passwordFact(c *fiber.Ctx, page *staffMemberPage, s models.Staff) (views.Fact, error) {
	fact := views.Fact{Label: "Password", Value: "Not set"}
	if s.PasswordHash != "" {
		fact.Moment = page.Time(s.PasswordSetAt)
		if s.MustChangePassword {
			fact.Note = "given at the command line; to be changed at the next sign-in"
		}
		return fact, nil
	}
	link, usable, err := a.Store.StaffLink(c.UserContext(), s.ID)
	switch {
	case err != nil:
		return fact, err
	case usable && link.Delivery == models.LinkMailed:
		fact.Note = "a link was sent, valid until " + page.Time(link.ExpiresAt).Brief()
	case usable:
		fact.Note = "a link was shown to an administrator, valid until " + page.Time(link.ExpiresAt).Brief()
	default:
		fact.Note = "the link has expired; make another"
	}
	return fact, nil
}
