package models

// SeenIDs are the IDs and amounts of a bet or win from the platform, in the order of its signature.
type SeenIDs struct {
	Kind          OperationKind
	UserID        UserID
	TransactionID TransactionID
	RoundID       RoundID
	Bet           Amount `gorm:"column:bet_minor"`
	Win           Amount `gorm:"column:win_minor"`
}
