package models

import "time"

// StaffSession is a browser in which a staff member is signed in, or signing in.
type StaffSession struct {
	ID        int64
	Hash      string `gorm:"column:id_hash"` // hexadecimal SHA-256 of the ID in the browser's cookie
	StaffID   int64
	Data      string // the session's values, as JSON
	MAC       string // keyed hash that detects changes in the database: see app/staffsession
	Address   string
	Agent     string    // the User-Agent header
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
	SeenAt    time.Time `gorm:"column:seen_at_us;serializer:micros"`    // the last request by the person, not by polling
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"` // even if it is used

	Username string `gorm:"->"` // of its owner, only in lists, like Name and Role
	Name     string `gorm:"->"`
	Role     Role   `gorm:"->"`
}
