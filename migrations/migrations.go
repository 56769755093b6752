// Package migrations holds the database's schema as numbered SQL files, one change each, for MySQL/MariaDB and for SQLite.
// The two folders hold the same numbers. A file that has been released is never edited.
package migrations

import "embed"

// FS holds the folders mysql and sqlite.
//
//go:embed mysql/*.sql sqlite/*.sql
var FS embed.FS
