// Package migrations has the database's schema as numbered SQL files, for MySQL/MariaDB and for SQLite.
//
// Files 1 to 9 are release 0.1.0, one file per subject. A later change is a file of its own, with the same number in both
// folders; a released file is never edited. A release runs beside the one before it, so a migration only adds tables, columns
// with a default and indexes that refuse no row. On MySQL each statement commits by itself, so these files say IF NOT EXISTS
// and can run again.
//
// Names end in _us for times (microseconds since 1970, UTC) and in _minor for amounts (cents). IDs from outside are bytes.
package migrations

import (
	"embed"
	"io/fs"
)

// FS holds the folders mysql and sqlite. It is a variable so that a test can put the migrations of a later release on top.
var FS fs.FS = files

//go:embed mysql/*.sql sqlite/*.sql
var files embed.FS
