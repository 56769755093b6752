package platform

import (
	"fmt"
	"strconv"

	"pitboss/callbacks/wire"
	"pitboss/models"
)

// IDFormat is the format of one kind of ID.
type IDFormat struct {
	What     string
	Variable string
	InForce  string // empty if any ID is accepted
	Proposed string // the range of the lengths of all IDs so far; empty if the platform has sent none
}

// FormatsReport says how well the formats of IDs fit the latest transactions.
type FormatsReport struct {
	Formats []IDFormat
	Seen    int
	Max     int // in how many ways a signature can be read at most; 1 if all are unambiguous
}

// ReportFormats proposes formats that refuse no player and no transaction so far, and judges the current formats by the
// platform's latest bets and wins. Round IDs are proposed by those.
func ReportFormats(f wire.Formats, seen models.SeenIDs) FormatsReport {
	var rounds models.Lengths
	r := FormatsReport{}
	for _, t := range seen.Latest {
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
		rounds = rounds.With(len(t.RoundID))
		r.Seen++
		r.Max = max(r.Max, f.Readings(string(t.UserID), amount, string(t.TransactionID), string(t.RoundID)))
	}
	propose := func(l models.Lengths) string {
		switch {
		case r.Seen == 0:
			return ""
		case l.Min == l.Max:
			return strconv.Itoa(l.Max)
		}
		return fmt.Sprintf("%d-%d", l.Min, l.Max)
	}
	r.Formats = []IDFormat{
		{"Transaction IDs", "PITBOSS_TRANSACTION_ID_FORMAT", f.TransactionID.String(),
			propose(seen.Transactions)},
		{"Round IDs", "PITBOSS_ROUND_ID_FORMAT", f.RoundID.String(), propose(rounds)},
		{"User IDs", "PITBOSS_USER_ID_FORMAT", f.UserID.String(), propose(seen.Users)},
	}
	return r
}

// Verdict says whether the current formats leave only one reading of each signature.
func (r FormatsReport) Verdict() string {
	switch {
	case r.Seen == 0:
		return "No transactions yet. Formats are proposed once the platform has sent some."
	case r.Max == 1:
		return fmt.Sprintf("Each of the latest %d signatures can be read in one way only.", r.Seen)
	case r.Max == 0:
		return fmt.Sprintf("None of the latest %d transactions matches the formats in force: "+
			"such callbacks are answered with 2. Change the formats.", r.Seen)
	}
	return fmt.Sprintf("Some of the latest %d signatures would fit up to %d different sets of IDs and amounts. Pitboss "+
		"accepts the first set that comes and refuses all others. Formats of IDs would refuse them before they reach a wallet.",
		r.Seen, r.Max)
}
