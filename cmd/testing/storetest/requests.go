package storetest

import (
	"context"

	"pitboss/models"
)

// Decider is a store that decides requests.
type Decider interface {
	Request(ctx context.Context, kind string, id int64) (models.Requested, bool, error)
	Seen(ctx context.Context, r models.Requested) (string, error)
	Decide(ctx context.Context, by models.Signer, d models.Decision) (models.Requested, error)
}

// Opened returns the decision of somebody who opens a request's page now. If the request cannot be read, the decision says that
// they have seen nothing.
func Opened(ctx context.Context, s Decider, kind string, id int64) models.Decision {
	d := models.Decision{Kind: kind, ID: id}
	if r, found, err := s.Request(ctx, kind, id); err == nil && found {
		d.Seen, _ = s.Seen(ctx, r)
	}
	return d
}

func Approve(ctx context.Context, s Decider, kind string, by models.Signer, id int64) error {
	d := Opened(ctx, s, kind, id)
	d.Do = models.ApprovalApproved
	_, err := s.Decide(ctx, by, d)
	return err
}

// Half approves the change that gives an API client a new secret, and returns the second half of the secret, or an empty string
// if the approval is refused.
func Half(ctx context.Context, s Decider, by models.Signer, id int64) string {
	d := Opened(ctx, s, "change", id)
	d.Do = models.ApprovalApproved
	if done, err := s.Decide(ctx, by, d); err == nil {
		return done.(*models.ChangeRequest).Half
	}
	return ""
}

func Refuse(ctx context.Context, s Decider, kind string, by models.Signer, id int64, why string) error {
	d := Opened(ctx, s, kind, id)
	d.Do, d.Why = models.ApprovalRefused, why
	_, err := s.Decide(ctx, by, d)
	return err
}

func Withdraw(ctx context.Context, s Decider, kind string, by models.Signer, id int64, why string) error {
	d := Opened(ctx, s, kind, id)
	d.Do, d.Why = models.ApprovalWithdrawn, why
	_, err := s.Decide(ctx, by, d)
	return err
}
