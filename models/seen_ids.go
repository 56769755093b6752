package models

// SeenIDs are the IDs and amounts of a bet or win that the platform has sent, as its signature joins them.
type SeenIDs struct {
	Kind          OperationKind
	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID
	Bet           Amount `gorm:"column:bet_minor"`
	Win           Amount `gorm:"column:win_minor"`
}
