package corrections

import (
	"context"
	"errors"
	"slices"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// refusalWords returns why a correction cannot be booked as things stand, or "" if it can.
func refusalWords(c models.Correction, refusal error) string {
	var declined models.CorrectionDeclinedError
	switch {
	case refusal == nil:
		return ""
	case errors.Is(refusal, models.ErrBelowZero):
		return "It would leave the balance below zero, which the reason “" + pages.ReasonWord(c.Reason) +
			"” does not allow."
	case errors.As(refusal, &declined):
		switch declined.Decline {
		case models.RolledBack:
			if c.Kind == models.CorrectWin {
				return "The platform has already sent a rollback for this transaction ID: it voided this win. Nothing is to " +
					"be paid."
			}
			return "It was rolled back already, by the platform or by a colleague. There is nothing left to roll back."
		case models.NotFound:
			return string(c.UserID) + " has no transaction with this ID."
		case models.Duplicate:
			return "A transaction with this ID has arrived. Either nothing is missing, or this is the ID of another transaction, such " +
				"as the bet: search for it."
		case models.InsufficientFunds:
			return "The balance is less than this amount. Only some reasons, such as a chargeback, allow a balance below zero."
		case models.BalanceOverflow:
			return "The balance would be too large or too small to store."
		}
	}
	return web.Sentence(refusal.Error())
}

// correctionChecks are the facts to check before a decision, as they are now.
type correctionChecks struct {
	models.Correction
	Refusal      string // why it cannot be booked as things stand
	OriginalWord string // the word for the transaction that a rollback takes back
	Reason       string
	Round        models.Round
	InRound      bool // a round of the player has the correction's round ID
	WinOnly      bool // a win is taken back, and its bet stays
	PaidBesides  bool // the round has another win, which stays
	LostBesides  bool // the platform has also sent a win of 0.00, meaning that the round is lost
	BelowZero    bool
	Similar      pages.Similar
	Waiting      []models.Correction // other corrections of the player that wait for a decision, the newest first
	Requested    bool                // it waits for a decision; if false, it has not been requested yet
	Since        int64               // the player's transactions since it was requested
	More         bool                // there are more than Since
	Moved        bool                // the balance has changed since it was requested
	At           views.Moment
	MakerName    string
	MakerRemoved bool // the person who requested it has been disabled since
}

// waitingShown is how many waiting corrections of a player are named.
const waitingShown = 5

// check reads the facts to check before a decision.
func (a *Area) check(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) (k correctionChecks, err error) {
	k = correctionChecks{Correction: c, Refusal: refusalWords(c, o.Refusal), OriginalWord: pages.OriginalWord(c),
		Reason: pages.ReasonWord(c.Reason), BelowZero: o.After < 0 && c.Effect < 0, At: p.Time(p.Now),
		MakerName: pages.SignedBy(c.Maker), Similar: pages.NewSimilar(p, o.Again, c.Currency)}
	if k.Round, k.InRound, err = a.Store.Round(ctx, c.PlayerID, c.RoundID); err != nil {
		return k, err
	}
	k.InRound = k.InRound && !c.Kind.Adjusts()
	own, ownLoss := int64(0), int64(0)
	switch {
	case c.Original == nil || c.Original.Kind == models.Bet:
	case c.Original.Win > 0:
		own = 1
	default:
		ownLoss = 1
	}
	k.WinOnly = c.Original != nil && c.Original.Kind == models.Win && k.InRound && k.Round.Bets+k.Round.Spins > 0
	k.PaidBesides, k.LostBesides = k.InRound && k.Round.Wins > own, k.InRound && k.Round.Losses > ownLoss
	waiting, err := a.Store.Corrections(ctx, models.CorrectionFilter{PlayerID: c.PlayerID, State: models.ApprovalWaiting,
		Span: models.Span{Limit: waitingShown}})
	if err != nil {
		return k, err
	}
	k.Waiting = slices.DeleteFunc(waiting.Rows, func(other models.Correction) bool {
		return other.ID == c.ID ||
			slices.ContainsFunc(o.Again.Corrections, func(s models.Correction) bool { return s.ID == other.ID })
	})
	if k.Requested = c.ID != 0; !k.Requested {
		return k, nil
	}
	since, err := a.Store.Transactions(ctx,
		models.TransactionFilter{PlayerID: c.PlayerID, Span: models.Span{Since: c.At, Limit: web.TransactionsSeen}})
	if err != nil {
		return k, err
	}
	k.Since, k.More, k.Moved = int64(len(since.Rows)), since.More, o.Before != c.BalanceAtRequest
	maker, found, err := a.Store.Staff(ctx, c.Maker.StaffID)
	k.MakerRemoved = !found || maker.Disabled
	return k, err
}
