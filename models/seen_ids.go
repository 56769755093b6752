package models

// SeenIDs are the IDs that the platform has sent.
type SeenIDs struct {
	Latest       []SeenTransaction // bets and wins of real players: test players have IDs that staff or golive made up
	Users        Lengths           // of the IDs of all players
	Transactions Lengths           // of the IDs of all the platform's transactions
}

// SeenTransaction has the IDs and amounts of a bet or win from the platform, in the order of its signature.
type SeenTransaction struct {
	Kind          OperationKind
	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID
	Bet           Amount `gorm:"column:bet_minor"`
	Win           Amount `gorm:"column:win_minor"`
}

// Lengths are the least and the greatest length of IDs, in bytes; 0 if there are none.
type Lengths struct{ Min, Max int }

// With returns the lengths with another one.
func (l Lengths) With(n int) Lengths {
	if l.Max == 0 {
		return Lengths{n, n}
	}
	return Lengths{min(l.Min, n), max(l.Max, n)}
}
