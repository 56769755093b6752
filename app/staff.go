package app

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/models"
	"pitboss/views"
)

const staffRows = 50

func staffPath(id int64) string { return "/staff/" + strconv.FormatInt(id, 10) }

func staffState(s models.Staff) views.Badge {
	switch {
	case s.Disabled:
		return views.Refused("Disabled")
	case s.PasswordHash == "":
		return views.Waiting("No password yet")
	case s.SignedInAt.IsZero():
		return views.Waiting("Never signed in")
	}
	return views.Quiet("Enabled")
}

type staffListPage struct {
	Page
	Text, Role, State views.Field
	Roles, States     []views.Choice
	Rows              []staffRow
	Paging            views.Paging
	Empty             views.Empty
}

type staffRow struct {
	models.Staff
	Href   string
	Badge  views.Badge
	Factor string
}

func (a *App) staffList(c *fiber.Ctx) error {
	page := &staffListPage{Page: a.page(c, "Staff")}
	page.Lede = "Who may sign in here, and what they may do."
	page.Saveable = true
	if manage, err := page.Can(manageStaff); err != nil {
		return err
	} else if manage {
		page.Actions = []views.Link{
			{Word: "Changes by others", Href: "/staff/changes"},
			{Word: "New member of staff", Href: "/staff/new", Icon: "plus", Main: true},
		}
	}
	filter := page.filters()
	list, more, err := a.Store.ListStaff(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, s := range list {
		row := staffRow{Staff: s, Href: staffPath(s.ID), Badge: staffState(s), Factor: "Password only"}
		if s.HasTOTP() {
			row.Factor = "Password and code"
		}
		page.Rows = append(page.Rows, row)
	}
	page.Paging = views.Paging{Note: strconv.Itoa(len(list)) + " shown", NewerWord: "First", OlderWord: "Next"}
	if more {
		page.Paging.Older = page.with("after", list[len(list)-1].Username)
	}
	if filter.After != "" {
		page.Paging.Newer = withQuery(page.Path, page.Query)
	}
	page.Empty = views.Empty{Title: "Nobody matches", Text: "No member of staff has this name, role and state.",
		Links: []views.Link{{Word: "Show everybody", Href: "/staff", Main: true}}}
	return a.render(c, "staff/list", page)
}

// filters reads the filters from the address.
func (page *staffListPage) filters() models.StaffFilter {
	filter := models.StaffFilter{
		Text: page.filter("q", "Name", nil), Role: models.Role(page.filter("role", "Role", nil)),
		State: page.filter("state", "State", nil),
		After: page.params.Get("after"), Limit: staffRows,
	}
	page.Text = views.Field{ID: "f-q", Label: "Username or name", Name: "q", Value: filter.Text}
	pairs := []string{"", "All roles"}
	for _, role := range models.Roles {
		pairs = append(pairs, string(role), string(role))
	}
	page.Roles = choices(string(filter.Role), pairs...)
	page.States = choices(filter.State, "", "All", "enabled", "Enabled", "disabled", "Disabled")
	return filter
}

// exportStaff writes who may sign in, and nothing by which anybody could: neither passwords nor second factors, hashed or
// sealed.
func (a *App) exportStaff(_ *fiber.Ctx, p Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &staffListPage{Page: p}
	f := page.filters()
	f.Limit = exportPage
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Username"}, {Name: "Name"}, {Name: "Role"}, {Name: "State"},
			{Name: "Second factor", Kind: export.Flag},
			{Name: "Has to choose a password", Kind: export.Flag}, {Name: "Password set", Kind: export.Time},
			{Name: "Last sign-in", Kind: export.Time}, {Name: "Created", Kind: export.Time},
		},
		Read: func(ctx context.Context, next func(export.Page) error) error {
			f := f
			for {
				list, more, err := a.Store.ListStaff(ctx, f)
				if err != nil {
					return err
				}
				rows := make([]export.Row, len(list))
				for i, s := range list {
					rows[i] = export.Row{
						s.ID, s.Username, s.Name, string(s.Role), staffState(s).Word, s.HasTOTP(), s.MustChangePassword,
						s.PasswordSetAt, s.SignedInAt, s.CreatedAt,
					}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.After = list[len(list)-1].Username
			}
		},
	}, page.Chips, nil, nil
}

type newStaffPage struct {
	Page
	Username, Name, Email views.Field
	Password              *views.Field
	Role                  views.Select
	Mailed                bool
}

var roleWords = map[models.Role]string{
	models.Administrator: "Staff and settings. Neither asks for nor approves money.",
	models.Bonus:         "Grants free spins and sees what becomes of them.",
	models.Support:       "Players, test sessions, asking for corrections.",
	models.Finance:       "Asks for corrections and approves those of colleagues, statements, reports.",
	models.Compliance:    "Reads everything, exports, changes nothing.",
}

