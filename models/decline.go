package models

// Decline is why an operation was refused. It is an answer, not a failure: asking again gives the same while nothing else
// changes. None means that the operation was applied.
type Decline uint8

// In order of precedence: where several hold, the first is the answer.
const (
	// None: the operation was applied.
	None Decline = iota
	// UnknownPlayer: no player has this UserID.
	UnknownPlayer
	// RolledBack: the transaction was rolled back, or its rollback came first.
	RolledBack
	// NotFound: a rollback names a transaction that this player does not have.
	NotFound
	// Duplicate: the TransactionID has been processed.
	Duplicate
	// PlayerBlocked: a bet of a player who may not bet.
	PlayerBlocked
	// InsufficientFunds: the stake is more than the balance.
	InsufficientFunds
	// BalanceOverflow: the balance would leave the range of Amount.
	BalanceOverflow
	// SignReused: the callback's sign came before, for other values. It goes before all others but UnknownPlayer.
	SignReused
)

var declineWords = words[Decline]{
	{None, "applied"},
	{UnknownPlayer, "unknown player"},
	{RolledBack, "already rolled back"},
	{NotFound, "transaction not found"},
	{Duplicate, "duplicate transaction"},
	{PlayerBlocked, "player blocked"},
	{InsufficientFunds, "insufficient funds"},
	{BalanceOverflow, "balance overflow"},
	{SignReused, "sign reused for other values"},
}

// String says the reason in words, for logs and pages.
func (d Decline) String() string { return declineWords.of(d, "unknown") }
