package web

import (
	"context"

	"pitboss/models"
	"pitboss/views"
)

// People are some colleagues who can do something that the reader cannot. A page names them after their roles.
type People struct {
	Staff    []models.Staff
	Links    bool         // the reader may open their accounts
	Earliest views.Moment // when the first of them can, if nobody can now because of ties; otherwise zero
}

// String returns their names as they follow the name of a role: " (Ada Lopez, Adam Ito or Eva Roth)", as the template "who"
// does.
func (p *People) String() string {
	var names []string
	for _, one := range p.Staff {
		names = append(names, one.Name)
	}
	if len(names) == 0 {
		return " (none at present)"
	}
	return " (" + views.EitherOf(names) + ")"
}

// Who returns up to three colleagues with these roles whom the reader can ask. It costs a query for each role, so a page calls
// it only if it refers its reader to somebody.
func (s *Site) Who(ctx context.Context, p *Page, roles ...models.Role) (*People, error) {
	list, err := s.Helpers(ctx, p.Reader.ID, roles...)
	return &People{Staff: list, Links: p.Can(ReadStaff)}, err
}

// WhoMay is Who for the roles that have a permission.
func (s *Site) WhoMay(ctx context.Context, p *Page, what Permission) (*People, error) {
	return s.Who(ctx, p, Grants[what]...)
}
