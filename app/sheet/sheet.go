// Package sheet reads the files that people upload, such as free spins to grant, players, and the platform's statements. It
// turns bytes into a header and rows of text in the same way for all kinds; each kind only declares its columns.
package sheet

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pitboss/models"
)

// Files come from spreadsheets, from the platform and from our own exports, so their formats vary. Text is UTF-8, separates
// cells by commas, semicolons, tabs or bars, and ends lines as Unix or Windows does. Of a workbook (XLSX), the first visible
// sheet is read, and cells keep their types. Lines above the header, empty lines and unknown columns are skipped. File.Notes
// says what was recognized and skipped, so nothing is guessed silently.
//
// A quoted cell ends on its line: otherwise one stray quotation mark would swallow the rest of the file. Reading takes bounded
// memory, because lines are measured before they are split.
const (
	maxLine    = 64 << 10 // bytes of a line
	maxColumns = 200
	maxName    = 200 // bytes of a column's name
	looked     = 20  // lines in which the separator and the header are sought
)

// Why a line cannot be read.
var (
	errLineLong    = errors.New("the line is longer than 64 kB")
	errLineColumns = fmt.Errorf("it has more than %d cells", maxColumns)
	errLineQuote   = errors.New("a quotation mark is not closed on this line, or text follows it in its cell")
	errLineText    = errors.New("it is not UTF-8 text; save the file as CSV UTF-8 or as .xlsx")
)

// Kind is the type of a cell. In a text file, every cell is Text.
type Kind uint8

// Date may have a time. Text of the others is as in 2026-11-25, 2026-11-25 12:00:00, 96.5% and TRUE.
const (
	Text Kind = iota
	Number
	Date
	Percent
	Boolean
)

// Cell is a cell of a row.
type Cell struct {
	Text string
	Kind Kind
	tail string // the blanks at its end, which may be part of an ID
}

// maxDigits is how many digits of a number spreadsheets keep.
const maxDigits = 15

// ID returns the text of a cell that has to be an ID, or an error if the spreadsheet has turned the ID into something else.
func (c Cell) ID() (string, error) {
	what := map[Kind]string{Date: "the date ", Percent: "the percentage ", Boolean: "the value "}[c.Kind]
	if c.Kind == Number && (!digits(c.Text) || len(c.Text) > maxDigits) {
		what = "the number "
	}
	if what == "" {
		return c.Text, nil
	}
	return "", fmt.Errorf("this is no ID: the spreadsheet has turned it into %s%.40s. Format the column as text, and enter the ID "+
		"again", what, c.Text)
}

// exactID is ID with the blanks at its end, for files that a program has written.
func (c Cell) exactID() (string, error) {
	id, err := c.ID()
	if err == nil {
		err = models.CheckID(id + c.tail)
	}
	return id + c.tail, err
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Row is a row of a file.
type Row struct {
	Line  int // counted from 1
	Cells []Cell
}

// File is a file that is being read.
type File struct {
	Header []string // the names of its columns; empty if it has no header
	Notes  []string // sentences: how the file was read, and what was skipped

	ctx       context.Context
	rows      int // that Next has returned
	from      io.Seeker
	source    source
	head      []line // the first lines, which are read before it is clear how
	separator byte   // 0 for a workbook
	ends      int    // the line number of the header
	damaged   bool   // a line above the header cannot be read
}

// line is a line of text, or a row of a workbook with its cells.
type line struct {
	number int
	text   string
	cells  []Cell
	err    error // a reason why only this line cannot be read
}

// source returns the lines of a file, and io.EOF at its end.
type source interface{ next() (line, error) }

// separators of cells, the preferred one first if several split the lines: a comma can also be a decimal mark.
const separators = "\t;,|"

// Open opens a file, which must stay open. known returns how many of the names are columns that the file should have: of the
// first lines, the header is the one with the most. The error is a sentence for people, unless the file itself failed or ctx
// ended.
func Open(ctx context.Context, from io.ReadSeeker, known func(names []string) int) (*File, error) {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	f := &File{ctx: ctx, from: from}
	if err := f.open(from); err != nil {
		return nil, err
	}
	if err := f.look(known); err != nil {
		return nil, err
	}
	return f, nil
}

// look reads the first lines, and decides how cells are separated and which line is the header.
func (f *File) look(known func(names []string) int) error {
	for len(f.head) < looked {
		l, err := f.source.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		f.head = append(f.head, l)
	}
	if len(f.head) > 0 && !slices.ContainsFunc(f.head, func(l line) bool { return l.err == nil }) {
		return errNoText
	}
	if _, text := f.source.(*textSource); text {
		f.separator = f.guessSeparator(known)
	}
	f.findHeader(known)
	return nil
}

// guessSeparator returns the separator that gives a line the most known names or, if no line has any, gives the most lines the
// same number of cells, two or more.
func (f *File) guessSeparator(known func(names []string) int) byte {
	best, most := byte(','), 0
	for _, sep := range []byte(separators) {
		names, widths := 0, map[int]int{}
		for _, l := range f.head {
			cells, err := split(l.text, sep)
			if l.err != nil || err != nil {
				continue
			}
			names = max(names, known(texts(cells)))
			widths[len(cells)]++
		}
		alike := 0
		for width, lines := range widths {
			if width > 1 {
				alike = max(alike, lines*min(width, 3))
			}
		}
		if score := names*1000 + alike; score > most {
			best, most = sep, score
		}
	}
	return best
}

// findHeader finds the line of the header: the first of those with the most known names.
func (f *File) findHeader(known func(names []string) int) {
	most := 0
	for _, l := range f.head {
		cells, err := f.cells(l)
		if err != nil || slices.ContainsFunc(cells, func(c Cell) bool { return len(c.Text) > maxName }) {
			f.damaged = f.damaged || most == 0
			continue
		}
		if n := known(texts(cells)); n > most {
			most, f.Header, f.ends = n, texts(cells), l.number
		}
	}
	above := 0
	for _, l := range f.head {
		if cells, err := f.cells(l); l.number < f.ends && (err != nil || len(cells) > 0) {
			above++
		}
	}
	if above == 1 {
		f.note("The line above the header was skipped.")
	} else if above > 1 {
		f.note("The %d lines above the header were skipped.", above)
	}
}

func (f *File) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// Next returns the next row below the header that has a cell with text, as wide as the header or wider. It returns io.EOF at
// the end, and a models.LineError for a line that cannot be read, after which it can be called for the next one.
func (f *File) Next() (Row, error) {
	if f.rows++; f.rows%1000 == 0 && f.ctx.Err() != nil {
		return Row{}, stopped(f.ctx)
	}
	for {
		l, err := f.line()
		if err != nil {
			return Row{}, err
		}
		if l.number <= f.ends {
			continue
		}
		cells, err := f.cells(l)
		if err == nil && len(f.Header) > 0 && len(cells) > len(f.Header) {
			err = fmt.Errorf("it has %d cells, but the header has %d", len(cells), len(f.Header))
		}
		if err != nil {
			return Row{}, models.LineError{Line: l.number, Err: err}
		}
		if len(cells) == 0 {
			continue
		}
		for len(cells) < len(f.Header) {
			cells = append(cells, Cell{})
		}
		return Row{l.number, cells}, nil
	}
}

// line returns the next line.
func (f *File) line() (l line, err error) {
	if len(f.head) > 0 {
		l, f.head = f.head[0], f.head[1:]
		return l, nil
	}
	return f.source.next()
}

// each calls row with each row, and bad with each line that cannot be read, until one of them returns an error or the file
// ends.
func (f *File) each(row func(Row) error, bad func(models.LineError) error) error {
	for {
		r, err := f.Next()
		var wrong models.LineError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &wrong):
			err = bad(wrong)
		case err == nil:
			err = row(r)
		}
		if err != nil {
			return err
		}
	}
}

