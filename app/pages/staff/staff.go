// Package staff has the pages of staff and their roles, and makes the one-time links with which staff set a password.
package staff

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/notices"
	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// Area has the handlers of this part of the site.
type Area struct {
	*pages.Site
	Notices *notices.Service // sends e-mail; nil if none is sent
}

// StaffPath returns the address of a staff member's page.
func StaffPath(id int64) string { return "/staff/" + strconv.FormatInt(id, 10) }

// StaffState returns an account's badge: disabled, not confirmed, without a password, or enabled.
func StaffState(s models.Staff) views.Badge {
	switch {
	case s.Disabled:
		return views.Refused("Disabled")
	case len(s.Unconfirmed) > 0:
		return views.Waiting("Not confirmed")
	case s.PasswordHash == "" && s.Identity == "":
		return views.Waiting("No password yet")
	}
	return views.Quiet("Enabled")
}

func (a *Area) List(c *fiber.Ctx) error { return a.Staff().Serve(a.Site.Site, c, "staff/list") }

type member = models.Staff

// Staff is the list of accounts. Its exports have no secrets: no password hashes and no sealed second factors.
func (a *Area) Staff() web.List[web.ListPage, member] {
	return web.List[web.ListPage, member]{
		Path: "/staff", Title: "Staff", Needs: web.ReadStaff, Select: a.selected,
		Columns: []web.Column[web.ListPage, member]{
			{Name: "Number", Kind: export.Number, Value: func(s member) any { return s.ID }},
			{Head: "Name", Class: "c-what c-name", Cell: func(_ *web.ListPage, s member) views.Cell {
				return views.Cell{Text: s.Name, Href: StaffPath(s.ID)}
			}},
			{Head: "Username", Value: func(s member) any { return s.Username },
				Cell: func(_ *web.ListPage, s member) views.Cell {
					return views.Cell{ID: views.ID{Text: s.Username, Kind: "username"}, Copy: true}
				}},
			{Name: "Name", Value: func(s member) any { return s.Name }},
			{Head: "Role", Class: "c-lead", Value: func(s member) any { return string(s.Role) }},
			{Head: "Signs in with", Cell: func(_ *web.ListPage, s member) views.Cell {
				return views.Cell{Text: web.FirstUpper(s.SignsInWith())}
			}},
			{Name: "State", Value: func(s member) any { return StaffState(s).Word }},
			{Name: "Second factor", Kind: export.Flag, Value: func(s member) any { return s.HasSecondFactor() }},
			{Name: "Has to choose a password", Kind: export.Flag, Value: func(s member) any { return s.MustChangePassword }},
			{Name: "Password set", Kind: export.Time, Value: func(s member) any { return s.PasswordSetAt }},
			{Head: "Last sign-in", Kind: export.Time, Class: "pb-nowrap", Value: func(s member) any { return s.SignedInAt }},
			{Name: "Created", Kind: export.Time, Value: func(s member) any { return s.CreatedAt }},
			{Head: "State", Badge: func(_ *web.ListPage, s member) views.Badge { return StaffState(s) }},
		},
	}
}

// selected reads the filters from the address.
func (a *Area) selected(_ context.Context, page *web.ListPage) (models.Listing[member], error) {
	page.By = "by username"
	filter := models.StaffFilter{Text: page.SearchFilter("q", "Username or name")}
	pairs := []string{"", "All roles"}
	for _, role := range models.Roles {
		pairs = append(pairs, string(role), string(role))
	}
	filter.Role = models.Role(page.Choice("role", "Role", pairs))
	filter.State = page.Choice("state", "State", []string{"", "All", "enabled", "Enabled", "disabled", "Disabled"})
	return models.List(filter, a.Store.ListStaff, models.Staff.Place), nil
}

type newStaffPage struct {
	web.Page
	Username, Name, Email views.Field
	Role                  views.Select
	Mailed                bool
}

var roleWords = map[models.Role]string{
	models.Administrator: "Manages staff and settings. Neither requests nor approves money.",
	models.Bonus:         "Grants free spins and follows up on them.",
	models.Support:       "Looks after players, opens test sessions, requests corrections.",
	models.Finance: "Requests corrections and approves those of colleagues. Compares statements, reads reports, " +
		"signs days.",
	models.Compliance: "Reads and exports everything, verifies the ledger, makes dispute packs, records complaints, signs " +
		"days. Cannot move money.",
}

func roleSelect(chosen models.Role, wrong string) views.Select {
	s := views.Select{ID: "f-role", Name: "role", Wrong: web.Sentence(wrong)}
	for _, role := range models.Roles {
		s.Choices = append(s.Choices,
			views.Choice{Value: string(role), Word: string(role), More: roleWords[role], Chosen: role == chosen})
	}
	return s
}

func (a *Area) NewStaffForm(c *fiber.Ctx) error {
	f := web.NewForm(c)
	page := &newStaffPage{Page: a.Page(c, ""), Mailed: a.linkDelivery() == models.LinkMailed,
		Username: f.Field(views.Field{Name: "username", Autocomplete: "off", Required: true}),
		Name:     f.Field(views.Field{Name: "name", Autocomplete: "off", Required: true})}
	page.Email = f.Field(views.Field{Name: "email", Type: "email", Autocomplete: "off", Required: page.Mailed})
	page.Role = roleSelect(models.Role(f.Text("role")), f.Wrong["role"])
	return a.RenderForm(c, !f.Ok(), "staff/new", page)
}

func (a *Area) CreateStaff(c *fiber.Ctx) error {
	f := web.NewForm(c)
	username, err := models.ParseUsername(f.Text("username"))
	if err != nil {
		f.Refuse("username", err.Error())
	}
	name, err := models.ParseName(f.Text("name"))
	if err != nil {
		f.Refuse("name", err.Error())
	}
	role, err := models.ParseRole(f.Text("role"))
	if err != nil {
		f.Refuse("role", "Choose a role.")
	}
	email, err := models.ParseEmail(f.Text("email"))
	if err != nil {
		f.Refuse("email", err.Error())
	} else if email == "" && a.linkDelivery() == models.LinkMailed {
		f.Refuse("email", "Enter the address to which the link is sent.")
	}
	if !f.Ok() {
		return a.ShowAgain(c, f, "/staff/new")
	}
	made, err := a.Store.CreateStaff(c.UserContext(), a.Actor(c),
		models.Staff{Username: username, Name: name, Role: role, Email: email, Profile: models.DefaultProfile})
	if errors.Is(err, models.ErrStaffExists) {
		f.Refuse("username", "This username is taken. Choose another.")
		return a.ShowAgain(c, f, "/staff/new")
	}
	if err != nil {
		return err
	}
	return a.sendLink(c, made)
}
