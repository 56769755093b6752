package storetest

import (
	"pitboss/models"
)

// Signed returns op as a callback has it, with the text that the signature covers.
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

// InRound returns op in another round, signed.
func InRound(op models.Operation, round models.RoundID) models.Operation {
	op.RoundID = round
	return Signed(op)
}
