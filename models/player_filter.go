package models

// PlayerFilter selects players by the bytes of their UserID. Zero values select all.
type PlayerFilter struct {
	Beginning string // of the UserID
	Currency  Currency
	Blocked   *bool
	Test      *bool
	After     UserID // the page begins behind this one
	Limit     int
}
