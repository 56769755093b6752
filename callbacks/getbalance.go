package callbacks

import (
	"context"

	"pitboss/models"
)

// getBalance returns the balance (specification, Callback service rule 1).
func (s *Server) getBalance(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	ctx, cancel := context.WithDeadline(context.Background(), c.arrived.Add(s.config.Deadline))
	defer cancel()
	c.handed = true
	balance, known, err := s.store.Balance(ctx, models.UserID(c.request.UserID))
	if err != nil {
		return models.Result{}, err
	}
	if !known {
		return models.Result{Decline: models.UnknownPlayer}, nil
	}
	return models.Result{Balance: balance}, nil
}
