package corrections

import (
	"context"
	"errors"

	"pitboss/app/pages"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// refusalWords returns why a correction cannot be booked at the moment, or "" if it can.
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

// correctionChecks has the facts to check before a decision, as they are now.
type correctionChecks struct {
	Facts   []views.Check
	Similar similar
	Another string // why the correction does not repeat one of those
	At      views.Moment
}

// check reads the facts to check before a decision.
func (a *Area) check(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) (k correctionChecks, err error) {
	k = correctionChecks{Similar: newSimilar(p, o.Again, c.Currency), Another: c.Another, At: p.Time(p.Now)}
	ok := func(text string) { k.Facts = append(k.Facts, views.Check{Text: text}) }
	warn := func(text string) { k.Facts = append(k.Facts, views.Check{Text: text, Warn: true}) }
	if o.Refusal != nil {
		warn(refusalWords(c, o.Refusal))
		return k, nil
	}
	if c.Kind.Adjusts() {
		if o.After < 0 && c.Effect < 0 {
			warn("The balance goes below zero. The reason “" + reasonWord(c.Reason) + "” allows that.")
		}
		return k, nil
	}
	round, inRound, err := a.Store.Round(ctx, c.PlayerID, c.RoundID)
	if err != nil {
		return k, err
	}
	won := round.Won.Grouped() + " " + string(c.Currency)
	const lost = "The platform has sent a win of 0.00 for this round, which means that the round is lost."
	switch c.Kind {
	case models.CorrectWin:
		warn("No transaction has arrived with this ID. Make sure that it is the platform’s own ID: if the win comes later with " +
			"another ID, it is paid twice.")
		switch {
		case round.Bets+round.Spins == 0:
			warn("We have no bet in this round. Is the round ID right?")
		case round.Wins > 0:
			warn("A win of " + won + " has already been paid in this round.")
		case round.Losses > 0:
			warn(lost)
		default:
			ok("The round has a bet and no win yet.")
		}
	case models.CorrectBet:
		warn("No transaction has arrived with this ID. Make sure that it is the platform’s own ID: if the bet comes later with " +
			"another ID, it is taken twice.")
		switch {
		case !inRound:
			warn("We have no transactions in this round. Is the round ID right?")
		case round.Won > 0:
			ok("We have the round: " + won + " was won in it.")
		default:
			ok("We have the round.")
		}
	case models.CorrectRollback:
		ok("The " + pages.OriginalWord(c) + " is still applied: no rollback has arrived.")
		wins, losses, another := round.Wins, round.Losses, "No win"
		switch t := c.Original; {
		case t == nil || t.Kind == models.Bet:
		case t.Win > 0:
			wins, another = wins-1, "No other win"
		default:
			losses, another = losses-1, "No other win"
		}
		switch {
		case !inRound:
		case c.Original != nil && c.Original.Kind == models.Win && round.Bets+round.Spins > 0:
			warn("The bet of this round stays: " + round.Staked.Grouped() + " " + string(c.Currency) + ".")
		case wins > 0:
			warn("A win has been paid in this round, " + won + " in all. It stays unless it is rolled back too.")
		case losses > 0:
			warn(lost)
		default:
			ok(another + " has been paid in this round.")
		}
	}
	return k, nil
}
