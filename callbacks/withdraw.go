package callbacks

import (
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// withdraw debits a bet, or counts a free spin, which costs the player nothing (specification, Callback service rules 2 and 3).
func (s *Server) withdraw(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	bet, err := amount(wire.FieldAmount, c.request.Amount)
	if err != nil {
		return models.Result{}, err
	}
	return s.apply(c, models.Operation{Kind: models.Bet, Bet: bet, FreeSpin: c.request.FreeSpin})
}
