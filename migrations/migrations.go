// Package migrations holds the database's schema as numbered SQL files, for MySQL/MariaDB and for SQLite.
//
// Files 1 to 9 are the baseline: one file per subject, in the order in which one would explain the schema, with a sentence for
// each table and for each column whose meaning its name does not tell. The schema only grows from there: a change is a file of
// its own, with the same number in both folders, and a file that has been released is never edited. Until then it may be, and
// a database that was made with the file before the edit has to be made again.
//
// MySQL commits each CREATE as it goes, so the baseline says IF NOT EXISTS there and can be run again after a failure. On
// SQLite a file is one transaction, and an instance that comes second must fail on what the first has made.
//
// A file after the baseline follows the upgrade rule: a release runs at the same time as the one before it, so a migration adds
// tables, columns that need not be written, and indexes that refuse no row, and may fill what it has added. Everything else
// takes two releases: one that no longer needs what is there, and a later one that takes it away.
//
// Types and units: names end in _us for times (microseconds since 1970, UTC) and in _minor for amounts (cents). IDs from
// outside are bytes.
package migrations

import (
	"embed"
	"io/fs"
)

// FS holds the folders mysql and sqlite. It is a variable so that a test can put the migrations of a later release on top.
var FS fs.FS = files

//go:embed mysql/*.sql sqlite/*.sql
var files embed.FS
