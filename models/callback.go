package models

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RequestID names one request at the callbacks' door: when it was received, and a number that no other request of that moment
// has, on whatever instance. Its time is what makes it findable without an index.
type RequestID struct {
	Received time.Time // UTC, microseconds
	Number   int64     // the start of the program in the upper half, its count of requests in the lower; above zero
}

// ErrRequestID is returned for a text that names no request.
var ErrRequestID = errors.New("a request ID is three parts with hyphens between them, as in 64d1f0a3b2c10-1a2b3c4d-17")

// AppendTo appends the ID as the answer's X-Request-ID, the log and the pages show it.
func (r RequestID) AppendTo(b []byte) []byte {
	b = append(strconv.AppendInt(b, r.Received.UnixMicro(), 16), '-')
	for shift := 60; shift >= 32; shift -= 4 {
		b = append(b, "0123456789abcdef"[r.Number>>shift&15])
	}
	return strconv.AppendInt(append(b, '-'), r.Number&(1<<32-1), 10)
}

// String writes the ID out.
func (r RequestID) String() string { return string(r.AppendTo(nil)) }

// TraceID returns the ID of the request's trace, which is its time and its number in 16 hexadecimal digits each: whoever has a
// row with the request has its trace, and the other way round, without another column.
func (r RequestID) TraceID() (id [16]byte) {
	binary.BigEndian.PutUint64(id[:8], uint64(r.Received.UnixMicro()))
	binary.BigEndian.PutUint64(id[8:], uint64(r.Number))
	return id
}

// IsZero reports that r names no request.
func (r RequestID) IsZero() bool { return r.Number == 0 }

// ParseRequestID reads what String wrote. It returns ErrRequestID.
func ParseRequestID(text string) (RequestID, error) {
	at, number, _ := strings.Cut(text, "-")
	run, count, _ := strings.Cut(number, "-")
	us, err := strconv.ParseInt(at, 16, 64)
	upper, err2 := strconv.ParseUint(run, 16, 31)
	lower, err3 := strconv.ParseUint(count, 10, 32)
	r := RequestID{Received: time.UnixMicro(us).UTC(), Number: int64(upper<<32 | lower)}
	if err != nil || err2 != nil || err3 != nil || r.Number == 0 || r.String() != text {
		return RequestID{}, ErrRequestID
	}
	return r, nil
}

// Receipt is what the door knows of a callback when it hands its operation to the store, which writes it down together with
// what was decided.
type Receipt struct {
	RequestID
	Address netip.Addr // the client's; zero where it is not known
}

// CallbackKind says which endpoint was called (specification, Callback service). Those that carry an operation have the number
// of its OperationKind.
type CallbackKind uint8

const (
	// NotACallback is a request to no endpoint, or a line of the log about others that were left out.
	NotACallback CallbackKind = 0
	// Withdraw carries a Bet.
	Withdraw CallbackKind = CallbackKind(Bet)
	// Deposit carries a Win.
	Deposit CallbackKind = CallbackKind(Win)
	// BetWinCallback carries a BetWin.
	BetWinCallback CallbackKind = CallbackKind(BetWin)
	// RollbackTransaction carries a Rollback.
	RollbackTransaction CallbackKind = CallbackKind(Rollback)
	// GetBalance carries no operation.
	GetBalance CallbackKind = 5
)

// CallbackKinds lists the five endpoints, in the specification's order.
func CallbackKinds() []CallbackKind {
	return []CallbackKind{GetBalance, Withdraw, Deposit, BetWinCallback, RollbackTransaction}
}

var callbackKindWords = words[CallbackKind]{
	{Withdraw, "Withdraw"},
	{Deposit, "Deposit"},
	{BetWinCallback, "BetWin"},
	{RollbackTransaction, "RollbackTransaction"},
	{GetBalance, "GetBalance"},
}

// String gives the endpoint's name.
func (k CallbackKind) String() string { return callbackKindWords.of(k, "no callback") }

// Verdict is what became of a callback. It says more than the result that was answered, of which several verdicts share one.
type Verdict uint8

// Verdicts are stored; their numbers never change.
const (
	// Applied: the operation took effect.
	Applied Verdict = 1

	// Refused by the wallet's rules, in the order of Decline.

	VerdictUnknownPlayer     Verdict = 2
	VerdictRolledBack        Verdict = 3
	VerdictNotFound          Verdict = 4
	VerdictDuplicate         Verdict = 5
	VerdictPlayerBlocked     Verdict = 6
	VerdictInsufficientFunds Verdict = 7
	VerdictBalanceOverflow   Verdict = 8
	// VerdictOtherContents is a duplicate whose contents are not those of the first.
	VerdictOtherContents Verdict = 9
	// VerdictSignReused is a callback whose sign came before, for other values.
	VerdictSignReused Verdict = 10

	// Refused before the store was asked.

	VerdictWrongInput   Verdict = 20
	VerdictInvalidSign  Verdict = 21
	VerdictOtherAgent   Verdict = 22
	VerdictFault        Verdict = 23 // a fault of ours
	VerdictForbidden    Verdict = 24 // from an address that may not call
	VerdictNotACallback Verdict = 25

	// VerdictNoAnswer: the operation was handed to the store, and nothing definite came back in time.
	VerdictNoAnswer Verdict = 30

	// Lines about what is not in the log.

	LeftOutRefused Verdict = 40 // refused before the store was asked, too many to keep each
	LeftOutAnswers Verdict = 41 // answers of callbacks whose receipts are kept
)

