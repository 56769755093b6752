package export

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"pitboss/app/sheet"
)

// Cell makes a text safe in a spreadsheet, in every file that Pitboss writes: see sheet.Guard. Control characters other than
// line breaks and tabs are replaced by their pictures, which every program can show.
func Cell(s string) string {
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
	return sheet.Guard(s)
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\x7f' }

// CSVWriter writes lines of comma-separated values in UTF-8. It quotes cells with any separator that a spreadsheet may use,
// such as the semicolon in Europe. Pass texts through Cell first.
type CSVWriter struct {
	Separator byte
	to        *bufio.Writer
}

// NewCSV returns a writer of lines whose separator is a comma.
func NewCSV(to io.Writer) *CSVWriter {
	return &CSVWriter{',', bufio.NewWriterSize(to, 64<<10)}
}

// Mark writes the byte order mark by which spreadsheets recognize UTF-8.
func (w *CSVWriter) Mark() { w.to.WriteString("\ufeff") }

// Write writes a line. Its error, if any, is returned again by Flush.
func (w *CSVWriter) Write(cells []string) (err error) {
	for i, cell := range cells {
		if i > 0 {
			w.to.WriteByte(w.Separator)
		}
		if strings.ContainsAny(cell, ",;|\"\t\r\n") || cell != strings.TrimSpace(cell) {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		w.to.WriteString(cell)
	}
	return w.to.WriteByte('\n')
}

// Flush writes the buffered lines.
func (w *CSVWriter) Flush() error { return w.to.Flush() }
