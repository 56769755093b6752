package corrections

import (
	"context"
	"errors"

	"pitboss/app/things"
	"pitboss/app/web"
	"pitboss/models"
	"pitboss/views"
)

// refusalWords say why a correction cannot be booked as things stand; nothing, where it can.
func refusalWords(c models.Correction, refusal error) string {
	var declined models.CorrectionDeclinedError
	switch {
	case refusal == nil:
		return ""
	case errors.Is(refusal, models.ErrBelowZero):
		return "It would leave the balance below zero, which the reason “" + things.ReasonWord(c.Reason) +
			"” does not allow. Nothing can be booked."
	case errors.As(refusal, &declined):
		switch declined.Decline {
		case models.RolledBack:
			if c.Kind == models.CorrectWin {
				return "A rollback of this transaction ID has come: the platform has voided this win. Nothing is to be paid."
			}
			return "It has been rolled back already, by the platform or by a colleague. There is nothing left to give back."
		case models.NotFound:
			return string(c.UserID) + " has no transaction of this ID."
		case models.Duplicate:
			return "A transaction of this ID has arrived. Nothing is missing any more."
		case models.InsufficientFunds:
			return "The balance is less than this. Only a reason that allows a balance below zero takes more than there is."
		case models.BalanceOverflow:
			return "The balance would be larger, or smaller, than can be kept."
		}
	}
	return web.Sentence(refusal.Error())
}

// correctionChecks are what was looked at just now.
func (a *Area) correctionChecks(ctx context.Context, p *web.Page, c models.Correction,
	o models.CorrectionOutlook) ([]views.Check, error) {
	var checks []views.Check
	say := func(warn bool, text string) { checks = append(checks, views.Check{Text: text, Warn: warn}) }
	user := string(c.UserID)
	if why := refusalWords(c, o.Refusal); why != "" {
		say(true, why)
	}
	round, inRound, err := a.Store.Round(ctx, c.PlayerID, c.RoundID)
	if err != nil {
		return nil, err
	}
	inRound = inRound && !c.Kind.Adjusts()
	switch {
	case o.Refusal != nil:
	case c.Kind == models.CorrectRollback:
		say(false, "The "+things.OriginalWord(c)+" is still applied: no rollback has arrived.")
		own := int64(0)
		if c.Original != nil && c.Original.Kind != models.Bet {
			own = 1
		}
		switch {
		case c.Original != nil && c.Original.Kind == models.Win && inRound && round.Bets+round.Spins > 0:
			say(true, "The bet of this round stays: "+round.Staked.Grouped()+" "+string(c.Currency)+".")
		case inRound && round.Wins > own:
			say(true, "A win has been paid in this round, "+round.Won.Grouped()+" "+string(c.Currency)+
				" in all. It stays, unless it is rolled back too.")
		case inRound:
			say(false, "No win has been paid in this round.")
		}
	case c.Kind == models.CorrectWin:
		say(true, "Nothing has arrived under this transaction ID. Make sure that it is the platform’s own: if the win comes "+
			"later "+
			"under another ID, it is paid twice.")
		switch {
		case !inRound || round.Bets+round.Spins == 0:
			say(true, "No bet of this round stands here. Is the round ID right?")
		case round.Wins > 0:
			say(true, "This round has been paid a win of "+round.Won.Grouped()+" "+string(c.Currency)+" already.")
		default:
			say(false, "The round has a bet and no win yet.")
		}
	case o.After < 0 && c.Effect < 0:
		say(true, "The balance goes below zero. The reason “"+things.ReasonWord(c.Reason)+"” allows that.")
	}
	if c.ID == 0 {
		return checks, nil
	}
	since, err := a.Store.Transactions(ctx,
		models.TransactionFilter{PlayerID: c.PlayerID, Since: c.At, Limit: web.TransactionsSeen})
	if err != nil {
		return nil, err
	}
	if n := int64(len(since.Rows)); n > 0 {
		count := web.Several(n, "transaction", "transactions")
		if since.More {
			count = "more than " + count
		}
		say(true, user+" has had "+count+" since it was asked for. The balance above is of "+p.Time(p.Now).Clock()+
			" and is read again when it is booked.")
	} else if o.Before != c.AskedBefore {
		say(true, "The balance was "+c.AskedBefore.Grouped()+" when it was asked for.")
	} else {
		say(false, "The balance of "+user+" is as it was when it was asked for.")
	}
	maker, found, err := a.Store.Staff(ctx, c.Maker.StaffID)
	if err == nil && (!found || maker.Disabled) {
		say(true, things.SignedBy(c.Maker)+", who asked for it, is disabled since.")
	}
	return checks, err
}
