package web

import (
	"context"
	"errors"
	"time"

	"pitboss/models"
	"pitboss/views"
)

// People are some colleagues who can do something that the reader cannot. A page names them after their roles.
type People struct {
	Staff    []models.Staff
	Links    bool         // the reader may open their accounts
	Earliest views.Moment // when the first of them can, if ties prevent all of them now; otherwise zero
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
// it only if it refers its reader to a colleague.
func (s *Site) Who(ctx context.Context, p *Page, roles ...models.Role) (*People, error) {
	list, err := s.Helpers(ctx, p.Reader.ID, roles...)
	return &People{Staff: list, Links: p.Can(ReadStaff)}, err
}

// WhoMay is Who for the roles that have a permission.
func (s *Site) WhoMay(ctx context.Context, p *Page, what Permission) (*People, error) {
	return s.Who(ctx, p, Grants[what]...)
}

// maxApprovers is how many people a page names who can approve something.
const maxApprovers = 5

// Approvers returns colleagues who can approve what maker requests. It asks the rule that decides about each of them.
func (s *Site) Approvers(ctx context.Context, p *Page, maker models.Signature,
	rule models.ApprovalRule) (*People, error) {
	people := &People{Links: p.Can(ReadStaff)}
	ties, err := s.Store.Ties(ctx)
	if err != nil {
		return nil, err
	}
	request := models.Approval{Maker: maker, State: models.ApprovalWaiting}
	var tied models.TiedError
	var earliest time.Time
	for _, role := range rule.Checkers {
		list, err := s.Store.ListStaff(ctx, models.StaffFilter{Role: role, State: "enabled", Span: models.Span{Limit: 200}})
		if err != nil {
			return nil, err
		}
		for _, member := range list.Rows {
			refusal := request.MayApprove(rule, member.Signer(), ties, p.Now)
			switch {
			case refusal == nil && member.CanSign() && len(people.Staff) < maxApprovers:
				people.Staff = append(people.Staff, member)
			case errors.As(refusal, &tied) && (earliest.IsZero() || tied.Until.Before(earliest)):
				earliest = tied.Until
			}
		}
	}
	if len(people.Staff) == 0 && !earliest.IsZero() {
		people.Earliest = p.Time(earliest)
	}
	return people, nil
}

// ReaderApproves is Approvers for what the reader is about to request.
func (s *Site) ReaderApproves(ctx context.Context, p *Page, rule models.ApprovalRule) (*People, error) {
	return s.Approvers(ctx, p, models.Signature{StaffID: p.Reader.ID, Username: p.Reader.Username}, rule)
}
