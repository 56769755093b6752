package bonus

import (
	"context"
	"errors"
	"strings"

	"pitboss/models"
)

// RequestException requests a grant beyond the limits; see store.RequestGrantException.
func (s *Service) RequestException(ctx context.Context, by models.Signer,
	r models.GrantRequest) (models.GrantException, error) {
	r.Reason = strings.TrimSpace(r.Reason)
	if len([]rune(r.Reason)) > 500 {
		return models.GrantException{}, ErrReasonLong
	}
	return s.Store.RequestGrantException(ctx, by, r)
}

// RequestCampaignException requests a campaign beyond the limits, or returns the lines that cannot be granted for other reasons.
func (s *Service) RequestCampaignException(ctx context.Context, by models.Signer,
	u Upload) (models.GrantException, []models.LineError, error) {
	if len(u.Lines) == 0 {
		return models.GrantException{}, nil, errors.New("there are no lines to grant")
	}
	return s.Store.RequestCampaignException(ctx, by, u.campaign(), u.Lines)
}

// ApproveException approves an exception and makes its grant, once. If the grant has a number, the exception is approved; and if
// the error is nil, the grant's State is its outcome. A campaign runs in the background; then the grant has no number.
func (s *Service) ApproveException(ctx context.Context, by models.Signer, id int64) (models.Grant, error) {
	grantID, err := s.Store.ApproveGrantException(ctx, by, id)
	if err != nil || grantID == 0 {
		return models.Grant{}, err
	}
	g, found, err := s.Store.Grant(context.WithoutCancel(ctx), grantID)
	if err == nil && !found {
		err = models.ErrGrantUnknown
	}
	if err != nil {
		return models.Grant{ID: grantID, State: models.GrantRequested}, err // not sent: Recover will refuse it
	}
	return s.send(ctx, by.Actor, g)
}

// expire ends the exceptions that nobody has decided in time.
func (s *Service) expire(ctx context.Context) error {
	_, err := s.Store.ExpireGrantExceptions(ctx)
	return err
}
