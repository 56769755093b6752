package models

import "time"

// TransactionState is where a transaction stands (specification, States and transitions). It follows from the entries.
type TransactionState uint8

const (
	// Processed: its effect stands.
	Processed TransactionState = 1
	// Reversed: its effect has been taken back by a rollback, for good.
	Reversed TransactionState = 2
)

// String returns the state in words.
func (s TransactionState) String() string {
	if s == Reversed {
		return "rolled back"
	}
	return "processed"
}

// Transaction is an operation that was applied: one for each Source and TransactionID, whoever the player.
type Transaction struct {
	ID            int64 // our own row's number; 0 until it is stored
	Source        Source
	TransactionID TransactionID
	PlayerID      int64
	Kind          OperationKind // Bet, Win, BetWin, Opening or Adjustment
	RoundID       RoundID
	Bet           Amount `gorm:"column:bet_minor"`
	Win           Amount `gorm:"column:win_minor"`
	FreeSpin      bool
	State         TransactionState
	At            time.Time `gorm:"column:at_us;serializer:micros"`          // when it was decided: UTC, microseconds
	ReversedAt    time.Time `gorm:"column:reversed_at_us;serializer:micros"` // zero while Processed
	// when the same TransactionID first came with other contents, says the callback log; else zero
	OtherContents time.Time `gorm:"column:other_contents_at_us;serializer:micros"`
}

// SameContents reports whether op, sent by PlayerID, asks for just what t already did: the same player, kind, round, amounts
// and freeSpin. Only then may a duplicate be answered like its first.
func (t *Transaction) SameContents(playerID int64, op Operation) bool {
	return t.PlayerID == playerID && t.Kind == op.Kind && t.RoundID == op.RoundID &&
		t.Bet == op.Bet && t.Win == op.Win && t.FreeSpin == op.FreeSpin
}

// Tombstone remembers that a player's rollback came before its original, which is refused when it arrives late. Another
// player's original of the same TransactionID is not touched by it.
type Tombstone struct {
	PlayerID      int64
	TransactionID TransactionID
}
