// Package staff stores staff accounts and what staff do: sign-in, settings, changes that take two people, notices to
// staff, and the list of the audit log.
package staff

import "pitboss/models/store/db"

// Store reads and writes the staff accounts, settings, change requests, notices and audit list of one database.
type Store struct{ db *db.DB }

// New returns a Store for d.
func New(d *db.DB) *Store {
	return &Store{db: d}
}
