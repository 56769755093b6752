package callbacks

import (
	"pitboss/callbacks/wire"
	"pitboss/models"
)

// betWin debits a bet and credits a win in one operation. The balance has to cover the bet without the win (specification,
// Callback service rule 5).
func (s *Server) betWin(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	bet, err := amount(wire.FieldBetAmount, c.request.BetAmount)
	if err != nil {
		return models.Result{}, err
	}
	win, err := amount(wire.FieldWinAmount, c.request.WinAmount)
	if err != nil {
		return models.Result{}, err
	}
	return s.apply(c, models.Operation{Kind: models.BetWin, Bet: bet, Win: win})
}
