package models

import (
	"errors"
	"time"
)

// A cash-out with which the player's cash-outs of the day exceed a limit of its client's terms waits until a person of
// finance agrees that it is paid.
//
//	waiting -> approved   the cashier may pay it, or still cancel it
//	        -> refused    a person returns the amount to the balance, and says why; the cashier reads that
//	        -> withdrawn  the cashier cancels it
//
// The amount is held from the beginning. The client requests, the person decides.
// That the cash-out was paid is only booked once it is approved (ErrCashOutWaiting).

// CashReview is the request to pay a cash-out that waits, or has waited, for people.
type CashReview struct {
	ID            int64     // the number of the posting that holds the amount
	At            time.Time `gorm:"column:at_us;serializer:micros"`
	PlayerID      int64
	TransactionID TransactionID // of the cash-out
	Amount        Amount        `gorm:"column:amount_minor"`
	Currency      Currency
	Approval

	UserID UserID        `gorm:"->"`
	Ended  OperationKind `gorm:"->"` // CashPaid or CashReturned, in lists; 0 if it has not ended
}

// TableName returns the table's name for GORM.
func (CashReview) TableName() string { return "cash_reviews" }

// CashReviewRule says who agrees that cash-outs are paid. API clients request them.
var CashReviewRule = ApprovalRule{Checkers: []Role{Finance}}

// Rule implements Requested.
func (CashReview) Rule() ApprovalRule { return CashReviewRule }

// Concerns implements Requested.
func (r CashReview) Concerns() int64 { return r.PlayerID }

// Why a cash-out is not paid or decided.
var (
	ErrCashOutWaiting    = errors.New("staff have not approved this cash-out yet: do not send the money")
	ErrCashOutNotPaid    = errors.New("this cash-out was not paid, so it cannot be returned")
	ErrCashReviewUnknown = errors.New("there is no such cash-out to approve")
)

// Client returns the number of the API client that requested the cash-out, and its own ID.
func (r CashReview) Client() (client int64, id string) {
	client, id, _ = ParseCashID(r.TransactionID)
	return client, id
}

// CashReviewFilter selects cash-outs that staff decide, newest first. Zero values select all.
type CashReviewFilter struct {
	Span
	State    ApprovalState
	PlayerID int64
	Currency Currency
}

// CashPlay is a player's play since a time, net of rollbacks and without free spins' stakes.
type CashPlay struct {
	Rounds         int64
	Turnover, Wins Amount
}
