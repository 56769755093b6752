package models

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Cash deposits and cash-outs: money that enters the house and leaves it. The operator's own systems book them, each as a
// client with a key space of its own. They are operations of the ledger like bets: decided under the wallet's lock, one posting
// each.
//
//	cash deposit           the balance grows by the amount
//	cash-out requested     the amount leaves the balance and is held: it cannot be played, and still belongs to the player
//	cash-out paid          the held amount has left the house; the balance stays as it is
//	cash-out returned      the held amount is back in the balance
//	cash-out bounced       a paid amount has come back from the bank, and is in the balance again
//
// Each cash-out ends at most once, paid or returned. Both are a second posting with the cash-out's own transaction ID, and the
// ledger's unique key allows only one.
//
// What was decided about money, and why:
//
//   - What is owed to players is the sum of balances and held amounts. Requesting or returning a cash-out does not change it.
//   - Cash is neither turnover nor payout, and the platform does not know it: no callback can name it, and its statements are
//     compared without it. GetBalance answers without the held amount, because it cannot be played.
//   - A restriction from play or from deposits refuses deposits: the cashier has to return the payment, so nobody loses it. A
//     player who is excluded must not be able to add money for later.
//   - A deposit above one of the player's limits is also refused whole.
//   - No restriction keeps a player's money back, with one exception: while one for money laundering stops play, new cash-outs
//     are refused. The money stays in the balance. A freeze of the house stops neither deposits nor cash-outs.
//   - Paying and returning are never refused because of a restriction. That a cash-out was paid is a fact that the cashier
//     reports: refusing it would keep money held that has left the house, and a return would then pay it twice. So a cashier
//     asks for the cash-out before sending the money.
//   - A cash-out that exceeds a limit of the client's terms, with the player's others of the day, is held at once and waits for a person
//     (CashReview). Until then it cannot be paid: refusing to book that it was paid stops a cashier that asks first,
//     and shows one that does not. The cashier can cancel it at any time, because that gives the player the money back.
//   - The cashier reports a bounced cash-out as a separate operation: what was paid stays paid, in the
//     books of its day. It is never refused because of a restriction or a limit, as a deposit would be, because the money is the
//     player's and the house has it. It needs no approval: nothing leaves the house, and each cash-out bounces at most once, by
//     the amount that was paid. A correction would neither be tied to the cash-out nor stop a second one.
//   - A cash-out that is neither paid nor returned in time opens a case (CaseHeldCash). It is never returned by itself, because
//     the money may be on its way: only the cashier knows.
//   - A client's limits per day count what was booked in the day of UTC, deposits and cash-outs each. What would exceed them is
//     declined whole. A cash-out that is returned on the same day counts no more: it has moved no money.
//   - A deposit into a negative balance is booked: it repays what is owed.
//   - A repeat gets the first answer again, however late. A request with a used ID and other contents books nothing and opens a
//     case (CaseOtherCash), because the cashier may have taken money that the player did not get.

// CashOutExpires is how long a cash-out may be held until it opens a case. It is the same for every client, so that none can
// hide a cash-out that was forgotten.
const CashOutExpires = 72 * time.Hour

// CashRequest is a client's request for a deposit or a cash-out.
type CashRequest struct {
	Client   int64  // number of the API client
	ID       string // the client's own ID of the request, and its idempotency key: see CheckCashID
	UserID   UserID
	Amount   Amount
	Currency Currency // must be the player's
	Caps     CashCaps // the client's, in this currency
}

// CashCaps are a client's limits per day in a currency, of deposits or of cash-outs: with all players together, and with one. 0
// is no limit.
type CashCaps struct{ PerDay, PerPlayer Amount }

// CashCap is a limit of CashCaps that an operation would exceed.
type CashCap struct {
	PerPlayer  bool
	Most, Left Amount
}

// reached returns the limit that an amount would exceed after what was moved in the day, or nil.
func (c CashCaps) reached(moved CashCaps, amount Amount) *CashCap {
	switch {
	case c.PerPlayer > 0 && amount > c.PerPlayer-moved.PerPlayer:
		return &CashCap{true, c.PerPlayer, max(0, c.PerPlayer-moved.PerPlayer)}
	case c.PerDay > 0 && amount > c.PerDay-moved.PerDay:
		return &CashCap{false, c.PerDay, max(0, c.PerDay-moved.PerDay)}
	}
	return nil
}

// MaxCashID is the maximum length in bytes of a client's ID of a deposit or a cash-out. A transaction ID has room for the
// client's number too.
const MaxCashID = 200

// Why a cash operation is refused before it reaches the ledger.
var (
	ErrCashID = fmt.Errorf("an ID of a deposit or a cash-out is 1 to %d bytes of UTF-8 without NUL", MaxCashID)
	ErrCash   = errors.New("an amount of cash is above zero and at most " + MaxAmount.String())
)

