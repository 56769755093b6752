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

// Corrections, from the wish to the ledger.
//
//	asked -> approved (and booked)   by another person, or alone by its maker within a limit
//	      -> refused                 by another person
//	      -> withdrawn               by its maker
//
// A correction never edits a line of the ledger: it is an operation like those that the platform sends, and goes the same road.
// So that nothing is paid twice, what the platform may still send is booked under the platform's own name: a bet is given back
// by a rollback of its TransactionID, so that the platform's late rollback is answered 9, and a missing win is booked as the
// win of that TransactionID, so that the late Deposit is answered 11 (specification, Errors 4 and 5). Only what has no name
// there, an adjustment, stands in our own key space.

// CorrectionKind is what a correction does. Credits and debits are adjustments.
type CorrectionKind uint8

// Kinds are stored; their numbers never change.
const (
	// CorrectCredit gives money that no transaction explains.
	CorrectCredit CorrectionKind = 1
	// CorrectDebit takes money that no transaction explains.
	CorrectDebit CorrectionKind = 2
	// CorrectRollback rolls a transaction of the platform's back.
	CorrectRollback CorrectionKind = 3
	// CorrectWin books a win of the platform's that never arrived.
	CorrectWin CorrectionKind = 4
)

// CorrectionKinds lists the kinds, in the order in which forms offer them.
var CorrectionKinds = correctionKindWords.values()

var correctionKindWords = words[CorrectionKind]{
	{CorrectRollback, "rollback"},
	{CorrectWin, "win"},
	{CorrectCredit, "credit"},
	{CorrectDebit, "debit"},
}

// String gives the kind's word.
func (k CorrectionKind) String() string { return correctionKindWords.of(k, "unknown") }

// Adjusts reports a credit or a debit.
func (k CorrectionKind) Adjusts() bool { return k == CorrectCredit || k == CorrectDebit }

// CorrectionState is where a correction stands. Only one that is asked for can still change.
type CorrectionState uint8

// States are stored; their numbers never change.
const (
	// CorrectionAsked waits for its checker.
	CorrectionAsked CorrectionState = 1
	// CorrectionApproved is booked.
	CorrectionApproved CorrectionState = 2
	// CorrectionRefused was refused by its checker.
	CorrectionRefused CorrectionState = 3
	// CorrectionWithdrawn was taken back by its maker.
	CorrectionWithdrawn CorrectionState = 4
)

// CorrectionStates lists the states.
var CorrectionStates = correctionStateWords.values()

var correctionStateWords = words[CorrectionState]{
	{CorrectionAsked, "waiting"},
	{CorrectionApproved, "approved"},
	{CorrectionRefused, "refused"},
	{CorrectionWithdrawn, "withdrawn"},
}

// String gives the state's word.
func (s CorrectionState) String() string { return correctionStateWords.of(s, "unknown") }

// ReasonCode says in one word why a correction is made: what reports count it under.
type ReasonCode string

// Reason is what a code stands for, which corrections it may be given for, and whether it lets one take more than there is.
type Reason struct {
	Code      ReasonCode
	Word      string
	For       []CorrectionKind
	BelowZero bool
}

// Reasons lists the codes there are. What gives a bet back, or pays a win, is no reason for an adjustment: it would be paid
// again when the platform's own rollback or Deposit comes.
var Reasons = []Reason{
	{"round-voided", "round voided by the platform", []CorrectionKind{CorrectRollback}, true},
	{"applied-here-only", "failed at the platform, applied here", []CorrectionKind{CorrectRollback}, true},
	{"win-not-credited", "win not credited", []CorrectionKind{CorrectWin}, false},
	{"paid-in", "paid in by the player", []CorrectionKind{CorrectCredit}, false},
	{"goodwill", "goodwill", []CorrectionKind{CorrectCredit}, false},
	{"paid-out", "paid out to the player", []CorrectionKind{CorrectDebit}, false},
	{"charge-back", "payment charged back", []CorrectionKind{CorrectDebit}, true},
	{"paid-twice", "paid twice", []CorrectionKind{CorrectDebit}, true},
	{"undo", "undoes an earlier adjustment", []CorrectionKind{CorrectCredit, CorrectDebit}, true},
	{"test-money", "money of a test player", []CorrectionKind{CorrectCredit, CorrectDebit}, false},
	{"other", "other, see the text", CorrectionKinds, false},
}

// ReasonOf returns the reason of a code, and false where there is none.
func ReasonOf(code ReasonCode) (Reason, bool) {
	i := slices.IndexFunc(Reasons, func(r Reason) bool { return r.Code == code })
	if i < 0 {
		return Reason{}, false
	}
	return Reasons[i], true
}

