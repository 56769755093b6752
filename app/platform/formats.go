package platform

import (
	"fmt"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// IDFormat is the format of one kind of ID.
type IDFormat struct {
	What     string
	Variable string
	InForce  string // empty if any ID is accepted
	Proposed string // what all seen IDs have in common; empty if there were none
}

// FormatsReport says how well the formats of IDs fit the latest transactions.
type FormatsReport struct {
	Formats []IDFormat
	Seen    int
	Most    int // in how many ways a signature can be read at most; 1 if all are unambiguous
}

// ReportFormats proposes formats from the platform's latest bets and wins, and judges the current formats by them.
func ReportFormats(f wire.Formats, seen []models.SeenIDs) FormatsReport {
	var users, transactions, rounds []string
	r := FormatsReport{}
	for _, t := range seen {
		amount := t.Bet.String()
		switch t.Kind {
		case models.Win:
			amount = t.Win.String()
		case models.BetWin:
			amount += t.Win.String()
		case models.Bet:
		default:
			continue
		}
		users, transactions, rounds = append(users, string(t.UserID)), append(transactions, string(t.TransactionID)),
			append(rounds, string(t.RoundID))
		r.Seen++
		r.Most = max(r.Most, f.Readings(string(t.UserID), amount, string(t.TransactionID), string(t.RoundID)))
	}
	r.Formats = []IDFormat{
		{"Transaction IDs", "PITBOSS_TRANSACTION_ID_FORMAT", f.TransactionID.String(),
			wire.ProposeFormat(transactions).String()},
		{"Round IDs", "PITBOSS_ROUND_ID_FORMAT", f.RoundID.String(), wire.ProposeFormat(rounds).String()},
		{"User IDs", "PITBOSS_USER_ID_FORMAT", f.UserID.String(), wire.ProposeFormat(users).String()},
	}
	return r
}

// Verdict says whether the current formats leave only one reading of each signature.
func (r FormatsReport) Verdict() string {
	switch {
	case r.Seen == 0:
		return "No transactions yet. Formats are proposed once the platform has sent some."
	case r.Most == 1:
		return fmt.Sprintf("Each of the latest %d signatures can be read in one way only.", r.Seen)
	case r.Most == 0:
		return fmt.Sprintf("None of the latest %d transactions matches the formats in force.", r.Seen)
	}
	return fmt.Sprintf("Some of the latest %d signatures would fit up to %d different sets of IDs and amounts. Pitboss "+
		"accepts the first set that comes and refuses all others. Formats of IDs would refuse them before they reach a wallet.",
		r.Seen, r.Most)
}
