package callbacks

import (
	"context"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// operation has the store apply what a callback asks for (specification, Callback service rules): a Withdraw debits a bet, or
// counts a free spin; a Deposit credits a win; a BetWin does both in one operation; a RollbackTransaction reverses one of
// these.
func (s *Server) operation(c *callback) (models.Result, error) {
	if err := s.receive(c); err != nil {
		return models.Result{}, err
	}
	r := &c.request
	op := models.Operation{
		Source: models.SourcePlatform, Kind: models.OperationKind(kinds[c.endpoint]), UserID: models.UserID(r.UserID),
		TransactionID: models.TransactionID(r.TransactionID), RoundID: models.RoundID(r.RoundID), FreeSpin: r.FreeSpin,
		Sender: models.Sender{Request: c.id, Address: c.client}, Signed: c.signed,
	}
	var err error
	switch c.endpoint {
	case wire.Withdraw:
		op.Bet, err = amount(wire.FieldAmount, r.Amount)
	case wire.Deposit:
		op.Win, err = amount(wire.FieldAmount, r.Amount)
	case wire.BetWin:
		if op.Bet, err = amount(wire.FieldBetAmount, r.BetAmount); err == nil {
			op.Win, err = amount(wire.FieldWinAmount, r.WinAmount)
		}
	}
	if err != nil {
		return models.Result{}, err
	}
	ctx, cancel := context.WithDeadline(context.Background(), c.arrived.Add(s.config.Deadline))
	defer cancel()
	c.handed = true
	return s.store.Apply(ctx, op)
}
