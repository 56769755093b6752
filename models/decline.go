package models

// Decline is why an operation was refused. It is an answer rather than a failure: repeating the operation gets the same answer
// until something else changes. None means that the operation was applied.
type Decline uint8

// The numbers are stored. Decide has the order of precedence: if several apply, the first is the answer.
const (
	// None: the operation was applied.
	None Decline = iota
	// UnknownPlayer: no player has this UserID.
	UnknownPlayer
	// RolledBack: the transaction was rolled back, or its rollback came first.
	RolledBack
	// NotFound: this player has no transaction with the ID to roll back.
	NotFound
	// Duplicate: the TransactionID has been processed.
	Duplicate
	// PlayerRestricted: a bet of a player whom a restriction stops from playing.
	PlayerRestricted
	// InsufficientFunds: the bet exceeds the balance.
	InsufficientFunds
	// BalanceOverflow: the balance would leave the range of Amount.
	BalanceOverflow
	// SignReused: the callback's signature was used before, for different values. Only UnknownPlayer has precedence over it.
	SignReused
	// GrantMissing: a free spin that no grant with spins left explains, if PITBOSS_FREE_SPINS is "granted".
	GrantMissing
	// HouseFrozen: a bet while all play is frozen.
	HouseFrozen
	// CashOutEnded: a cash-out that was returned cannot be paid any more, nor the other way round.
	CashOutEnded
	// OtherCurrency: cash in another currency than the player's.
	OtherCurrency
	// LimitReached: a bet or a deposit that would exceed one of the player's limits.
	LimitReached
	// ClientLimit: a deposit or cash-out that would exceed what the API client may move in a day.
	ClientLimit
)

// String returns the reason in words, for logs and pages.
func (d Decline) String() string { return VerdictOf(d, false).String() }