// Check returns ErrCashID or ErrCash if the request cannot be an operation.
func (r CashRequest) Check() error {
	switch {
	case CheckID(r.ID) != nil || len(r.ID) > MaxCashID || r.Client <= 0:
		return ErrCashID
	case r.Amount <= 0 || r.Amount > MaxAmount:
		return ErrCash
	}
	return nil
}

// Deposit returns the operation that books a cash deposit.
func (r CashRequest) Deposit() Operation {
	return Operation{Source: SourceClient, Kind: CashIn, UserID: r.UserID, TransactionID: CashID(r.Client, r.ID), Win: r.Amount,
		Currency: r.Currency, Caps: r.Caps}
}

// CashOut returns the operation that requests a cash-out.
func (r CashRequest) CashOut() Operation {
	return Operation{Source: SourceClient, Kind: CashOut, UserID: r.UserID, TransactionID: CashID(r.Client, r.ID), Bet: r.Amount,
		Currency: r.Currency, Caps: r.Caps}
}

// bounced separates a client's ID from its number in the ID of a cash-out that bounced. No client's own ID has a blank.
const bounced = " bounced@"

// BouncedID returns the transaction ID under which it is booked that a cash-out bounced.
func BouncedID(cashOut TransactionID) TransactionID {
	client, id, _ := ParseCashID(cashOut)
	return TransactionID(id + bounced + strconv.FormatInt(client, 10))
}

// CashID returns the transaction ID, which has SourceClient, of a client's ID. The client's number is at the end, so that staff
// find the transaction by the beginning of the ID that the cashier knows.
func CashID(client int64, id string) TransactionID {
	return TransactionID(id + "@" + strconv.FormatInt(client, 10))
}

// ParseCashID returns the client and its own ID of a transaction ID of CashID, or false if it is none.
func ParseCashID(t TransactionID) (client int64, id string, ok bool) {
	at := strings.LastIndexByte(string(t), '@')
	if at < 0 {
		return 0, "", false
	}
	client, err := strconv.ParseInt(string(t[at+1:]), 10, 64)
	id = string(t[:at])
	return client, id, err == nil && CashID(client, id) == t
}

// CashState is what became of a cash deposit or a cash-out.
type CashState uint8

const (
	// CashDeposited: it is a deposit.
	CashDeposited CashState = 1
	// CashHeld: a cash-out is requested, and its amount is held.
	CashHeld CashState = 2
	// CashPaidOut: it was paid.
	CashPaidOut CashState = 3
	// CashGivenBack: it was returned to the balance.
	CashGivenBack CashState = 4
	// CashWaiting: a cash-out is held, and staff have to approve it before it is paid (CashReview).
	CashWaiting CashState = 5
	// CashApproved: staff have approved it, so it may be paid.
	CashApproved CashState = 6
	// CashCameBack: it was paid, and the bank has sent the money back.
	CashCameBack CashState = 7
)

var cashStateWords = words[CashState]{
	{CashDeposited, "deposited"},
	{CashHeld, "requested"},
	{CashPaidOut, "paid"},
	{CashGivenBack, "returned"},
	{CashWaiting, "waiting"},
	{CashApproved, "approved"},
	{CashCameBack, "bounced"},
}

// String returns the state in words.
func (s CashState) String() string { return cashStateWords.of(s, "unknown") }

// CashTransaction is a deposit or a cash-out, as the ledger has it.
type CashTransaction struct {
	Number   int64 // of its first posting
	Client   int64
	ID       string // the client's
	PlayerID int64
	UserID   UserID
	Kind     OperationKind // CashIn or CashOut
	Amount   Amount
	Currency Currency
	State    CashState
	Booked   CashMoment  // when the deposit was booked or the cash-out requested
	Ended    *CashMoment // when the cash-out was paid or returned; nil if it was not
	Bounced  *CashMoment // when the bank had sent it back; nil if it has not
	Refusal  string      // why staff have refused to pay it; empty if they have not
}

// Reviewed adds what staff have decided about a cash-out.
func (t *CashTransaction) Reviewed(r CashReview) {
	switch {
	case r.State == ApprovalRefused:
		t.Refusal = r.DecisionText
	case t.State == CashHeld && r.State == ApprovalWaiting:
		t.State = CashWaiting
	case t.State == CashHeld && r.State == ApprovalApproved:
		t.State = CashApproved
	}
}

// CashMoment is when a posting was booked, and the player's money directly after it.
type CashMoment struct {
	At            time.Time
	Balance, Held Amount
}

// CashResult is the ledger's answer. Its transaction is empty unless the operation was applied, now or before: then it is as it
// was directly after that, so that a repeat gets the same answer.
type CashResult struct {
	Decline       Decline
	OtherContents bool        // Duplicate only
	Limit         *LimitState // LimitReached only: which limit
	Cap           *CashCap    // ClientLimit only: which limit
	CashTransaction
}

// Answered reports whether the operation was applied, now or by an earlier request with the same contents.
func (r CashResult) Answered() bool {
	return r.Decline == None || r.Decline == Duplicate && !r.OtherContents
}
