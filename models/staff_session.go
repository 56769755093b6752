package models

import (
	"time"
)

// StaffSession is one browser in which a member of staff is signed in, or on the way to it.
type StaffSession struct {
	ID        int64
	Hash      string `gorm:"column:id_hash"` // hexadecimal SHA-256 of the name in the browser's cookie
	StaffID   int64
	Data      string // the session's values, as JSON
	MAC       string // keyed hash of all that must not be changed in the database: see the back office's session store
	Address   string
	Agent     string    // what the browser calls itself
	CreatedAt time.Time `gorm:"column:created_at_us;serializer:micros"`
	SeenAt    time.Time `gorm:"column:seen_at_us;serializer:micros"`    // the last request of the person, which polling is not
	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"` // however busy it is
}