// Signer is a member of staff who signs for money, in the role in which they do.
type Signer struct {
	Actor
	StaffID int64
	Role    Role
}

// Signature is the name of a maker or a checker under what they decided. Its columns are called maker, maker_id and maker_role,
// or the same of the checker, so its prefix in a row is what comes before "er".
type Signature struct {
	StaffID  int64  `gorm:"column:er_id"`
	Username string `gorm:"column:er"`
	Name     string `gorm:"column:er_name;->"` // as it is now; empty where the member of staff is gone
	Role     Role   `gorm:"column:er_role"`    // at that time
}

// CorrectionRequest asks for a correction.
type CorrectionRequest struct {
	Kind          CorrectionKind
	PlayerID      int64
	TransactionID TransactionID // the platform's: what is rolled back, or the win that is missing
	RoundID       RoundID       // of the win
	Amount        Amount        // of the win, credit or debit, above zero; a rollback's is that of its transaction
	Reason        ReasonCode
	Text          string
	Reference     string // somebody else's number for it, such as a ticket's; may be empty
	// Seen is the player's newest correction that whoever asks has seen, 0 where there was none. With another one in the
	// meantime the request is refused: a button that was pressed twice, or two people at once.
	Seen int64
}

// How long what somebody writes about a correction may be, in characters.
const (
	MaxCorrectionText      = 500
	MaxCorrectionReference = 100
)

