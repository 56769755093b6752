package sheet

import (
	"context"
	"io"
	"slices"
	"strings"

	"pitboss/models"
)

// Subject is what a file is about, by which its header is found.
type Subject struct {
	known func(names []string) int
	names []string // of the columns of a file without a header
}

// What files are about, apart from statements.
var (
	OfGrants, OfPlayers = of(grantColumns), of(playerColumns)
	OfRates, OfReturns  = of(rateColumns), of(returnColumns)
	OfPlayerIDs         = of(playerColumns[:1])
)

const reasonColumn = "What is wrong"

func of(columns []column) (s Subject) {
	s.known = known(columns)
	for _, c := range columns {
		s.names = append(s.names, c.field)
	}
	return s
}

// OfStatement is a statement with this layout.
func OfStatement(l models.StatementLayout) Subject {
	return Subject{known: func(cells []string) (n int) {
		for _, name := range l.Columns {
			if slices.Contains(cells, name) {
				n++
			}
		}
		return n
	}}
}

// Table is some lines of a file, in its own columns. The first row is the header, and the last column says what is wrong.
type Table struct {
	Workbook  bool
	Separator byte // of text
	Rows      [][]string
	Numbers   []int // of the lines, after the header
}

// NewTable returns a table without lines.
func NewTable(columns ...string) Table {
	return Table{Separator: ',', Rows: [][]string{append(columns, reasonColumn)}}
}

// Add adds a line, if something is wrong with it.
func (t *Table) Add(line int, wrong string, cells ...string) {
	if wrong != "" {
		t.Rows, t.Numbers = append(t.Rows, append(cells, wrong)), append(t.Numbers, line)
	}
}

// BadLines returns the lines of a file about a subject for which wrong has a reason. A line with too many cells has the rest of
// it in its last one: read again as it is, it would not pass for a good line.
func BadLines(ctx context.Context, from io.ReadSeeker, about Subject, wrong map[int]string) (t Table, err error) {
	f, err := Open(ctx, from, about.known)
	if err != nil {
		return t, err
	}
	header := f.Header
	if len(header) == 0 {
		header = about.names
	}
	again := slices.Index(header, reasonColumn) // the file is such a table itself
	t = NewTable(without(header, again)...)
	t.Workbook, t.Separator = f.separator == 0, f.separator
	for {
		l, err := f.line()
		if err == io.EOF {
			return t, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return t, err
		}
		if wrong[l.number] != "" && l.number > f.ends {
			t.Add(l.number, wrong[l.number], without(f.rawCells(l, len(header)), again)...)
		}
	}
}

// without returns a row without one of its cells, if it has that one.
func without(row []string, cell int) []string {
	row = slices.Clone(row)
	if cell >= 0 {
		row = slices.Delete(row, cell, cell+1)
	}
	return row
}

// rawCells returns so many cells of a line, even if it cannot be read.
func (f *File) rawCells(l line, width int) (row []string) {
	cells, err := f.cells(l)
	for _, c := range cells {
		row = append(row, c.Text+c.tail)
	}
	separator := string(f.separator)
	if f.separator == 0 {
		separator = ","
	} else if err != nil {
		row = strings.Split(l.text, separator)
	}
	for len(row) < width {
		row = append(row, "")
	}
	if len(row) > width {
		row = append(row[:width-1:width-1], strings.Join(row[width-1:], separator))
	}
	return row
}
