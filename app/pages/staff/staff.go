// Package staff has the pages of staff, their roles, and the one-time links with which they set a password.
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

// StaffPath returns the address of the page of a member of staff.
func StaffPath(id int64) string { return "/staff/" + strconv.FormatInt(id, 10) }

// StaffState returns the badge of an account: disabled, not confirmed, without a password, or enabled.
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

type staffListPage struct {
	web.Page
	web.Listed
	Rows []staffRow
}

type staffRow struct {
	models.Staff
	Badge views.Badge
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &staffListPage{Page: a.Page(c, "")}
	page.Saveable = true
	found, err := web.ReadPage(c.UserContext(), &page.Page, &page.Listed, a.listing(page))
	if err != nil {
		return err
	}
	for _, s := range found.Rows {
		page.Rows = append(page.Rows, staffRow{s, StaffState(s)})
	}
	return a.Render(c, "staff/list", page)
}

// listing reads the filters from the address. If one cannot be read, a message replaces the list.
func (a *Area) listing(page *staffListPage) models.Listing[models.Staff] {
	filter := models.StaffFilter{Text: page.SearchFilter("q", "Username or name")}
	pairs := []string{"", "All roles"}
	for _, role := range models.Roles {
		pairs = append(pairs, string(role), string(role))
	}
	filter.Role = models.Role(page.Choice("role", "Role", pairs))
	filter.State = page.Choice("state", "State", []string{"", "All", "enabled", "Enabled", "disabled", "Disabled"})
	page.Instead = page.Unread()
	return models.List(filter, a.Store.ListStaff, models.Staff.Place)
}

// ExportStaff reads accounts for a file, without anything secret: no hashes of passwords and no sealed second factors.
func (a *Area) ExportStaff(_ context.Context, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &staffListPage{Page: p}
	list := a.listing(page)
	return export.List{
		Columns: []export.Column{
			{Name: "Number", Kind: export.Number}, {Name: "Username"}, {Name: "Name"}, {Name: "Role"}, {Name: "State"},
			{Name: "Second factor", Kind: export.Flag},
			{Name: "Has to choose a password", Kind: export.Flag}, {Name: "Password set", Kind: export.Time},
			{Name: "Last sign-in", Kind: export.Time}, {Name: "Created", Kind: export.Time},
		},
		Read: web.Rows(&page.Page, &page.Listed, list, web.ExportPage, export.Each(func(s models.Staff) export.Row {
			return export.Row{s.ID, s.Username, s.Name, string(s.Role), StaffState(s).Word, s.HasSecondFactor(), s.MustChangePassword,
				s.PasswordSetAt, s.SignedInAt, s.CreatedAt}
		})),
	}, page.Chips, page.Instead, nil
}

type newStaffPage struct {
	web.Page
	Username, Name, Email views.Field
	Role                  views.Select
	Mailed                bool
}

var roleWords = map[models.Role]string{
	models.Administrator: "Manages staff and settings. Neither requests nor approves money.",
	models.Bonus:         "Grants free spins and follows them.",
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

func (a *Area) NewStaffForm(c *fiber.Ctx) error { return a.showNewStaff(c, web.NewForm(c)) }

func (a *Area) showNewStaff(c *fiber.Ctx, f *web.Form) error {
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