// VerdictOf is the verdict of a decision.
func VerdictOf(d Decline, otherContents bool) Verdict {
	switch {
	case otherContents:
		return VerdictOtherContents
	case d == SignReused:
		return VerdictSignReused
	}
	return Verdict(d) + 1
}

// String says the verdict in words.
func (v Verdict) String() string {
	switch v {
	case VerdictOtherContents:
		return "duplicate with other contents"
	case VerdictSignReused:
		return SignReused.String()
	case VerdictWrongInput:
		return "wrong input"
	case VerdictInvalidSign:
		return "invalid sign"
	case VerdictOtherAgent:
		return "another agent"
	case VerdictFault:
		return "a fault of ours"
	case VerdictForbidden:
		return "address not allowed"
	case VerdictNotACallback:
		return "no callback"
	case VerdictNoAnswer:
		return "no definite answer"
	case LeftOutRefused:
		return "refused ones left out"
	case LeftOutAnswers:
		return "answers left out"
	}
	return Decline(v - 1).String()
}

// BetRefusals are the verdicts that left a bet unplaced, as its player sees it: a repeated callback is not one of them.
func BetRefusals() []Verdict {
	return []Verdict{VerdictRolledBack, VerdictPlayerBlocked, VerdictInsufficientFunds, VerdictBalanceOverflow,
		VerdictOtherContents, VerdictSignReused}
}

// Proven reports whether the verdict was given after the sign had been verified: who sent the callback is known.
func (v Verdict) Proven() bool {
	return v <= VerdictSignReused || v == VerdictOtherAgent || v == VerdictNoAnswer
}

// Answered is what a callback was told.
type Answered struct {
	Result  int // the result code (specification, Errors 2)
	Status  int // of HTTP
	Latency time.Duration
}

// AnsweredRequest is what the callback of a receipt was told.
type AnsweredRequest struct {
	RequestID
	Answered
}

// Callback is one line of the callback log. What came stands in it as it came, shortened where it is hostile; never the sign.
type Callback struct {
	At       time.Time // when it was decided; where nothing was decided, when it was answered
	Request  RequestID
	Kind     CallbackKind
	Verdict  Verdict
	Address  netip.Addr
	Answered *Answered // nil where it is not known: the program ended before it was written down, or it was left out

	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID
	Amount        string // the bet, or the win of a Deposit
	WinAmount     string // BetWin only
	FreeSpin      bool
	Cause         string // why it was refused, where the verdict does not say all
	LeftOut       int64  // how many, in a line about what is not in the log

	// Where it met a wallet.

	PlayerID int64 // 0 where it met none
	Seq      int64 // of the first ledger line that it wrote; 0 where it wrote none
	Spin     bool  // that line stands in the free-spin ledger

	Had *Amount // the balance when the wallet's rules declined it; nil where they did not, or it is not known

	// What the ledger adds when the log is read.

	Transaction   int64 // the number of the transaction that it names; 0 where there is none
	Currency      Currency
	Before, After *Amount // the balance around what it wrote; nil where it wrote nothing there
}

// Cursor is the callback's place in the log.
func (c *Callback) Cursor() Cursor { return Cursor{At: c.At, ID: c.Request.Number} }

// CallbackFilter selects callbacks in the order in which they were decided, the newest first. Zero values select all.
type CallbackFilter struct {
	Kind           CallbackKind
	Verdicts       []Verdict // one of these
	Refused        bool      // all but those that took effect
	UserID         UserID    // whom the callback names, proven or not
	TransactionID  TransactionID
	TransactionIDs []TransactionID // one of these; TransactionID is not looked at then
	Bets           bool            // only Withdraw and BetWin
	Address        netip.Addr
	Since          time.Time            // decided at this time or later
	Until          time.Time            // decided before this time
	Only           func(*Callback) bool // passes besides; nil for all
	Page           Cursor
	Limit          int
}

// Matches reports whether f selects c.
func (f *CallbackFilter) Matches(c *Callback) bool {
	return (f.Kind == 0 || c.Kind == f.Kind) &&
		(len(f.Verdicts) == 0 || slices.Contains(f.Verdicts, c.Verdict)) &&
		(!f.Refused || c.Verdict != Applied && c.Verdict != LeftOutAnswers) &&
		(f.UserID == "" || c.UserID == f.UserID) &&
		(len(f.TransactionIDs) > 0 || f.TransactionID == "" || c.TransactionID == f.TransactionID) &&
		(len(f.TransactionIDs) == 0 || slices.Contains(f.TransactionIDs, c.TransactionID)) &&
		(!f.Bets || c.Kind == Withdraw || c.Kind == BetWinCallback) &&
		(!f.Address.IsValid() || c.Address == f.Address) &&
		(f.Since.IsZero() || !c.At.Before(f.Since)) &&
		(f.Until.IsZero() || c.At.Before(f.Until)) &&
		(f.Only == nil || f.Only(c))
}

// WithApplied reports whether f selects callbacks that plainly took effect.
func (f *CallbackFilter) WithApplied() bool {
	return !f.Refused && (len(f.Verdicts) == 0 || slices.Contains(f.Verdicts, Applied)) && f.Kind <= BetWinCallback
}
