package staff

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"pitboss/app/export"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

const staffRows = 50

// StaffPath returns the address of the page of a member of staff.
func StaffPath(id int64) string { return "/staff/" + strconv.FormatInt(id, 10) }

// StaffState returns the badge of an account: disabled, without a password, never signed in, or enabled.
func StaffState(s models.Staff) views.Badge {
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
	web.Page
	Rows   []staffRow
	Paging views.Paging
	Wrong  *views.Empty
}

type staffRow struct {
	models.Staff
	Badge views.Badge
}

func (a *Area) List(c *fiber.Ctx) error {
	page := &staffListPage{Page: a.Page(c, "")}
	page.Saveable = true
	filter, wrong := page.filters()
	if wrong != nil {
		page.Wrong = wrong
		return a.Render(c, "staff/list", page)
	}
	list, more, err := a.Store.ListStaff(c.UserContext(), filter)
	if err != nil {
		return err
	}
	for _, s := range list {
		page.Rows = append(page.Rows, staffRow{s, StaffState(s)})
	}
	page.Paging = views.Paging{Count: len(list)}
	if more {
		page.Paging.Older = page.With("after", list[len(list)-1].Username)
	}
	if filter.After != "" {
		page.Paging.Newer = web.WithQuery(page.Path, page.Query)
	}
	return a.Render(c, "staff/list", page)
}

// filters reads the filters from the address.
func (page *staffListPage) filters() (filter models.StaffFilter, wrong *views.Empty) {
	filter = models.StaffFilter{Text: page.SearchFilter("q", "Username or name"), After: page.Params.Get("after"),
		Limit: staffRows}
	pairs := []string{"", "All roles"}
	for _, role := range models.Roles {
		pairs = append(pairs, string(role), string(role))
	}
	filter.Role = models.Role(page.Choice("role", "Role", pairs))
	filter.State = page.Choice("state", "State", []string{"", "All", "enabled", "Enabled", "disabled", "Disabled"})
	return filter, page.Unread()
}

// ExportStaff reads accounts for a file, without anything secret: no hashes of passwords and no sealed second factors.
func (a *Area) ExportStaff(_ *fiber.Ctx, p web.Page) (export.List, []views.Chip, *views.Empty, error) {
	page := &staffListPage{Page: p}
	f, wrong := page.filters()
	f.Limit = web.ExportPage
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
						s.ID, s.Username, s.Name, string(s.Role), StaffState(s).Word, s.HasTOTP(), s.MustChangePassword,
						s.PasswordSetAt, s.SignedInAt, s.CreatedAt,
					}
				}
				if err := next(export.Page{Rows: rows}); err != nil || !more {
					return err
				}
				f.After = list[len(list)-1].Username
			}
		},
	}, page.Chips, wrong, nil
}

type newStaffPage struct {
	web.Page
	Username, Name, Email views.Field
	Password              *views.Field
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
	var err error
	if page.Password, err = a.ConfirmField(c, f); err != nil {
		return err
	}
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
	if f.Ok() {
		if err := a.Confirm(c, f); err != nil {
			return err
		}
	}
	if !f.Ok() {
		return a.Again(c, f, "/staff/new")
	}
	made, err := a.Store.CreateStaff(c.UserContext(), a.Actor(c),
		models.Staff{Username: username, Name: name, Role: role, Email: email, Profile: models.DefaultProfile})
	if errors.Is(err, models.ErrStaffExists) {
		f.Refuse("username", "This username is taken. Choose another.")
		return a.Again(c, f, "/staff/new")
	}
	if err != nil {
		return err
	}
	return a.sendLink(c, made)
}