func roleSelect(chosen models.Role, wrong string) views.Select {
	s := views.Select{ID: "f-role", Label: "Role", Name: "role", Wrong: sentence(wrong)}
	for _, role := range models.Roles {
		s.Choices = append(s.Choices,
			views.Choice{Value: string(role), Word: string(role), More: roleWords[role], Chosen: role == chosen})
	}
	return s
}

func (a *App) newStaffForm(c *fiber.Ctx) error { return a.showNewStaff(c, newForm(c)) }

func (a *App) showNewStaff(c *fiber.Ctx, f *form) error {
	page := &newStaffPage{Page: a.page(c, "New member of staff")}
	page.Mailed = a.linkDelivery() == models.LinkMailed
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: "New"}}
	page.Username = f.field(views.Field{Label: "Username", Name: "username", Autocomplete: "off", Required: true,
		Hint: "Letters a to z, digits, dots, hyphens and underscores. It cannot be changed later."})
	page.Name = f.field(views.Field{Label: "Name", Name: "name", Autocomplete: "off", Required: true,
		Hint: "As colleagues know them."})
	page.Email = f.field(views.Field{Label: "E-mail address", Name: "email", Type: "email", Autocomplete: "off",
		Required: page.Mailed, Hint: "The link with which they set their password is sent there."})
	if !page.Mailed {
		page.Email.Hint = "May be left empty: no mail server is set up."
	}
	var err error
	if page.Password, err = a.confirmField(c, f); err != nil {
		return err
	}
	page.Role = roleSelect(models.Role(f.text("role")), f.wrong["role"])
	if !f.ok() {
		return a.refused(c, "staff/new", page)
	}
	return a.render(c, "staff/new", page)
}

func (a *App) createStaff(c *fiber.Ctx) error {
	f := newForm(c)
	username, err := models.ParseUsername(f.text("username"))
	if err != nil {
		f.refuse("username", err.Error())
	}
	name, err := models.ParseName(f.text("name"))
	if err != nil {
		f.refuse("name", err.Error())
	}
	role, err := models.ParseRole(f.text("role"))
	if err != nil {
		f.refuse("role", "Choose a role.")
	}
	email, err := models.ParseEmail(f.text("email"))
	if err != nil {
		f.refuse("email", err.Error())
	} else if email == "" && a.linkDelivery() == models.LinkMailed {
		f.refuse("email", "Enter the address to which the link is sent.")
	}
	if f.ok() {
		if err := a.confirm(c, f); err != nil {
			return err
		}
	}
	if !f.ok() {
		return a.again(c, f, "/staff/new")
	}
	made, err := a.Store.CreateStaff(c.UserContext(), a.actor(c),
		models.Staff{Username: username, Name: name, Role: role, Email: email, Profile: models.DefaultProfile})
	if errors.Is(err, models.ErrStaffExists) {
		f.refuse("username", "This username is taken. Choose another.")
		return a.again(c, f, "/staff/new")
	}
	if err != nil {
		return err
	}
	return a.sendLink(c, made)
}

type staffMemberPage struct {
	Page
	Member   models.Staff
	Facts    []views.Fact
	Notes    []views.Note
	Sessions []sessionLine
	Lock     models.SignInLock
	Locked   bool
	Role     string
	History  []historyLine
}

// member reads the member of staff that the address names.
func (a *App) member(c *fiber.Ctx) (models.Staff, error) {
	id, err := number(c, "id")
	if err != nil {
		return models.Staff{}, notFound("member of staff")
	}
	s, found, err := a.Store.Staff(c.UserContext(), id)
	if err == nil && !found {
		err = notFound("member of staff")
	}
	return s, err
}

func (a *App) staffMember(c *fiber.Ctx) error {
	s, err := a.member(c)
	if err != nil {
		return err
	}
	page := &staffMemberPage{Page: a.page(c, s.Name), Member: s, Role: roleWords[s.Role]}
	page.Crumbs = []views.Crumb{{Word: "Staff", Href: "/staff"}, {Word: s.Username}}
	page.Badges = []views.Badge{staffState(s)}
	page.HeadID = &views.ID{Text: s.Username, Kind: "username"}
	manage, err := page.Can(manageStaff)
	if err != nil {
		return err
	}
	path := staffPath(s.ID)
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
		if _, err := a.sealer.open(s.ID, s.TOTPSecret); err != nil {
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
	page.Sessions = sessionLines(list, "")
	if page.History, _, err = a.history(c.UserContext(), &page.Page, "staff", s.ID, models.Cursor{}, 20); err != nil {
		return err
	}
	return a.render(c, "staff/member", page)
}

// passwordFact says when the password was set, or what became of the link with which it is to be.
func (a *App) passwordFact(c *fiber.Ctx, page *staffMemberPage, s models.Staff) (views.Fact, error) {
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
	return "For " + counted(int64(rules.Days), "day", "days") +
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