// Offset returns how many bytes of the file have been read. Of a workbook, it is the part of the sheet that was.
func (f *File) Offset() int64 {
	if w, is := f.source.(*workbook); is {
		return w.size * w.sheet.InputOffset() / max(w.unzip, 1)
	}
	n, err := f.from.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return n
}

// cells returns the cells of a line, without the empty ones at its end.
func (f *File) cells(l line) (cells []Cell, err error) {
	if cells, err = l.cells, l.err; err == nil && f.separator != 0 {
		cells, err = split(l.text, f.separator)
	}
	if err != nil {
		return nil, err
	}
	for len(cells) > 0 && cells[len(cells)-1].Text == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) > maxColumns {
		return nil, errLineColumns
	}
	return cells, nil
}

func texts(cells []Cell) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = c.Text
	}
	return list
}

// split splits a line into cells. Blanks around a cell are removed, unless they are quoted, and so is the apostrophe that our
// exports put in front of cells that a spreadsheet would calculate.
func split(text string, separator byte) (cells []Cell, err error) {
	for {
		if len(cells) > maxColumns && strings.Trim(text, string(separator)+" ") != "" {
			return nil, errLineColumns
		}
		rest, more := "", false
		var cell Cell
		if quoted := strings.TrimLeft(text, blanksBut(separator)); strings.HasPrefix(quoted, `"`) {
			if cell.Text, rest, err = unquote(quoted[1:]); err != nil {
				return nil, err
			}
			rest = strings.TrimLeft(rest, blanksBut(separator))
			if more = rest != ""; more {
				if rest[0] != separator {
					return nil, errLineQuote
				}
				rest = rest[1:]
			}
		} else {
			cell.Text, rest, more = strings.Cut(text, string(separator))
			cell.Text = strings.TrimLeftFunc(cell.Text, unicode.IsSpace)
			if end := len(strings.TrimRightFunc(cell.Text, unicode.IsSpace)); end > 0 {
				cell.Text, cell.tail = cell.Text[:end], cell.Text[end:]
			}
		}
		cell.Text = unguard(cell.Text)
		if cells = append(cells, cell); !more {
			return cells, nil
		}
		text = rest
	}
}

func blanksBut(separator byte) string {
	if separator == '\t' {
		return " \u00a0"
	}
	return " \u00a0\t"
}

// unquote returns the text of a cell up to its closing quotation mark, and what follows it.
func unquote(text string) (cell, rest string, err error) {
	for {
		before, after, closed := strings.Cut(text, `"`)
		if !closed {
			return "", "", errLineQuote
		}
		cell += before
		if !strings.HasPrefix(after, `"`) {
			return cell, after, nil
		}
		cell, text = cell+`"`, after[1:]
	}
}

// textSource reads lines of UTF-8 text.
type textSource struct {
	in     *bufio.Reader
	number int
}

func (s *textSource) next() (line, error) {
	text, err := s.in.ReadSlice('\n')
	s.number++
	l := line{number: s.number}
	for errors.Is(err, bufio.ErrBufferFull) {
		l.err = errLineLong
		text, err = s.in.ReadSlice('\n')
	}
	if err != nil && (err != io.EOF || len(text) == 0 && l.err == nil) {
		return line{}, err
	}
	if l.err == nil && (!utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0) {
		l.err = errLineText
	}
	if l.err != errLineLong {
		l.text = strings.TrimRight(strings.ToValidUTF8(string(text), "\ufffd"), "\r\n")
	}
	return l, nil
}
