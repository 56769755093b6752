// Package export writes lists to files, CSV or XLSX, of any size and within bounded memory, as work that goes on in the
// background.
package export

import (
	"strings"
	"time"
	"unicode/utf8"

	"pitboss/models"
)

// Kind is what a column holds.
type Kind int

// The kinds of columns.
const (
	Text   Kind = iota // string; made harmless where a spreadsheet could take it for a formula
	Number             // int64
	Money              // models.Amount or models.Sum, with two decimals and without a currency; nil for none
	Time               // time.Time, in two columns: the asker's zone and UTC; zero for never
	Flag               // bool, written as yes or no
)

// Column is a column of a list.
type Column struct {
	Name string
	Kind Kind
}

// Row is a line of a list: a value for each column, of the type that its kind asks for.
type Row []any

// Sum is a total at the end of a file: of the money columns of one currency.
type Sum struct {
	Label    string
	Currency models.Currency
	Amount   models.Sum
}

// Remark is a line of what a file says of itself.
type Remark struct{ Name, Text string }

// Head is what a file says of itself before its rows.
type Head struct {
	Title   string // of the list
	Filters []models.ExportFilter
	About   []Remark
	Actor   string
	At      time.Time
	Zone    *time.Location
}

// remark is a line of what a file says of itself: a name, and a text, a number or an amount.
type remark struct {
	name  string
	value any
}

// remarks are the file's own description.
func (h Head) remarks() []remark {
	local := h.At.In(h.Zone)
	lines := []remark{
		{"Pitboss export of", h.Title}, {"Requested by", h.Actor},
		{"Requested at", h.At.UTC().Format(utcLayout) + " (" + local.Format(localLayout) + ")"},
		{"Times", "in " + h.Zone.String() + " and beside it in UTC"},
		{"Texts", "that begin with = + - @ or a tab have an apostrophe in front so that no spreadsheet reads them as a " +
			"formula"},
	}
	for _, f := range h.Filters {
		lines = append(lines, remark{"Filter " + f.Label, f.Value})
	}
	if len(h.Filters) == 0 {
		lines = append(lines, remark{"Filter", "none: this is the whole list"})
	}
	for _, r := range h.About {
		lines = append(lines, remark{r.Name, r.Text})
	}
	return lines
}

// tail is how the file ends: a file without it was cut off.
func tail(rows int64, sums []Sum) []remark {
	lines := []remark{{"Rows", rows}}
	for _, s := range sums {
		lines = append(lines, remark{s.Label + " " + string(s.Currency), s.Amount})
	}
	return lines
}

// Times keep their microseconds. A local one carries its offset, so that the hour that comes twice in autumn is told apart.
const (
	utcLayout   = "2006-01-02T15:04:05.000000Z"
	localLayout = "2006-01-02T15:04:05.000000-07:00"
)

// headers are the columns' names, two for a time.
func headers(columns []Column, zone *time.Location) []string {
	var names []string
	for _, c := range columns {
		if c.Kind == Time {
			local := zone.String()
			if local == "UTC" {
				local = "yours, UTC" // no two columns have one name
			}
			names = append(names, c.Name+" ("+local+")", c.Name+" (UTC)")
			continue
		}
		names = append(names, c.Name)
	}
	return names
}

// harmless makes a text one that no spreadsheet takes for a formula: those that begin with a sign that starts one, after blanks
// or not, stand behind an apostrophe. Other control characters than line breaks and tabs become their pictures, which every
// reader can show.
func harmless(s string) string {
	if strings.ContainsFunc(s, isControl) || !utf8.ValidString(s) {
		s = strings.Map(func(r rune) rune {
			switch {
			case r == '\x7f':
				return '␡'
			case isControl(r):
				return '␀' + r
			}
			return r
		}, s)
	}
	if strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r") || strings.HasPrefix(s, "\n") {
		return "'" + s
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0"))
	switch first {
	case '=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n':
		return "'" + s
	}
	return s
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\x7f' }

// yes writes a flag.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
