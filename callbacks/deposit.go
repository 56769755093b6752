package callbacks

import (
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// deposit credits a win (specification, Callback service rule 4).
func (s *Server) deposit(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	win, err := amount(wire.FieldAmount, c.request.Amount)
	if err != nil {
		return models.Result{}, err
	}
	return s.apply(c, models.Operation{Kind: models.Win, Win: win})
}
