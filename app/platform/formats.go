package platform

import (
	"fmt"
	"strconv"
	"strings"

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
	Max     int      // in how many ways a signature can be read at most; 1 if all are unambiguous
	Refused []string // sentences about IDs that the formats in force refuse; none if there are no such IDs
}

// ReportFormats proposes formats that refuse no player and no transaction so far, and judges the current formats by the
// platform's latest bets and wins. Round IDs are proposed by those.
func ReportFormats(f wire.Formats, seen models.SeenIDs) FormatsReport {
	var rounds models.Lengths
	var transactions, others, users int // IDs among the latest that do not match
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
		users += refused(f.UserID, string(t.UserID))
		transactions += refused(f.TransactionID, string(t.TransactionID))
		others += refused(f.RoundID, string(t.RoundID))
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
	for kind, n := range []int{transactions, others, users} {
		if n > 0 {
			r.Refused = append(r.Refused, fmt.Sprintf("%s=%s refuses %d of the latest %d transactions with 2. Change the format.",
				r.Formats[kind].Variable, r.Formats[kind].InForce, n, r.Seen))
		}
	}
	if !f.UserID.Fits(seen.Users.Min, seen.Users.Max) && seen.Users.Max > 0 {
		r.Refused = append(r.Refused, fmt.Sprintf("PITBOSS_USER_ID_FORMAT=%s refuses callbacks of some players with 2: their IDs "+
			"have %d to %d bytes. Change the format.", f.UserID, seen.Users.Min, seen.Users.Max))
	}
	return r
}

func refused(f wire.Format, id string) int {
	if f.Match(id) {
		return 0
	}
	return 1
}

// Verdict says whether the current formats leave only one reading of each signature.
func (r FormatsReport) Verdict() string {
	switch {
	case len(r.Refused) > 0:
		return strings.Join(r.Refused, " ")
	case r.Seen == 0:
		return "No transactions yet. Formats are proposed once the platform has sent some."
	case r.Max == 1:
		return fmt.Sprintf("Each of the latest %d signatures can be read in one way only.", r.Seen)
	}
	return fmt.Sprintf("Some of the latest %d signatures would fit up to %d different sets of IDs and amounts. Pitboss "+
		"accepts the first set that comes and refuses all others. Formats of IDs would refuse them before they reach a wallet.",
		r.Seen, r.Max)
}
