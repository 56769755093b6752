// Package export writes lists of any size to CSV or XLSX files while they are sent, with bounded memory.
package export

import (
	"context"
	"errors"
	"io"
	"strings"
)

// Format is a file format.
type Format string

// The formats.
const (
	CSV  Format = "csv"
	XLSX Format = "xlsx"
)

// Known reports whether lists can be exported in this format.
func (f Format) Known() bool { return f == CSV || f == XLSX }

// Type returns the format's media type.
func (f Format) Type() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}

// Word returns the format's name for people.
func (f Format) Word() string { return strings.ToUpper(string(f)) }

// List is what to export.
type List struct {
	About   []Remark // information about the file besides its filters
	Columns []Column
	// Read calls page with the list's rows, page by page, and returns its error. It may read as many rows at once as it likes,
	// but its memory must not grow with the list.
	Read func(ctx context.Context, page func([]Row) error) error
}

// Error is why a list cannot be exported, in words for the person who exports it.
type Error string

// Error returns the words.
func (e Error) Error() string { return string(e) }

const errXLSXFull = Error("An XLSX file has at most 1,048,575 rows. Export fewer rows, or choose CSV.")

// Write writes the file of a list and returns its number of rows. A file for which it returns an error is incomplete. A CSV is
// written row by row; an XLSX is collected in a temporary file and written at the end.
func Write(ctx context.Context, to io.Writer, format Format, head Head, list List) (rows int64, err error) {
	var w writer
	if format == XLSX {
		w, err = newXLSX(to, head, list.Columns)
	} else {
		w, err = newCSV(to, head, list.Columns)
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	err = list.Read(ctx, func(page []Row) error {
		for _, r := range page {
			if err := w.row(r); err != nil {
				return err
			}
		}
		rows += int64(len(page))
		return ctx.Err()
	})
	if err != nil {
		return rows, err
	}
	return rows, w.finish(rows)
}
