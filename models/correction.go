package models

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Corrections, from the request to the ledger.
//
// A correction is booked when another person approves it (Approval).
//
// A correction never changes a line of the ledger: it is an operation, applied like the platform's own. To avoid paying twice,
// whatever the platform may still send is booked with the platform's own transaction ID. A bet is returned by a rollback of its
// transaction ID, so that the platform's late rollback gets result 9. A missing win or bet is booked with its transaction ID,
// so that the late Deposit or Withdraw gets result 11 (specification, Errors 4 and 5), and turnover and payout are the
// platform's. Only an adjustment, which the platform does not know, has an ID of our own (SourceOwn).

// CorrectionKind is the kind of a correction. Credits and debits are adjustments.
type CorrectionKind uint8

// Kinds are stored; their numbers never change.
const (
	// CorrectCredit gives money that no transaction explains.
	CorrectCredit CorrectionKind = 1
	// CorrectDebit takes money that no transaction explains.
	CorrectDebit CorrectionKind = 2
	// CorrectRollback rolls back a transaction of the platform.
	CorrectRollback CorrectionKind = 3
	// CorrectWin books a win of the platform that never arrived.
	CorrectWin CorrectionKind = 4
	// CorrectBet books a bet of the platform that never arrived.
	CorrectBet CorrectionKind = 5
)

// CorrectionKinds lists the kinds, in the order in which forms offer them.
var CorrectionKinds = correctionKindWords.values()

var correctionKindWords = words[CorrectionKind]{
	{CorrectRollback, "rollback"},
	{CorrectWin, "win"},
	{CorrectBet, "bet"},
	{CorrectCredit, "credit"},
	{CorrectDebit, "debit"},
}

// String returns the kind in words.
func (k CorrectionKind) String() string { return correctionKindWords.of(k, "unknown") }

// Adjusts reports whether it is a credit or a debit.
func (k CorrectionKind) Adjusts() bool { return k == CorrectCredit || k == CorrectDebit }

// Books reports whether it books a transaction of the platform that never arrived.
func (k CorrectionKind) Books() bool { return k == CorrectWin || k == CorrectBet }

// CorrectionRule says who requests and who approves corrections.
var CorrectionRule = ApprovalRule{Makers: []Role{Support, Finance}, Checkers: []Role{Finance}}

// Rule implements Requested.
func (Correction) Rule() ApprovalRule { return CorrectionRule }

// Concerns implements Requested.
func (c Correction) Concerns() int64 { return c.PlayerID }

// ReasonCode says why a correction is made. Reports group corrections by it.
type ReasonCode string

// Reason is a reason code with its words, the kinds of correction that it is for, and whether it allows a negative balance.
type Reason struct {
	Code      ReasonCode
	Word      string
	For       []CorrectionKind
	BelowZero bool
}

// Reasons lists the reason codes. Returning a bet or paying a win is not a reason for an adjustment, because it would be paid
// again when the platform's own rollback or Deposit arrives.
var Reasons = []Reason{
	{"round-voided", "round voided by the platform", []CorrectionKind{CorrectRollback}, true},
	{"applied-here-only", "failed at the platform, applied here", []CorrectionKind{CorrectRollback}, true},
	{"win-not-credited", "win not credited", []CorrectionKind{CorrectWin}, false},
	{"bet-not-debited", "bet not debited", []CorrectionKind{CorrectBet}, false},
	{"paid-in", "paid in by the player", []CorrectionKind{CorrectCredit}, false},
	{"goodwill", "goodwill", []CorrectionKind{CorrectCredit}, false},
	{"paid-out", "paid out to the player", []CorrectionKind{CorrectDebit}, false},
	{"charge-back", "payment charged back", []CorrectionKind{CorrectDebit}, true},
	{"paid-twice", "paid twice", []CorrectionKind{CorrectDebit}, true},
	{"undo", "undoes an earlier adjustment", []CorrectionKind{CorrectCredit, CorrectDebit}, true},
	{"test-money", "money of a test player", []CorrectionKind{CorrectCredit, CorrectDebit}, false},
	{"other", "other, see the text", CorrectionKinds, false},
}

// ReasonOf returns the reason of a code, or false if there is none.
func ReasonOf(code ReasonCode) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}

// CorrectionRequest is a request for a correction.
type CorrectionRequest struct {
	Kind          CorrectionKind
	PlayerID      int64
	TransactionID TransactionID // the platform's: of the transaction to roll back, or of what is missing
	RoundID       RoundID       // of the missing win or bet
	Amount        Amount        // of the win, bet, credit or debit, positive; a rollback uses that of its transaction
	Reason        ReasonCode
	Text          string
	Reference     string // an external reference, such as a ticket number; may be empty
	Another       string // why it is not what is similar to it (Similar); needed if anything is
	// Seen is how much that is similar the requester has seen. If there is more, the request is refused: a button was pressed
	// twice, or two people requested simultaneously.
	Seen int64
}

