package web

import (
	"context"

	"pitboss/models"
)

// maxApprovers is how many people a page names who can approve something.
const maxApprovers = 5

// Approvers returns colleagues with one of these roles who may approve something, by the rule that decides about each of them.
func (s *Site) Approvers(ctx context.Context, roles []models.Role, may func(models.Signer) error) (people []models.Staff, err error) {
	for _, role := range roles {
		list, err := s.Store.ListStaff(ctx, models.StaffFilter{Role: role, State: "enabled", Span: models.Span{Limit: 200}})
		if err != nil {
			return nil, err
		}
		for _, member := range list.Rows {
			if len(people) < maxApprovers && member.CanSign() && may(member.Signer()) == nil {
				people = append(people, member)
			}
		}
	}
	return people, nil
}
