package storetest

import (
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"pitboss/models"
)

var requests atomic.Int64

// Request returns a new request ID that was received at this time.
func Request(at time.Time) models.RequestID {
	return models.RequestID{Received: at.UTC().Truncate(time.Microsecond), Number: int64(os.Getpid())<<32 | requests.Add(1)}
}

// Sender returns the sender of a new callback that was received at this time.
func Sender(at time.Time) models.Sender {
	return models.Sender{Request: Request(at), Address: netip.MustParseAddr("203.0.113.7")}
}

// Logged returns the line of the callback log for an operation with result r. A declined operation has what the listener would
// record about it.
func Logged(op models.Operation, r models.Result) models.Callback {
	c := models.Callback{
		At: r.Decided.At, Request: op.Sender.Request, Kind: models.CallbackKind(op.Kind), Address: op.Sender.Address,
		Verdict:  models.VerdictOf(r.Decline, r.OtherContents),
		Answered: models.Answered{Result: int(r.Decline), Status: 200},
		UserID:   op.UserID, TransactionID: op.TransactionID, RoundID: op.RoundID, FreeSpin: op.FreeSpin,
		PlayerID: r.Decided.PlayerID, Seq: r.Decided.Seq, Cause: r.Decided.Cause,
	}
	switch op.Kind {
	case models.Bet:
		c.Amount = op.Bet.String()
	case models.Win:
		c.Amount = op.Win.String()
	case models.BetWin:
		c.Amount, c.WinAmount = op.Bet.String(), op.Win.String()
	}
	if r.Decline != models.None {
		had := r.Balance.Amount
		c.Had = &had
	}
	return c
}
