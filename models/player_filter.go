package models

// PlayerFilter selects players in the byte order of their UserIDs. Zero values select all.
type PlayerFilter struct {
	Beginning string // of the UserID
	Currency  Currency
	Blocked   *bool
	Test      *bool
	Page      Cursor
	Limit     int
}
