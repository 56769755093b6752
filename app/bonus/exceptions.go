package bonus

import (
	"context"
	"errors"
	"strings"

	"pitboss/models"
)

// RequestException asks for one grant beyond the limits; see store.RequestGrantException.
func (s *Service) RequestException(ctx context.Context, by models.Signer,
	r models.GrantRequest) (models.GrantException, error) {
	r.Reason = strings.TrimSpace(r.Reason)
	if len([]rune(r.Reason)) > 500 {
		return models.GrantException{}, ErrReasonLong
	}
	return s.Store.RequestGrantException(ctx, by, r)
}

// RequestImportException asks for an import beyond the limits, or returns the lines that could not be granted for other
// reasons.
func (s *Service) RequestImportException(ctx context.Context, by models.Signer,
	u Upload) (models.GrantException, []models.LineError, error) {
	if len(u.Lines) == 0 {
		return models.GrantException{}, nil, errors.New("there are no lines to grant")
	}
	return s.Store.RequestImportException(ctx, by, models.GrantImport{
		FileName: u.FileName, Digest: Digest(u.Lines), Reason: u.Reason, Again: u.Again, LeftOut: int64(u.LeftOut),
		Repeats: u.Repeats,
	}, u.Lines)
}

// ApproveException approves an exception and makes its grant, once: a nil error with a grant means that the grant has an
// outcome, which is its State. An import runs in the background; then the grant has no number.
func (s *Service) ApproveException(ctx context.Context, by models.Signer,
	id int64) (models.GrantException, models.Grant, error) {
	e, grantID, err := s.Store.ApproveGrantException(ctx, by, id)
	if err != nil || grantID == 0 {
		return e, models.Grant{}, err
	}
	g, found, err := s.Store.Grant(context.WithoutCancel(ctx), grantID)
	if err == nil && !found {
		err = models.ErrGrantUnknown
	}
	if err != nil {
		return e, models.Grant{ID: grantID}, err // it was not sent, and is closed as such before long
	}
	g, err = s.send(ctx, by.Actor, g)
	return e, g, err
}

// expire ends the exceptions that nobody decided in time.
func (s *Service) expire(ctx context.Context) error {
	_, err := s.Store.ExpireGrantExceptions(ctx)
	return err
}
