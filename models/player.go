package models

import "time"

// Player is someone who plays. Its UserID is what the platform calls it; its number never changes and names its wallet too.
type Player struct {
	ID        int64
	UserID    UserID
	Test      bool // a test player: its wallet may be played with, and it is left out of reports
	CreatedAt time.Time
	Wallet    Wallet
}
