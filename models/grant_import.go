package models

import (
	"errors"
	"fmt"
	"time"
)

// GrantLine is a line of a file of grants.
type GrantLine struct {
	Line   int // counted from 1, including the header
	UserID UserID
	GameID GameID
	Spins  int64
}

// GrantImport is a file of grants. Each line gets at most one grant.
type GrantImport struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	Actor      string
	Role       Role
	FileName   string
	Digest     string // of the lines in any order, in hexadecimal
	Reason     string
	Again      bool  // even if the file was imported before, and to players with a grant of unknown outcome
	Repeats    int64 `gorm:"-"` // with Again, the file's newest import that the uploader has seen; 0 for any. Not stored
	State      JobState
	Lines      int64 `gorm:"column:row_count"`
	Spins      int64
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`
	Exception  int64     `gorm:"column:exception_id"` // the exception from limits under which it runs, or 0

	Granted ImportCount `gorm:"-"`
	Refused ImportCount `gorm:"-"` // by the platform or by our rules
	Unknown ImportCount `gorm:"-"` // including those closed as granted again
	ToGo    ImportCount `gorm:"-"` // including those in progress
}

// ImportCount counts the lines with one outcome, and their spins.
type ImportCount struct{ Lines, Spins int64 }

// ImportLine is a line of an import and its outcome.
type ImportLine struct {
	GrantLine
	PlayerID   int64
	GameNumber int64
	GrantID    int64      // 0 if there is none yet
	State      GrantState // the grant's; GrantRefused without a grant if our rules refused it; 0 if it has no outcome yet
	FreeSpinID FreeSpinID
	Message    string
	At         time.Time // when it got its grant, or was refused
}

// ImportedError refuses a file that was imported before.
type ImportedError struct {
	ID int64
	At time.Time
}

// Error says which import it was.
func (e ImportedError) Error() string {
	return fmt.Sprintf("this file was imported before, as import %d at %s: confirm that you want to grant all of it again",
		e.ID,
		e.At.Format("2 Jan 2006, 15:04 UTC"))
}

// Why an import cannot be changed.
var (
	ErrImportUnknown = errors.New("there is no such import")
	ErrImportEnded   = errors.New("this import has ended")
	ErrImportWaiting = errors.New("this import waits for a second person to approve its exception")
	ErrImportHeld    = errors.New("this import is not running: it is paused, waits for an approval or has ended")
)

// ImportFilter selects imports, newest first.
type ImportFilter struct {
	Span
	State JobState // 0 for all
}

// ImportLineFilter selects lines of an import.
type ImportLineFilter struct {
	Span     // Page is by the number of the line
	ImportID int64
	State    GrantState // GrantActive for all that were granted; 0 for all lines
	ToGo     bool       // only lines without an outcome; State is then ignored
	Last     bool       // the lines processed last, latest first; Page is then ignored
}

// ImportLine returns the code that proves that a line of an import was uploaded: the player, the game (internal IDs) and the
// number of spins.
func (c *Chain) ImportLine(importID int64, line int, player, game, spins int64) Hash {
	return c.sum(tagImportLine, Hash{}, func(b []byte) []byte { return put(b, importID, int64(line), player, game, spins) })
}
