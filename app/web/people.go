package web

import (
	"context"
	"errors"
	"time"

	"pitboss/models"
	"pitboss/views"
)

// People are some colleagues who can approve something that the reader cannot.
type People struct {
	Staff    []models.Staff
	Earliest views.Moment // when the first of them can, if ties prevent all of them now; otherwise zero
}

// maxApprovers is how many people a page names who can approve something.
const maxApprovers = 5

// Approvers returns colleagues who can approve what maker requests. It asks the rule that decides about each of them.
func (s *Site) Approvers(ctx context.Context, p *Page, maker models.Signature, rule models.ApprovalRule) (*People, error) {
	people := &People{}
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
