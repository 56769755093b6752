package web

import (
	"context"

	"pitboss/models"
)

// maxApprovers is the most approvers that a page names.
const maxApprovers = 5

// Approvers returns up to maxApprovers colleagues with one of these roles who may approve something; may decides about each.
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