// Check returns what is wrong with the request by itself, by the names of its form's fields: transaction, round, amount,
// reason, text, reference.
func (r CorrectionRequest) Check() map[string]string {
	wrong := map[string]string{}
	if !r.Kind.Adjusts() && CheckID(string(r.TransactionID)) != nil {
		wrong["transaction"] = "Enter the transaction ID as the platform shows it."
	}
	if r.Kind == CorrectWin && CheckID(string(r.RoundID)) != nil {
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
	if n := utf8.RuneCountInString(r.Reference); n > MaxCorrectionReference || !printable(r.Reference) {
		wrong["reference"] = "A reference is at most 100 characters on one line."
	}
	return wrong
}

// CheckCorrectionText says what is wrong with what somebody wrote to explain a correction or its refusal; nothing, where it is
// well.
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

// Correction is an adjustment, a manual rollback or a win booked by hand, always by Maker and Checker.
type Correction struct {
	ID            int64
	At            time.Time `gorm:"column:at_us;serializer:micros"` // when it was asked for
	Kind          CorrectionKind
	PlayerID      int64
	UserID        UserID        `gorm:"->"`
	Currency      Currency      `gorm:"->"`
	TransactionID TransactionID // the platform's; empty for an adjustment
	RoundID       RoundID
	// how much, above zero; a rollback's is the larger of the bet and the win that it takes back
	Amount      Amount `gorm:"column:amount_minor"`
	Effect      Amount `gorm:"column:effect_minor"` // what it does to the balance, signed
	Reason      ReasonCode
	Text        string `gorm:"column:note"`
	Reference   string
	Maker       Signature `gorm:"embedded;embeddedPrefix:mak"`
	AskedBefore Amount    `gorm:"column:asked_before_minor"` // the balance when it was asked for
	State       CorrectionState
	Assignee    string // the username of who is to decide it; empty for nobody

	// who approved or refused it; nobody where its maker acted alone or withdrew it
	Checker      Signature `gorm:"embedded;embeddedPrefix:check"`
	Alone        bool      // booked by its maker within a limit
	DecidedAt    time.Time `gorm:"column:decided_at_us;serializer:micros"`
	DecisionText string    `gorm:"column:decision_note"`

	// Once it is booked.

	Seq    int64  // of its first ledger line: what tells it from the platform's own
	Spin   bool   // that line stands in the free-spin ledger
	Before Amount `gorm:"column:before_minor"`
	After  Amount `gorm:"column:after_minor"`

	Original *Transaction `gorm:"-"` // what a rollback takes back; nil for the others
}

// correctionPrefix begins the names under which adjustments are booked, in our own key space.
const correctionPrefix = "correction:"

// AdjustmentID is the TransactionID under which an adjustment is booked, with SourceOwn.
func AdjustmentID(correction int64) TransactionID {
	return TransactionID(correctionPrefix + strconv.FormatInt(correction, 10))
}

// CorrectionOf returns the correction that an adjustment's TransactionID names, and false where it names none.
func CorrectionOf(id TransactionID) (int64, bool) {
	digits, ok := strings.CutPrefix(string(id), correctionPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n > 0 && AdjustmentID(n) == id
}

// Operation is what the correction asks of the wallet. An adjustment needs its number first.
func (c Correction) Operation() Operation {
	op := Operation{Source: SourcePlatform, UserID: c.UserID, TransactionID: c.TransactionID}
	switch c.Kind {
	case CorrectRollback:
		op.Kind = Rollback
	case CorrectWin:
		op.Kind, op.RoundID, op.Win = Win, c.RoundID, c.Amount
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

// The ways in which a correction is refused by its own rules. Their texts are for whoever pressed the button.
var (
	ErrCorrectionUnknown = errors.New("there is no such correction")
	ErrCorrectionTaken   = errors.New("the correction has been assigned to somebody else in the meantime")
	ErrOwnCorrection     = errors.New("you requested this correction yourself: somebody else decides")
	ErrNotYourCorrection = errors.New("only the person who requested a correction can withdraw it")
	ErrAdministersStaff  = errors.New("administrators cannot request or decide corrections")
	ErrSignerChanged     = errors.New("your role was changed or your account was disabled just now")
	ErrBelowZero         = errors.New("this would leave the balance below zero, which this reason does not allow")
	ErrNotRollable       = errors.New("only a bet or a win of the platform’s can be rolled back: an adjustment is undone by " +
		"another")
)

// CorrectionDecidedError says that somebody else was quicker.
type CorrectionDecidedError struct{ State CorrectionState }

// Error names what has become of the correction.
func (e CorrectionDecidedError) Error() string {
	return "this correction is " + e.State.String() + " already"
}

// CorrectionMeanwhileError refuses a request because another correction of the player was asked for since whoever asks has
// looked.
type CorrectionMeanwhileError struct{ ID int64 }

// Error names the other correction.
func (e CorrectionMeanwhileError) Error() string {
	return fmt.Sprintf("correction %d of this player was requested in the meantime: look at it first", e.ID)
}

// PendingCorrectionError refuses a correction of a transaction while another of it waits.
type PendingCorrectionError struct{ ID int64 }

// Error names the other correction.
func (e PendingCorrectionError) Error() string {
	return fmt.Sprintf("correction %d of this transaction is waiting: decide or withdraw it first", e.ID)
}

// CorrectionDeclinedError is the wallet's refusal of what a correction asks.
type CorrectionDeclinedError struct{ Decline Decline }

// Error names the reason.
func (e CorrectionDeclinedError) Error() string {
	return "the wallet refuses it: " + e.Decline.String()
}

// CorrectionChangedError says that a correction would now do something else than what its checker was shown.
type CorrectionChangedError struct{ Seen, Now CorrectionBasis }

// Error says so.
func (e CorrectionChangedError) Error() string {
	return "what this correction leads to has changed since it was shown"
}

// AloneLimitError refuses to let somebody act alone.
type AloneLimitError struct {
	Limit AloneLimit
	Taken Amount
	Asked Amount
}

// Error says how much they may book alone.
func (e AloneLimitError) Error() string {
	return fmt.Sprintf("over the limit for acting alone: %s per correction and %s a day are allowed, %s booked today, %s "+
		"requested", e.Limit.Amount, e.Limit.PerDay, e.Taken, e.Asked)
}

// CorrectionNotBooked reports whether an error is a definite no: nothing was booked, and why stands in it. After any other
// error of booking, nobody knows.
func CorrectionNotBooked(err error) bool {
	for _, known := range []error{ErrCorrectionUnknown, ErrOwnCorrection, ErrNotYourCorrection, ErrAdministersStaff,
		ErrSignerChanged, ErrBelowZero} {
		if errors.Is(err, known) {
			return true
		}
	}
	var decided CorrectionDecidedError
	var declined CorrectionDeclinedError
	var changed CorrectionChangedError
	var limit AloneLimitError
	var tampered TamperedError
	var tied TiedError
	return errors.As(err, &tampered) || errors.As(err, &decided) || errors.As(err, &declined) || errors.As(err, &changed) ||
		errors.As(err, &limit) || errors.As(err, &tied)
}

// sign checks that somebody may put their name under what becomes of the correction.
func (c *Correction) sign(by Signer) error {
	switch {
	case c.State != CorrectionAsked:
		return CorrectionDecidedError{c.State}
	case by.Role == Administrator:
		return ErrAdministersStaff
	}
	return nil
}

// Approve puts the checker's name under the correction, which is to be booked in the same breath. It refuses its own maker, in
// whatever role they come back (ErrOwnCorrection), administrators (ErrAdministersStaff), whoever is tied to the maker (a
// TiedError), and one that is decided (a CorrectionDecidedError).
func (c *Correction) Approve(checker Signer, ties Ties, at time.Time) error {
	if err := c.check(checker); err != nil {
		return err
	}
	if err := ties.Between(c.Maker.StaffID, checker.StaffID); err != nil {
		return err
	}
	c.State, c.DecidedAt, c.Checker = CorrectionApproved, at, checker.Signature()
	return nil
}

// Refuse ends the correction without effect. It refuses whom Approve refuses, but lets somebody who is tied to the maker
// refuse: that moves no money.
func (c *Correction) Refuse(checker Signer, why string, at time.Time) error {
	if err := c.check(checker); err != nil {
		return err
	}
	c.State, c.DecidedAt, c.DecisionText, c.Checker = CorrectionRefused, at, why, checker.Signature()
	return nil
}

func (c *Correction) check(checker Signer) error {
	if err := c.sign(checker); err != nil {
		return err
	}
	if checker.StaffID == c.Maker.StaffID {
		return ErrOwnCorrection
	}
	return nil
}

// Withdraw ends the correction without effect, by its maker alone (ErrNotYourCorrection).
func (c *Correction) Withdraw(maker Signer, why string, at time.Time) error {
	if err := c.own(maker); err != nil {
		return err
	}
	c.State, c.DecidedAt, c.DecisionText = CorrectionWithdrawn, at, why
	return nil
}

// ApproveAlone lets the maker book the correction without a checker, within the limit and what of it is taken today: else it is
// an AloneLimitError.
func (c *Correction) ApproveAlone(maker Signer, limit AloneLimit, taken Amount, at time.Time) error {
	if err := c.own(maker); err != nil {
		return err
	}
	if err := limit.Allow(taken, c.Amount); err != nil {
		return err
	}
	c.State, c.DecidedAt, c.Alone = CorrectionApproved, at, true
	return nil
}

func (c *Correction) own(maker Signer) error {
	if err := c.sign(maker); err != nil {
		return err
	}
	if maker.StaffID != c.Maker.StaffID {
		return ErrNotYourCorrection
	}
	return nil
}

func (s Signer) Signature() Signature {
	return Signature{StaffID: s.StaffID, Username: s.Name, Role: s.Role}
}

// Leaves returns ErrBelowZero where the correction would take money and leave less than nothing, and its reason does not allow
// that. The platform may do so by a rollback of its own; a person needs a reason that says so.
func (c *Correction) Leaves(before, after Amount) error {
	if reason, _ := ReasonOf(c.Reason); after < 0 && after < before && !reason.BelowZero {
		return ErrBelowZero
	}
	return nil
}

// CorrectionBasis is what a checker was shown: what is compared with the moment in which it is booked.
type CorrectionBasis struct {
	After      Amount // the balance that it leaves
	Others     int64  // transactions of the round beside the corrected one
	Reversed   int64  // those of them that are rolled back
	AnyBalance bool   // the checker knows that the player plays on: the balance may be another by then
}

// Agrees reports whether now shows what was seen.
func (s CorrectionBasis) Agrees(now CorrectionBasis) bool {
	return (s.AnyBalance || s.After == now.After) && s.Others == now.Others && s.Reversed == now.Reversed
}

// CorrectionOutlook is what a correction would do at one moment.
type CorrectionOutlook struct {
	CorrectionBasis
	Before  Amount
	Refusal error        // why it would do nothing: a CorrectionDeclinedError or ErrBelowZero; nil where it would be booked
	Prior   *Transaction // what stands under its platform's TransactionID; nil where nothing does
	Blocked bool         // the player
}

// AloneLimit is how much money one member of staff of a role may move without a checker, in one currency. Zero allows nothing.
type AloneLimit struct {
	Amount Amount // in one correction
	PerDay Amount // in all corrections of one day of UTC
}

// Allow returns an AloneLimitError where amount is more than is left, or where nothing is allowed: what moves no money, such as
// the rollback of a bet of 0.00, still ends a transaction.
func (l AloneLimit) Allow(taken, amount Amount) error {
	sum, ok := taken.Plus(amount)
	if l.Amount <= 0 || amount > l.Amount || !ok || sum > l.PerDay {
		return AloneLimitError{l, taken, amount}
	}
	return nil
}

// AloneLimits are the limits by role and currency. What is not in it is zero.
type AloneLimits map[Role]map[Currency]AloneLimit

// Of returns the limit of a role in a currency.
func (l AloneLimits) Of(role Role, currency Currency) AloneLimit { return l[role][currency] }

// CorrectionFilter selects corrections, the newest first. Zero values select all.
type CorrectionFilter struct {
	State         CorrectionState
	Kind          CorrectionKind
	PlayerID      int64
	TransactionID TransactionID // the platform's
	Reason        ReasonCode
	MakerID       int64
	CheckerID     int64
	Currency      Currency  // of the player
	Assignee      string    // a username
	Nobodys       bool      // those that are assigned to nobody
	Since         time.Time // asked for at this time or later
	Until         time.Time // asked for before this time
	Page          Cursor
	Limit         int
}
