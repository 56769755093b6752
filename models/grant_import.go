package models

import (
	"errors"
	"fmt"
	"time"
)

// GrantLine is one line of a file of grants.
type GrantLine struct {
	Line   int // counted from 1, the header included
	UserID UserID
	GameID GameID
	Spins  int64
}

// ImportState is how far the granting of a file has come.
type ImportState uint8

const (
	// ImportRunning: lines are being granted, or will be as soon as somebody is there to do it.
	ImportRunning ImportState = 1
	// ImportPaused: a person has halted it and may let it go on.
	ImportPaused ImportState = 2
	// ImportStopped: a person has ended it; the lines to go are not sent any more.
	ImportStopped ImportState = 3
	// ImportFinished: every line has an outcome.
	ImportFinished ImportState = 4
	// ImportWaiting: it exceeds the limits, and runs once a second person approves its exception.
	ImportWaiting ImportState = 5
	// ImportDeclined: its exception was not approved, so no line of it is ever sent.
	ImportDeclined ImportState = 6
)

var importStateWords = words[ImportState]{
	{ImportRunning, "running"},
	{ImportPaused, "paused"},
	{ImportStopped, "stopped"},
	{ImportFinished, "finished"},
	{ImportWaiting, "waiting for approval"},
	{ImportDeclined, "not approved"},
}

// String gives the state's word.
func (s ImportState) String() string { return importStateWords.of(s, "unknown") }

// GrantImport is a file of grants. Every line has one grant at most, ever.
type GrantImport struct {
	ID         int64
	At         time.Time `gorm:"column:at_us;serializer:micros"`
	Actor      string
	Role       Role
	FileName   string
	Digest     string // of the file's contents, in hexadecimal
	Reason     string
	Again      bool  // although the file was granted before, and also to players with a grant of unknown outcome
	LeftOut    int64 `gorm:"-"` // lines of the sheet left out on purpose since they had errors. Only the audit event keeps it
	Repeats    int64 `gorm:"-"` // with Again, the newest import of the file that whoever asks has seen; 0 for any. Not kept
	State      ImportState
	Lines      int64 `gorm:"column:row_count"`
	Spins      int64
	FinishedAt time.Time `gorm:"column:finished_at_us;serializer:micros"`
	Exception  int64     `gorm:"column:exception_id"` // the exception from the limits under which it runs; 0 for none

	Granted ImportCount `gorm:"-"`
	Refused ImportCount `gorm:"-"` // by the platform or by us
	Unknown ImportCount `gorm:"-"` // unresolved or closed as granted again
	ToGo    ImportCount `gorm:"-"` // those under way among them
}

// ImportCount counts lines of one outcome.
type ImportCount struct{ Lines, Spins int64 }

// ImportLine is one line of an import and what has become of it.
type ImportLine struct {
	GrantLine
	PlayerID   int64
	GameNumber int64
	GrantID    int64      // 0 while there is none
	State      GrantState // the grant's; GrantRefused without a grant where we refused it; 0 while it is to go
	FreeSpinID FreeSpinID
	Message    string
	At         time.Time // when it got its grant, or was refused
}

// ImportedError refuses a file that was imported before.
type ImportedError struct {
	ID int64
	At time.Time
}

// Error names the earlier import.
func (e ImportedError) Error() string {
	return fmt.Sprintf("this very file was granted before, as import %d at %s: to grant all of it once more, say so", e.ID,
		e.At.Format("2 Jan 2006, 15:04 UTC"))
}

// The ways in which an import cannot be changed.
var (
	ErrImportUnknown = errors.New("there is no such import")
	ErrImportEnded   = errors.New("this import has ended")
	ErrImportWaiting = errors.New("this import waits for a second person to approve its exception")
)

// ImportFilter selects imports, the newest first.
type ImportFilter struct {
	State ImportState // 0 for all
	Page  Cursor
	Limit int
}

// ImportLineFilter selects lines of an import.
type ImportLineFilter struct {
	ImportID int64
	State    GrantState // GrantActive stands for all that were granted; 0 for all lines
	ToGo     bool       // only lines without an outcome; State is not looked at then
	After    int        // the line after which to begin
	Last     bool       // the last lines that were taken in hand, the last first; After is not looked at then
	Limit    int
}

// ImportLine proves that a line of an import was uploaded, whatever else stands in its row: whom it grants what, of which game
// (our numbers).
func (c *Chain) ImportLine(importID int64, line int, player, game, spins int64) Hash {
	return c.sum('L', Hash{}, func(b []byte) []byte { return put(b, importID, int64(line), player, game, spins) })
}
