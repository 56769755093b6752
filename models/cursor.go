package models

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Cursor is a place between two rows of a list that is ordered by time and then number, newest first. A page of such a list is
// the rows next to a cursor: no row is counted or skipped over to find them. The zero Cursor is the list's newest end.
type Cursor struct {
	At    time.Time
	ID    int64
	Newer bool // the page wanted is the one before this place, not after it
}

// ErrCursorShape is returned for an address whose place in the list cannot be read.
var ErrCursorShape = errors.New("this is no place in a list")

// IsZero reports whether c is the list's newest end.
func (c Cursor) IsZero() bool { return c.ID == 0 }

// String writes the place as it stands in an address, without its direction.
func (c Cursor) String() string {
	return strconv.FormatInt(c.At.UnixMicro(), 10) + "." + strconv.FormatInt(c.ID, 10)
}

// ParseCursor reads what String wrote. It returns ErrCursorShape.
func ParseCursor(s string) (Cursor, error) {
	at, id, ok := strings.Cut(s, ".")
	us, err := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.ParseInt(id, 10, 64)
	if !ok || err != nil || err2 != nil || n < 1 {
		return Cursor{}, ErrCursorShape
	}
	return Cursor{At: time.UnixMicro(us).UTC(), ID: n}, nil
}