// The maximum lengths of texts about a correction, in characters.
const (
	MaxCorrectionText      = 500
	MaxCorrectionReference = 100
)

// Check returns what is wrong with the request, by form field: transaction, round, amount, reason, text, reference.
func (r CorrectionRequest) Check() map[string]string {
	wrong := map[string]string{}
	if !r.Kind.Adjusts() && CheckID(string(r.TransactionID)) != nil {
		wrong["transaction"] = "Enter the transaction ID as the platform shows it."
	}
	if r.Kind.Books() && CheckID(string(r.RoundID)) != nil {
		wrong["round"] = "Enter the round ID as the platform shows it."
	}
	if r.Kind != CorrectRollback && r.Amount <= 0 {
		wrong["amount"] = "Enter an amount above zero, such as 25.00."
	}
	if reason, known := ReasonOf(r.Reason); !known || !slices.Contains(reason.For, r.Kind) {
		wrong["reason"] = "Choose a reason."
	}
	if why := CheckCorrectionText(r.Text); why != "" {
		wrong["text"] = why
	}
	if utf8.RuneCountInString(r.Another) > MaxCorrectionText || !utf8.ValidString(r.Another) {
		wrong["another"] = fmt.Sprintf("Enter at most %d characters.", MaxCorrectionText)
	}
	if n := utf8.RuneCountInString(r.Reference); n > MaxCorrectionReference || !printable(r.Reference) {
		wrong["reference"] = "A reference is at most 100 characters on one line."
	}
	return wrong
}

// CheckCorrectionText returns what is wrong with the explanation of a correction or its refusal, or an empty string.
func CheckCorrectionText(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "Say what happened, for the second approver and the audit log."
	case utf8.RuneCountInString(text) > MaxCorrectionText:
		return fmt.Sprintf("Enter at most %d characters.", MaxCorrectionText)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "This text contains bytes that are not characters. Type it again."
	}
	return ""
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// Correction is an adjustment, a manual rollback, or a win or bet booked by hand, with the names of its maker and second
// approver.
type Correction struct {
	ID            int64
	At            time.Time `gorm:"column:at_us;serializer:micros"` // when it was requested
	Kind          CorrectionKind
	PlayerID      int64
	UserID        UserID        `gorm:"->"`
	Currency      Currency      `gorm:"->"`
	TransactionID TransactionID // the platform's; empty for an adjustment
	RoundID       RoundID
	// positive; for a rollback, the larger of the bet and the win that it reverses
	Amount           Amount `gorm:"column:amount_minor"`
	Effect           Amount `gorm:"column:effect_minor"` // on the balance, signed
	Reason           ReasonCode
	Text             string `gorm:"column:note"`
	Reference        string
	Another          string // why it is not what was similar to it; may be empty
	BalanceAtRequest Amount `gorm:"column:asked_before_minor"` // the balance at the time of the request
	Assignee         string // username of the staff member who is to decide it; may be empty
	Approval

	// Once it has been booked.

	Seq    int64  // of its first ledger line, which distinguishes it from the platform's own
	Spin   bool   // that line is in the free-spin ledger
	Before Amount `gorm:"column:before_minor"`
	After  Amount `gorm:"column:after_minor"`

	Original *Transaction `gorm:"-"` // what a rollback reverses; otherwise nil
}

// correctionPrefix begins the transaction IDs of adjustments, which have SourceOwn.
const correctionPrefix = "correction:"

// AdjustmentID returns the transaction ID of an adjustment, which has SourceOwn.
func AdjustmentID(correction int64) TransactionID {
	return TransactionID(correctionPrefix + strconv.FormatInt(correction, 10))
}

