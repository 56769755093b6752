// Package statements stores the transaction files of the platform and of API clients, and how they differ from our ledger.
package statements

import "pitboss/models/store/db"

// Store reads and writes the statements of one database.
type Store struct{ db *db.DB }

// New returns a Store for d.
func New(d *db.DB) *Store { return &Store{d} }
