package models

import "time"

// TransactionState is the state of a transaction (specification, States and transitions). It follows from the entries.
type TransactionState uint8

const (
	// Processed: it is in effect.
	Processed TransactionState = 1
	// Reversed: a rollback has reversed its effect, for good. A cash-out was returned.
	Reversed TransactionState = 2
	// PaidOut: a cash-out was paid. Its effect on the balance stands.
	PaidOut TransactionState = 3
)

// String returns the state in words.
func (s TransactionState) String() string {
	switch s {
	case Reversed:
		return "rolled back"
	case PaidOut:
		return "paid out"
	}
	return "processed"
}

// Transaction is an operation that was applied. There is at most one for each Source and TransactionID, over all players.
type Transaction struct {
	ID            int64 // internal ID; 0 until it is stored
	Source        Source
	TransactionID TransactionID
	PlayerID      int64
	Kind          OperationKind // Bet, Win, BetWin, Opening, Adjustment, CashIn, CashOut or CashBounced
	RoundID       RoundID
	Bet           Amount `gorm:"column:bet_minor"`
	Win           Amount `gorm:"column:win_minor"`
	FreeSpin      bool
	State         TransactionState
	At            time.Time `gorm:"column:at_us;serializer:micros"`          // when it was decided: UTC, microseconds
	ReversedAt    time.Time `gorm:"column:reversed_at_us;serializer:micros"` // or when a cash-out was paid; zero while Processed
	// when the same TransactionID first came again with other contents, according to the callback log; zero if it never did
	OtherContents time.Time `gorm:"column:other_contents_at_us;serializer:micros"`
}

// MovedAt returns when it moved its money: when it was decided or, for a cash-out that was paid, when that was booked.
func (t *Transaction) MovedAt() time.Time {
	if t.State == PaidOut {
		return t.ReversedAt
	}
	return t.At
}

// Ended says what ended the transaction: "Rolled back", or "Paid" or "Returned" for a cash-out.
func (t *Transaction) Ended() string {
	switch {
	case t.State == PaidOut:
		return "Paid"
	case t.Kind == CashOut:
		return "Returned"
	}
	return "Rolled back"
}

// SameContents reports whether op, sent by playerID, asks for exactly what t did: the same player, kind, round, amounts and
// freeSpin. Only then can a duplicate get the same answer as the original.
func (t *Transaction) SameContents(playerID int64, op Operation) bool {
	return t.PlayerID == playerID && t.Kind == op.Kind && t.RoundID == op.RoundID &&
		t.Bet == op.Bet && t.Win == op.Win && t.FreeSpin == op.FreeSpin
}

// Tombstone records that a player's rollback came before its original, which is refused if it still arrives. It does not affect
// another player's original with the same TransactionID.
type Tombstone struct {
	PlayerID      int64
	TransactionID TransactionID
}
