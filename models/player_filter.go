package models

// PlayerFilter selects players in the byte order of their UserIDs. Zero values select all.
type PlayerFilter struct {
	Beginning string // of the UserID
	Currency  Currency
	Blocked   *bool
	Test      *bool
	After     UserID // the page begins after this one
	Limit     int
}
