package sheet

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// Unreadable says why a file cannot be read, and what to do.
type Unreadable string

// Error returns the reason.
func (u Unreadable) Error() string { return string(u) }

const (
	errOldExcel = Unreadable("this is a workbook of an old version of Excel (.xls): save it as .xlsx or as CSV, and choose that file")
	errNotUTF8  = Unreadable("this file is not UTF-8 text: save it as CSV UTF-8 or as .xlsx, and choose that file")
	errSlow     = Unreadable("this file takes too long to read: split it, or save it as CSV")
	errNoText   = Unreadable("this file is neither text (CSV, UTF-8) nor a workbook (XLSX)")
)

// open finds out what a file is, and makes the source of its lines.
func (f *File) open(from io.ReadSeeker) error {
	in := bufio.NewReaderSize(from, maxLine)
	begin, err := in.Peek(8)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case bytes.HasPrefix(begin, []byte(zipBegins)):
		f.source, err = f.openWorkbook(from)
		return err
	case bytes.HasPrefix(begin, []byte("\xd0\xcf\x11\xe0")):
		return errOldExcel
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return errNotUTF8
	case bytes.HasPrefix(begin, []byte("\ufeff")):
		in.Discard(len("\ufeff"))
	}
	f.source = &textSource{in: in}
	return nil
}

// stopped returns why reading a file stops when ctx ends.
func stopped(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errSlow
	}
	return ctx.Err()
}
