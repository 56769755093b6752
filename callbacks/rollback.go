package callbacks

import "pitboss/models"

// rollback reverses a transaction (specification, Callback service rule 6; States, "Wallet transaction").
func (s *Server) rollback(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	return s.apply(c, models.Operation{Kind: models.Rollback})
}
