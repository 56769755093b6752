package models

import (
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RequestID identifies a request to the callback listener: when it was received, and a number that is unique among all requests
// of that time on all instances. The time makes it possible to find the request without an index.
type RequestID struct {
	Received time.Time // UTC, microseconds
	Number   int64     // upper half: the start of the program; lower half: its count of requests; positive
}

// ErrRequestID means that a text is not a request ID.
var ErrRequestID = errors.New("a request ID is three parts with hyphens between them, as in 64d1f0a3b2c10-1a2b3c4d-17")

// AppendTo appends the ID as shown in X-Request-ID, the log and pages.
func (r RequestID) AppendTo(b []byte) []byte {
	b = append(strconv.AppendInt(b, r.Received.UnixMicro(), 16), '-')
	for shift := 60; shift >= 32; shift -= 4 {
		b = append(b, "0123456789abcdef"[r.Number>>shift&15])
	}
	return strconv.AppendInt(append(b, '-'), r.Number&(1<<32-1), 10)
}

// String returns the ID as shown in X-Request-ID, the log and pages.
func (r RequestID) String() string { return string(r.AppendTo(nil)) }

// IsZero reports whether r is not set.
func (r RequestID) IsZero() bool { return r.Number == 0 }

// ParseRequestID parses what String returned, or returns ErrRequestID.
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

// Sender is where an operation's callback came from. It is zero for operations that no callback brought.
type Sender struct {
	Request RequestID
	Address netip.Addr
}

// KeyUse is how many callbacks were signed with a secret key, and when the latest of them arrived; zero for never.
type KeyUse struct {
	Signed uint64
	Last   time.Time
}

// CallbackKind is the endpoint of a callback (specification, Callback service). An endpoint with an operation has the number of
// its OperationKind.
type CallbackKind uint8

const (
	// NotACallback is a request to no endpoint, or a record of how many callbacks are missing from the log.
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

// String returns the endpoint's name.
func (k CallbackKind) String() string { return callbackKindWords.of(k, "no callback") }

// Answered is how a callback was answered.
type Answered struct {
	Result int // the result code (specification, Errors 2)
	Status int // HTTP status
}

// Callback is a line of the callback log: a posting, or the record of a callback that was not applied. A record has what was
// sent, shortened if the sender was not verified, but never the signature.
type Callback struct {
	At       time.Time // when it was decided, or if nothing was decided, when it was answered
	Request  RequestID
	Kind     CallbackKind
	Verdict  Verdict
	Address  netip.Addr
	Answered Answered // zero in a record of missing callbacks

	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID
	Amount        string // the bet, or the win of a Deposit
	WinAmount     string // BetWin only
	FreeSpin      bool
	Cause         string // why it was refused, if the verdict does not say it
	LeftOut       int64  // in a record of missing callbacks: how many

	// If it concerned a wallet.

	PlayerID int64 // 0 if there was none
	Seq      int64 // of the first line that it wrote in the money ledger; 0 if it wrote none
	Spin     bool  // it used or returned a free spin

	Had *Amount // the balance when the wallet's rules declined it; nil if they did not, or if unknown

	// Added from the ledger when the log is read.

	Transaction   int64 // the number of the transaction with its ID; 0 if there is none
	Currency      Currency
	Before, After *Amount // the balance before and after it; nil if it did not write to the money ledger
}

// Cursor returns the callback's place in the log.
func (c Callback) Cursor() Cursor { return Cursor{At: c.At, ID: c.Request.Number} }

// CallbackFilter selects callbacks in the order in which they were decided, newest first. Zero values select all.
type CallbackFilter struct {
	Span
	Kind          CallbackKind
	Verdicts      []Verdict // any of these
	Refused       bool      // only those without effect
	UserID        UserID    // the player whom the callback names, verified or not
	TransactionID TransactionID
	Bets          bool // only Withdraw and BetWin
	Address       netip.Addr
}

// Matches reports whether f selects c.
func (f *CallbackFilter) Matches(c *Callback) bool {
	return (f.Kind == 0 || c.Kind == f.Kind) &&
		(len(f.Verdicts) == 0 || slices.Contains(f.Verdicts, c.Verdict)) &&
		(!f.Refused || c.Verdict != Applied) &&
		(f.UserID == "" || c.UserID == f.UserID) &&
		(f.TransactionID == "" || c.TransactionID == f.TransactionID) &&
		(!f.Bets || c.Kind == Withdraw || c.Kind == BetWinCallback) &&
		(!f.Address.IsValid() || c.Address == f.Address) &&
		(f.Since.IsZero() || !c.At.Before(f.Since)) &&
		(f.Until.IsZero() || c.At.Before(f.Until))
}

// WithApplied reports whether f selects callbacks that were applied.
func (f *CallbackFilter) WithApplied() bool {
	return !f.Refused && (len(f.Verdicts) == 0 || slices.Contains(f.Verdicts, Applied))
}
