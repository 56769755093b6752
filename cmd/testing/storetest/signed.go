package storetest

import (
	"pitboss/models"
)

// Signed returns op as it arrives in a callback, with the text that the signature covers.
func Signed(op models.Operation) models.Operation {
	op.Signed = string(op.UserID)
	if op.Kind == models.Bet || op.Kind == models.BetWin {
		op.Signed += op.Bet.String()
	}
	if op.Kind == models.Win || op.Kind == models.BetWin {
		op.Signed += op.Win.String()
	}
	op.Signed += string(op.TransactionID) + string(op.RoundID)
	return op
}

// InRound returns op, signed, in another round.
func InRound(op models.Operation, round models.RoundID) models.Operation {
	op.RoundID = round
	return Signed(op)
}
