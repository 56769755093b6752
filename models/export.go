package models

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Export is a list written to a file: what was requested, by whom, and how far it has come.
type Export struct {
	Job
	StaffID  int64          // who requested it
	List     string         // the list's path, such as /transactions
	Title    string         // such as "Transactions"
	Query    string         // the list's filters as a URL query, without the question mark
	Filters  []ExportFilter `gorm:"serializer:json"`
	Zone     string         // the requester's, for columns with local time
	Format   ExportFormat
	Rows     int64     `gorm:"column:row_count"`                       // written so far
	Reached  time.Time `gorm:"column:reached_at_us;serializer:micros"` // the time of the last row written, if rows have one
	Permille int       // how much of the list's period is written, in thousandths; 0 if unknown
	Bytes    int64     `gorm:"column:file_bytes"` // of the finished file
	Digest   string    // SHA-256 of the finished file, in hexadecimal
	File     string    `gorm:"column:file_id"` // ID of the finished file

	ExpiresAt time.Time `gorm:"column:expires_at_us;serializer:micros"` // when the file is deleted; zero before it is finished

	// Altered is set in lists if the row does not match the audit log. Then only its number and time are given.
	Altered bool `gorm:"-"`
}

// ExportFilter is an applied filter, in words.
type ExportFilter struct{ Label, Value string }

// WhyLabel is the label of the filter that has the reason for a dispute pack.
const WhyLabel = "Why"

// Why returns the reason for a dispute pack, or an empty string for a list.
func (e Export) Why() string {
	if _, isPack := e.PackOf(); !isPack {
		return ""
	}
	for _, f := range e.Filters {
		if f.Label == WhyLabel {
			return f.Value
		}
	}
	return ""
}

const packListBegin, packListEnd = "/players/", "/pack"

// PackList returns the List of a dispute pack about a player.
func PackList(player int64) string {
	return packListBegin + strconv.FormatInt(player, 10) + packListEnd
}

// PackOf returns the player of a dispute pack, or false for a list.
func (e Export) PackOf() (player int64, isPack bool) { return PackOfList(e.List) }

// PackOfList is PackOf for an export's list.
func PackOfList(list string) (player int64, isPack bool) {
	digits, ends := strings.CutSuffix(strings.TrimPrefix(list, packListBegin), packListEnd)
	player, err := strconv.ParseInt(digits, 10, 64)
	return player, ends && err == nil && PackList(player) == list
}

// ExportFormat is a file format.
type ExportFormat string

// The formats.
const (
	CSV  ExportFormat = "csv"
	XLSX ExportFormat = "xlsx"
	// PackZIP is a dispute pack about a player, for a dispute or a data-access request.
	PackZIP ExportFormat = "zip"
)

// Known reports whether lists can be exported in this format.
func (f ExportFormat) Known() bool { return f == CSV || f == XLSX }

// Word returns the format's name for people.
func (f ExportFormat) Word() string { return strings.ToUpper(string(f)) }

// FileName returns the download's file name: the list, and when the export was requested, in UTC.
func (e Export) FileName() string {
	name := strings.ReplaceAll(strings.Trim(e.List, "/"), "/", "-")
	return "pitboss-" + name + "-" + e.At.UTC().Format("20060102-150405") + "." + string(e.Format)
}

// ExportProgress is how far the writing of an export has come.
type ExportProgress struct {
	Rows     int64
	Reached  time.Time
	Permille int
}

// ExportOutcome is how the writing of an export ended: with a file or a Failure.
type ExportOutcome struct {
	ExportProgress
	Bytes   int64
	Digest  string
	File    string
	Failure string
}

// ExportSelection selects exports, newest first. Zero values select all.
type ExportSelection struct {
	Span
	StaffID int64
}

// MaxExports is how many exports of one person may be waiting or running, so that nobody keeps colleagues waiting for long.
const MaxExports = 5

// MaxExportBytes is how many bytes of finished exports are kept, and of one file.
const MaxExportBytes = 10 << 30

// ExportLasts is how long the file of an export is kept.
const ExportLasts = 24 * time.Hour

// Why an export is refused.
var (
	ErrExportsWaiting = errors.New("you have five unfinished exports: wait for one to finish, or delete one")
	ErrExportsFull    = errors.New("the files of exports take 10 GB, the most that is kept: delete one, or wait until one expires")
)
