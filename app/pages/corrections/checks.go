package corrections

import (
	"context"
	"errors"

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
		return "It would leave the balance below zero, which the reason “" + reasonWord(c.Reason) +
			"” does not allow."
	case errors.As(refusal, &declined):
		switch declined.Decline {
		case models.RolledBack:
			if c.Kind == models.CorrectWin {
				return "The platform has already sent a rollback for this transaction ID: it voided this win. Nothing is to " +
					"be paid."
			}
			if c.Kind == models.CorrectBet {
				return "The platform has already sent a rollback for this transaction ID: it voided this bet. Nothing is to " +
					"be taken."
			}
			return "It was rolled back already, by the platform or by a colleague. There is nothing left to roll back."
		case models.NotFound:
			return string(c.UserID) + " has no transaction with this ID."
		case models.Duplicate:
			return "A transaction with this ID has arrived. Either nothing is missing, or this is the ID of another transaction " +
				"of the round: search for it."
		case models.InsufficientFunds:
			if c.Kind == models.CorrectBet {
				return "The balance is less than this bet. Book it once the balance covers it, or write the difference off."
			}
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
	Similar      similar
	At           views.Moment
}

// check reads the facts to check before a decision.
func (a *Area) check(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) (k correctionChecks, err error) {
	k = correctionChecks{Correction: c, Refusal: refusalWords(c, o.Refusal), OriginalWord: pages.OriginalWord(c),
		Reason: reasonWord(c.Reason), BelowZero: o.After < 0 && c.Effect < 0, At: p.Time(p.Now),
		Similar: newSimilar(p, o.Again, c.Currency)}
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
	return k, nil
}
