package models

// PlayerFilter selects players in the byte order of their UserIDs. Zero values select all.
type PlayerFilter struct {
	Span
	Beginning string // of the UserID
	Currency  Currency
	// Restricted is whether a restriction stops the player from playing now.
	Restricted *bool
	Test       *bool
}
