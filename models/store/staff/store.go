// Package staff keeps the people who work here, and what they did: accounts, sign-in, views, settings, changes that take two of
// them, notices to them, and the list of the audit log.
package staff

import (
	"pitboss/models/store/db"
)

// Store is the staff of one database.
type Store struct {
	db *db.DB
}

// New returns the staff in d.
func New(d *db.DB) *Store {
	return &Store{db: d}
}
