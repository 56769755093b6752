package export

import (
	"strconv"
	"time"
)

// Kind is the type of a column.
type Kind int

// The kinds of columns.
const (
	Text    Kind = iota // string; made safe if a spreadsheet could take it for a formula
	Number              // int64
	Money               // a models.Amount, with two decimals and without a currency; nil for none
	Time                // time.Time, in the requester's zone; zero for never
	Day                 // string, such as 2026-11-25
	Percent             // string with a number of percent, such as 96.50, or empty
	Flag                // bool, written as yes or no
)

// Column is a column of a list.
type Column struct {
	Name     string
	Kind     Kind
	Audience Audience // who may read it in a pack; the zero value is everybody
}

// Row is a row of a list: a value for each column, of the type of its kind.
type Row []any

// Remark is a line of information about the file.
type Remark struct{ Name, Text string }

// Head is the information at the beginning of a file.
type Head struct {
	Title   string // of the list
	Filters []Remark
	About   []Remark
	Actor   string
	At      time.Time
	Zone    *time.Location
}

// remarks returns the information about a file with this many rows.
func (h Head) remarks(rows int64) []Remark {
	lines := []Remark{
		{"Pitboss export of", h.Title}, {"Exported by", h.Actor},
		{"Exported at", h.At.In(h.Zone).Format(timeLayout)},
		{"Times", "in " + h.Zone.String()},
		{"Texts", "that a spreadsheet could read as a formula have an apostrophe in front; a cell has at most 32,767 characters"},
	}
	for _, f := range h.Filters {
		lines = append(lines, Remark{"Filter " + f.Name, f.Text})
	}
	if len(h.Filters) == 0 {
		lines = append(lines, Remark{"Filter", "none"})
	}
	return append(append(lines, h.About...), Remark{"Rows", strconv.FormatInt(rows, 10)})
}

// timeLayout has microseconds and the offset, so that the repeated hour in autumn is unambiguous.
const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

// headers returns the columns' names, those of times with their zone.
func headers(columns []Column, zone *time.Location) (names []string) {
	for _, c := range columns {
		if c.Kind == Time {
			c.Name += " (" + zone.String() + ")"
		}
		names = append(names, c.Name)
	}
	return names
}

// yes returns yes or no.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