// CorrectionOf returns the number of the correction whose adjustment has this transaction ID, or false if there cannot be one.
func CorrectionOf(id TransactionID) (int64, bool) {
	digits, ok := strings.CutPrefix(string(id), correctionPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n > 0 && AdjustmentID(n) == id
}

// Operation returns the correction's operation. An adjustment must already have its ID.
func (c Correction) Operation() Operation {
	op := Operation{Source: SourcePlatform, UserID: c.UserID, TransactionID: c.TransactionID}
	switch c.Kind {
	case CorrectRollback:
		op.Kind = Rollback
	case CorrectWin:
		op.Kind, op.RoundID, op.Win = Win, c.RoundID, c.Amount
	case CorrectBet:
		op.Kind, op.RoundID, op.Bet, op.ByHand = Bet, c.RoundID, c.Amount, true
	default:
		reason, _ := ReasonOf(c.Reason)
		op.Kind, op.Source, op.TransactionID, op.AllowNegative = Adjustment, SourceOwn, AdjustmentID(c.ID), reason.BelowZero
		if c.Kind == CorrectCredit {
			op.Win = c.Amount
		} else {
			op.Bet = c.Amount
		}
	}
	return op
}

// Why a correction is refused. Staff see these texts.
var (
	ErrCorrectionUnknown = errors.New("there is no such correction")
	ErrCorrectionTaken   = errors.New("the correction has been assigned to a colleague in the meantime")
	ErrBelowZero         = errors.New("this would leave the balance below zero, which this reason does not allow")
	ErrNotRollable       = errors.New("only bets and wins from the platform can be rolled back; to undo an adjustment, make another one")
)

// CorrectionDeclinedError means that the wallet's rules decline the correction.
type CorrectionDeclinedError struct{ Decline Decline }

// Error says why.
func (e CorrectionDeclinedError) Error() string {
	return "the wallet refuses it: " + e.Decline.String()
}

// CorrectionChangedError means that the effect of a correction would now differ from what its second approver saw.
type CorrectionChangedError struct{ Seen, Now CorrectionBasis }

// Error says what has changed.
func (e CorrectionChangedError) Error() string {
	switch {
	case e.Seen.Others != e.Now.Others:
		return "another transaction has arrived in the round since you opened the page: check whether this is still right"
	case e.Seen.Reversed != e.Now.Reversed:
		return "another transaction of the round was rolled back since you opened the page: check whether this is still right"
	case e.Seen.Similar != e.Now.Similar:
		return "what may be the same money has changed since you opened the page: check whether this is still right"
	}
	return fmt.Sprintf("the balance would have become %s when you opened the page, and would now become %s: the player keeps playing",
		e.Seen.After.Grouped(), e.Now.After.Grouped())
}

// CorrectionNotBooked reports whether err proves that nothing was booked. After any other error of booking, the outcome is
// unknown.
func CorrectionNotBooked(err error) bool {
	var refused ApprovalError
	var declined CorrectionDeclinedError
	var changed CorrectionChangedError
	var tampered TamperedError
	return errors.Is(err, ErrCorrectionUnknown) || errors.Is(err, ErrBelowZero) || errors.Is(err, ErrAnother) || errors.As(err, &refused) ||
		errors.As(err, &declined) || errors.As(err, &changed) || errors.As(err, &tampered)
}

// Leaves returns ErrBelowZero if the correction would reduce the balance to less than zero and its reason does not allow that.
// A rollback by the platform may do this; a person needs a reason that allows it.
func (c *Correction) Leaves(before, after Amount) error {
	if reason, _ := ReasonOf(c.Reason); after < 0 && after < before && !reason.BelowZero {
		return ErrBelowZero
	}
	return nil
}

// CorrectionBasis is the state that the second approver saw. It is compared with the state when the correction is booked.
type CorrectionBasis struct {
	After      Amount // the balance after it
	Others     int64  // other transactions of the round
	Reversed   int64  // how many of them are rolled back
	Similar    int64  // what may be the same money
	AnyBalance bool   // the approver accepts another balance, because the player keeps playing
}

// Agrees reports whether now matches what the second approver saw.
func (s CorrectionBasis) Agrees(now CorrectionBasis) bool {
	return (s.AnyBalance || s.After == now.After) && s.Others == now.Others && s.Reversed == now.Reversed &&
		s.Similar == now.Similar
}

// CorrectionOutlook is the effect that a correction would have now.
type CorrectionOutlook struct {
	CorrectionBasis
	Before  Amount
	Refusal error        // why it would do nothing: a CorrectionDeclinedError or ErrBelowZero; otherwise nil
	Prior   *Transaction // the transaction that already has its TransactionID, or nil
	Again   Similar      // what it may book a second time
}

// CorrectionFilter selects corrections, newest first. Zero values select all.
type CorrectionFilter struct {
	Span          // by the time of the request
	State         ApprovalState
	Kind          CorrectionKind
	PlayerID      int64
	TransactionID TransactionID // the platform's
	Reason        ReasonCode
	MakerID       int64
	CheckerID     int64
	Amount        AmountRange
	Currency      Currency // of the player
	Assignee      string   // a username
	Unassigned    bool     // those without an assignee
}
